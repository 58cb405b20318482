/** Parameters that several sentences share. */
import type { Period } from "../guilds/period.ts";

/** A limit on use as it stands; the time as Discord's timestamps count, in seconds. */
export interface LimitShown {
	readonly leftCredits: number;
	readonly limitCredits: number;
	readonly per: Period;
	readonly resetsAtS: number;
}

/** What a limit on use says when it stops something. */
export interface Limit extends LimitShown {
	readonly costCredits: number;
}

/** Waiting helps only where the whole limit would be enough. */
export function isWorthWaiting({ costCredits, limitCredits }: Limit): boolean {
	return costCredits <= limitCredits;
}

export function isUsed({ leftCredits, limitCredits }: LimitShown): boolean {
	return leftCredits < limitCredits;
}

/** One line of the history; `who` as it is shown, a mention or words. */
export interface HistoryLine {
	readonly atS: number;
	readonly amountCredits: number;
	readonly afterCredits: number;
	readonly who: string;
}

export interface JobCreditsShown {
	readonly credits: number;
	readonly are: JobCredits;
}

/** Ids of channels or roles, or names of models, and how many more there are. */
export interface Named {
	readonly ids: readonly string[];
	readonly more: number;
}

export const channelMention = (id: string): string => `<#${id}>`;
export const roleMention = (id: string): string => `<@&${id}>`;

export type ProgressState = "sending" | "queued" | "making" | "canceling";

export type JobState =
	| "waiting"
	| "sending"
	| "unknown"
	| "making"
	| "canceling"
	| "delivering"
	| "done"
	| "canceled"
	| "failed";

/** What of the credits is true now. */
export type JobCredits = "aside" | "charged" | "none";

export interface ResultLink {
	readonly url: string;
	readonly untilS: number;
}
