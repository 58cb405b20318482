import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, ONE_OF, PROGRESS_STATES, ago, command, credits, form, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [p.queuePosition === 1 ? "prochain dans la file" : `numéro ${number(p.queuePosition)} dans la file`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`prêt environ <t:${p.readyAtS}:R>`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${ONE_OF[p.mediaType]} par ${p.model} · ${p.costCredits === 0 ? "gratuit" : `${credits(p.costCredits)}, ${form(p.costCredits, { one: "facturé", other: "facturés" })} une fois créé`}`,
	progressTrouble: "Le service de création a des problèmes. Ta tâche est conservée et sera revérifiée.",
	progressBusy: "Le service de création est occupé. C'est envoyé dès qu'il y a de la place.",
	progressDiskFull:
		"Le disque de ce bot est plein et ses responsables doivent libérer de la place. Ta tâche est conservée et sera revérifiée.",
	buttonCancel: "Annuler",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${ONE_OF[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [message](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) =>
		`**${JOB_STATES[p.state]}** · ${ONE_OF[p.mediaType]} · ${p.model} · demande faite <t:${p.createdAtS}:R>`,
	jobCredits: (p) => (p.are === "none" ? "Rien de facturé." : `Prix : ${jobCredits(p)}`),
	jobDeadline: (p) => `Si ce n'est pas terminé <t:${p.deadlineAtS}:R>, c'est abandonné et remboursé.`,
	jobWhere: (p) => `-# [message](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "à l'instant" : ago(p.minutes)}`,
	jobsEmpty: `Il n'y a rien à montrer. ${command("image")}, ${command("video")} et ${command("music")} créent quelque chose.`,
	jobsOlder: `-# Il y en a de plus anciennes ; ${command("job", "show")} les trouve par leur id.`,
	jobNotFound: "Il n'y a rien sous cet id dans ce serveur, ou c'est si ancien que ce n'est plus conservé.",
	othersJob: "C'est à quelqu'un d'autre. Seule la modération de ce serveur peut la voir et l'annuler.",
	jobNotDone: `Ce n'est pas encore terminé. ${command("job", "show")} dit où ça en est.`,
	jobNothingMade: `Rien n'a été créé là, donc il n'y a rien à récupérer. ${command("job", "show")} dit pourquoi.`,
	jobFilesRefused: `Discord ne prend pas ces fichiers ici. Essaie dans un autre salon, ou regarde le message que ${command("job", "show")} indique.`,
	jobFilesLater: "Discord ne prend pas les fichiers pour le moment. Ils sont gardés : réessaie dans une minute.",
	jobFilesGone: `Le fichier n'est plus gardé ici. Il est peut-être encore dans le message que ${command("job", "show")} indique.`,
	cancelAsked: (p) =>
		`L'annulation est notée. Ce qu'il en advient, et de ${form(p.costCredits, { one: "ton", other: "tes" })} ${credits(p.costCredits)}, sera dit dans la réponse dans un instant.`,
	cancelWhenKnown: (p) =>
		`On ne sait pas encore si le service a la demande. Dès qu'on le sait, elle est annulée ; ${credits(p.costCredits)} ${form(p.costCredits, { one: "revient", other: "reviennent" })}, sauf si c'est créé d'ici là.`,
	cancelPassedOn: (p) =>
		`Le service a été prié d'arrêter. S'il le fait, ${credits(p.costCredits)} ${form(p.costCredits, { one: "revient", other: "reviennent" })} ; s'il termine avant, le résultat arrive et il est facturé. Au plus tard <t:${p.deadlineAtS}:R>, c'est fini.`,
	cancelNotSupported: (p) =>
		`Le service ne peut pas arrêter ce qu'il a commencé. Une fois terminé, le résultat arrive et coûte ${credits(p.costCredits)} ; si ce n'est pas terminé <t:${p.deadlineAtS}:R>, tout est rendu.`,
	cancelDone: (p) =>
		`Annulé. Rien n'a été facturé : ${credits(p.costCredits)} ${form(p.costCredits, { one: "rendu", other: "rendus" })}.`,
	cancelTooLate: (p) =>
		`C'était créé avant de pouvoir être annulé. Ça coûte ${credits(p.costCredits)} ; le résultat est dans la réponse, ou arrive dans un instant.`,
	cancelNotNeeded: "C'est déjà fini, sans résultat. Rien n'a été facturé.",
	cancelCameTooLate: "annulé trop tard",
};
