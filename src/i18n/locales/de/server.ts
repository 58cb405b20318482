import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import { BY, MEDIA, PER, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**Jeden Monat** bekommt er ${credits(p.monthlyCredits)}; die nächsten kommen ${when(p.refillsAtS)}, und ungenutzte ${{ expire: "verfallen dann", carryOver: "werden übertragen", carryOverLater: "dieses Monats verfallen dann noch; spätere werden übertragen" }[p.unusedCredits]}.`,
	settingsServer: (p) =>
		`**Der ganze Server** darf ${credits(p.limitCredits)} ${PER[p.per]} nutzen; ${number(p.usedCredits)} verbraucht, und es beginnt von vorn ${when(p.resetsAtS)}.`,
	settingsServerLimit: (p) => `**Der ganze Server** darf ${credits(p.limitCredits)} ${PER[p.per]} nutzen.`,
	settingsServerUnlimited: "**Der ganze Server** darf alles nutzen, was er hat.",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**Jedes Mitglied** darf so viel nutzen, wie da ist; Limits für Rollen und Mitglieder zählen ${BY[p.per]}.`
			: `**Jedes Mitglied** darf ${credits(p.limitCredits)} ${PER[p.per]} nutzen.`,
	settingsRoles: (p) => `**Rollen**, von denen die höchste zählt: ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**Mitglieder**, statt alledem: ${p.members}${andMore(p.more)}.`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : ` (${number(p.usedCredits)} verbraucht)`}`,
	settingsMedium: (p) =>
		`**Für ${MEDIA[p.mediaType]}** darf jedes Mitglied ${credits(p.limitCredits)} ${PER[p.per]} nutzen.`,
	settingsTimeZone: (p) => `**Tage, Wochen und Monate** beginnen in der Zeitzone ${p.timeZone}.`,
	settingsWarn: (p) =>
		`**Warnungen**, wenn 80 % und 100 % der Credits eines Monats weg sind, gehen nach <#${p.channelId}>.`,
	settingsWarnNobody: `**Warnungen** gehen nirgendwohin; ${command("quota", "server")} mit ${option("warn_channel")} sagt, wohin.`,
	settingsRest: "-# Die Datei enthält alle Rollen und Mitglieder.",
	settingsFileRoles: "Rollen, von denen die höchste zählt",
	settingsFileMembers: "Mitglieder, statt alledem",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t${number(p.usedCredits)} verbraucht`}`,
	settingsChanged: (p) => `Geändert. Jetzt gilt:\n${p.settings}`,

	usageHead: (p) =>
		`**Die letzten ${p.days} Tage**: ${credits(p.totalCredits)} für ${results(p.results)}${p.totalCredits < p.days ? "" : `, ${number(Math.round(p.totalCredits / p.days))} pro Tag`}.`,
	usageNothing: (p) => `In den letzten ${p.days} Tagen hat hier niemand Credits genutzt.`,
	usageNothingSince: (p) =>
		`Seit <t:${p.fromS}:f> hat hier niemand Credits genutzt. Was davor war, ist mehr, als ein Bericht liest.`,
	usageMembers: (p) => `**Mitglieder**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**Modelle**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**Medien**: ${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)} (${results(p.results)})`,
	usageModel: (p) => `${p.model} ${number(p.credits)} (${results(p.results)})`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)} (${results(p.results)})`,
	usageCompleteFrom: (p) =>
		`-# In dieser Zeit gibt es mehr, als ein Bericht liest: Er ist vollständig ab <t:${p.fromS}:f>.`,
	chartTitle: "Credits pro Tag",
	chartMedium: (p) => MEDIA[p.mediaType],
	chartDescription: (p) =>
		`Balkendiagramm der Credits an jedem der letzten ${p.days} Tage, nach Medium: insgesamt ${number(p.totalCredits)}, am meisten am ${p.mostDate} mit ${number(p.mostCredits)}.`,
};
