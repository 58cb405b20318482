import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "Credits jedes Mitglieds",
	server: "Credits des ganzen Servers",
	confirmAbove: "Bestätigen ab",
};
const PER_FIRST = { day: "Pro Tag", week: "Pro Woche", month: "Pro Monat" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "Melden",
	buttonReport: "Melden",
	reportTitle: "Der Moderation melden",
	reportReasonLabel: "Was stimmt damit nicht?",
	reportReasonHint: "Die Moderation dieses Servers liest es, mit deinem Namen.",
	reportThanks: "Danke. Die Moderation dieses Servers hat es jetzt.",
	reportNotOurs: "Das ist kein Ergebnis dieses Bots. Melde es Discord oder jemandem aus der Moderation.",
	reportNowhere: `Dieser Server hat keinen Kanal für Meldungen. Sag es jemandem aus der Moderation; ein Admin kann mit ${command("settings", "general")} und ${option("report_channel")} einen nennen.`,
	reportClosed: "Der Kanal der Moderation nimmt keine Nachrichten von diesem Bot an. Sag es der Moderation direkt.",
	reportEmpty: "Sag, was damit nicht stimmt.",
	reportedAlready: "Das hast du schon gemeldet. Die Moderation hat es.",
	reportedByMany: "Das haben schon viele gemeldet. Die Moderation hat es.",
	reportHead: (p) =>
		`**Meldung** von <@${p.reporterId}>, <t:${p.atS}:f>, zu dem, was <@${p.userId}> in <#${p.channelId}> machen ließ${p.link === null ? ", für andere unsichtbar" : `: [Nachricht](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `Prompt: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "Gelöscht",
			block: "Mitglied gesperrt",
			refund: `${credits(p.costCredits)} dem Server zurückgegeben`,
		}[p.action];
		return `**${what}** von <@${p.byUserId}>, <t:${p.atS}:f>`;
	},
	buttonReportDelete: "Ergebnis löschen",
	buttonReportBlock: "Mitglied sperren",
	buttonReportRefund: "Erstatten",
	reportNotDeletable: "Dieses Ergebnis sieht nur die Person selbst, es gibt also nichts zu löschen.",
	reportDeleteForbidden: (p) =>
		`Ich kann es nicht löschen: Lass mich <#${p.channelId}> wieder sehen, oder lösche die Nachricht selbst.`,
	reportBlockReason: "nach einer Meldung zu etwas, das du machen ließest",
	reportRefundReason: (p) => `Erstattung von ${p.taskId} nach einer Meldung`,
	reportNothingCharged: "Dafür wurde nichts berechnet, es gibt also nichts zurückzugeben.",

	setupDescription: "Diesen Bot Schritt für Schritt einrichten; du kannst jederzeit aufhören und weitermachen",
	setupStep: (p) =>
		`**Schritt ${p.at} von ${p.of}.** ${
			{
				channels: "Wo darf etwas gemacht werden? Wähle Kanäle, oder keinen für alle. Was du wählst, gilt sofort.",
				roles: "Wer darf etwas machen lassen? Wähle Rollen, oder keine für alle.",
				budget:
					"Was darf ausgegeben werden? Credits je Mitglied, die des Servers, und ab wann etwas bestätigt werden muss.",
				moderators:
					"Wer kümmert sich darum? Ein Kanal, der von jeder Änderung der Einstellungen hört, und einer für Meldungen von Mitgliedern.",
				summary: `Das ist alles. ${command("settings")}, ${command("quota")}, ${command("filter")} und ${command("style")} haben den Rest.`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# ${number(p.more)} weitere sind erlaubt, als dieses Menü zeigen kann. Sie bleiben es, was du auch wählst; ${command("settings")} ändert sie.`,
	setupChannelsPlaceholder: "Überall",
	setupRolesPlaceholder: "Alle",
	setupLogPlaceholder: "Änderungen der Einstellungen werden nirgends gemeldet",
	setupReportsPlaceholder: "Mitglieder können nichts melden",
	setupBudgetButton: "Budget festlegen",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}, für alle ohne eigene Regel; leer für kein Limit`,
			server: `Pro Monat, wenn ${plain("quota")} nichts anderes sagt; leer für kein Limit`,
			confirmAbove: "Was mehr Credits kostet, wird erst gefragt; leer für nichts",
		})[p.field],
	setupNotANumber: (p) =>
		`„${BUDGET_LABELS[p.field]}“ nimmt eine ganze Zahl bis ${number(p.creditsMax)}, oder nichts. Es wurde nichts geändert.`,
	setupSaved: "Gespeichert.",
	setupTypedKept: "Was du eingegeben hast, bleibt: Drücke **Budget festlegen**, um es zu berichtigen.",
	setupBack: "Zurück",
	setupNext: "Weiter",
	setupAgain: "Von vorn",
};
