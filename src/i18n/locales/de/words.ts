/** How German counts, names and puts things. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { Period } from "../../params.ts";
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

export const { ago, counted, number } = pluralRulesOf("de");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "Wird übermittelt",
	queued: "Wartet auf seinen Platz",
	making: "In Arbeit",
	canceling: "Wird abgebrochen",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "wartet",
	sending: "wird übermittelt",
	unknown: "ungewiss",
	making: "in Arbeit",
	canceling: "wird abgebrochen",
	delivering: "wird zugestellt",
	done: "fertig",
	canceled: "abgebrochen",
	failed: "fehlgeschlagen",
};

export const ONE_OF: Record<MediaType, string> = { image: "Bild", video: "Video", music: "Musik" };
export const MEDIA: Record<MediaType, string> = { image: "Bilder", video: "Videos", music: "Musik" };
export const PER: Record<Period, string> = { day: "pro Tag", week: "pro Woche", month: "pro Monat" };
/** By what limits are counted: "gelten pro Tag" reads badly, "nach Tagen" well. */
export const BY: Record<Period, string> = { day: "nach Tagen", week: "nach Wochen", month: "nach Monaten" };

export function credits(count: number): string {
	return counted(count, { one: "Credit", other: "Credits" });
}

export function results(count: number): string {
	return counted(count, { one: "Ergebnis", other: "Ergebnisse" });
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} zurückgelegt`, charged: credits(count), none: "nichts berechnet" }[are];
}

export function again(limit: Limit, who: string): string {
	if (!isWorthWaiting(limit)) return "Nimm etwas Kleineres, oder frag einen Admin.";
	return `Alle ${number(limit.limitCredits)} ${who} wieder ${when(limit.resetsAtS)}.`;
}

export function refill(limit: LimitShown, who: string): string {
	return isUsed(limit) ? ` Alle ${who} wieder ${when(limit.resetsAtS)}.` : "";
}

export function when(timeS: number): string {
	return `am <t:${timeS}:f>, <t:${timeS}:R>`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "unbegrenzt" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` und ${number(more)} weitere` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `Die ganze Datei, höchstens bis <t:${untilS}:f>: <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "komprimiert";
		case "smaller":
			return `${made.width} × ${made.height} Pixel`;
		case "fewerFrames":
			return `${number(made.framesPerSecond)} Bilder pro Sekunde`;
		case "still":
			return "ohne Bewegung";
		case "standardColours":
			return made.faithful ? "in Standardfarben statt HDR" : "in Standardfarben statt HDR, die blasser aussehen";
		case "frame":
			return "ein Einzelbild daraus";
		case "beginning":
			return `die ersten ${number(made.seconds)} Sekunden`;
	}
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join(", ") + andMore(more);
}
