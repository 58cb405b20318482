/** Registers the studio in this process, for the bot or by itself. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import type { OpenedEngines } from "@atelier/studio/engines/engine-file";
import type { Cluster } from "@atelier/studio/cluster/open-cluster";
import type { Studio, StudioDeps } from "@atelier/studio/studio";
import type { Config } from "../config/load-config.ts";
import { createStudioMetrics } from "../metrics/studio-metrics.ts";
import type { AppContext } from "./app-context.ts";
import { acquireStudioLease, type StudioLease } from "@atelier/studio/host/studio-lease";
import { ownProcessIdentity } from "@atelier/studio/host/process-identity";

interface RegisterStudioOptions extends Pick<
	StudioDeps,
	"origin" | "inputOrigins" | "callbackOrigins" | "unlimitedAccounts" | "limits"
> {
	readonly config: Pick<Config, "QUEUE_URL" | "DATA_DIR" | "STORE_URL">;
	readonly logger: Logger;
	readonly engines: OpenedEngines;
}

interface RegisteredStudio {
	readonly studio: Studio;
	/** Held by a studio that must be the only one on its store. */
	readonly lease: StudioLease | undefined;
}

/**
 * Registers the studio's routes and returns it before it starts its work. Without a queue, rejects while another studio has the lease;
 * no other process can use a store in memory.
 */
export async function registerStudio(context: AppContext, options: RegisterStudioOptions): Promise<RegisteredStudio> {
	const { store, clock, ledger, metrics, http, fatal, disposables } = context;
	const { config, logger, engines: openedEngines, ...studioOptions } = options;
	for (const engine of openedEngines.engines) disposables.defer(() => engine.close());
	const cluster = await openStudioCluster(context, config.QUEUE_URL, logger);
	let lease: StudioLease | undefined;
	if (!cluster && config.STORE_URL !== "memory:") {
		const identity = ownProcessIdentity();
		lease = await acquireStudioLease({ store, clock, logger, newId: randomUUID, identity, onLost: fatal.resolve });
		const acquired = lease;
		disposables.defer(() => acquired.release());
	}
	// Loaded only where a studio runs in this process.
	const { createStudio } = await import("@atelier/studio/studio");
	const studio: Studio = createStudio({
		...studioOptions,
		...openedEngines,
		store,
		ledger,
		clock,
		logger,
		events: createStudioMetrics(metrics, () => studio.status()),
		mediaDir: join(config.DATA_DIR, "studio-media"),
		cluster,
	});
	disposables.defer(() => studio.stop());
	await studio.register(http);
	return { studio, lease };
}

/** Opens the queue that the processes of one studio share. Returns `undefined` without `QUEUE_URL`. */
async function openStudioCluster(
	{ clock, disposables }: AppContext,
	queueUrl: string | undefined,
	logger: Logger,
): Promise<Cluster | undefined> {
	if (queueUrl === undefined) return undefined;
	// Loaded only where a queue is configured.
	const { openCluster } = await import("@atelier/studio/cluster/open-cluster");
	const cluster = await openCluster(queueUrl, { clock, logger });
	disposables.defer(() => cluster.close());
	return cluster;
}
