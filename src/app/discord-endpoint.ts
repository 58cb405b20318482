/** Discord itself where a token is configured, and the playground in its place where none is. */
import assert from "node:assert/strict";
import { environmentError } from "../config/config-error.ts";
import type { Config } from "../config/load-config.ts";
import { isLoopback } from "../http/loopback.ts";
import type { Playground } from "@atelier/playground/playground";
import type { Ground } from "./context.ts";

/** How the bot reaches Discord, or what stands in for it. */
export interface DiscordAccess {
	readonly token: string;
	readonly apiUrl: string | undefined;
	readonly isPlayground: boolean;
}

export function discordOf({ DISCORD_TOKEN, DISCORD_API_URL }: Config): DiscordAccess {
	assert(DISCORD_TOKEN !== undefined);
	return { token: DISCORD_TOKEN, apiUrl: DISCORD_API_URL, isPlayground: false };
}

export async function openPlayground({ app, clock, config, logger, origin, releases }: Ground): Promise<Playground> {
	// Whoever reaches its page is whoever they say they are.
	if (config.PLAYGROUND_REACH === "machine" && !isLoopback(config.HOST)) {
		throw environmentError([
			`DISCORD_TOKEN: expected the bot's token, because HOST is ${config.HOST}: without one the playground opens, in which whoever reaches it may be anybody (or HOST=127.0.0.1, or PLAYGROUND_REACH=network, where nobody else reaches that address)`,
		]);
	}
	// Loaded only by those who use it.
	const { createPlayground } = await import("@atelier/playground/playground");
	const dataDir = config.STORE_URL === "memory:" ? undefined : config.DATA_DIR;
	const playground = createPlayground({ clock, logger: logger.child({ house: "playground" }), dataDir, origin });
	releases.push(() => playground.close());
	await playground.register(app);
	return playground;
}

export function playgroundAsDiscord({ origin }: Ground, { botToken }: Playground): DiscordAccess {
	return { token: botToken, apiUrl: `${origin()}/api`, isPlayground: true };
}
