/**
 * The media generation service: accepts tasks over HTTP, runs engines, stores files and manages credits.
 *
 * routes.ts lists the operations, studio-task.ts the states, studio-task-service.ts accepts tasks, queue-runner.ts runs them,
 * task-cancellation.ts cancels them, and task-recovery.ts repairs the state after a crash.
 */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import { startInterval } from "@atelier/common/periodic-work";
import type { Ledger } from "@atelier/ledger/ledger";
import type { Store } from "@atelier/store/store";
import { createAccounts } from "./accounts.ts";
import { registerApi } from "./api-plugin.ts";
import { createCallbackSender, type CallbackSenderDeps } from "./callbacks/callback-sender.ts";
import { createCallbacks } from "./callbacks/callbacks.ts";
import { createCancellation } from "./task-cancellation.ts";
import { createCatalog } from "./model-catalog.ts";
import { createTaskCheckpoints } from "./task-checkpoints.ts";
import type { Engine } from "./engines/engine.ts";
import { createInputFetcher } from "./fetch-input.ts";
import { createKeys } from "./api-keys.ts";
import { createEngineRouter } from "./engine-router.ts";
import { DEFAULT_LIMITS, type StudioLimits } from "./limits.ts";
import { registerMedia } from "./media-plugin.ts";
import { createMediaLinks } from "./media-links.ts";
import { createMediaStore } from "./media-store.ts";
import { registerOpenApi } from "./openapi-plugin.ts";
import { createMemoryStudioQueue } from "./memory-studio-queue.ts";
import { createRateLimits } from "./rate-limits.ts";
import { createTaskRecovery } from "./task-recovery.ts";
import { createDataRetention } from "./data-retention.ts";
import { createQueueRunner, type Run } from "./queue-runner.ts";
import { createSettlement } from "./settlement.ts";
import type { StudioEvents, StudioStatus } from "./studio-events.ts";
import type { Cluster, CreateRateLimiter } from "./cluster/open-cluster.ts";
import type { StudioContext } from "./studio-context.ts";
import { createTaskDtoMapper } from "./task-dto.ts";
import { createTaskEvents } from "./task-events.ts";
import { createTaskReader } from "./task-reader.ts";
import { createStudioTaskService } from "./studio-task-service.ts";
import { createStudioTaskStore } from "./studio-task-store.ts";
import { createUploads } from "./uploads.ts";

export interface StudioDeps {
	readonly store: Store;
	readonly ledger: Ledger;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Created and closed by the caller. */
	readonly engines: readonly Engine[];
	/** The names of a model's engines by its id, preferred first; by default the order of `engines`. */
	readonly engineOrder?: Readonly<Record<string, readonly string[]>>;
	/** Folder for media files. */
	readonly mediaDir: string;
	/** Absolute origin of the service, known once listening: for media links. */
	readonly origin: () => string;
	/** Accounts of this installation: without rate limits, and with as many open tasks as the ledger has holds. */
	readonly unlimitedAccounts?: readonly string[];
	/** Private origins that callbacks of an account may go to, because both belong to this installation. */
	readonly callbackOrigins?: (account: string) => readonly string[];
	/** Resolves names; the system's resolver by default. */
	readonly resolve?: CallbackSenderDeps["resolve"];
	/** The only origins that input media are fetched from, e.g. https://cdn.discordapp.com. */
	readonly inputOrigins: () => readonly string[];
	readonly limits?: Partial<StudioLimits>;
	/** The state that the processes of one studio share beside the store; opened and closed by the caller. */
	readonly cluster?: Cluster | undefined;
	/** Receives events, for metrics. */
	readonly events?: StudioEvents;
}

export type Studio = ReturnType<typeof createStudio>;

/** In a cluster, a callback that is overdue by this much belongs to a process that has ended. */
const CLUSTER_CALLBACK_OVERDUE_MS = 30_000;
/** The interval at which a process of a cluster looks for cancellations by the others. */
const CANCELLATION_CHECK_MS = 2_000;

