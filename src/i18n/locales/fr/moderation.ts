import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, form, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "Crédits de chaque membre",
	server: "Crédits du serveur entier",
	confirmAbove: "Confirmer au-dessus de",
};
const PER_FIRST = { day: "Par jour", week: "Par semaine", month: "Par mois" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "Signaler",
	buttonReport: "Signaler",
	reportTitle: "Signaler à la modération",
	reportReasonLabel: "Qu'est-ce qui ne va pas ?",
	reportReasonHint: "La modération de ce serveur le lit, avec ton nom.",
	reportThanks: "Merci. La modération de ce serveur l'a reçu.",
	reportNotOurs: "Ce n'est pas un résultat de ce bot. Signale-le à Discord ou à la modération.",
	reportNowhere: `Ce serveur n'a pas de salon pour les signalements. Parle à la modération ; un admin peut en nommer un avec ${command("settings", "general")} et ${option("report_channel")}.`,
	reportClosed: "Le salon de la modération n'accepte pas de messages de ce bot. Parle directement à la modération.",
	reportEmpty: "Dis ce qui ne va pas.",
	reportedAlready: "Tu l'as déjà signalé. La modération l'a.",
	reportedByMany: "Beaucoup l'ont déjà signalé. La modération l'a.",
	reportHead: (p) =>
		`**Signalement** de <@${p.reporterId}>, <t:${p.atS}:f>, à propos de ce que <@${p.userId}> a fait créer dans <#${p.channelId}>${p.link === null ? ", que les autres ne voient pas" : ` : [message](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `Prompt : ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "Supprimé",
			block: "Membre bloqué",
			refund: `${credits(p.costCredits)} ${form(p.costCredits, { one: "rendu", other: "rendus" })} au serveur`,
		}[p.action];
		return `**${what}** par <@${p.byUserId}>, <t:${p.atS}:f>`;
	},
	buttonReportDelete: "Supprimer le résultat",
	buttonReportBlock: "Bloquer le membre",
	buttonReportRefund: "Rembourser",
	reportNotDeletable: "Seule la personne elle-même voit ce résultat, il n'y a donc rien à supprimer.",
	reportDeleteForbidden: (p) =>
		`Je ne peux pas le supprimer : laisse-moi voir <#${p.channelId}> de nouveau, ou supprime le message toi-même.`,
	reportBlockReason: "après un signalement de quelque chose que tu as fait créer",
	reportRefundReason: (p) => `remboursement de ${p.taskId} après un signalement`,
	reportNothingCharged: "Rien n'a été facturé pour ça, il n'y a donc rien à rendre.",

	setupDescription: "Configurer ce bot étape par étape ; tu peux t'arrêter et reprendre à tout moment",
	setupStep: (p) =>
		`**Étape ${p.at} sur ${p.of}.** ${
			{
				channels: "Où peut-on créer ? Choisis des salons, ou aucun pour tous. Ce que tu choisis vaut tout de suite.",
				roles: "Qui peut faire créer ? Choisis des rôles, ou aucun pour tout le monde.",
				budget:
					"Que peut-on dépenser ? Les crédits de chaque membre, ceux du serveur, et à partir de quand il faut confirmer.",
				moderators:
					"Qui s'en occupe ? Un salon averti de chaque changement des réglages, et un pour ce que les membres signalent.",
				summary: `C'est tout. ${command("settings")}, ${command("quota")}, ${command("filter")} et ${command("style")} ont le reste.`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# ${number(p.more)} de plus sont autorisés que ce menu ne peut montrer. Ils le restent, quel que soit ton choix ; ${command("settings")} les change.`,
	setupChannelsPlaceholder: "Partout",
	setupRolesPlaceholder: "Tout le monde",
	setupLogPlaceholder: "Les changements ne sont annoncés nulle part",
	setupReportsPlaceholder: "Les membres ne peuvent rien signaler",
	setupBudgetButton: "Fixer le budget",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}, pour qui n'a pas de règle propre ; vide pour aucune limite`,
			server: `Par mois, sauf si ${plain("quota")} dit autre chose ; vide pour aucune limite`,
			confirmAbove: "Ce qui coûte plus de crédits est demandé avant ; vide pour rien",
		})[p.field],
	setupNotANumber: (p) =>
		`« ${BUDGET_LABELS[p.field]} » prend un nombre entier jusqu'à ${number(p.creditsMax)}, ou rien. Rien n'a été changé.`,
	setupSaved: "Enregistré.",
	setupTypedKept: "Ce que tu as saisi est conservé : appuie sur **Fixer le budget** pour le corriger.",
	setupBack: "Retour",
	setupNext: "Suivant",
	setupAgain: "Depuis le début",
};
