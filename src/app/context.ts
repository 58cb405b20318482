/** What all houses of one process stand on: configuration, store, ledger, HTTP; and how it is let go. */
import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Config } from "../config/load-config.ts";
import { storeNotShared, multiProcessReason } from "../config/processes.ts";
import { createHttpServer } from "@atelier/common/http-server";
import { createMalformedUrlHandler } from "@atelier/studio/malformed-url";
import { handleMalformedUrl } from "@atelier/playground/rest/malformed-url";
import { measureStore } from "../metrics/measured-store.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { openMetricsServer, registerMetrics } from "../http/metrics-routes.ts";
import { ownOrigin } from "../http/server-origin.ts";
import { watchEpoch, type Epoch } from "../services/backup/epoch.ts";
import { createLedger } from "@atelier/ledger/ledger";
import type { Ledger } from "@atelier/ledger/operations";
import { openStore } from "@atelier/store/open-store";
import { lockStore, type StoreLock } from "@atelier/store/store-lock";
import type { Store } from "@atelier/store/store";

/** What every house is built on. */
export interface Ground {
	readonly config: Config;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly store: Store;
	readonly epoch: Epoch;
	readonly ledger: Ledger;
	readonly metrics: Metrics;
	readonly app: FastifyInstance;
	/** Where `app` listens; throws before it does. */
	readonly origin: () => string;
	/** How the media service wakes the bot's tasks; the bot listens once it is there. */
	readonly doorbell: { ring: (taskId: string) => void };
	/** What has to be let go at the end, in the order of acquiring. */
	readonly releases: (() => Promise<unknown>)[];
	readonly lost: PromiseWithResolvers<string>;
	/** Aborted in the first moment of a stop, before anything is let go. */
	readonly stopping: AbortController;
}

/** Last acquired, first let go. What fails to go keeps nothing else from going. */
export async function letGo({ releases, logger, stopping }: Ground): Promise<void> {
	stopping.abort(new Error("stopping"));
	const failures: unknown[] = [];
	for (const release of releases.splice(0).toReversed()) {
		try {
			await release();
		} catch (error) {
			logger.error({ err: error }, "not let go properly");
			failures.push(error);
		}
	}
	if (failures.length > 0) throw new AggregateError(failures, "not everything was let go properly");
}

export async function layGround(config: Config, logger: Logger, clock: Clock): Promise<Ground> {
	const metrics = createMetrics({ logger });
	const store = measureStore(await openStore(config.STORE_URL, { logger, sealing: config.PROMPT_KEYS }), metrics);
	const why = multiProcessReason(config);
	if (why !== undefined && !store.isSharedBetweenProcesses) {
		await store.close();
		throw storeNotShared(why);
	}
	const lock = await lockOrClose(config, store);
	if (why !== undefined && config.QUEUE_URL === undefined) {
		logger.warn("several processes without QUEUE_URL: each of them looks at every open task");
	}
	const lost = Promise.withResolvers<string>();
	const epoch = await watchEpoch({ store, clock, logger, onLost: lost.resolve }).catch(async (error: unknown) => {
		await store.close();
		lock.release();
		throw error;
	});
	const app = createHttpServer({ malformedUrlHandlers: [createMalformedUrlHandler(randomBytes), handleMalformedUrl] });
	const origin = (): string => ownOrigin(app.server);
	const releases = [async () => lock.release(), () => store.close(), () => epoch.stop()];
	registerMetrics(app, metrics, config);
	const doorbell = { ring: () => {} };
	return {
		config,
		logger,
		clock,
		store,
		epoch,
		ledger: createLedger({ store, clock }),
		metrics,
		app,
		origin,
		doorbell,
		releases,
		lost,
		stopping: new AbortController(),
	};
}

/** One that is alone on its store takes a second one for a mistake: each command would be carried out by both. */
async function lockOrClose(config: Config, store: Store): Promise<StoreLock> {
	try {
		return lockStore(config.STORE_URL, "bot", { isShared: multiProcessReason(config) !== undefined });
	} catch (error) {
		await store.close();
		throw error;
	}
}

export async function listen({ app, config, logger, metrics, releases }: Ground): Promise<void> {
	releases.push(() => app.close());
	await app.listen({ host: config.HOST, port: config.PORT });
	const metricsServer = await openMetricsServer(metrics, config);
	if (!metricsServer) return;
	releases.push(metricsServer.close);
	logger.info({ url: `${metricsServer.origin}/metrics` }, "metrics are shown");
}
