import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, ONE_OF, PROGRESS_STATES, ago, command, credits, form, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [p.queuePosition === 1 ? "el siguiente de la cola" : `número ${number(p.queuePosition)} de la cola`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`listo aproximadamente <t:${p.readyAtS}:R>`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${ONE_OF[p.mediaType]} con ${p.model} · ${p.costCredits === 0 ? "gratis" : `${credits(p.costCredits)}, se cobra al crearse`}`,
	progressTrouble: "El servicio de creación tiene problemas. Tu tarea se conserva y se volverá a comprobar.",
	progressBusy: "El servicio de creación está ocupado. Esto se envía en cuanto haya sitio.",
	progressDiskFull:
		"El disco de este bot está lleno y sus responsables tienen que liberar espacio. Tu tarea se conserva y se volverá a comprobar.",
	buttonCancel: "Cancelar",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${ONE_OF[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [mensaje](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) => `**${JOB_STATES[p.state]}** · ${ONE_OF[p.mediaType]} · ${p.model} · pedido <t:${p.createdAtS}:R>`,
	jobCredits: (p) => (p.are === "none" ? "Sin cargo." : `Precio: ${jobCredits(p)}`),
	jobDeadline: (p) => `Si no está listo <t:${p.deadlineAtS}:R>, se abandona y se devuelve.`,
	jobWhere: (p) => `-# [mensaje](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "ahora mismo" : ago(p.minutes)}`,
	jobsEmpty: `No hay nada que mostrar. ${command("image")}, ${command("video")} y ${command("music")} crean algo.`,
	jobsOlder: `-# Las hay más antiguas; ${command("job", "show")} las encuentra por su id.`,
	jobNotFound: "No hay nada con ese id en este servidor, o fue hace tanto que ya no se guarda.",
	othersJob: "Eso es de otra persona. Solo la moderación de este servidor puede verlo y cancelarlo.",
	jobNotDone: `Aún no está listo. ${command("job", "show")} dice cómo va.`,
	jobNothingMade: `Ahí no se creó nada, así que no hay nada que obtener. ${command("job", "show")} dice por qué.`,
	jobFilesRefused: `Discord no acepta estos archivos aquí. Prueba en otro canal o mira el mensaje que enlaza ${command("job", "show")}.`,
	jobFilesLater: "Discord no acepta los archivos en este momento. Se guardan: inténtalo de nuevo en un minuto.",
	jobFilesGone: `El archivo ya no se guarda aquí. Puede que siga en el mensaje que enlaza ${command("job", "show")}.`,
	cancelAsked: (p) =>
		`La cancelación está anotada. Lo que pase con ella y con ${credits(p.costCredits)} se dirá en la respuesta en un momento.`,
	cancelWhenKnown: (p) =>
		`Aún no se sabe si el servicio tiene esto. En cuanto se sepa, se cancela; ${credits(p.costCredits)} ${form(p.costCredits, { one: "vuelve", other: "vuelven" })}, salvo que para entonces esté creado.`,
	cancelPassedOn: (p) =>
		`Se ha pedido al servicio que pare. Si lo hace, ${credits(p.costCredits)} ${form(p.costCredits, { one: "vuelve", other: "vuelven" })}; si termina antes, llega el resultado y se cobra. Como muy tarde <t:${p.deadlineAtS}:R> habrá terminado.`,
	cancelNotSupported: (p) =>
		`El servicio no puede parar lo que ha empezado. Cuando esté listo, llega el resultado y cuesta ${credits(p.costCredits)}; si no está listo <t:${p.deadlineAtS}:R>, se devuelve todo.`,
	cancelDone: (p) =>
		`Cancelado. No se ha cobrado nada: ${form(p.costCredits, { one: "ha vuelto", other: "han vuelto" })} ${credits(p.costCredits)}.`,
	cancelTooLate: (p) =>
		`Estaba creado antes de poder cancelarlo. Cuesta ${credits(p.costCredits)}; el resultado está en la respuesta o llega en un momento.`,
	cancelNotNeeded: "Ya ha terminado, sin resultado. No se ha cobrado nada.",
	cancelCameTooLate: "cancelado demasiado tarde",
};
