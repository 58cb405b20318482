/** Parameters that several sentences share. */

/** The spans of time that a quota may have. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

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

/** What was given up so that it fits or plays; what changed nothing that anybody sees or hears is not named. */
export type Change =
	| { readonly kind: "compressed" }
	| { readonly kind: "smaller"; readonly width: number; readonly height: number }
	| { readonly kind: "fewerFrames"; readonly framesPerSecond: number }
	| { readonly kind: "still" }
	/** High dynamic range became standard: `faithful` where the brightness was mapped, not only cut off. */
	| { readonly kind: "standardColours"; readonly faithful: boolean }
	| { readonly kind: "frame" }
	| { readonly kind: "beginning"; readonly seconds: number };
