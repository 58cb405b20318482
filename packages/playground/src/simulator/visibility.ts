import type { SeedMember } from "./seed.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { Simulator } from "./simulator.ts";

/** Ephemeral messages are visible to their user only, all others to everyone who may read the channel. */
export function seenBy({ places }: Pick<Simulator, "places">, person: SeedMember, message: StoredMessage): boolean {
	if (message.visibleTo !== null) return message.visibleTo === person.id;
	const place = places.find(message.channelId);
	return place !== undefined && places.mayRead(place, person.id);
}
