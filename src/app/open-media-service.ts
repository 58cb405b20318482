/** Opens the built-in studio, or a client of the configured service; `create-app.ts` selects one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROFILES } from "@atelier/media-protocol/profiles";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import { INTERNAL_ACCOUNT, openInternalKey } from "@atelier/studio/internal-key";
import type { Studio } from "@atelier/studio/studio";
import { deadlinesOf, type Config } from "../config/load-config.ts";
import { discordFileOrigins } from "../discord/discord-file-origins.ts";
import { mediaCallbackUrl, registerMediaCallbackRoute } from "../http/media-callback-route.ts";
import { createHttpMediaApi, type HttpMediaApi } from "../services/generation/http-media-api.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import type { AppContext } from "./app-context.ts";
import { registerStudio } from "./register-studio.ts";

interface BuiltInStudioOptions {
	readonly engines: OpenedEngines;
	/** Called when the studio reports that a task has ended. Must not throw. */
	readonly wakeTask: (taskId: string) => void;
}

/** Opens the studio behind the bot's own HTTP server. All bots on one store share it through `QUEUE_URL`. */
export async function openBuiltInStudio(
	context: AppContext,
	config: Config,
	{ engines, wakeTask }: BuiltInStudioOptions,
): Promise<Studio> {
	const { http, clock, origin } = context;
	const logger = context.logger.child({ part: "studio" });
	const deadlinesMs = deadlinesOf(config);
	const { studio } = await registerStudio(context, {
		config,
		logger,
		engines,
		origin,
		unlimitedAccounts: [INTERNAL_ACCOUNT],
		// The bot ends its tasks at its own deadlines; the studio must not end them before.
		limits: { runDeadlineMs: deadlinesMs, queueDeadlineMs: Math.max(...Object.values(deadlinesMs)) },
		callbackOrigins: (account) => (account === INTERNAL_ACCOUNT ? [origin()] : []),
		inputOrigins: () => discordFileOrigins(config.DISCORD_TOKEN === undefined ? origin() : config.DISCORD_API_URL),
	});
	const { callbackSecret } = await studio.accounts.open(INTERNAL_ACCOUNT);
	await registerMediaCallbackRoute(http, { secret: async () => callbackSecret, wakeTask, clock, logger });
	return studio;
}

/** Starts the studio's work and returns a client with a key of its own. The HTTP server must be listening. */
export async function connectBuiltInStudio(context: AppContext, config: Config, studio: Studio): Promise<MediaApi> {
	const { origin, clock, ledger } = context;
	await studio.start();
	return createHttpMediaApi({
		baseUrl: origin(),
		apiKey: await openInternalKey({ studio, ledger }, join(config.DATA_DIR, "studio.key")),
		profile: PROFILES.studio,
		clock,
		random: Math.random,
		logger: context.logger.child({ part: "bot" }),
		callbackUrlOf: (taskId) => mediaCallbackUrl(origin(), taskId),
	});
}

/**
 * Returns a client of the configured service. If the service signs callbacks and can reach this process by https, the client
 * requests callbacks; polls continue. The HTTP server must not be listening yet.
 */
export async function createConfiguredMediaApi(
	{ http, clock, stopping, ...context }: AppContext,
	config: Config,
	{ wakeTask }: Pick<BuiltInStudioOptions, "wakeTask">,
): Promise<MediaApi> {
	const { MEDIA_API_URL, MEDIA_API_KEY, MEDIA_API_PROFILE, PUBLIC_URL } = config;
	assert(MEDIA_API_URL !== undefined && MEDIA_API_KEY !== undefined);
	const logger = context.logger.child({ part: "bot" });
	const profile = PROFILES[MEDIA_API_PROFILE];
	// A studio rejects a submit whose callback URL is not https.
	const callbackBase = profile.callbackSecret && PUBLIC_URL?.startsWith("https:") ? PUBLIC_URL : undefined;
	const media: HttpMediaApi = createHttpMediaApi({
		baseUrl: MEDIA_API_URL,
		apiKey: MEDIA_API_KEY,
		profile,
		clock,
		random: Math.random,
		logger,
		...(callbackBase !== undefined && {
			callbackUrlOf: (taskId) => mediaCallbackUrl(callbackBase, taskId),
		}),
	});
	if (callbackBase !== undefined)
		await registerMediaCallbackRoute(http, { secret: () => media.callbackSecret(stopping), wakeTask, clock, logger });
	return media;
}

/** Returns the origins from which results may be downloaded although they are private: the service's own, and `MEDIA_ORIGINS`. */
export function resultOrigins({ origin }: AppContext, { MEDIA_API_URL, MEDIA_ORIGINS }: Config): readonly string[] {
	return [MEDIA_API_URL === undefined ? origin() : new URL(MEDIA_API_URL).origin, ...MEDIA_ORIGINS];
}
