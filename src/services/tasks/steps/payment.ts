import type { PaymentPlan } from "../../credits/guild-accounts.ts";
import { overdraftOf, type UsageLimit } from "../../credits/limits.ts";
import { ChargeNotEndedError, type Charge, type ChargeVerdict } from "@atelier/ledger/charges";
import type { AccountId, Balance, Credits, Ledger, Note } from "@atelier/ledger/operations";
import { costOfOutputs, type GenerationRequest } from "../../generation/request.ts";
import type { MessageDescriptor, ParamsOf } from "../../../i18n/message-descriptor.ts";
import { toTimestampS } from "../../../i18n/timestamp.ts";
import { baseOf, type Task, type TaskIn } from "../task.ts";
import { failed, moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";
import type { Logger } from "pino";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { LoadedTask, TaskKey, TaskStore } from "../task-store.ts";

/** Returns the ledger charge of a task, the same for reserve and void. A post may charge less than the hold. */
export function chargeOf({ id, request, payment }: Pick<Task, "id" | "request" | "payment">): Charge {
	const limits = payment.limits.map((limit) => ({ account: limit.account, overdraftCredits: overdraftOf(limit) }));
	return { holdId: id, amountCredits: request.costCredits, legs: [...limits, { account: payment.account }] };
}

/** Returns the journal note of a task: member, purpose, and reason of its end. */
function noteOf({ id, userId, request }: Task, reason: string): Note {
	return { by: `member:${userId}`, reason, taskId: id, mediaType: request.mediaType, model: request.modelName };
}

/** Explains a rejected charge: too many holds; or the limit, the credits left, and when there are more. Throws any other rejection. */
export function messageOfRejectedCharge(
	{ limits, refillsAtMs, monthlyCredits }: PaymentPlan,
	{ legIndex, rejection }: Extract<ChargeVerdict, { kind: "rejected" }>,
	{ costCredits, mediaType }: Pick<GenerationRequest, "costCredits" | "mediaType">,
): MessageDescriptor {
	if (rejection.code === "too_many_holds") return { key: "limit.tooManyJobs" };
	if (rejection.code !== "exceeds_credits") throw rejection;
	const limit = limits[legIndex];
	const { availableCredits } = rejection.balance;
	if (!limit) {
		const isWorthWaiting =
			refillsAtMs !== null && costCredits <= monthlyCredits + creditsAfter(refillsAtMs, rejection.balance);
		const refillsAtS = isWorthWaiting ? toTimestampS(refillsAtMs) : null;
		const params = { costCredits, leftCredits: availableCredits, refillsAtS };
		return { key: "limit.serverCredits", params };
	}
	const leftCredits = Math.max(0, overdraftOf(limit) + availableCredits);
	const { credits: limitCredits, per } = limit;
	return messageOfLimit(limit.kind, {
		costCredits,
		leftCredits,
		limitCredits,
		per,
		resetsAtS: toTimestampS(limit.resetsAtMs),
		mediaType,
	});
}

function messageOfLimit(
	kind: UsageLimit["kind"],
	{ mediaType, ...params }: ParamsOf<"limit.mediaType"> & { readonly resetsAtS: number },
): MessageDescriptor {
	const { costCredits, limitCredits, per } = params;
	// Waiting helps only if the request fits into the whole limit.
	const isTooSmall = costCredits > limitCredits;
	const whole = { costCredits, limitCredits, per };
	switch (kind) {
		case "mediaType":
			if (limitCredits === 0) return { key: "limit.mediaTypeNone", params: { mediaType } };
			if (isTooSmall) return { key: "limit.mediaTypeTooSmall", params: { ...whole, mediaType } };
			return { key: "limit.mediaType", params: { ...params, mediaType } };
		case "member":
			if (limitCredits === 0) return { key: "limit.memberNone" };
			return isTooSmall ? { key: "limit.memberTooSmall", params: whole } : { key: "limit.member", params };
		case "server":
			if (limitCredits === 0) return { key: "limit.serverNone" };
			return isTooSmall ? { key: "limit.serverTooSmall", params: whole } : { key: "limit.server", params };
	}
}

/** Returns the available credits at a later time if nothing more is spent. Grants may have expired by then. */
function creditsAfter(timeMs: number, { availableCredits, expiring }: Balance): number {
	return expiring
		.filter(({ expiresAtMs }) => expiresAtMs <= timeMs)
		.reduce((left, { credits }) => left - credits, availableCredits);
}

/** created -> reserved, or -> finished if a limit or the balance denies it; settling voids partial reservations. */
export async function reserve(
	{ charges, lowCredits }: StepDeps,
	task: TaskIn<"created">,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { costCredits, mediaType } = task.request;
	if (costCredits > 0) {
		const verdict = await charges.reserve(chargeOf(task), noteOf(task, mediaType));
		if (verdict.kind === "rejected") {
			const { code, account, balance } = verdict.rejection;
			const isShort = code === "exceeds_credits" && account === task.payment.account;
			if (isShort) lowCredits.onDenial(task.guildId, balance, costCredits, logger);
			return failed(task, messageOfRejectedCharge(task.payment, verdict, task.request));
		}
	}
	return moved({ ...baseOf(task), state: "reserved" });
}

/**
 * Writes a new task together with its hold. Throws a `LedgerRejectedError` if the hold is denied or the task exists, and has
 * written nothing then.
 */
export async function createReserved(
	{
		ledger,
		taskStore,
	}: { readonly ledger: Pick<Ledger, "reserve">; readonly taskStore: Pick<TaskStore, "createWith"> },
	task: TaskIn<"reserved">,
): Promise<LoadedTask> {
	const { id, request, payment } = task;
	// The transaction fails for a hold that was reserved before, because its task exists.
	return await taskStore.createWith(task, (alsoWrite) =>
		ledger.reserve(payment.account, id, request.costCredits, noteOf(task, request.mediaType), {
			alsoWrite,
			isNewId: true,
		}),
	);
}

/** Consecutive failures to settle, the last 8 to 16 s after the first: after that, the member's reply matters more than the corrupt account. */
const SETTLE_FAILURES_MAX = 6;

/** Returns whether the task and its hold can be written together: the task is not free, and no limit applies. */
export function isPaidFromOneAccount({ request, payment }: Pick<Task, "request" | "payment">): boolean {
	return request.costCredits > 0 && payment.limits.length === 0;
}

/**
 * Moves a task from any state to settled, and resolves its hold, in one write. `task` has the outcome. Throws if that fails: the
 * task then becomes `finished`, and `settle` resolves the hold.
 */
export async function settleAtOnce(
	{ ledger, lowCredits }: Pick<StepDeps, "ledger" | "lowCredits">,
	task: TaskIn<"finished">,
	taskKey: TaskKey,
	logger: Logger,
): Promise<LoadedTask> {
	const { id, outcome, payment } = task;
	const chargedCredits = creditsToCharge(task);
	const settledWith = ({ availableCredits: leftCredits }: Balance): TaskIn<"settled"> => ({
		...baseOf(task),
		state: "settled",
		outcome,
		chargedCredits,
		leftCredits,
	});
	let raw = "";
	const onWritten = (text: string): void => void (raw = text);
	const note = settlementNoteOf(task);
	const alsoWrite = { ...taskKey, valueWith: settledWith, onWritten };
	if (outcome.kind === "failed") {
		const balance = await ledger.void(payment.account, id, note, alsoWrite);
		return { task: settledWith(balance), raw };
	}
	const balance = await ledger.post(payment.account, id, chargedCredits, note, alsoWrite);
	lowCredits.onCharge(task.guildId, balance, logger);
	return { task: settledWith(balance), raw };
}

/** finished -> settled: posts the hold for a result, voids it for a failure. Idempotent. */
export async function settle(deps: StepDeps, task: TaskIn<"finished">, context: StepContext): Promise<StepResult> {
	const { charges, ledger, lowCredits } = deps;
	const { request, outcome, payment } = task;
	const chargedCredits = creditsToCharge(task);
	const note = settlementNoteOf(task);

	async function resolveHolds(): Promise<Balance> {
		// A free task has no hold.
		if (request.costCredits === 0) return await ledger.balance(payment.account);
		if (outcome.kind === "succeeded")
			return await charges.post({ ...chargeOf(task), amountCredits: chargedCredits }, note);
		return await charges.void(chargeOf(task), note);
	}
	try {
		const balance = await resolveHolds();
		if (chargedCredits > 0) lowCredits.onCharge(task.guildId, balance, context.logger);
		const leftCredits = balance.availableCredits;
		return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits });
	} catch (error) {
		const isAccountCorrupt =
			error instanceof CorruptDocumentError || (error instanceof ChargeNotEndedError && error.isFinal);
		if (!isAccountCorrupt || (context.failures.unexpected ?? 0) + 1 < SETTLE_FAILURES_MAX) throw error;
		return await settleWithoutCorruptAccounts(deps, task, error, context);
	}
}

