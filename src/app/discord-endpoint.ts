/** Describes the configured Discord, or opens the playground; create-app.ts selects one of the two. */
import assert from "node:assert/strict";
import type { Playground } from "@atelier/playground/playground";
import { environmentError } from "../config/config-error.ts";
import type { Config } from "../config/load-config.ts";
import { isLoopback } from "../http/server-origin.ts";
import { dashboardRedirectUri } from "../http/dashboard/dashboard-paths.ts";
import type { AppContext } from "./app-context.ts";

const SKETCH_NOTICE =
	"Images, videos and music are procedural art, not AI. To use AI, see “Generate with AI” in README.md.";

/** The address and credentials of Discord or the playground. */
export interface DiscordEndpoint {
	readonly token: string;
	readonly apiUrl: string | undefined;
	readonly isPlayground: boolean;
	/** The user of the playground who operates the bot, unless operators are configured. */
	readonly operatorId?: string;
}

export function configuredDiscord({ DISCORD_TOKEN, DISCORD_API_URL }: Config): DiscordEndpoint {
	assert(DISCORD_TOKEN !== undefined);
	return { token: DISCORD_TOKEN, apiUrl: DISCORD_API_URL, isPlayground: false };
}

/**
 * Returns why a bot without a token does not start: other machines could reach the playground, in which anyone can act as any user.
 * Returns `undefined` if only this machine reaches it, or if `PLAYGROUND_REACH` is `network`.
 */
export function playgroundProblem({ HOST, PLAYGROUND_REACH }: Config): string | undefined {
	if (PLAYGROUND_REACH === "network" || isLoopback(HOST)) return undefined;
	return `DISCORD_TOKEN: expected the bot's token, because HOST is ${HOST}: without one the playground starts, in which anyone who can reach it can act as any user (or HOST=127.0.0.1, or PLAYGROUND_REACH=network, if no other user can reach that address)`;
}

/** Opens the playground. Throws a `ConfigError` for a `playgroundProblem`. */
export async function openPlayground(context: AppContext, config: Config): Promise<Playground> {
	const { http, clock, logger, origin, disposables } = context;
	const problem = playgroundProblem(config);
	if (problem !== undefined) throw environmentError([problem]);
	// Loaded only without a token.
	const { createPlayground } = await import("@atelier/playground/playground");
	const dataDir = config.STORE_URL === "memory:" ? undefined : config.DATA_DIR;
	const playground = createPlayground({
		clock,
		logger: logger.child({ part: "playground" }),
		dataDir,
		origin,
		redirectUris: () => [dashboardRedirectUri(dashboardOrigin(context, config))],
		notice: config.MEDIA_API_URL === undefined && config.STUDIO_ENGINES === undefined ? SKETCH_NOTICE : undefined,
	});
	disposables.defer(() => playground.close());
	await playground.register(http);
	return playground;
}

/** Returns the public origin if one is configured, otherwise that of the HTTP server. */
export function dashboardOrigin(context: Pick<AppContext, "origin">, { PUBLIC_URL }: Config): string {
	return PUBLIC_URL === undefined ? context.origin() : new URL(PUBLIC_URL).origin;
}

export function playgroundEndpoint({ origin }: AppContext, { botToken, ownerId }: Playground): DiscordEndpoint {
	return { token: botToken, apiUrl: `${origin()}/api`, isPlayground: true, operatorId: ownerId };
}
