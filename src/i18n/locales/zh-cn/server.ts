import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import { BY, MEDIA, PER, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**每月**获得 ${credits(p.monthlyCredits)}；下一批在 ${when(p.refillsAtS)}到账，${{ expire: "未用的届时过期", carryOver: "未用的会结转", carryOverLater: "本月未用的届时仍会过期，之后的会结转" }[p.unusedCredits]}。`,
	settingsServer: (p) =>
		`**整个服务器**${PER[p.per]}可用 ${credits(p.limitCredits)}；已用 ${number(p.usedCredits)}，${when(p.resetsAtS)}重新计算。`,
	settingsServerLimit: (p) => `**整个服务器**${PER[p.per]}可用 ${credits(p.limitCredits)}。`,
	settingsServerUnlimited: "**整个服务器**有多少就可以用多少。",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**每位成员**有多少就可以用多少；身份组和成员的限额按${BY[p.per]}计算。`
			: `**每位成员**${PER[p.per]}可用 ${credits(p.limitCredits)}。`,
	settingsRoles: (p) => `**身份组**，以最高的为准：${p.roles}${andMore(p.more)}。`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**成员**，优先于以上各项：${p.members}${andMore(p.more)}。`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `（已用 ${number(p.usedCredits)}）`}`,
	settingsMedium: (p) => `**${MEDIA[p.mediaType]}**：每位成员${PER[p.per]}可用 ${credits(p.limitCredits)}。`,
	settingsTimeZone: (p) => `**日、周、月**以时区 ${p.timeZone} 开始。`,
	settingsWarn: (p) => `**提醒**：当月积分用去 80 % 和 100 % 时，发到 <#${p.channelId}>。`,
	settingsWarnNobody: `**提醒**不发往任何地方；可用 ${command("quota", "server")} 的 ${option("warn_channel")} 设置。`,
	settingsRest: "-# 文件里有全部身份组和成员。",
	settingsFileRoles: "身份组，以最高的为准",
	settingsFileMembers: "成员，优先于以上各项",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t已用 ${number(p.usedCredits)}`}`,
	settingsChanged: (p) => `已更改。现在：\n${p.settings}`,

	usageHead: (p) =>
		`**最近 ${p.days} 天**：${credits(p.totalCredits)}，${results(p.results)}${p.totalCredits < p.days ? "" : `，平均每天 ${number(Math.round(p.totalCredits / p.days))}`}。`,
	usageNothing: (p) => `最近 ${p.days} 天，这里没有人使用积分。`,
	usageNothingSince: (p) => `自 <t:${p.fromS}:f> 起，这里没有人使用积分。更早的内容超出了一份报告能读取的量。`,
	usageMembers: (p) => `**成员**：${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**模型**：${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**类型**：${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)}（${results(p.results)}）`,
	usageModel: (p) => `${p.model} ${number(p.credits)}（${results(p.results)}）`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)}（${results(p.results)}）`,
	usageCompleteFrom: (p) => `-# 这段时间的内容超出了一份报告能读取的量：自 <t:${p.fromS}:f> 起是完整的。`,
	chartTitle: "每日积分",
	chartMedium: (p) => MEDIA[p.mediaType],
	chartDescription: (p) =>
		`最近 ${p.days} 天每天所用积分的柱状图，按类型区分：共 ${number(p.totalCredits)}，最多的是 ${p.mostDate}，${number(p.mostCredits)}。`,
};
