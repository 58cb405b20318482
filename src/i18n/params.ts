/** Parameters that several messages share. */

/** The periods of a quota. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** The state of a limit. Times are Unix seconds, as in Discord's timestamps. */
export interface LimitShown {
	readonly leftCredits: number;
	readonly limitCredits: number;
	readonly per: Period;
	readonly resetsAtS: number;
}

/** The parameters of a denial by a limit. */
export interface Limit extends LimitShown {
	readonly costCredits: number;
}

/** Returns whether the request fits into the whole limit, so that waiting helps. */
export function isWorthWaiting({ costCredits, limitCredits }: Limit): boolean {
	return costCredits <= limitCredits;
}

export function isUsed({ leftCredits, limitCredits }: LimitShown): boolean {
	return leftCredits < limitCredits;
}

/** One line of the history. `who` is a mention or a formatted name. */
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

/** Ids of channels or roles, or names of models, and the number of those left out. */
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

/** The state of a task's credits. */
export type JobCredits = "aside" | "charged" | "none";

export interface ResultLink {
	readonly url: string;
	readonly untilS: number;
}

/** The changes that made a file fit or play. Changes that cannot be seen or heard are not named. */
export type Change =
	| { readonly kind: "compressed" }
	| { readonly kind: "smaller"; readonly width: number; readonly height: number }
	| { readonly kind: "fewerFrames"; readonly framesPerSecond: number }
	| { readonly kind: "still" }
	/** High dynamic range was converted: `faithful` if the brightness was mapped, not clipped. */
	| { readonly kind: "standardColours"; readonly faithful: boolean }
	| { readonly kind: "frame" }
	| { readonly kind: "beginning"; readonly seconds: number };
