/** How English counts, names and puts things. */
import type { MediaType } from "@atelier/media-protocol/model";
import { mentionsOf } from "../../command-names.ts";
import { pluralRulesOf } from "../../plurals.ts";
import {
	isUsed,
	isWorthWaiting,
	type JobCreditsShown,
	type Limit,
	type LimitShown,
	type Named,
	type ProgressState,
	type JobState,
	type ResultLink,
	type Change,
} from "../../params.ts";
import { names } from "./names.ts";

export const { ago, counted, number } = pluralRulesOf("en");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES = {
	sending: "Being sent",
	queued: "Waiting for its turn",
	making: "Being made",
	canceling: "Being canceled",
} as const satisfies Record<ProgressState, string>;

export const JOB_STATES = {
	waiting: "waiting",
	sending: "being sent",
	unknown: "not certain",
	making: "being made",
	canceling: "being canceled",
	delivering: "being delivered",
	done: "done",
	canceled: "canceled",
	failed: "failed",
} as const satisfies Record<JobState, string>;

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} set aside`, charged: credits(count), none: "nothing charged" }[are];
}

export const ONE_OF = { image: "picture", video: "video", music: "music" } as const satisfies Record<MediaType, string>;
export const MEDIA = { image: "pictures", video: "videos", music: "music" } as const satisfies Record<
	MediaType,
	string
>;

export function again(limit: Limit, who: string): string {
	if (!isWorthWaiting(limit)) return "Choose something smaller, or ask an admin.";
	return `${who} all ${number(limit.limitCredits)} again ${when(limit.resetsAtS)}.`;
}

export function refill(limit: LimitShown, who: string): string {
	return isUsed(limit) ? ` ${who} all of them again ${when(limit.resetsAtS)}.` : "";
}

/** As each reader's Discord words it, in their own time: "on 20 November 2026 18:00, in 5 hours". */
export function when(timeS: number): string {
	return `on <t:${timeS}:f>, <t:${timeS}:R>`;
}

/** Short, in the reader's own way of writing dates. */
export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function areLeft(count: number): string {
	return `${number(count)} ${count === 1 ? "is" : "are"} left`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "without limit" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` and ${number(more)} more` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `The whole file, until <t:${untilS}:f> at the latest: <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "compressed";
		case "smaller":
			return `${made.width} × ${made.height} pixels`;
		case "fewerFrames":
			return `${made.framesPerSecond} frames a second`;
		case "still":
			return "without its motion";
		case "standardColours":
			return made.faithful
				? "in standard instead of HDR colours"
				: "in standard instead of HDR colours, which look paler";
		case "frame":
			return "one frame of it";
		case "beginning":
			return `its first ${made.seconds} seconds`;
	}
}

export function results(count: number): string {
	return counted(count, { one: "result", other: "results" });
}

export function credits(count: number): string {
	return counted(count, { one: "credit", other: "credits" });
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join(", ") + andMore(more);
}
