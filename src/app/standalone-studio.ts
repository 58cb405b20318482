/** The composition root of the studio by itself, as a service that one runs for others. */
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { systemClock } from "@atelier/common/clock";
import type { Config } from "../config/load-config.ts";
import { discordFileOrigins } from "../discord/file-origins.ts";
import { registerHealth } from "../http/health.ts";
import { createHttpServer } from "@atelier/common/http-server";
import { createMalformedUrlHandler } from "@atelier/studio/malformed-url";
import { measureStore } from "../metrics/measured-store.ts";
import { measureStudio } from "../metrics/measure-studio.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { openMetricsServer, registerMetrics } from "../http/metrics-routes.ts";
import { ownOrigin } from "../http/server-origin.ts";
import { createLedger } from "@atelier/ledger/ledger";
import { watchEpoch } from "../services/backup/epoch.ts";
import { lockStore } from "@atelier/store/store-lock";
import { openStore } from "@atelier/store/open-store";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import { createStudio, type Studio } from "@atelier/studio/studio";
import { ownResidence } from "./process-identity.ts";
import { openSharedWorkOf } from "./coordination.ts";
import { beSoleStudio, type SolePlace } from "./lease.ts";

export interface StudioAlone {
	/** Where this machine reaches it. */
	readonly origin: string;
	/** Resolves to why it cannot go on. */
	readonly lost: Promise<string>;
	stop(): Promise<void>;
}

export async function startStudioAlone(
	config: Pick<
		Config,
		| "DISCORD_API_URL"
		| "STORE_URL"
		| "PROMPT_KEYS"
		| "QUEUE_URL"
		| "STUDIO_URL"
		| "DATA_DIR"
		| "HOST"
		| "PORT"
		| "METRICS_HOST"
		| "METRICS_PORT"
	>,
	logger: Logger,
	{ engines, engineOrder }: OpenedEngines,
): Promise<StudioAlone> {
	const releases: (() => Promise<unknown>)[] = engines.map((engine) => () => engine.close());
	const stopping = new AbortController();
	const stop = async (): Promise<void> => {
		stopping.abort(new Error("stopping"));
		for (const release of releases.splice(0).toReversed()) await release();
	};
	try {
		const clock = systemClock;
		const metrics = createMetrics({ logger });
		const store = measureStore(await openStore(config.STORE_URL, { logger, sealing: config.PROMPT_KEYS }), metrics);
		releases.push(() => store.close());
		// That it is the only studio is told by the store itself, on every kind of store.
		const lock = lockStore(config.STORE_URL, "studio", { isShared: true });
		releases.push(async () => lock.release());
		const lost = Promise.withResolvers<string>();
		const epoch = await watchEpoch({ store, clock, logger, onLost: lost.resolve });
		releases.push(() => epoch.stop());
		const shared = await openSharedWorkOf(config.QUEUE_URL, { store, clock, logger });
		if (shared) releases.push(() => shared.close());
		let sole: SolePlace | undefined;
		if (!shared && store.isSharedBetweenProcesses) {
			const deps = { store, clock, logger, newId: randomUUID, residence: ownResidence() };
			const place = await beSoleStudio({ ...deps, onLost: lost.resolve });
			releases.push(() => place.leave());
			sole = place;
		}
		const app = createHttpServer({ malformedUrlHandlers: [createMalformedUrlHandler(randomBytes)] });
		const origin = (): string => config.STUDIO_URL?.replace(/\/+$/, "") ?? ownOrigin(app.server);
		let opened: Studio | undefined;
		const studio = createStudio({
			events: measureStudio(metrics, () => opened?.standing()),
			store,
			ledger: createLedger({ store, clock }),
			clock,
			logger,
			engines,
			engineOrder,
			mediaDir: join(config.DATA_DIR, "studio-media"),
			origin,
			randomBytes,
			inputOrigins: () => discordFileOrigins(config.DISCORD_API_URL),
			shared,
		});
		opened = studio;
		releases.push(() => studio.stop());
		await studio.register(app);
		// The process answers for itself: there is no gateway, and nobody polls.
		registerHealth(app, {
			store,
			clock,
			stopping: stopping.signal,
			mustHold: { studio: () => sole?.isHeld() ?? true },
		});
		registerMetrics(app, metrics, config);
		const metricsServer = await openMetricsServer(metrics, config);
		if (metricsServer) releases.push(metricsServer.close);
		releases.push(() => app.close());
		await app.listen({ host: config.HOST, port: config.PORT });
		await studio.start();
		return { origin: ownOrigin(app.server), lost: lost.promise, stop };
	} catch (error) {
		await stop().catch(() => {});
		throw error;
	}
}
