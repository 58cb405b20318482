/** How Spanish counts, names and puts things. */
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

export const { ago, counted, form, number } = pluralRulesOf("es");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "Enviándose",
	queued: "Esperando su turno",
	making: "En curso",
	canceling: "Cancelándose",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "en espera",
	sending: "enviándose",
	unknown: "sin confirmar",
	making: "en curso",
	canceling: "cancelándose",
	delivering: "entregándose",
	done: "listo",
	canceled: "cancelado",
	failed: "fallido",
};

export const ONE_OF: Record<MediaType, string> = { image: "imagen", video: "vídeo", music: "música" };
export const MEDIA: Record<MediaType, string> = { image: "imágenes", video: "vídeos", music: "música" };
export const PER: Record<Period, string> = { day: "al día", week: "a la semana", month: "al mes" };

/** From a million on Spanish says "1.000.000 de créditos". */
export function credits(count: number): string {
	return counted(count, { one: "crédito", many: "de créditos", other: "créditos" });
}

export function results(count: number): string {
	return counted(count, { one: "resultado", many: "de resultados", other: "resultados" });
}

/** "queda 1", "quedan 5". */
export function remain(count: number): string {
	return `${form(count, { one: "queda", other: "quedan" })} ${number(count)}`;
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} en reserva`, charged: credits(count), none: "sin cargo" }[are];
}

export function again(limit: Limit, whoHas: string): string {
	if (!isWorthWaiting(limit)) return "Elige algo más pequeño o pregunta a un admin.";
	return `${whoHas} otra vez los ${number(limit.limitCredits)} ${when(limit.resetsAtS)}.`;
}

export function refill(limit: LimitShown, whoHas: string): string {
	return isUsed(limit) ? ` ${whoHas} otra vez todos ${when(limit.resetsAtS)}.` : "";
}

export function when(timeS: number): string {
	return `el <t:${timeS}:f>, <t:${timeS}:R>`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "sin límite" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` y ${number(more)} más` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `El archivo completo, como mucho hasta el <t:${untilS}:f>: <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "comprimido";
		case "smaller":
			return `${made.width} × ${made.height} píxeles`;
		case "fewerFrames":
			return `${number(made.framesPerSecond)} fotogramas por segundo`;
		case "still":
			return "sin su movimiento";
		case "standardColours":
			return made.faithful ? "en colores estándar en vez de HDR" : "en colores estándar en vez de HDR, más pálidos";
		case "frame":
			return "un solo fotograma";
		case "beginning":
			return `sus primeros ${number(made.seconds)} segundos`;
	}
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join(", ") + andMore(more);
}
