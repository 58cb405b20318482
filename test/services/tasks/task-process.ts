import { createLedger } from "@atelier/ledger/create-ledger";
import type { Store } from "@atelier/store/store";
import type { TextPoster } from "../../../src/services/text-poster.ts";
import { createGuildAccounts } from "../../../src/services/credits/guild-accounts.ts";
import { createLowCreditsWarner } from "../../../src/services/credits/low-credits.ts";
import { createFairSemaphore } from "../../../src/services/delivery/fair-semaphore.ts";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import { createGuildLanguages } from "../../../src/services/settings/guild-languages.ts";
import { createSettingsStore, type SettingsStore } from "../../../src/services/settings/settings-store.ts";
import { createDurationStats } from "../../../src/services/tasks/duration-stats.ts";
import { createMemoryTaskQueue } from "../../../src/services/tasks/memory-task-queue.ts";
import { createPolling } from "../../../src/services/tasks/polling.ts";
import type { TaskQueue } from "../../../src/services/tasks/task-queue.ts";
import { createTaskRunner } from "../../../src/services/tasks/task-runner.ts";
import type { Authorize } from "../../../src/services/tasks/authorization.ts";
import { createTaskCredits } from "../../../src/services/tasks/task-credits.ts";
import { createSubmissionService } from "../../../src/services/tasks/submission-service.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";

const MINUTE_MS = 60_000;
const DEADLINES_MS = { image: 10 * MINUTE_MS, music: 30 * MINUTE_MS, video: 60 * MINUTE_MS };

type GivenDeps =
	| "media"
	| "replyClient"
	| "results"
	| "download"
	| "transcoder"
	| "clock"
	| "random"
	| "logger"
	| "isStoreShared"
	| "resultReviewer"
	| "withheldNotices";

interface TaskProcessDeps extends Pick<Parameters<typeof createTaskRunner>[0], GivenDeps> {
	readonly store: Store;
	readonly textPoster: TextPoster;
	readonly monthlyCredits: number;
	readonly pollsPerSecond: number;
	/** Replaces the settings in the store. */
	readonly settings?: SettingsStore;
	/** Replaces the queue of one process. */
	readonly queue?: TaskQueue | undefined;
}

/** Creates the services of one process that runs tasks. It authorizes every request, and has no models. */
export function createTaskProcess(deps: TaskProcessDeps) {
	const { store, clock, random, logger, textPoster, monthlyCredits, pollsPerSecond } = deps;
	const ledger = createLedger({ store, clock });
	const { settings = createSettingsStore(store, { clock }) } = deps;
	const accounts = createGuildAccounts({ store, ledger, settings, clock, monthlyCredits });
	const languages = createGuildLanguages({ readLocale: async () => undefined });
	const lowCredits = createLowCreditsWarner({ store, settings, textPoster, languages, clock, monthlyCredits });
	const taskStore = createTaskStore(store);
	const galleryStore = createGalleryStore(store);
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random,
		pollsPerSecond: () => pollsPerSecond,
		intervalMsMin: 250,
	});
	const taskCredits = createTaskCredits({ taskStore, ledger, lowCredits });
	const runner = createTaskRunner({
		...deps,
		taskStore,
		queue: deps.queue ?? createMemoryTaskQueue({ clock, logger }),
		taskCredits,
		polling,
		resultLinks: { find: async () => [] },
		downloadSemaphore: createFairSemaphore(2),
		galleryStore,
		provenanceMarkOf: () => undefined,
		catalog: { known: () => [] },
	});
	const authorize: Authorize = ({ guildId, userId, roleIds, request }) =>
		accounts.planPayment({ guildId, userId, roleIds }, request.mediaType);
	const deadlinesMs = DEADLINES_MS;
	const service = createSubmissionService({ taskCredits, runner, authorize, clock, deadlinesMs });
	return { ledger, settings, accounts, lowCredits, taskStore, galleryStore, runner, service };
}
