import { DiscordAPIError, type REST } from "discord.js";

/** Members and readers of a page do not wait longer. */
const READ_TIMEOUT_MS = 10_000;

/** Reads a route of Discord. Resolves to `undefined` if it does not exist or the bot cannot see it. */
export async function readIfVisible<Result>(rest: REST, route: `/${string}`): Promise<Result | undefined> {
	try {
		return (await rest.get(route, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) })) as Result;
	} catch (error) {
		if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return undefined;
		throw error;
	}
}
