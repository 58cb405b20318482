/** The documents of credits. */
import { z } from "zod";
import { REASON_CHARS_MIN, REASON_CHARS_MAX, CHANGE_CREDITS_MAX } from "../limits.ts";
import { discordId, PERIODS } from "../server-settings.ts";
import { credits, pageOf, time, taskId } from "./values.ts";

export const ENTRY_KINDS = ["grant", "reserve", "post", "void", "expire", "adjust"] as const;

/** The price of one credit; `null` if the operator has set none. */
export const creditPrice = z.object({ amount: z.number(), currency: z.string() }).nullable();

export const Balance = z.object({
	availableCredits: credits,
	heldCredits: credits,
	expiring: z.array(z.object({ credits, expiresAtMs: time })),
});
export type Balance = z.infer<typeof Balance>;

/** A limit with its use in the current period. */
export const LimitUse = z.object({
	credits,
	usedCredits: credits,
	per: z.enum(PERIODS),
	resetsAtMs: time,
});
export type LimitUse = z.infer<typeof LimitUse>;

export const CreditChangeBody = z.object({
	/** Chosen by the page. A repeat with the same id moves credits once. */
	operationId: z.uuid(),
	amountCredits: z.int().min(1).max(CHANGE_CREDITS_MAX),
	reason: z.string().trim().min(REASON_CHARS_MIN).max(REASON_CHARS_MAX),
});
export type CreditChangeBody = z.infer<typeof CreditChangeBody>;

export const HistoryQuery = z.object({
	/** Only entries before this number. */
	before: z.coerce.number().int().min(1).optional(),
	userId: discordId.optional(),
	/** Without it, reservations and entries of 0 credits are left out, but not of the file. */
	kind: z.enum(ENTRY_KINDS).optional(),
});

/** Newest first. */
export const History = pageOf(
	z.object({
		seq: z.int(),
		atMs: time,
		kind: z.enum(ENTRY_KINDS),
		amountCredits: credits,
		/** The change of the posted credits: negative for a charge or an expiry, 0 for a hold. */
		changeCredits: credits,
		postedAfterCredits: credits,
		heldAfterCredits: credits,
		/** `null`: an API key, the operator or the bot. */
		userId: discordId.nullable(),
		/** The name of the API key that made the change. */
		keyName: z.string().nullable(),
		isOperator: z.boolean(),
		/** Monthly credits have a reason in the language of the reader; jobs have none. */
		reason: z.string(),
		/** The model of a job. */
		model: z.string().nullable(),
		taskId: taskId.nullable(),
	}),
	z.int(),
);
export type History = z.infer<typeof History>;