export function createStudio(deps: StudioDeps) {
	const { store, ledger, clock, logger, engines, inputOrigins, mediaDir, origin, cluster } = deps;
	const { unlimitedAccounts = [], callbackOrigins = () => [] } = deps;
	const limits: StudioLimits = { ...DEFAULT_LIMITS, ...deps.limits };
	const events: StudioEvents = deps.events ?? { submitted: () => {}, moved: () => {} };
	const mutex = createKeyedMutex();

	// Storage: tasks, checkpoints, files, and their removal.
	const taskStore = createStudioTaskStore({
		store,
		clock,
		onTransition({ state }, before) {
			if (state !== before.state) events.moved(state);
		},
	});
	const checkpoints = createTaskCheckpoints(store, async (taskId, attempt) => {
		const task = await taskStore.read(taskId);
		return task?.state === "processing" && task.attempt === attempt;
	});
	const context: StudioContext = { store, taskStore, ledger, limits, clock, logger };
	const media = createMediaStore({ mediaDir, store, clock });
	const links = createMediaLinks({ store, clock, origin, lifetimeMs: limits.linkLifetimeMs });
	const retention = createDataRetention({ ...context, media });

	// Money: accounts, keys, and the end of a task, which settles its credits and calls back.
	const accounts = createAccounts({ store, clock });
	const keys = createKeys({ store, accounts, clock });
	const catalog = createCatalog(engines);
	const toTaskDto = createTaskDtoMapper({ ...context, catalog, links });
	const callbacks = createCallbacks({
		...context,
		send: createCallbackSender({
			resolve: deps.resolve,
			trustedOrigins: callbackOrigins,
			timeoutMs: limits.callbackTimeoutMs,
		}),
		bodyOf: (task) => toTaskDto(task),
		secretOf: async (account) => (await accounts.open(account)).callbackSecret,
	});
	const settlement = createSettlement({ ...context, unlimitedAccounts, retention, callbacks });

	// Running: the queue, the engines, and the recovery after a crash.
	const router = createEngineRouter({ ...context, engines, engineOrder: deps.engineOrder ?? {} });
	const engineQueues = router.engines.map(({ engine: { name }, concurrency }) => ({ engine: name, concurrency }));
	const queue = cluster?.queueOf(engineQueues) ?? createMemoryStudioQueue({ engineQueues, clock, logger });
	const fetchInputs = createInputFetcher({
		inputOrigins,
		ownFileOf: (url) => links.fileOf(url),
		readOwnFile: (file) => media.read(file),
		bytesMax: limits.inputBytesMax,
		totalBytesMax: limits.inputTotalBytesMax,
		timeoutMs: limits.inputTimeoutMs,
	});
	const runs = new Map<string, Run>();
	const cancellation = createCancellation({ ...context, queue, settlement, checkpoints, engines, runs });
	const runner = createQueueRunner({
		...context,
		checkpoints,
		media,
		fetchInputs,
		settlement,
		cancellation,
		router,
		queue,
		runs,
		isClustered: cluster !== undefined,
	});
	const recovery = createTaskRecovery({ ...context, runner, cancellation, queue, router, runs });
	const callbackOverdueMs = cluster ? CLUSTER_CALLBACK_OVERDUE_MS : 0;
	let stopIntervals: readonly (() => Promise<void>)[] = [];

	/** The next sweep finds what this one missed during an outage. The recovery last: without the queue it fails. */
	async function sweep(stop: AbortSignal): Promise<void> {
		try {
			await callbacks.recover(callbackOverdueMs);
			await retention.sweep(stop);
			await recovery.sweep(stop);
		} catch (error) {
			if (!stop.aborted) logger.error({ err: error }, "sweep failed");
		}
	}

	// Serving: the API.
	let isReady = false;
	const taskReader = createTaskReader({ ...context, runner, toTaskDto, mutex });
	const taskEvents = createTaskEvents({ ...context, reader: taskReader });
	const taskService = createStudioTaskService({
		...context,
		settlement,
		runner,
		cancellation,
		queue,
		reader: taskReader,
		catalog,
		mutex,
		events,
		inputOrigins,
		callbackOrigins,
		isOwnFile: (url) => links.isValidLink(url),
		isReady: () => isReady,
	});
	const createRateLimiter: CreateRateLimiter =
		cluster?.createRateLimiter ?? ((_name, window) => new RateLimiterMemory(window));
	const uploads = createUploads({ ...context, media, links, createRateLimiter });

	return {
		accounts,
		keys,
		/** Registers `/api/v1`, `/media`, `/docs` and `/openapi.json`, and leaves the rest of the app unchanged. */
		async register(app: FastifyInstance): Promise<void> {
			await links.open();
			// In a scope of its own, so that the document has the studio's routes only.
			await app.register(async (scope) => {
				await registerOpenApi(scope, { catalog, limits, origin });
				const rateLimits = createRateLimits(limits, unlimitedAccounts, createRateLimiter);
				await registerApi(scope, {
					...context,
					taskService,
					taskReader,
					taskEvents,
					uploads,
					accounts,
					keys,
					rateLimits,
					catalog,
					router,
				});
			});
			await registerMedia(app, { ...context, mediaDir, links });
		},
		/** Starts running tasks, and recovers the state after a crash. Until that is done, a submit gets 503. */
		async start(): Promise<void> {
			await media.removeTemporaryFiles();
			runner.start();
			await recovery.sweep();
			isReady = true;
			stopIntervals = [
				startInterval({ clock, everyMs: limits.sweepIntervalMs, firstAfterMs: 0, run: sweep }),
				...(cluster
					? [startInterval({ clock, everyMs: CANCELLATION_CHECK_MS, run: () => cancellation.abortCanceledRuns() })]
					: []),
			];
		},
		/** Stops running tasks and aborts the engines; open tasks stay in the store and continue after the next start. */
		async stop(): Promise<void> {
			isReady = false;
			taskEvents.stop();
			// A sweep ends after its current step: tasks are handed over meanwhile.
			await Promise.all([queue.stop(), ...stopIntervals.map((stopInterval) => stopInterval())]);
			await cancellation.stop();
			await callbacks.stop();
		},
		/** Returns the current load; cheap enough for frequent calls. */
		status: async (): Promise<StudioStatus> => ({ openTasks: await queue.openTasks(), engines: runner.engines() }),
	};
}
