/**
 * Accepts and cancels tasks.
 *
 * A submit is one write of the holds, the task and its marker together, followed by the response: a crash leaves all of
 * it or nothing. With an idempotency key the task's id is derived from the key: there is no other document to keep
 * consistent.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { LedgerRejectedError } from "@atelier/ledger/ledger";
import { isObject } from "@atelier/media-protocol/parse-value";
import type { Catalog } from "./model-catalog.ts";
import { StudioApiError, CODES } from "./errors.ts";
import type { ApiKey } from "./api-keys.ts";
import type { Cancellation } from "./task-cancellation.ts";
import type { QueueRunner } from "./queue-runner.ts";
import { priceFactorsOf } from "@atelier/media-protocol/price";
import type { QuoteResponse, ResponseData } from "./response-schemas.ts";
import { isIdUsed, type Settlement } from "./settlement.ts";
import { currentCap, type CurrentCap } from "./spend-cap.ts";
import type { StudioEvents } from "./studio-events.ts";
import { isoTime } from "./envelope.ts";
import { randomTaskId, taskIdOfKey } from "./task-id.ts";
import type { StudioQueue } from "./studio-queue.ts";
import type { TaskReader } from "./task-reader.ts";
import type { StudioContext } from "./studio-context.ts";
import { newTask, type StudioRequest } from "./studio-task.ts";
import type { TaskDto } from "./task-dto.ts";
import { validateRequest } from "./validate-request.ts";

export interface StudioTaskServiceDeps extends StudioContext {
	readonly settlement: Settlement;
	readonly runner: Pick<QueueRunner, "enqueue">;
	readonly cancellation: Pick<Cancellation, "cancel">;
	readonly queue: Pick<StudioQueue, "openTasks">;
	readonly reader: TaskReader;
	readonly catalog: Catalog;
	readonly events: StudioEvents;
	readonly inputOrigins: () => readonly string[];
	/** Returns whether a URL is a valid link to a file of the service itself. */
	readonly isOwnFile: (url: string) => boolean;
	readonly callbackOrigins: (account: string) => readonly string[];
	readonly mutex: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
	/** `false` before recovery is done and while the studio stops. */
	readonly isReady: () => boolean;
}

interface Submission {
	/** The API key of the request, with its restrictions. */
	readonly apiKey: Pick<ApiKey, "id" | "account" | "models" | "cap">;
	readonly body: Readonly<Record<string, unknown>>;
	readonly idempotencyKey: string | undefined;
}

interface Submitted {
	readonly taskId: string;
	/** The task was created by an earlier request with the same idempotency key. */
	readonly replayed: boolean;
}

export type StudioTaskService = ReturnType<typeof createStudioTaskService>;

const RETRY_AFTER_S = { notReady: 1, tooManyOpenTasks: 5 } as const;

