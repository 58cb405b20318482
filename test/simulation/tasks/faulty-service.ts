import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
	type MediaApi,
} from "../../../src/services/generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import type { EventQueue } from "../event-queue.ts";
import type { ProcessState } from "../faulty-disk.ts";
import type { Random } from "../random.ts";
import type { FaultyCall } from "./faulty-call.ts";

/** The task that the service created for a submit. */
interface ServiceTask {
	readonly remoteId: string;
	readonly key: string;
	state: "queued" | "running" | "success" | "failed" | "canceled";
	readonly hasOutput: boolean;
}

interface ServiceDeps {
	readonly queue: EventQueue;
	readonly random: Random;
	readonly call: FaultyCall;
	readonly haveFaultsEnded: () => boolean;
	readonly honorsIdempotencyKey: boolean;
	/** Announces idempotency keys, but ignores them. */
	readonly ignoresKeys: boolean;
	readonly canCancel: boolean;
	readonly onAccepted: (task: ServiceTask) => void;
}

const QUEUE_MS_MAX = 20_000;
const RUN_MS_MAX = 240_000;
/** Some tasks take longer than their deadline, and some never end. */
const LONG_MS = 2 * 60 * 60_000;

const faults = {
	unreachable: () => new MediaUnavailableError("simulated: not reached"),
	timeout: () => new MediaTimeoutError("simulated: no answer"),
	serverError: () => new MediaHttpError("simulated: a broken server", 500),
};

export type FaultyService = ReturnType<typeof createFaultyService>;

/** Creates a media service with faults. Its responses may be wrong; `tasks` has the true states. */
export function createFaultyService(deps: ServiceDeps) {
	const { queue, random, call, haveFaultsEnded, honorsIdempotencyKey, ignoresKeys, canCancel, onAccepted } = deps;
	const tasks = new Map<string, ServiceTask>();
	const byKey = new Map<string, ServiceTask>();

	function acceptSubmit(key: string): { readonly remoteId: string } {
		const earlier = honorsIdempotencyKey && !ignoresKeys ? byKey.get(key) : undefined;
		if (earlier) return { remoteId: earlier.remoteId };
		if (!haveFaultsEnded() && random.chance(0.05))
			throw new MediaUnavailableError("simulated: 429", { kind: "rate_limited" });
		if (random.chance(0.04)) throw new MediaRejectedError("42201", "simulated: not this");
		const task: ServiceTask = {
			remoteId: `remote-${tasks.size + 1}`,
			key,
			state: "queued",
			hasOutput: !random.chance(0.05),
		};
		tasks.set(task.remoteId, task);
		byKey.set(key, task);
		queue.plan(random.between(0, QUEUE_MS_MAX), () => startRun(task));
		onAccepted(task);
		return { remoteId: task.remoteId };
	}

	function startRun(task: ServiceTask): void {
		if (task.state !== "queued") return;
		task.state = "running";
		const isForgotten = random.chance(0.02);
		if (isForgotten) return;
		const runMs = random.chance(0.05) ? LONG_MS : random.between(500, RUN_MS_MAX);
		queue.plan(runMs, () => {
			if (task.state === "running") task.state = random.chance(0.15) ? "failed" : "success";
		});
	}

	function taskResponse(task: ServiceTask): RemoteTask {
		// States go backwards if several servers respond for one service.
		const isStale = !haveFaultsEnded() && random.chance(0.05);
		if (isStale) return { ...runningRemoteTask, phase: "queued" };
		switch (task.state) {
			case "success":
				return finishedRemoteTask(task.hasOutput ? {} : { outputs: [] });
			case "failed":
				return { state: "failed", code: "engine", reason: "simulated" };
			case "canceled":
				return { state: "failed", code: "canceled", reason: "" };
			case "queued":
			case "running":
				return { ...runningRemoteTask, phase: task.state };
		}
	}

	function findTask(remoteId: string): ServiceTask {
		const task = tasks.get(remoteId);
		if (!task) throw new MediaRejectedError("40400", "no such task");
		return task;
	}

	function findSubmission(key: string): SubmissionLookup {
		const task = byKey.get(key);
		return task ? { kind: "found", remoteId: task.remoteId } : { kind: "absent" };
	}

	return {
		tasks,
		/** Returns the service, called by one process. */
		mediaApiFor: (processState: ProcessState): MediaApi => ({
			origin: "http://media.test",
			honorsIdempotencyKey,
			submitTimeoutMs: 15_000,
			submit: (_order, key) => call(processState, () => acceptSubmit(key), faults),
			read: (remoteId, _requested, signal) =>
				call(processState, () => taskResponse(findTask(remoteId)), faults, signal),
			async cancel(remoteId, signal) {
				if (!canCancel) return "not_supported";
				await call(processState, () => cancelTask(findTask(remoteId), random), faults, signal);
				return "requested";
			},
			async find(key, signal) {
				if (!honorsIdempotencyKey) return { kind: "cannot_tell" };
				return await call(processState, () => findSubmission(key), faults, signal);
			},
			models: async () => undefined,
			submitDelayMs: () => 0,
			health: () => ({ state: "up" }),
		}),
	};
}

/** Cancels a queued task, and most running ones; an ended one stays as it is. */
function cancelTask(task: ServiceTask, random: Random): void {
	if (task.state === "queued" || (task.state === "running" && random.chance(0.7))) task.state = "canceled";
}
