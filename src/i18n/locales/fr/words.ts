/** How French counts, names and puts things. */
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

export const { ago, counted, form, number } = pluralRulesOf("fr");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "Envoi en cours",
	queued: "En attente de son tour",
	making: "Création en cours",
	canceling: "Annulation en cours",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "en attente",
	sending: "en cours d'envoi",
	unknown: "incertain",
	making: "en création",
	canceling: "en cours d'annulation",
	delivering: "en cours de livraison",
	done: "terminé",
	canceled: "annulé",
	failed: "échoué",
};

export const ONE_OF: Record<MediaType, string> = { image: "image", video: "vidéo", music: "musique" };
export const MEDIA: Record<MediaType, string> = { image: "images", video: "vidéos", music: "musique" };
/** With the article that follows a verb: "crée des images". */
export const SOME: Record<MediaType, string> = { image: "des images", video: "des vidéos", music: "de la musique" };
/** After a negation, and after "pour": "pas d'images", "pour les images". */
export const NONE: Record<MediaType, string> = { image: "d'images", video: "de vidéos", music: "de musique" };
export const THE: Record<MediaType, string> = { image: "les images", video: "les vidéos", music: "la musique" };
export const PER: Record<Period, string> = { day: "par jour", week: "par semaine", month: "par mois" };

/** From a million on French says "1 000 000 de crédits". */
export function credits(count: number): string {
	return counted(count, { one: "crédit", many: "de crédits", other: "crédits" });
}

export function results(count: number): string {
	return counted(count, { one: "résultat", many: "de résultats", other: "résultats" });
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} mis de côté`, charged: credits(count), none: "rien de facturé" }[are];
}

export function again(limit: Limit, whoHas: string): string {
	if (!isWorthWaiting(limit)) return "Choisis quelque chose de plus petit, ou demande à un admin.";
	return `${whoHas} de nouveau la totalité des ${number(limit.limitCredits)} ${when(limit.resetsAtS)}.`;
}

export function refill(limit: LimitShown, whoHas: string): string {
	return isUsed(limit) ? ` ${whoHas} de nouveau la totalité ${when(limit.resetsAtS)}.` : "";
}

export function when(timeS: number): string {
	return `le <t:${timeS}:f>, <t:${timeS}:R>`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "sans limite" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` et ${counted(more, { one: "autre", many: "d'autres", other: "autres" })}` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `Le fichier entier, au plus tard jusqu'au <t:${untilS}:f> : <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "compressé";
		case "smaller":
			return `${made.width} × ${made.height} pixels`;
		case "fewerFrames":
			return `${number(made.framesPerSecond)} images par seconde`;
		case "still":
			return "sans son mouvement";
		case "standardColours":
			return made.faithful ? "en couleurs standard au lieu de HDR" : "en couleurs standard au lieu de HDR, plus pâles";
		case "frame":
			return "une seule de ses images";
		case "beginning":
			return `ses ${number(made.seconds)} premières secondes`;
	}
}

export function consumed(count: number): string {
	return counted(count, { one: "consommé", other: "consommés" });
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join(", ") + andMore(more);
}
