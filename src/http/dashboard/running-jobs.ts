/** The stream of running jobs of a server, as server-sent events. */
import type { ServerResponse } from "node:http";
import { guildAccount } from "../../services/credits/guild-accounts.ts";
import type { Reader } from "./api-request.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import { jobFor, readRecentTasks } from "./handlers/list-jobs.ts";

const EVERY_MS = 2_000;
/** Shorter than the half minute after which proxies close silent connections. */
const KEEP_ALIVE_ROUNDS = 10;

interface StreamOptions {
	readonly guildId: string;
	/** Resolves to the reader while they still may read; rejects afterwards. */
	readonly authorize: () => Promise<Reader>;
	readonly stopping: AbortSignal;
}

/** Sends all running jobs, and again after each change, until the page or the process closes, or the reader's permission ends. */
export async function streamRunningJobs(
	response: ServerResponse,
	{ guildId, authorize, stopping }: StreamOptions,
	services: DashboardServices,
): Promise<void> {
	const closed = new AbortController();
	response.on("close", () => closed.abort());
	const over = AbortSignal.any([closed.signal, stopping]);
	let sent = "";
	try {
		for (let round = 0; !over.aborted; round++) {
			const data = await readEvent(guildId, await authorize(), services);
			if (data !== sent) response.write(`data: ${data}\n\n`);
			else if (round % KEEP_ALIVE_ROUNDS === 0) response.write(": keep-alive\n\n");
			sent = data;
			await services.clock.sleep(EVERY_MS, over);
		}
	} finally {
		response.end();
	}
}

async function readEvent(guildId: string, reader: Reader, services: DashboardServices): Promise<string> {
	const tasks = await readRecentTasks(guildId, services);
	const { availableCredits } = await services.ledger.balance(guildAccount(guildId));
	const jobs = tasks.map((task) => jobFor(task, reader, services));
	return JSON.stringify({ running: jobs.filter(({ state }) => state === "running"), availableCredits });
}
