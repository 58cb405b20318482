import { pino } from "pino";
import type { OpenRemoteTask } from "../../../src/services/generation/media-api.ts";
import { createKeyvStore } from "../../../src/services/store/keyv-store.ts";
import { createMemoryStorage } from "../../../src/services/store/memory-storage.ts";
import { createPolling } from "../../../src/services/tasks/polling.ts";
import { createRunTimes } from "../../../src/services/tasks/run-times.ts";
import type { TaskIn } from "../../../src/services/tasks/task.ts";
import { open } from "../../fakes/fake-media-api.ts";
import { createManualClock } from "../../fakes/manual-clock.ts";
import { createRandom, type Random } from "../../simulation/random.ts";
import { request } from "./task-setup.ts";

export const silent = pino({ level: "silent" });
export const KIND = "paint-1||";

function submittedTask(change: Partial<TaskIn<"submitted">> = {}): TaskIn<"submitted"> {
	const { id, guildId, userId, order, locale, reply } = request;
	const payment = { account: "guild:1", limits: [], refillsAtMs: 0, monthlyCredits: 0 };
	const times = { createdAtMs: 0, submittedAtMs: 0, deadlineAtMs: Number.MAX_SAFE_INTEGER };
	return { state: "submitted", id, guildId, userId, order, locale, reply, payment, remoteId: "1", ...times, ...change };
}

/** The schedule and its learner over a store that outlives them. */
export function setupPolling({ looksPerSecond = 1e6, seed = 1, typicalSeconds = 30, isQueueShared = false } = {}) {
	const clock = createManualClock(0);
	const random = createRandom(seed);
	const storage = createMemoryStorage();

	function boot() {
		const store = createKeyvStore(storage);
		const runTimes = createRunTimes({ store, clock, logger: silent });
		const polling = createPolling({
			runTimes,
			clock,
			random: () => random.next(),
			looksPerSecond,
			budgetShare: () => 1,
			isQueueShared,
			floorMs: 1_000,
		});
		return { store, runTimes, polling };
	}
	const process = boot();
	let tasks = 0;

	const submit = (change: Partial<TaskIn<"submitted">> = {}): TaskIn<"submitted"> => {
		const order = { ...request.order, typicalSeconds };
		return submittedTask({ id: `task-${++tasks}`, order, submittedAtMs: clock.nowMs(), ...change });
	};

	/** Looks at a task as the schedule says until it is done. Resolves to how many looks that took, and how late it was. */
	async function follow(
		endMs: number,
		says: (elapsedMs: number) => Partial<OpenRemoteTask> = () => ({}),
		wokenAfterMs?: number,
	): Promise<{ looks: number; lagMs: number }> {
		const task = submit();
		const fromMs = clock.nowMs();
		const endAtMs = fromMs + endMs;
		let dueAtMs = process.polling.notBeforeMs(task);
		for (let looks = 1; ; looks++) {
			const wokenAtMs = wokenAfterMs === undefined ? Number.POSITIVE_INFINITY : endAtMs + wokenAfterMs;
			await clock.advance(Math.min(dueAtMs, wokenAtMs) - clock.nowMs());
			const nowMs = clock.nowMs();
			if (nowMs >= endAtMs) {
				process.polling.afterEnd(task, { state: "success", outputs: [], startedAtMs: null, finishedAtMs: null });
				return { looks, lagMs: nowMs - endAtMs };
			}
			const remote = { ...open, phase: "unknown" as const, ...says(nowMs - fromMs) };
			dueAtMs = process.polling.afterOpen(task, remote).untilMs;
		}
	}
	return { clock, random, storage, boot, ...process, submit, follow };
}

export function logNormal(random: Random, medianMs: number, sd: number): number {
	const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
	return medianMs * Math.exp(sd * normal);
}

export const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
