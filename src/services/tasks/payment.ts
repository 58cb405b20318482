import type { PaymentPlan } from "../credits/guild-accounts.ts";
import { overdraftOf } from "../credits/limits.ts";
import type { Charge, ChargeVerdict } from "@atelier/ledger/charges";
import type { Balance, Note } from "@atelier/ledger/operations";
import type { GenerationRequest } from "../generation/request.ts";
import type { MessageRef } from "../../i18n/messages.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { Task } from "./task.ts";

/** Returns the ledger charge of a task, the same for reserve, post and void. */
export function chargeOf({ id, request, payment }: Pick<Task, "id" | "request" | "payment">): Charge {
	const limits = payment.limits.map((limit) => ({ account: limit.account, overdraftCredits: overdraftOf(limit) }));
	return { holdId: id, amountCredits: request.costCredits, legs: [...limits, { account: payment.account }] };
}

/** Returns the journal note of a task: member, purpose, and reason of its end. */
export function noteOf({ id, userId, request }: Task, reason: string): Note {
	return { by: `member:${userId}`, reason, taskId: id, mediaType: request.mediaType, model: request.modelName };
}

/** Explains a refused charge: the limit, the rest, and when there is more. */
export function messageOfRefusal(
	{ limits, refillsAtMs, monthlyCredits }: PaymentPlan,
	{ leg, refusal }: Extract<ChargeVerdict, { kind: "refused" }>,
	{ costCredits, mediaType }: Pick<GenerationRequest, "costCredits" | "mediaType">,
): MessageRef {
	if (refusal.code === "too_many_holds") return { key: "tooManyAtOnce" };
	if (refusal.code !== "exceeds_credits") throw refusal;
	const limit = limits[leg];
	const { availableCredits } = refusal.balance;
	if (!limit) {
		const isWorthWaiting =
			refillsAtMs !== null && costCredits <= monthlyCredits + creditsAfter(refillsAtMs, refusal.balance);
		const refillsAtS = isWorthWaiting ? toTimestampS(refillsAtMs) : null;
		const params = { costCredits, leftCredits: availableCredits, refillsAtS };
		return { key: "creditsShort", params };
	}
	const leftCredits = Math.max(0, overdraftOf(limit) + availableCredits);
	const { credits: limitCredits, per } = limit;
	const params = { costCredits, leftCredits, limitCredits, per, resetsAtS: toTimestampS(limit.resetsAtMs) };
	switch (limit.kind) {
		case "medium":
			return { key: "limitMedium", params: { ...params, mediaType } };
		case "member":
			return { key: "limitMember", params };
		case "server":
			return { key: "limitServer", params };
	}
}

/** Projects a balance to a time, without further spending. */
function creditsAfter(timeMs: number, { availableCredits, expiring }: Balance): number {
	return expiring
		.filter(({ expiresAtMs }) => expiresAtMs <= timeMs)
		.reduce((left, { credits }) => left - credits, availableCredits);
}
