/** Builds what every part of a process needs: store, ledger, metrics, HTTP server. Shared by the bot and the standalone studio. */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createHttpServer, type MalformedUrlHandler } from "@atelier/common/http-server";
import { createLedger } from "@atelier/ledger/create-ledger";
import type { Ledger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { lockStore, type StoreUser } from "@atelier/store/store-lock";
import type { Store } from "@atelier/store/store";
import type { Config } from "../config/load-config.ts";
import { openMetricsServer, registerMetrics } from "../http/metrics-routes.ts";
import { serverOrigin } from "../http/server-origin.ts";
import { withStoreMetrics } from "../metrics/store-metrics.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { watchRestores, type RestoreWatch } from "../services/backup/restore-record.ts";

export interface App {
	/** Origin of the HTTP server, such as `http://127.0.0.1:8080`: page, studio, health. */
	readonly origin: string;
	/** Resolves, if ever, with the reason why the process can do no more work until it is restarted. */
	readonly fatal: Promise<string>;
	/** Disposes everything in reverse order. Rejects at the end if a part could not be disposed. Idempotent. */
	stop(): Promise<void>;
}

export type ContextConfig = Pick<
	Config,
	"STORE_URL" | "PROMPT_KEYS" | "HOST" | "PORT" | "METRICS_HOST" | "METRICS_PORT"
>;

export interface AppContext {
	readonly logger: Logger;
	readonly clock: Clock;
	readonly store: Store;
	/** Tells whether the store was restored from a backup and waits for the operator. */
	readonly restores: RestoreWatch;
	readonly ledger: Ledger;
	readonly metrics: Metrics;
	readonly http: FastifyInstance;
	/** Returns the origin at which this machine reaches `http`. Throws before the server listens. */
	readonly origin: () => string;
	/** Resolved with the reason why this process can do no more work until it is restarted. */
	readonly fatal: PromiseWithResolvers<string>;
	/** Aborted when shutdown begins, before anything is disposed. */
	readonly stopping: AbortSignal;
	/** Disposed in reverse order at shutdown; a failure does not stop the rest. */
	readonly disposables: AsyncDisposableStack;
}

export interface BotContext extends AppContext {
	readonly config: Config;
	/** True if other processes of the bot use the store at the same time. */
	readonly isStoreShared: boolean;
}

interface ContextOptions {
	readonly logger: Logger;
	readonly clock: Clock;
	/** The kind of process that locks the store: a bot and a studio may use one store together. */
	readonly user: StoreUser;
	/** True if several processes of this kind may use the store together. If not, the start is rejected while another one uses it. */
	readonly isLockShared: boolean;
	readonly malformedUrlHandlers: readonly MalformedUrlHandler[];
	readonly stopping: AbortSignal;
	readonly disposables: AsyncDisposableStack;
}

export async function createContext(config: ContextConfig, options: ContextOptions): Promise<AppContext> {
	const { logger, clock, malformedUrlHandlers, stopping, disposables } = options;
	const metrics = createMetrics({ logger });
	const store = withStoreMetrics(
		await openStore(config.STORE_URL, { logger, encryption: config.PROMPT_KEYS }),
		metrics,
	);
	disposables.defer(() => store.close());
	disposables.use(lockStore(config.STORE_URL, options.user, { isShared: options.isLockShared }));
	const fatal = Promise.withResolvers<string>();
	const restores = await watchRestores({ store, clock, logger, onLost: fatal.resolve });
	disposables.defer(() => restores.stop());
	const http = createHttpServer({ malformedUrlHandlers });
	registerMetrics(http, metrics, config);
	const ledger = createLedger({ store, clock });
	const origin = (): string => serverOrigin(http.server);
	return { logger, clock, store, restores, ledger, metrics, http, origin, fatal, stopping, disposables };
}

/** Listens on `HOST` and `PORT`, and for metrics on their own address if one is configured. Register all routes before. */
export async function listen({ http, logger, metrics, disposables }: AppContext, config: ContextConfig): Promise<void> {
	disposables.defer(() => http.close());
	await http.listen({ host: config.HOST, port: config.PORT });
	const metricsServer = await openMetricsServer(metrics, config);
	if (!metricsServer) return;
	disposables.defer(metricsServer.close);
	logger.info({ url: `${metricsServer.origin}/metrics` }, "metrics server listening");
}

interface Shutdown {
	/** Aborted when shutdown begins. */
	readonly stopping: AbortSignal;
	readonly disposables: AsyncDisposableStack;
}

/** Builds an app with its shutdown. If that fails, disposes all that was built and rejects with the reason. */
export async function withShutdown(
	logger: Logger,
	build: (shutdown: Shutdown) => Promise<Pick<App, "origin" | "fatal">>,
): Promise<App> {
	const disposables = new AsyncDisposableStack();
	const stopping = new AbortController();
	let stopped: Promise<void> | undefined;
	const stop = (): Promise<void> => {
		stopping.abort(new Error("stopping"));
		return (stopped ??= disposeAll(disposables, logger));
	};
	try {
		return { ...(await build({ stopping: stopping.signal, disposables })), stop };
	} catch (error) {
		// Failures of the disposal are only logged: the caller needs the reason of the failed start.
		await stop().catch(() => {});
		throw error;
	}
}

/** Disposes everything and logs each failure. Rejects if there was one. */
async function disposeAll(disposables: AsyncDisposableStack, logger: Logger): Promise<void> {
	try {
		await disposables.disposeAsync();
	} catch (error) {
		for (const err of disposalErrors(error)) logger.error({ err }, "disposal failed");
		throw new Error("shutdown was incomplete", { cause: error });
	}
}

/** Unpacks the errors of all failed disposals, in the order of the disposals. */
function disposalErrors(error: unknown): readonly unknown[] {
	if (!(error instanceof SuppressedError)) return [error];
	return [...disposalErrors(error.suppressed), ...disposalErrors(error.error)];
}