export function createStudioTaskService(deps: StudioTaskServiceDeps) {
	const { taskStore, settlement, runner, queue, reader, limits, events } = deps;

	async function createOrReplay({ apiKey, body, idempotencyKey }: Submission): Promise<Submitted> {
		if (!deps.isReady()) {
			throw new StudioApiError(CODES.notReady, "the service is starting or stopping", {
				retryAfterS: RETRY_AFTER_S.notReady,
			});
		}
		if (idempotencyKey === undefined) {
			const taskId = randomTaskId(deps.clock.nowMs());
			await create(taskId, apiKey, body, null);
			return { taskId, replayed: false };
		}
		const taskId = taskIdOfKey(apiKey.account, idempotencyKey);
		return await deps.mutex(taskId, () => submitOnce(taskId, apiKey, body));
	}

	/** Submits the task, unless an earlier request with its idempotency key did. */
	async function submitOnce(
		taskId: string,
		apiKey: Submission["apiKey"],
		body: Submission["body"],
	): Promise<Submitted> {
		const bodySha256 = sha256OfBody(body);
		const earlier = await replay(taskId, bodySha256);
		if (earlier) return earlier;
		try {
			await create(taskId, apiKey, body, bodySha256);
		} catch (error) {
			if (!isIdUsed(error)) throw error;
			// Another process may have created the task meanwhile.
			const concurrent = await replay(taskId, bodySha256);
			if (concurrent) return concurrent;
			throw new StudioApiError(CODES.idempotencyKeyReused, "the task of this Idempotency-Key is no longer stored");
		}
		return { taskId, replayed: false };
	}

	async function replay(taskId: string, bodySha256: string): Promise<Submitted | undefined> {
		const existing = await taskStore.read(taskId);
		if (!existing) return undefined;
		if (existing.bodySha256 === bodySha256) return { taskId, replayed: true };
		throw new StudioApiError(CODES.idempotencyKeyReused, "this Idempotency-Key was used with another body");
	}

	function validate(body: Submission["body"], { account, models }: Submission["apiKey"]) {
		const { promptCharsMax } = limits;
		const verdict = validateRequest(body, {
			catalog: deps.catalog,
			promptCharsMax,
			inputOrigins: deps.inputOrigins(),
			isOwnFile: deps.isOwnFile,
			callbackOrigins: deps.callbackOrigins(account),
		});
		if (verdict.kind === "accepted") {
			const { model } = verdict.request;
			if (!models || models.includes(model)) return verdict;
			throw new StudioApiError(CODES.forbidden, `this key lacks the permission for the model ${model}`);
		}
		const [first] = verdict.problems;
		const details = verdict.problems.map(({ field, message }) => ({ field, message }));
		throw new StudioApiError(first.code, `${first.field}: ${first.message}`, { details });
	}

	/**
	 * Rejects with a `StudioApiError` if the client may not create the task, and with another error for which `isIdUsed` is true if
	 * the id is used.
	 */
	async function create(
		taskId: string,
		apiKey: Submission["apiKey"],
		body: Submission["body"],
		bodySha256: string | null,
	): Promise<void> {
		const { account } = apiKey;
		const { request, callbackUrl } = validate(body, apiKey);
		if ((await queue.openTasks()) >= limits.openTasksMax) {
			throw new StudioApiError(CODES.queueFull, "the queue is full", { retryAfterS: RETRY_AFTER_S.tooManyOpenTasks });
		}
		const nowMs = deps.clock.nowMs();
		const cap = currentCap(apiKey, nowMs);
		const submitFields = { bodySha256, callbackUrl, capAccount: cap?.account ?? null };
		const task = newTask(taskId, account, request, submitFields, nowMs);
		try {
			await settlement.reserveAndCreate(task, cap);
		} catch (error) {
			throw error instanceof LedgerRejectedError ? toApiError(error, request, cap) : error;
		}
		const { mediaType, model, scene, prompt, priceCredits } = request;
		events.moved(task.state);
		const promptChars = prompt.length;
		deps.logger.info({ taskId, account, mediaType, model, scene, promptChars, priceCredits }, "task accepted");
		// The task is written: the sweep repairs any later failure.
		await runner.enqueue(task).catch((error: unknown) => {
			deps.logger.error({ err: error, taskId }, "task postponed to the next sweep");
		});
	}

	return {
		async submit(submission: Submission): Promise<Submitted> {
			try {
				const submitted = await createOrReplay(submission);
				events.submitted(submitted.replayed ? "replayed" : "accepted");
				return submitted;
			} catch (error) {
				events.submitted(error instanceof StudioApiError ? "rejected" : "failed");
				throw error;
			}
		},
		/** Returns the price of a submit. Throws if the body is invalid or the key may not use the model; checks neither credits nor limits. */
		quote(apiKey: Submission["apiKey"], body: Submission["body"]): ResponseData<typeof QuoteResponse> {
			const { options, model, priceCredits, priceVersion, warnings } = validate(body, apiKey).request;
			const price = deps.catalog.find(model)?.price;
			assert(price, "the model of an accepted request has a price");
			return { costCredits: priceCredits, priceVersion, breakdown: priceFactorsOf(price, options), warnings };
		},
		/** Returns the task after the request; an ended task stays unchanged. Rejects with 404 like a read. */
		async cancel(account: string, taskId: string): Promise<TaskDto> {
			await reader.find(account, taskId);
			await deps.cancellation.cancel(taskId);
			return reader.dtoOf(await reader.find(account, taskId));
		},
	};
}

function sha256OfBody(body: Submission["body"]): string {
	// The callback URL is not part of the request's identity: a client that repeats it with another URL still gets its
	// task. The API accepts both spellings.
	const { callbackUrl: _one, callBackUrl: _other, ...request } = body;
	return hash("sha256", canonicalJson(request));
}

/** Returns the same text for equal JSON values, regardless of the order of keys. */
function canonicalJson(value: unknown): string {
	try {
		return JSON.stringify(value, (_key, inner: unknown) =>
			isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
		);
	} catch (error) {
		// The parser accepts any depth; writing is limited by the stack.
		if (error instanceof RangeError) throw new StudioApiError(CODES.malformed, "the body is nested too deep");
		throw error;
	}
}

/** Returns the error for the client; any other rejection unchanged. */
function toApiError(rejection: LedgerRejectedError, { priceCredits }: StudioRequest, cap: CurrentCap | null): Error {
	if (rejection.code === "exceeds_credits") {
		const { availableCredits } = rejection.balance;
		if (rejection.account === cap?.account) {
			const left = cap.credits + availableCredits;
			const until = cap.resetsAtMs === null ? "" : ` until ${isoTime(cap.resetsAtMs)}`;
			const capText = cap.per === "ever" ? `${cap.credits}` : `${cap.credits} a ${cap.per}`;
			const message = `this costs ${priceCredits} credits; this key may spend ${capText}, and ${left} are left${until}`;
			return new StudioApiError(CODES.spendCapReached, message);
		}
		const message = `this costs ${priceCredits} credits and ${availableCredits} are available`;
		return new StudioApiError(CODES.insufficientCredits, message);
	}
	if (rejection.code === "too_many_holds") {
		return new StudioApiError(
			CODES.tooManyOpenTasks,
			"too many tasks of this account are open: wait until one has ended",
			{
				retryAfterS: RETRY_AFTER_S.tooManyOpenTasks,
			},
		);
	}
	return rejection;
}
