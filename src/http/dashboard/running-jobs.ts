/** The stream of running jobs of a server, as server-sent events. */
import type { ServerResponse } from "node:http";
import { guildAccount } from "../../services/credits/guild-accounts.ts";
import { createReadCache } from "../../services/read-cache.ts";
import { isRunning } from "../../services/tasks/job-state.ts";
import type { Task } from "../../services/tasks/task.ts";
import type { Reader } from "./api-request.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import { jobOf, type JobViewer } from "./handlers/job-document.ts";
import { jobViewerOf, readRecentTasks } from "./handlers/list-jobs.ts";

const READ_EVERY_MS = 2_000;
const CACHED_GUILDS_MAX = 1_000;
/** Rounds of `READ_EVERY_MS`: shorter than the half minute after which proxies close silent connections. */
const KEEP_ALIVE_ROUNDS = 10;

interface StreamOptions {
	readonly guildId: string;
	/** Resolves to the reader while they still may read; rejects afterwards. */
	readonly authorize: () => Promise<Reader>;
	readonly stopping: AbortSignal;
}

interface Reading {
	readonly running: readonly Task[];
	readonly hasMoreRunning: boolean;
	readonly availableCredits: number;
}

/** Reads the running tasks of a server. All open pages of the server share a reading of the last two seconds. */
export type RunningTasks = (guildId: string) => Promise<Reading>;

export function createRunningTasks(
	services: Pick<DashboardServices, "taskStore" | "ledger" | "clock" | "deadlineMsMax">,
): RunningTasks {
	const { ledger, clock } = services;
	// Each page reads every `READ_EVERY_MS`, and must then get a new reading.
	const readingCache = createReadCache<Reading>({ clock, ttlMs: READ_EVERY_MS - 1, entriesMax: CACHED_GUILDS_MAX });

	async function read(guildId: string): Promise<Reading> {
		const [{ tasks, hasMoreRunning }, { availableCredits }] = await Promise.all([
			readRecentTasks(guildId, services),
			ledger.balance(guildAccount(guildId)),
		]);
		return { running: tasks.filter(isRunning), hasMoreRunning, availableCredits };
	}

	return (guildId) => readingCache(guildId, () => read(guildId));
}

/** Sends all running jobs, and again after each change, until the page or the process closes, or the reader's permission ends. */
export async function streamRunningJobs(
	response: ServerResponse,
	{ guildId, authorize, stopping }: StreamOptions,
	{ services, readRunning }: { readonly services: DashboardServices; readonly readRunning: RunningTasks },
): Promise<void> {
	const closed = new AbortController();
	response.on("close", () => closed.abort());
	// The page may have closed while its permission was read.
	if (response.destroyed) return;
	const over = AbortSignal.any([closed.signal, stopping]);
	let sent = "";
	try {
		for (let round = 0; !over.aborted; round++) {
			// Only ended jobs can be reported.
			const viewer = jobViewerOf(await authorize(), services, false);
			const data = eventOf(await readRunning(guildId), viewer);
			if (data !== sent) response.write(`data: ${data}\n\n`);
			else if (round % KEEP_ALIVE_ROUNDS === 0) response.write(": keep-alive\n\n");
			sent = data;
			await services.clock.sleep(READ_EVERY_MS, over);
		}
	} finally {
		response.end();
	}
}

function eventOf({ running, hasMoreRunning, availableCredits }: Reading, viewer: JobViewer): string {
	return JSON.stringify({ running: running.map((task) => jobOf(task, viewer)), hasMoreRunning, availableCredits });
}
