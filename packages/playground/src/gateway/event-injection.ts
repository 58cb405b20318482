/** Injected faults: events that are lost, or sent twice. */

export interface PlantedEvent {
	readonly act: "drop" | "repeat";
	/** Such as `INTERACTION_CREATE`; all events if absent. */
	readonly event?: string | undefined;
	/** The number of affected events; unlimited if absent. */
	readonly times?: number | undefined;
}

export interface PlantedEvents {
	readonly plant: (planted: PlantedEvent) => void;
	readonly clear: () => void;
	/** Returns how often to send this event, and counts it. */
	readonly take: (event: string) => 0 | 1 | 2;
	readonly list: () => readonly PlantedEvent[];
}

export function createPlantedEvents(): PlantedEvents {
	const all: { readonly planted: PlantedEvent; left: number }[] = [];
	return {
		plant: (planted) => void all.push({ planted, left: planted.times ?? Number.POSITIVE_INFINITY }),
		clear: () => void all.splice(0),
		take(event) {
			const found = all.find(({ planted, left }) => left > 0 && (planted.event ?? event) === event);
			if (!found) return 1;
			found.left--;
			return found.planted.act === "drop" ? 0 : 2;
		},
		list: () => all.filter(({ left }) => left > 0).map(({ planted }) => planted),
	};
}
