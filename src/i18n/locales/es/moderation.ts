import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "Créditos de cada miembro",
	server: "Créditos del servidor entero",
	confirmAbove: "Confirmar por encima de",
};
const PER_FIRST = { day: "Al día", week: "A la semana", month: "Al mes" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "Reportar",
	buttonReport: "Reportar",
	reportTitle: "Reportar a la moderación",
	reportReasonLabel: "¿Qué tiene de malo?",
	reportReasonHint: "Lo lee la moderación de este servidor, con tu nombre.",
	reportThanks: "Gracias. La moderación de este servidor ya lo tiene.",
	reportNotOurs: "Eso no es un resultado de este bot. Repórtalo a Discord o a la moderación.",
	reportNowhere: `Este servidor no tiene canal de reportes. Habla con la moderación; un admin puede indicar uno con ${command("settings", "general")} y ${option("report_channel")}.`,
	reportClosed: "El canal de la moderación no acepta mensajes de este bot. Habla directamente con la moderación.",
	reportEmpty: "Di qué tiene de malo.",
	reportedAlready: "Ya lo has reportado. La moderación lo tiene.",
	reportedByMany: "Ya lo han reportado muchas personas. La moderación lo tiene.",
	reportHead: (p) =>
		`**Reporte** de <@${p.reporterId}>, <t:${p.atS}:f>, sobre lo que <@${p.userId}> pidió en <#${p.channelId}>${p.link === null ? ", que los demás no ven" : `: [mensaje](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `Prompt: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "Eliminado",
			block: "Miembro bloqueado",
			refund: `Devolución de ${credits(p.costCredits)} al servidor`,
		}[p.action];
		return `**${what}** por <@${p.byUserId}>, <t:${p.atS}:f>`;
	},
	buttonReportDelete: "Eliminar resultado",
	buttonReportBlock: "Bloquear miembro",
	buttonReportRefund: "Devolver créditos",
	reportNotDeletable: "Ese resultado solo lo ve la propia persona, así que no hay nada que eliminar.",
	reportDeleteForbidden: (p) => `No puedo eliminarlo: déjame ver <#${p.channelId}> de nuevo o elimina el mensaje tú.`,
	reportBlockReason: "tras un reporte de algo que pediste",
	reportRefundReason: (p) => `devolución de ${p.taskId} tras un reporte`,
	reportNothingCharged: "Eso no se cobró, así que no hay nada que devolver.",

	setupDescription: "Configurar este bot paso a paso; puedes parar y seguir cuando quieras",
	setupStep: (p) =>
		`**Paso ${p.at} de ${p.of}.** ${
			{
				channels: "¿Dónde se puede crear? Elige canales, o ninguno para todos. Lo que eliges vale enseguida.",
				roles: "¿Quién puede pedir? Elige roles, o ninguno para todos.",
				budget:
					"¿Cuánto se puede gastar? Los créditos de cada miembro, los del servidor y a partir de cuándo hay que confirmar.",
				moderators:
					"¿Quién lo cuida? Un canal que se entera de cada cambio de los ajustes y otro para lo que reportan los miembros.",
				summary: `Eso es todo. ${command("settings")}, ${command("quota")}, ${command("filter")} y ${command("style")} tienen el resto.`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# Hay ${number(p.more)} más permitidos de los que este menú puede mostrar. Siguen así, elijas lo que elijas; ${command("settings")} los cambia.`,
	setupChannelsPlaceholder: "En todas partes",
	setupRolesPlaceholder: "Todos",
	setupLogPlaceholder: "Los cambios no se anuncian en ninguna parte",
	setupReportsPlaceholder: "Los miembros no pueden reportar",
	setupBudgetButton: "Fijar el presupuesto",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}, para quienes no tienen regla propia; vacío para sin límite`,
			server: `Al mes, si ${plain("quota")} no dice otra cosa; vacío para sin límite`,
			confirmAbove: "Lo que cuesta más créditos se pregunta antes; vacío para nada",
		})[p.field],
	setupNotANumber: (p) =>
		`«${BUDGET_LABELS[p.field]}» admite un número entero hasta ${number(p.creditsMax)}, o nada. No se ha cambiado nada.`,
	setupSaved: "Guardado.",
	setupTypedKept: "Lo que escribiste se conserva: pulsa **Fijar el presupuesto** para corregirlo.",
	setupBack: "Atrás",
	setupNext: "Siguiente",
	setupAgain: "Desde el principio",
};
