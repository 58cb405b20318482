/** How Brazilian Portuguese counts, names and puts things. */
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

export const { ago, counted, form, number } = pluralRulesOf("pt-BR");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "Sendo enviado",
	queued: "Esperando a vez",
	making: "Em andamento",
	canceling: "Sendo cancelado",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "na fila",
	sending: "sendo enviado",
	unknown: "incerto",
	making: "em andamento",
	canceling: "sendo cancelado",
	delivering: "sendo entregue",
	done: "pronto",
	canceled: "cancelado",
	failed: "falhou",
};

export const ONE_OF: Record<MediaType, string> = { image: "imagem", video: "vídeo", music: "música" };
export const MEDIA: Record<MediaType, string> = { image: "imagens", video: "vídeos", music: "música" };
export const PER: Record<Period, string> = { day: "por dia", week: "por semana", month: "por mês" };

/** From a million on Portuguese says "1.000.000 de créditos". */
export function credits(count: number): string {
	return counted(count, { one: "crédito", many: "de créditos", other: "créditos" });
}

export function results(count: number): string {
	return counted(count, { one: "resultado", many: "de resultados", other: "resultados" });
}

/** "resta 1", "restam 5". */
export function remain(count: number): string {
	return `${form(count, { one: "resta", other: "restam" })} ${number(count)}`;
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} em reserva`, charged: credits(count), none: "sem cobrança" }[are];
}

export function again(limit: Limit, whoHas: string): string {
	if (!isWorthWaiting(limit)) return "Escolha algo menor ou fale com um admin.";
	return `${whoHas} de novo os ${number(limit.limitCredits)} ${when(limit.resetsAtS)}.`;
}

export function refill(limit: LimitShown, whoHas: string): string {
	return isUsed(limit) ? ` ${whoHas} todos de novo ${when(limit.resetsAtS)}.` : "";
}

export function when(timeS: number): string {
	return `em <t:${timeS}:f>, <t:${timeS}:R>`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "sem limite" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` e mais ${number(more)}` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `O arquivo inteiro, no máximo até <t:${untilS}:f>: <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "comprimido";
		case "smaller":
			return `${made.width} × ${made.height} pixels`;
		case "fewerFrames":
			return `${number(made.framesPerSecond)} quadros por segundo`;
		case "still":
			return "sem o movimento";
		case "standardColours":
			return made.faithful ? "em cores padrão em vez de HDR" : "em cores padrão em vez de HDR, mais pálidas";
		case "frame":
			return "um quadro dele";
		case "beginning":
			return `os primeiros ${number(made.seconds)} segundos`;
	}
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join(", ") + andMore(more);
}
