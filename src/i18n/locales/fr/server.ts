import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import {
	MEDIA,
	PER,
	THE,
	andMore,
	command,
	consumed,
	credits,
	number,
	option,
	orUnlimited,
	results,
	when,
} from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**Chaque mois** il reçoit ${credits(p.monthlyCredits)} ; les prochains arrivent ${when(p.refillsAtS)}, et ceux qui sont inutilisés ${{ expire: "expirent alors", carryOver: "sont reportés", carryOverLater: "ce mois-ci expirent encore alors ; les suivants sont reportés" }[p.unusedCredits]}.`,
	settingsServer: (p) =>
		`**Le serveur entier** peut utiliser ${credits(p.limitCredits)} ${PER[p.per]} ; ${consumed(p.usedCredits)}, et le compte repart de zéro ${when(p.resetsAtS)}.`,
	settingsServerLimit: (p) => `**Le serveur entier** peut utiliser ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsServerUnlimited: "**Le serveur entier** peut utiliser tout ce qu'il a.",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**Chaque membre** peut utiliser autant qu'il y en a ; les limites des rôles et des membres comptent ${PER[p.per]}.`
			: `**Chaque membre** peut utiliser ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsRoles: (p) => `**Rôles**, dont le plus généreux compte : ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**Membres**, à la place de tout cela : ${p.members}${andMore(p.more)}.`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : ` (${consumed(p.usedCredits)})`}`,
	settingsMedium: (p) =>
		`**Pour ${THE[p.mediaType]}**, chaque membre peut utiliser ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsTimeZone: (p) => `**Les jours, les semaines et les mois** commencent dans le fuseau horaire ${p.timeZone}.`,
	settingsWarn: (p) => `**Les alertes**, à 80 % et 100 % des crédits d'un mois, vont dans <#${p.channelId}>.`,
	settingsWarnNobody: `**Les alertes** ne vont nulle part ; ${command("quota", "server")} avec ${option("warn_channel")} dit où.`,
	settingsRest: "-# Le fichier contient tous les rôles et membres.",
	settingsFileRoles: "Rôles, dont le plus généreux compte",
	settingsFileMembers: "Membres, à la place de tout cela",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t${consumed(p.usedCredits)}`}`,
	settingsChanged: (p) => `Changé. Maintenant :\n${p.settings}`,

	usageHead: (p) =>
		`**Les ${p.days} derniers jours** : ${credits(p.totalCredits)} pour ${results(p.results)}${p.totalCredits < p.days ? "" : `, ${number(Math.round(p.totalCredits / p.days))} par jour`}.`,
	usageNothing: (p) => `Ces ${p.days} derniers jours, personne n'a utilisé de crédits ici.`,
	usageNothingSince: (p) =>
		`Personne n'a utilisé de crédits ici depuis le <t:${p.fromS}:f>. Ce qui précède dépasse ce que lit un rapport.`,
	usageMembers: (p) => `**Membres** : ${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**Modèles** : ${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**Médias** : ${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)} (${results(p.results)})`,
	usageModel: (p) => `${p.model} ${number(p.credits)} (${results(p.results)})`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)} (${results(p.results)})`,
	usageCompleteFrom: (p) =>
		`-# Cette période contient plus que ce que lit un rapport : il est complet à partir du <t:${p.fromS}:f>.`,
	chartTitle: "Crédits par jour",
	chartMedium: (p) => ({ image: "Images", video: "Vidéos", music: "Musique" })[p.mediaType],
	chartDescription: (p) =>
		`Diagramme à barres des crédits utilisés chacun des ${p.days} derniers jours, par média : ${number(p.totalCredits)} en tout, le maximum le ${p.mostDate} avec ${number(p.mostCredits)}.`,
};
