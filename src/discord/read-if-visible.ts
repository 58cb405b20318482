import { DiscordAPIError, type REST } from "discord.js";
import { DirectoryUnavailableError } from "../services/access/guild-directory.ts";
import { requestWithTimeout } from "./with-timeout.ts";

/** Reads a route of Discord. Resolves to `undefined` if it does not exist or the bot cannot see it. */
export async function readIfVisible<Result>(rest: REST, route: `/${string}`): Promise<Result | undefined> {
	return await readUnlessAbsent(rest, route, ({ status }) => status === 403 || status === 404);
}

/** Reads a route of Discord. Resolves to `undefined` for responses that mean `isAbsent`. All other failures are a `DirectoryUnavailableError`. */
export async function readUnlessAbsent<Result>(
	rest: REST,
	route: `/${string}`,
	isAbsent: (error: DiscordAPIError) => boolean,
): Promise<Result | undefined> {
	try {
		return (await requestWithTimeout(rest, "get", route)) as Result;
	} catch (cause) {
		if (cause instanceof DiscordAPIError && isAbsent(cause)) return undefined;
		throw new DirectoryUnavailableError({ cause });
	}
}
