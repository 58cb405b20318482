import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import { createDurationStats } from "../../../src/services/tasks/duration-stats.ts";
import { createPolling } from "../../../src/services/tasks/polling.ts";
import type { TaskIn } from "../../../src/services/tasks/task.ts";
import { open } from "../../fakes/fake-media-api.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createRandom, type Random } from "../../simulation/random.ts";
import { taskRequest } from "./task-setup.ts";

export const KIND = "paint-1||";

function submittedTask(change: Partial<TaskIn<"submitted">> = {}): TaskIn<"submitted"> {
	const { id, guildId, userId, request, locale, reply } = taskRequest;
	const payment = { account: "guild:1", limits: [], refillsAtMs: 0, monthlyCredits: 0 };
	const times = { createdAtMs: 0, submittedAtMs: 0, deadlineAtMs: Number.MAX_SAFE_INTEGER };
	return {
		state: "submitted",
		id,
		guildId,
		userId,
		request,
		locale,
		reply,
		payment,
		remoteId: "1",
		...times,
		...change,
	};
}

export function setupPolling({ pollsPerSecondMax = 1e6, seed = 1, typicalSeconds = 30 } = {}) {
	const clock = createManualClock(0);
	const random = createRandom(seed);
	const durations = createDurationStats();
	const polling = createPolling({
		durations,
		clock,
		random: () => random.next(),
		pollsPerSecondMax,
		budgetShare: () => 1,
		intervalMsMin: 1_000,
	});
	let tasks = 0;

	const submit = (change: Partial<TaskIn<"submitted">> = {}): TaskIn<"submitted"> => {
		const request = { ...taskRequest.request, typicalSeconds };
		return submittedTask({ id: `task-${++tasks}`, request, submittedAtMs: clock.nowMs(), ...change });
	};

	/** Polls a task as scheduled until it has ended. Resolves to the number of polls, and how late its end was seen. */
	async function follow(
		endMs: number,
		says: (elapsedMs: number) => Partial<OpenRemoteTask> = () => ({}),
		wokenAfterMs?: number,
	): Promise<{ polls: number; lagMs: number }> {
		const task = submit();
		const fromMs = clock.nowMs();
		const endAtMs = fromMs + endMs;
		let dueAtMs = polling.notBeforeMs(task);
		for (let polls = 1; ; polls++) {
			const wokenAtMs = wokenAfterMs === undefined ? Number.POSITIVE_INFINITY : endAtMs + wokenAfterMs;
			await clock.advance(Math.min(dueAtMs, wokenAtMs) - clock.nowMs());
			const nowMs = clock.nowMs();
			if (nowMs >= endAtMs) {
				polling.afterEnd(task, { state: "success", outputs: [], startedAtMs: null, finishedAtMs: null });
				return { polls, lagMs: nowMs - endAtMs };
			}
			const remote = { ...open, phase: "unknown" as const, ...says(nowMs - fromMs) };
			dueAtMs = polling.afterOpen(task, remote);
		}
	}
	return { clock, random, durations, polling, submit, follow };
}

export function logNormal(random: Random, medianMs: number, sd: number): number {
	const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
	return medianMs * Math.exp(sd * normal);
}

export const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
