/** Explains why credits could not be reserved. No I/O. */
import type { LedgerRejectedError } from "@atelier/ledger/ledger";
import type { MessageDescriptor, ParamsOf } from "../../i18n/message-descriptor.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { GenerationRequest } from "../generation/request.ts";
import type { Denial } from "../user-error.ts";
import type { PaymentPlan } from "./guild-accounts.ts";
import type { Limit } from "./limits.ts";

/** Explains a rejected reservation: too many holds; or the limit, the credits left, and when there are more. Throws any other rejection. */
export function denialOfRejectedHold(
	{ limits, refillsAtMs, monthlyCredits }: PaymentPlan,
	rejection: LedgerRejectedError,
	{ costCredits, mediaType }: Pick<GenerationRequest, "costCredits" | "mediaType">,
): Denial {
	if (rejection.code === "too_many_holds") return { key: "limit.tooManyJobs", remedy: "limits" };
	if (rejection.code !== "exceeds_credits") throw rejection;
	const limit = limits.find(({ account }) => account === rejection.account);
	const { availableCredits } = rejection.balance;
	if (!limit) {
		// Unused credits may expire at the refill.
		const isWorthWaiting = refillsAtMs !== null && costCredits <= monthlyCredits;
		const refillsAtS = isWorthWaiting ? toTimestampS(refillsAtMs) : null;
		const params = { costCredits, leftCredits: availableCredits, refillsAtS };
		return { key: "limit.serverCredits", params, remedy: "topUp" };
	}
	const leftCredits = Math.max(0, limit.overdraftCredits + availableCredits);
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
