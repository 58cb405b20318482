import { DiscordAPIError, type REST } from "discord.js";
import { requestWithTimeout } from "./with-timeout.ts";

/** Reads a route of Discord. Resolves to `undefined` if it does not exist or the bot cannot see it. */
export async function readIfVisible<Result>(rest: REST, route: `/${string}`): Promise<Result | undefined> {
	try {
		return (await requestWithTimeout(rest, "get", route)) as Result;
	} catch (error) {
		if (error instanceof DiscordAPIError && [403, 404].includes(error.status)) return undefined;
		throw error;
	}
}
