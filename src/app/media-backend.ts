/** The media service that is configured, and the studio in its place where none is. */
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { queueNotShared, multiProcessReason } from "../config/processes.ts";
import { discordFileOrigins } from "../discord/file-origins.ts";
import { mediaCallbackUrl, registerMediaCallbacks } from "../http/media-webhook.ts";
import { createHttpMediaApi } from "../services/generation/http-media-api.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import { measureStudio } from "../metrics/measure-studio.ts";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { OPEN_HOLDS_MAX } from "@atelier/ledger/account";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import { HOUSE_ACCOUNT, houseCallbackSecret, openHouseKey } from "@atelier/studio/internal-key";
import type { Studio } from "@atelier/studio/studio";
import type { Ground } from "./context.ts";
import { ownResidence } from "./process-identity.ts";
import { openSharedWorkOf } from "./coordination.ts";
import { beSoleStudio } from "./lease.ts";

export async function openStudio(ground: Ground, { engines, engineOrder }: OpenedEngines): Promise<Studio> {
	const { config, logger, origin, releases } = ground;
	for (const engine of engines) releases.push(() => engine.close());
	const why = multiProcessReason(config);
	if (why !== undefined && config.QUEUE_URL === undefined) throw queueNotShared(why);
	// Several bots on one store have one studio between them, each with a part of it.
	const shared = await openSharedWorkOf(config.QUEUE_URL, ground);
	if (shared) releases.push(() => shared.close());
	if (!shared && ground.store.isSharedBetweenProcesses) {
		const sole = { ...ground, newId: randomUUID, residence: ownResidence(), onLost: ground.lost.resolve };
		const place = await beSoleStudio(sole);
		releases.push(() => place.leave());
	}
	let opened: Studio | undefined;
	// Loaded only by those who use it.
	const { createStudio } = await import("@atelier/studio/studio");
	const studio = createStudio({
		...ground,
		events: measureStudio(ground.metrics, () => opened?.standing()),
		logger: logger.child({ house: "studio" }),
		engines,
		engineOrder,
		mediaDir: join(config.DATA_DIR, "studio-media"),
		randomBytes,
		unlimitedAccounts: [HOUSE_ACCOUNT],
		callbackOrigins: () => [origin()],
		inputOrigins: () => discordFileOrigins(config.DISCORD_TOKEN === undefined ? origin() : config.DISCORD_API_URL),
		// The house is one account, however many servers stand behind it; its open holds are the bound.
		limits: { openTasksPerAccountMax: OPEN_HOLDS_MAX },
		shared,
	});
	opened = studio;
	releases.push(() => studio.stop());
	await studio.register(ground.app);
	await registerMediaCallbacks(ground.app, {
		secret: await houseCallbackSecret(studio),
		wake: (taskId) => ground.doorbell.ring(taskId),
		clock: ground.clock,
		logger,
	});
	return studio;
}

export async function studioAsMediaApi(ground: Ground, studio: Studio): Promise<MediaApi> {
	const { config, origin, clock, logger, ledger } = ground;
	await studio.start();
	const callbackUrlOf = (taskId: string): string => mediaCallbackUrl(origin(), taskId);
	const apiKey = await openHouseKey({ studio, ledger }, join(config.DATA_DIR, "studio.key"));
	return createHttpMediaApi({
		baseUrl: origin(),
		apiKey,
		profile: PROFILES.studio,
		clock,
		random: Math.random,
		logger,
		callbackUrlOf,
	});
}

export function mediaApiOf({ config, clock, logger }: Ground): MediaApi {
	const { MEDIA_API_URL, MEDIA_API_KEY, MEDIA_API_PROFILE } = config;
	assert(MEDIA_API_URL !== undefined && MEDIA_API_KEY !== undefined);
	const profile = PROFILES[MEDIA_API_PROFILE];
	return createHttpMediaApi({
		baseUrl: MEDIA_API_URL,
		apiKey: MEDIA_API_KEY,
		profile,
		clock,
		random: Math.random,
		logger,
	});
}

/** Where the configured service is, its files may be too; nothing else of a private network is ever fetched from. */
export function resultOriginsOf({ config, origin }: Ground): readonly string[] {
	const { MEDIA_API_URL, MEDIA_ORIGINS } = config;
	return [MEDIA_API_URL === undefined ? origin() : new URL(MEDIA_API_URL).origin, ...MEDIA_ORIGINS];
}
