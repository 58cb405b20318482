import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import { BY, MEDIA, PER, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**毎月**${credits(p.monthlyCredits)}を受け取ります。次は${when(p.refillsAtS)}で、${{ expire: "未使用分はそのとき失効します", carryOver: "未使用分は繰り越されます", carryOverLater: "今月の未使用分はそのとき失効し、以後の分は繰り越されます" }[p.unusedCredits]}。`,
	settingsServer: (p) =>
		`**サーバー全体**で${PER[p.per]}${credits(p.limitCredits)}まで使えます。使用済みは${number(p.usedCredits)}で、${when(p.resetsAtS)}に最初から数え直します。`,
	settingsServerLimit: (p) => `**サーバー全体**で${PER[p.per]}${credits(p.limitCredits)}まで使えます。`,
	settingsServerUnlimited: "**サーバー全体**で、あるだけ使えます。",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**各メンバー**はあるだけ使えます。ロールとメンバーの上限は${BY[p.per]}で数えます。`
			: `**各メンバー**は${PER[p.per]}${credits(p.limitCredits)}まで使えます。`,
	settingsRoles: (p) => `**ロール**（最も高いものを適用）: ${p.roles}${andMore(p.more)}。`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**メンバー**（ほかのすべてに優先）: ${p.members}${andMore(p.more)}。`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `（使用済み${number(p.usedCredits)}）`}`,
	settingsMedium: (p) =>
		`**${MEDIA[p.mediaType]}**には、各メンバーが${PER[p.per]}${credits(p.limitCredits)}まで使えます。`,
	settingsTimeZone: (p) => `**日・週・月**は${p.timeZone}の時刻で始まります。`,
	settingsWarn: (p) => `**警告**は、今月のクレジットの80 %と100 %がなくなったとき<#${p.channelId}>に届きます。`,
	settingsWarnNobody: `**警告**はどこにも届きません。${command("quota", "server")}の${option("warn_channel")}で決められます。`,
	settingsRest: "-# すべてのロールとメンバーはファイルにあります。",
	settingsFileRoles: "ロール（最も高いものを適用）",
	settingsFileMembers: "メンバー（ほかのすべてに優先）",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t使用済み${number(p.usedCredits)}`}`,
	settingsChanged: (p) => `変更しました。現在の設定:\n${p.settings}`,

	usageHead: (p) =>
		`**過去${p.days}日間**: ${credits(p.totalCredits)}で${results(p.results)}の結果${p.totalCredits < p.days ? "" : `、1日あたり${number(Math.round(p.totalCredits / p.days))}`}。`,
	usageNothing: (p) => `過去${p.days}日間、ここでは誰もクレジットを使っていません。`,
	usageNothingSince: (p) =>
		`<t:${p.fromS}:f>以降、ここでは誰もクレジットを使っていません。それより前は、1回のレポートで読める量を超えています。`,
	usageMembers: (p) => `**メンバー**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**モデル**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**種類**: ${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)}（${results(p.results)}）`,
	usageModel: (p) => `${p.model} ${number(p.credits)}（${results(p.results)}）`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)}（${results(p.results)}）`,
	usageCompleteFrom: (p) => `-# この期間は1回のレポートで読める量を超えています。完全なのは<t:${p.fromS}:f>以降です。`,
	chartTitle: "1日あたりのクレジット",
	chartMedium: (p) => MEDIA[p.mediaType],
	chartDescription: (p) =>
		`過去${p.days}日間に毎日使われたクレジットを種類別に示す棒グラフ。合計${number(p.totalCredits)}、最も多い日は${p.mostDate}の${number(p.mostCredits)}。`,
};
