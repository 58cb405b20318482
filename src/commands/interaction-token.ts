import type { BaseInteraction } from "discord.js";

const TOKEN_LIFE_MS = 15 * 60_000;

/** Returns when the token of an interaction stops editing its reply. */
export function tokenExpiresAtMsOf({ createdTimestamp }: Pick<BaseInteraction, "createdTimestamp">): number {
	return createdTimestamp + TOKEN_LIFE_MS;
}
