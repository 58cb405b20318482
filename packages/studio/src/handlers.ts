/** What each operation does: what it was given in, one call, what it says out. routes.ts lists them. */
import type { z } from "zod";
import { eventIdOf } from "./callbacks/callbacks.ts";
import { readCap } from "./spend-cap-usage.ts";
import { ApiError, CODES } from "./errors.ts";
import { ledgerAccount } from "./keys.ts";
import type { Answer, Call, RouteDeps } from "./route-definition.ts";
import {
	IDEMPOTENCY_KEY,
	type ListTasksQuery,
	type ModelsQuery,
	type QueryTasksBody,
	type ReadTaskQuery,
} from "./request-schemas.ts";
import { timeOf } from "./task-dto.ts";
import { isRecord } from "./validate-request.ts";

export async function submitTask({ key, body, headers }: Call, { taskService }: RouteDeps): Promise<Answer> {
	if (!isRecord(body)) throw new ApiError(CODES.malformed, "the body must be a JSON object");
	const idempotencyKey = headers["idempotency-key"];
	if (idempotencyKey !== undefined && !(typeof idempotencyKey === "string" && IDEMPOTENCY_KEY.test(idempotencyKey))) {
		throw new ApiError(CODES.malformed, "Idempotency-Key must be 1 to 255 visible ASCII characters");
	}
	const { taskId, replayed } = await taskService.submit({ key, body, idempotencyKey });
	return { data: { taskId }, headers: replayed ? { "idempotency-replayed": "true" } : {} };
}

export async function readTask(
	{ account, params, query }: Call<z.infer<typeof ReadTaskQuery>>,
	{ taskReader }: RouteDeps,
): Promise<Answer> {
	const fresh = query.refresh === "1" || query.refresh === "true";
	return { data: await taskReader.recordOf(await taskReader.find(account, params["taskId"] ?? ""), fresh) };
}

export async function cancelTask({ account, params }: Call, { taskService }: RouteDeps): Promise<Answer> {
	return { data: await taskService.cancel(account, params["taskId"] ?? "") };
}

export async function purgeTask({ account, params }: Call, { taskService }: RouteDeps): Promise<Answer> {
	return { data: await taskService.purge(account, params["taskId"] ?? "") };
}

export async function followTask({ account, params, gone }: Call, { taskEvents }: RouteDeps): Promise<Answer> {
	return { events: await taskEvents.follow(account, params["taskId"] ?? "", gone()) };
}

export async function takeUpload({ readFile }: Call, { uploads }: RouteDeps): Promise<Answer> {
	return { data: await uploads.take(readFile) };
}

export function quoteTask({ body }: Call, { taskService }: RouteDeps): Answer {
	if (!isRecord(body)) throw new ApiError(CODES.malformed, "the body must be a JSON object");
	return { data: taskService.quote(body) };
}

export async function readCredits({ account, key }: Call, { ledger, clock }: RouteDeps): Promise<Answer> {
	const { availableCredits, heldCredits, expiring } = await ledger.balance(ledgerAccount(account));
	const cap = await readCap(ledger, key, clock.nowMs());
	const soonestFirst = expiring.map(({ credits, expiresAtMs }) => ({ credits, expiresAt: timeOf(expiresAtMs) }));
	return { data: { available: availableCredits, reserved: heldCredits, expiring: soonestFirst, cap } };
}

export async function readCallbacks({ account, params }: Call, { taskReader, callbacks }: RouteDeps): Promise<Answer> {
	const { taskId } = await taskReader.find(account, params["taskId"] ?? "");
	const log = await callbacks.logOf(taskId);
	if (!log) return { data: { callbacks: [] } };
	const { url, state, dueAtMs, attempts } = log;
	const shown = {
		id: eventIdOf(taskId),
		url,
		state,
		nextAttemptAt: state === "pending" ? timeOf(dueAtMs) : null,
		attempts: attempts.map(({ atMs, ...attempt }) => ({ at: timeOf(atMs), ...attempt })),
	};
	return { data: { callbacks: [shown] } };
}

export async function readCallbackSecret({ account }: Call, { accounts }: RouteDeps): Promise<Answer> {
	return { data: { secret: (await accounts.open(account)).callbackSecret } };
}

export async function listTasks(
	{ account, query: { idempotencyKey, ...page } }: Call<z.infer<typeof ListTasksQuery>>,
	{ taskReader }: RouteDeps,
): Promise<Answer> {
	if (idempotencyKey !== undefined) return { data: await taskReader.ofKey(account, idempotencyKey) };
	return { data: await taskReader.list(account, page) };
}

export async function queryTasks(
	{ account, body }: Call<unknown, z.infer<typeof QueryTasksBody>>,
	{ taskReader }: RouteDeps,
): Promise<Answer> {
	return { data: await taskReader.pick(account, body.taskIds) };
}

export function listModels({ query }: Call<z.infer<typeof ModelsQuery>>, { catalogue, lanes }: RouteDeps): Answer {
	const models = catalogue.models
		.filter(({ mediaType }) => query.mediaType === undefined || mediaType === query.mediaType)
		.map((model) => ({ ...model, health: lanes.healthOf(model.id) }));
	return { data: { models } };
}
