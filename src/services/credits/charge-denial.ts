/** Explains why credits could not be reserved. No I/O. */
import type { LedgerRejectedError } from "@atelier/ledger/ledger";
import type { MessageDescriptor, ParamsOf } from "../../i18n/message-descriptor.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import type { GenerationRequest } from "../generation/request.ts";
import type { Denial } from "../user-error.ts";
import type { PaymentPlan } from "./guild-accounts.ts";
import type { Limit } from "./limits.ts";

type Cost = Pick<GenerationRequest, "costCredits" | "mediaType">;

/** Explains a rejected reservation: too many holds, or too few credits. Throws any other rejection. */
export function denialOfRejectedHold(paymentPlan: PaymentPlan, rejection: LedgerRejectedError, cost: Cost): Denial {
	if (rejection.code === "too_many_holds") return { key: "limit.tooManyJobs", remedy: "limits" };
	if (rejection.code !== "exceeds_credits") throw rejection;
	const { availableCredits } = rejection.balance;
	const limit = paymentPlan.limits.find(({ account }) => account === rejection.account);
	if (!limit) return denialByServerCredits(paymentPlan, availableCredits, cost);
	return denialByLimit(limit, Math.max(0, limit.overdraftCredits + availableCredits), cost);
}

/** Tells the credits left in the server, and when there are more. */
export function denialByServerCredits(
	{ refillsAtMs, monthlyCredits }: PaymentPlan,
	leftCredits: number,
	{ costCredits }: Cost,
): Denial {
	// Unused credits may expire at the refill.
	const isWorthWaiting = refillsAtMs !== null && costCredits <= monthlyCredits;
	const refillsAtS = isWorthWaiting ? toTimestampS(refillsAtMs) : null;
	return { key: "limit.serverCredits", params: { costCredits, leftCredits, refillsAtS }, remedy: "topUp" };
}

/** Tells the credits left in the limit, and when it is reset. */
export function denialByLimit(limit: Limit, leftCredits: number, { costCredits, mediaType }: Cost): Denial {
	const { credits: limitCredits, per } = limit;
	const resetsAtS = toTimestampS(limit.resetsAtMs);
	const message = messageOfLimit(limit.kind, { costCredits, leftCredits, limitCredits, per, resetsAtS, mediaType });
	return { ...message, remedy: "limits" };
}

function messageOfLimit(
	kind: Limit["kind"],
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
