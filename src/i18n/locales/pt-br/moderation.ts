import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "Créditos de cada membro",
	server: "Créditos do servidor inteiro",
	confirmAbove: "Confirmar acima de",
};
const PER_FIRST = { day: "Por dia", week: "Por semana", month: "Por mês" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "Denunciar",
	buttonReport: "Denunciar",
	reportTitle: "Denunciar à moderação",
	reportReasonLabel: "O que há de errado?",
	reportReasonHint: "A moderação deste servidor lê, com o seu nome.",
	reportThanks: "Obrigado. A moderação deste servidor já recebeu.",
	reportNotOurs: "Isso não é um resultado deste bot. Denuncie ao Discord ou à moderação.",
	reportNowhere: `Este servidor não tem canal de denúncias. Fale com a moderação; um admin pode indicar um com ${command("settings", "general")} e ${option("report_channel")}.`,
	reportClosed: "O canal da moderação não aceita mensagens deste bot. Fale direto com a moderação.",
	reportEmpty: "Diga o que há de errado.",
	reportedAlready: "Você já denunciou isso. A moderação já recebeu.",
	reportedByMany: "Muita gente já denunciou isso. A moderação já recebeu.",
	reportHead: (p) =>
		`**Denúncia** de <@${p.reporterId}>, <t:${p.atS}:f>, sobre o que <@${p.userId}> pediu em <#${p.channelId}>${p.link === null ? ", que os outros não veem" : `: [mensagem](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `Prompt: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "Apagado",
			block: "Membro bloqueado",
			refund: `Devolução de ${credits(p.costCredits)} ao servidor`,
		}[p.action];
		return `**${what}** por <@${p.byUserId}>, <t:${p.atS}:f>`;
	},
	buttonReportDelete: "Apagar resultado",
	buttonReportBlock: "Bloquear membro",
	buttonReportRefund: "Devolver créditos",
	reportNotDeletable: "Só a própria pessoa vê esse resultado, então não há nada para apagar.",
	reportDeleteForbidden: (p) => `Não consigo apagar: deixe-me ver <#${p.channelId}> de novo ou apague a mensagem você.`,
	reportBlockReason: "após uma denúncia de algo que você pediu",
	reportRefundReason: (p) => `devolução de ${p.taskId} após uma denúncia`,
	reportNothingCharged: "Nada foi cobrado por isso, então não há nada para devolver.",

	setupDescription: "Configurar este bot passo a passo; você pode parar e continuar quando quiser",
	setupStep: (p) =>
		`**Passo ${p.at} de ${p.of}.** ${
			{
				channels: "Onde se pode criar? Escolha canais, ou nenhum para todos. O que você escolhe vale na hora.",
				roles: "Quem pode pedir? Escolha cargos, ou nenhum para todos.",
				budget:
					"O que se pode gastar? Os créditos de cada membro, os do servidor e a partir de quando é preciso confirmar.",
				moderators:
					"Quem cuida disso? Um canal que fica sabendo de cada mudança das configurações e um para o que os membros denunciam.",
				summary: `É só isso. ${command("settings")}, ${command("quota")}, ${command("filter")} e ${command("style")} têm o resto.`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# Há ${number(p.more)} permitidos a mais do que este menu pode mostrar. Continuam assim, seja qual for a escolha; ${command("settings")} os muda.`,
	setupChannelsPlaceholder: "Em todo lugar",
	setupRolesPlaceholder: "Todos",
	setupLogPlaceholder: "As mudanças não são avisadas em lugar nenhum",
	setupReportsPlaceholder: "Os membros não podem denunciar",
	setupBudgetButton: "Definir o orçamento",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}, para quem não tem regra própria; vazio para sem limite`,
			server: `Por mês, se ${plain("quota")} não disser outra coisa; vazio para sem limite`,
			confirmAbove: "O que custa mais créditos é perguntado antes; vazio para nada",
		})[p.field],
	setupNotANumber: (p) =>
		`“${BUDGET_LABELS[p.field]}” aceita um número inteiro até ${number(p.creditsMax)}, ou nada. Nada foi alterado.`,
	setupSaved: "Salvo.",
	setupTypedKept: "O que você digitou foi mantido: pressione **Definir o orçamento** para corrigir.",
	setupBack: "Voltar",
	setupNext: "Próximo",
	setupAgain: "Desde o início",
};
