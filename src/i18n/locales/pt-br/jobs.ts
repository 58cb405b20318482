import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, ONE_OF, PROGRESS_STATES, ago, command, credits, form, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [p.queuePosition === 1 ? "próximo da fila" : `número ${number(p.queuePosition)} na fila`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`pronto por volta de <t:${p.readyAtS}:R>`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${ONE_OF[p.mediaType]} com ${p.model} · ${p.costCredits === 0 ? "grátis" : `${credits(p.costCredits)}, cobrado quando for criado`}`,
	progressTrouble: "O serviço de criação está com problemas. Sua tarefa fica guardada e será verificada de novo.",
	progressBusy: "O serviço de criação está ocupado. Isto é enviado assim que houver lugar.",
	progressDiskFull:
		"O disco deste bot está cheio, e os responsáveis precisam liberar espaço. Sua tarefa fica guardada e será verificada de novo.",
	buttonCancel: "Cancelar",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${ONE_OF[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [mensagem](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) =>
		`**${JOB_STATES[p.state]}** · ${ONE_OF[p.mediaType]} · ${p.model} · pedido feito <t:${p.createdAtS}:R>`,
	jobCredits: (p) => (p.are === "none" ? "Sem cobrança." : `Preço: ${jobCredits(p)}`),
	jobDeadline: (p) => `Se não estiver pronto <t:${p.deadlineAtS}:R>, é abandonado e devolvido.`,
	jobWhere: (p) => `-# [mensagem](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "agora mesmo" : ago(p.minutes)}`,
	jobsEmpty: `Não há nada para mostrar. ${command("image")}, ${command("video")} e ${command("music")} criam algo.`,
	jobsOlder: `-# Há tarefas mais antigas; ${command("job", "show")} as encontra pelo id.`,
	jobNotFound: "Não há nada com esse id neste servidor, ou faz tanto tempo que não está mais guardado.",
	othersJob: "Isso é de outra pessoa. Só a moderação deste servidor pode ver e cancelar.",
	jobNotDone: `Isso ainda não está pronto. ${command("job", "show")} diz em que pé está.`,
	jobNothingMade: `Nada foi criado ali, então não há nada para obter. ${command("job", "show")} diz por quê.`,
	jobFilesRefused: `O Discord não aceita estes arquivos aqui. Tente em outro canal ou veja a mensagem indicada por ${command("job", "show")}.`,
	jobFilesLater: "O Discord não está aceitando os arquivos agora. Eles ficam guardados: tente de novo em um minuto.",
	jobFilesGone: `O arquivo não está mais guardado aqui. Talvez ainda esteja na mensagem indicada por ${command("job", "show")}.`,
	cancelAsked: (p) =>
		`O cancelamento foi anotado. O que acontece com ele e com ${credits(p.costCredits)} aparece na resposta em um instante.`,
	cancelWhenKnown: (p) =>
		`Ainda não se sabe se o serviço está com isto. Assim que se souber, será cancelado; ${credits(p.costCredits)} ${form(p.costCredits, { one: "volta", other: "voltam" })}, a menos que já tenha sido criado.`,
	cancelPassedOn: (p) =>
		`Pedimos ao serviço que pare. Se ele parar, ${credits(p.costCredits)} ${form(p.costCredits, { one: "volta", other: "voltam" })}; se terminar antes, o resultado chega e é cobrado. No máximo <t:${p.deadlineAtS}:R> acaba.`,
	cancelNotSupported: (p) =>
		`O serviço não consegue parar o que começou. Quando estiver pronto, o resultado chega e custa ${credits(p.costCredits)}; se não estiver pronto <t:${p.deadlineAtS}:R>, tudo é devolvido.`,
	cancelDone: (p) =>
		`Cancelado. Nada foi cobrado: ${credits(p.costCredits)} ${form(p.costCredits, { one: "voltou", other: "voltaram" })}.`,
	cancelTooLate: (p) =>
		`Foi criado antes que desse para cancelar. Custa ${credits(p.costCredits)}; o resultado está na resposta ou chega em um instante.`,
	cancelNotNeeded: "Já terminou, sem resultado. Nada foi cobrado.",
	cancelCameTooLate: "cancelado tarde demais",
};