/**
 * finished -> settled without the corrupt accounts. Charges in other accounts stay. The hold stays open in a corrupt account;
 * the operator resolves it after the repair.
 */
async function settleWithoutCorruptAccounts(
	{ ledger }: StepDeps,
	task: TaskIn<"finished">,
	error: ChargeNotEndedError | CorruptDocumentError,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { id, outcome, payment } = task;
	const unsettled = error instanceof ChargeNotEndedError ? error.open.map(({ account }) => account) : [];
	const isGuildAccountSettled = !unsettled.includes(payment.account);
	const chargedCredits = isGuildAccountSettled ? creditsToCharge(task) : 0;
	const leftCredits = isGuildAccountSettled ? await availableCreditsIfReadable(ledger, payment.account) : null;
	logger.error({ err: error, holdId: id, accounts: unsettled }, "task settled without corrupt accounts: repair them");
	return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits, unsettled });
}

function creditsToCharge({ request, outcome }: TaskIn<"finished">): Credits {
	return outcome.kind === "succeeded" ? costOfOutputs(request, outcome.files.length) : 0;
}

/** Returns the journal note of a post or void. */
function settlementNoteOf(task: TaskIn<"finished">): Note {
	const { request, outcome } = task;
	return noteOf(task, outcome.kind === "succeeded" ? request.mediaType : outcome.why.key);
}

async function availableCreditsIfReadable(ledger: Ledger, account: AccountId): Promise<Credits | null> {
	try {
		return (await ledger.balance(account)).availableCredits;
	} catch (error) {
		if (error instanceof CorruptDocumentError) return null;
		throw error;
	}
}
