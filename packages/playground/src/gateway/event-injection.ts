/** Injected faults: events that are lost, or sent twice. */

export interface InjectedEvent {
	readonly act: "drop" | "repeat";
	/** Such as `INTERACTION_CREATE`; all events if absent. */
	readonly event?: string | undefined;
	/** The number of affected events; unlimited if absent. */
	readonly times?: number | undefined;
}

export interface InjectedEvents {
	readonly inject: (injected: InjectedEvent) => void;
	readonly clear: () => void;
	/** Returns how often to send this event, and counts it. */
	readonly take: (event: string) => 0 | 1 | 2;
	readonly list: () => readonly InjectedEvent[];
}

export function createInjectedEvents(): InjectedEvents {
	const all: { readonly injected: InjectedEvent; left: number }[] = [];
	return {
		inject: (injected) => void all.push({ injected, left: injected.times ?? Number.POSITIVE_INFINITY }),
		clear: () => void all.splice(0),
		take(event) {
			const found = all.find(({ injected, left }) => left > 0 && (injected.event ?? event) === event);
			if (!found) return 1;
			found.left--;
			return found.injected.act === "drop" ? 0 : 2;
		},
		list: () => all.filter(({ left }) => left > 0).map(({ injected }) => injected),
	};
}
