import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**Todo mês** ele recebe ${credits(p.monthlyCredits)}; os próximos chegam ${when(p.refillsAtS)}, e os não usados ${{ expire: "expiram então", carryOver: "se acumulam", carryOverLater: "deste mês ainda expiram então; os seguintes se acumulam" }[p.unusedCredits]}.`,
	settingsServer: (p) =>
		`**O servidor inteiro** pode usar ${credits(p.limitCredits)} ${PER[p.per]}; consumo: ${number(p.usedCredits)}, e recomeça ${when(p.resetsAtS)}.`,
	settingsServerLimit: (p) => `**O servidor inteiro** pode usar ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsServerUnlimited: "**O servidor inteiro** pode usar tudo o que tem.",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**Cada membro** pode usar tanto quanto houver; os limites de cargos e membros contam ${PER[p.per]}.`
			: `**Cada membro** pode usar ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsRoles: (p) => `**Cargos**, dos quais vale o maior: ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**Membros**, em vez disso tudo: ${p.members}${andMore(p.more)}.`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : ` (consumo: ${number(p.usedCredits)})`}`,
	settingsMedium: (p) =>
		`**Para ${MEDIA[p.mediaType]}**, cada membro pode usar ${credits(p.limitCredits)} ${PER[p.per]}.`,
	settingsTimeZone: (p) => `**Dias, semanas e meses** começam no fuso horário ${p.timeZone}.`,
	settingsWarn: (p) => `**Avisos**, quando 80 % e 100 % dos créditos de um mês se foram, vão para <#${p.channelId}>.`,
	settingsWarnNobody: `**Avisos** não vão a lugar nenhum; ${command("quota", "server")} com ${option("warn_channel")} diz para onde.`,
	settingsRest: "-# O arquivo tem todos os cargos e membros.",
	settingsFileRoles: "Cargos, dos quais vale o maior",
	settingsFileMembers: "Membros, em vez disso tudo",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\tconsumo: ${number(p.usedCredits)}`}`,
	settingsChanged: (p) => `Alterado. Agora:\n${p.settings}`,

	usageHead: (p) =>
		`**Os últimos ${p.days} dias**: ${credits(p.totalCredits)} em ${results(p.results)}${p.totalCredits < p.days ? "" : `, ${number(Math.round(p.totalCredits / p.days))} por dia`}.`,
	usageNothing: (p) => `Nos últimos ${p.days} dias ninguém usou créditos aqui.`,
	usageNothingSince: (p) =>
		`Ninguém usou créditos aqui desde <t:${p.fromS}:f>. O que veio antes é mais do que um relatório lê.`,
	usageMembers: (p) => `**Membros**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**Modelos**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**Mídias**: ${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)} (${results(p.results)})`,
	usageModel: (p) => `${p.model} ${number(p.credits)} (${results(p.results)})`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)} (${results(p.results)})`,
	usageCompleteFrom: (p) =>
		`-# Neste período há mais do que um relatório lê: ele está completo a partir de <t:${p.fromS}:f>.`,
	chartTitle: "Créditos por dia",
	chartMedium: (p) => ({ image: "Imagens", video: "Vídeos", music: "Música" })[p.mediaType],
	chartDescription: (p) =>
		`Gráfico de barras dos créditos usados em cada um dos últimos ${p.days} dias, por mídia: ${number(p.totalCredits)} ao todo, o máximo em ${p.mostDate} com ${number(p.mostCredits)}.`,
};
