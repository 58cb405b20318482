import {
	MediaTimeoutError,
	MediaUnavailableError,
	type CancelResponse,
	type ListedModels,
	type MediaApi,
	type ServiceHealth,
} from "../../src/services/generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import type { OpenRemoteTask, RemoteTask } from "@atelier/media-protocol/remote-task";

/** The service was not reached: the request has no effect. */
export const DOWN = new MediaUnavailableError("down");
/** The response was lost: the request may have had an effect. */
export const LOST = new MediaTimeoutError("lost");

/** A running task about which nothing else is known. */
export const runningRemoteTask: OpenRemoteTask = {
	state: "open",
	word: "processing",
	phase: "running",
	progressPercent: null,
	queuePosition: null,
	estimatedSeconds: null,
	startedAtMs: null,
	pollAgainAfterMs: null,
};

/** A finished task, with one image by default. */
export function finishedRemoteTask(change: Partial<Extract<RemoteTask, { state: "success" }>> = {}): RemoteTask {
	const outputs = [{ url: "http://media.test/1.png", seed: 7 }];
	return { state: "success", outputs, startedAtMs: null, finishedAtMs: null, ...change };
}

/** A service with responses that the test sets; records the requests. */
export class FakeMediaApi implements MediaApi {
	readonly origin = "http://media.test";
	honorsIdempotencyKey = true;
	submitTimeoutMs = 90_000;
	/** The ids of the remote tasks that the service would run and bill, by idempotency key, or by themselves if keys are ignored. */
	readonly accepted = new Map<string, string>();
	submits = 0;
	reads = 0;
	/** Called by each submit, before it has an effect; may throw. */
	onSubmit: () => void = () => {};
	/** Called by each poll; may throw. */
	onRead: () => void = () => {};
	/** Thrown by the next calls, in turn, before they have an effect. */
	readonly failuresBefore: Error[] = [];
	/** Thrown by the next submits, in turn, after the service has accepted the task. */
	readonly failuresAfter: Error[] = [];
	/** The response of a submit whose request was accepted waits for this. Without it, the submit times out when its signal aborts. */
	responseReleased: Promise<void> = Promise.resolve();
	/** The response to each poll. */
	answer: RemoteTask = finishedRemoteTask();
	readonly cancels: string[] = [];
	cancelAnswer: CancelResponse = "requested";
	/** Replaces `answer` once a cancellation was requested. */
	answerAfterCancel: RemoteTask | undefined;
	finds = 0;
	/** The response to a lookup of a submission by its idempotency key. */
	finding: SubmissionLookup = { kind: "cannot_tell" };
	/** The time for which a submit has to wait. */
	delayMs = 0;
	serviceHealth: ServiceHealth = { state: "up" };

	async submit(_request: unknown, idempotencyKey: string, signal: AbortSignal): Promise<{ remoteId: string }> {
		this.submits++;
		this.onSubmit();
		const before = this.failuresBefore.shift();
		if (before) throw before;
		const known = this.honorsIdempotencyKey ? this.accepted.get(idempotencyKey) : undefined;
		const remoteId = known ?? `remote-${this.submits}`;
		this.accepted.set(this.honorsIdempotencyKey ? idempotencyKey : remoteId, remoteId);
		await Promise.race([this.responseReleased, timeoutOf(signal)]);
		const after = this.failuresAfter.shift();
		if (after) throw after;
		return { remoteId };
	}

	async read(): Promise<RemoteTask> {
		this.reads++;
		this.onRead();
		const failure = this.failuresBefore.shift();
		if (failure) throw failure;
		return this.answer;
	}

	async cancel(remoteId: string): Promise<CancelResponse> {
		this.cancels.push(remoteId);
		const failure = this.failuresBefore.shift();
		if (failure) throw failure;
		if (this.answerAfterCancel) this.answer = this.answerAfterCancel;
		return this.cancelAnswer;
	}

	async find(): Promise<SubmissionLookup> {
		this.finds++;
		const failure = this.failuresBefore.shift();
		if (failure) throw failure;
		return this.finding;
	}

	submitDelayMs(): number {
		return this.delayMs;
	}

	health(): ServiceHealth {
		return this.serviceHealth;
	}

	async models(): Promise<ListedModels> {
		return { models: [], invalidCount: 0 };
	}
}

function timeoutOf(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		signal.addEventListener("abort", () => reject(new MediaTimeoutError("no response")), { once: true });
	});
}
