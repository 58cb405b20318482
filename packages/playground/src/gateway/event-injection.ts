/** Events that somebody wants to be lost on their way to the bot, or to come twice. */

export interface PlantedEvent {
	readonly act: "drop" | "repeat";
	/** Such as `INTERACTION_CREATE`; absent: every event. */
	readonly event?: string | undefined;
	/** How many events it meets; absent: all, until it is taken away. */
	readonly times?: number | undefined;
}

export interface PlantedEvents {
	readonly plant: (planted: PlantedEvent) => void;
	readonly clear: () => void;
	/** How often this event is to be told; counted as met. */
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
