import { Routes, type APIPartialGuild, type REST } from "discord.js";

/** Discord's largest page. */
const PAGE_GUILDS = 200;
/** Includes the wait while Discord limits the reads. */
const PAGE_TIMEOUT_MS = 60_000;

/** Yields all servers of the bot with their names. The client waits while Discord limits the reads. */
export async function* listBotGuilds(
	rest: REST,
	stopping: AbortSignal,
): AsyncGenerator<Pick<APIPartialGuild, "id" | "name">> {
	for (let after = "0"; ;) {
		const query = new URLSearchParams({ limit: String(PAGE_GUILDS), after });
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(PAGE_TIMEOUT_MS)]);
		const page = (await rest.get(Routes.userGuilds(), { query, signal })) as readonly APIPartialGuild[];
		yield* page;
		const last = page.at(-1);
		if (!last || page.length < PAGE_GUILDS) return;
		after = last.id;
	}
}
