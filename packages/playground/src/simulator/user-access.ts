/** Members in a timeout read, but neither write nor react nor use commands. */
import { type Channel, guildOf } from "./channels.ts";
import { InvalidInputError } from "./resolver.ts";
import type { SeedUser } from "./seed.ts";
import type { Simulator } from "./simulator.ts";

/** Throws if the user is in a timeout, on the playground's clock. */
export function checkNotTimedOut({ members, clock }: Simulator, channel: Channel, user: SeedUser): void {
	const guild = guildOf(channel);
	const untilMs = guild && members.timedOutUntilMs(guild, user.id);
	if (untilMs === undefined || untilMs <= clock.nowMs()) return;
	throw new InvalidInputError(`You are timed out until ${new Date(untilMs).toISOString()}.`);
}
