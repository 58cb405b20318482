import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**Cada mes** recibe ${credits(p.monthlyCredits)}; los próximos llegan ${when(p.refillsAtS)}, y los que no se usan ${{ expire: "caducan entonces", carryOver: "se acumulan", carryOverLater: "de este mes aún caducan entonces; los siguientes se acumulan" }[p.unusedCredits]}.`,
	settingsServer: (p) =>
		`**El servidor entero** puede usar ${credits(p.limitCredits)} ${PER[p.per]}; consumo: ${number(p.usedCredits)}, y empieza de nuevo ${when(p.resetsAtS)}.`,
	settingsServerLimit: (p) => `**El servidor entero** puede usar ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsServerUnlimited: "**El servidor entero** puede usar todo lo que tiene.",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**Cada miembro** puede usar tanto como haya; los límites de roles y miembros cuentan ${PER[p.per]}.`
			: `**Cada miembro** puede usar ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsRoles: (p) => `**Roles**, de los que cuenta el más alto: ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**Miembros**, en lugar de todo eso: ${p.members}${andMore(p.more)}.`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : ` (consumo: ${number(p.usedCredits)})`}`,
	settingsMedium: (p) =>
		`**Para ${MEDIA[p.mediaType]}** cada miembro puede usar ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsTimeZone: (p) => `**Los días, las semanas y los meses** empiezan en la zona horaria ${p.timeZone}.`,
	settingsWarn: (p) =>
		`**Los avisos**, al gastarse el 80 % y el 100 % de los créditos de un mes, van a <#${p.channelId}>.`,
	settingsWarnNobody: `**Los avisos** no van a ninguna parte; ${command("quota", "server")} con ${option("warn_channel")} dice adónde.`,
	settingsRest: "-# El archivo tiene todos los roles y miembros.",
	settingsFileRoles: "Roles, de los que cuenta el más alto",
	settingsFileMembers: "Miembros, en lugar de todo eso",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\tconsumo: ${number(p.usedCredits)}`}`,
	settingsChanged: (p) => `Cambiado. Ahora:\n${p.settings}`,

	usageHead: (p) =>
		`**Los últimos ${p.days} días**: ${credits(p.totalCredits)} en ${results(p.results)}${p.totalCredits < p.days ? "" : `, ${number(Math.round(p.totalCredits / p.days))} al día`}.`,
	usageNothing: (p) => `En los últimos ${p.days} días nadie ha usado créditos aquí.`,
	usageNothingSince: (p) =>
		`Nadie ha usado créditos aquí desde el <t:${p.fromS}:f>. Lo anterior es más de lo que lee un informe.`,
	usageMembers: (p) => `**Miembros**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**Modelos**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**Medios**: ${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)} (${results(p.results)})`,
	usageModel: (p) => `${p.model} ${number(p.credits)} (${results(p.results)})`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)} (${results(p.results)})`,
	usageCompleteFrom: (p) =>
		`-# En este tiempo hay más de lo que lee un informe: está completo desde el <t:${p.fromS}:f>.`,
	chartTitle: "Créditos al día",
	chartMedium: (p) => ({ image: "Imágenes", video: "Vídeos", music: "Música" })[p.mediaType],
	chartDescription: (p) =>
		`Gráfico de barras de los créditos usados en cada uno de los últimos ${p.days} días, por medio: ${number(p.totalCredits)} en total, el máximo el ${p.mostDate} con ${number(p.mostCredits)}.`,
};
