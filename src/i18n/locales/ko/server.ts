import type { serverTexts as english } from "../en/server.ts";
import type { Translation } from "../../translation.ts";
import { BY, MEDIA, PER, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts: Translation<typeof english> = {
	settingsMonthly: (p) =>
		`**매달** ${credits(p.monthlyCredits)}을 받아요. 다음은 ${when(p.refillsAtS)}이고, ${{ expire: "쓰지 않은 것은 그때 만료돼요", carryOver: "쓰지 않은 것은 이월돼요", carryOverLater: "이번 달에 쓰지 않은 것은 그때 만료되고 이후의 것은 이월돼요" }[p.unusedCredits]}.`,
	settingsServer: (p) =>
		`**서버 전체**가 ${PER[p.per]} ${credits(p.limitCredits)}까지 쓸 수 있어요. 사용량은 ${credits(p.usedCredits)}이고 ${when(p.resetsAtS)}에 처음부터 다시 세요.`,
	settingsServerLimit: (p) => `**서버 전체**가 ${PER[p.per]} ${credits(p.limitCredits)}까지 쓸 수 있어요.`,
	settingsServerUnlimited: "**서버 전체**가 가진 만큼 쓸 수 있어요.",
	settingsEveryone: (p) =>
		p.limitCredits === null
			? `**각 멤버**는 있는 만큼 쓸 수 있어요. 역할과 멤버 한도는 ${BY[p.per]} 단위로 세요.`
			: `**각 멤버**는 ${PER[p.per]} ${credits(p.limitCredits)}까지 쓸 수 있어요.`,
	settingsRoles: (p) => `**역할**(가장 높은 것이 적용됨): ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p) => `<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p) => `**멤버**(다른 모든 것보다 우선): ${p.members}${andMore(p.more)}.`,
	settingsMember: (p) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `(사용 ${number(p.usedCredits)})`}`,
	settingsMedium: (p) =>
		`**${MEDIA[p.mediaType]}**에는 각 멤버가 ${PER[p.per]} ${credits(p.limitCredits)}까지 쓸 수 있어요.`,
	settingsTimeZone: (p) => `**일, 주, 월**은 ${p.timeZone} 시간대에 맞춰 시작해요.`,
	settingsWarn: (p) => `**경고**는 이번 달 크레딧의 80 %와 100 %를 썼을 때 <#${p.channelId}> 채널에 올라와요.`,
	settingsWarnNobody: `**경고**는 아무 데도 가지 않아요. ${command("quota", "server")} 명령어의 ${option("warn_channel")} 옵션으로 정할 수 있어요.`,
	settingsRest: "-# 모든 역할과 멤버는 파일에 있어요.",
	settingsFileRoles: "역할(가장 높은 것이 적용됨)",
	settingsFileMembers: "멤버(다른 모든 것보다 우선)",
	settingsFileLine: (p) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t사용 ${number(p.usedCredits)}`}`,
	settingsChanged: (p) => `바꿨어요. 지금 설정:\n${p.settings}`,

	usageHead: (p) =>
		`**지난 ${p.days}일**: 결과 ${results(p.results)}에 ${credits(p.totalCredits)}${p.totalCredits < p.days ? "" : `, 하루에 ${number(Math.round(p.totalCredits / p.days))}`}.`,
	usageNothing: (p) => `지난 ${p.days}일 동안 여기서 아무도 크레딧을 쓰지 않았어요.`,
	usageNothingSince: (p) =>
		`<t:${p.fromS}:f> 이후로 여기서 아무도 크레딧을 쓰지 않았어요. 그 전은 한 보고서가 읽는 양을 넘어요.`,
	usageMembers: (p) => `**멤버**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p) => `**모델**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p) => `**종류**: ${p.uses}`,
	usageMember: (p) => `<@${p.userId}> ${number(p.credits)}(${results(p.results)})`,
	usageModel: (p) => `${p.model} ${number(p.credits)}(${results(p.results)})`,
	usageMedium: (p) => `${MEDIA[p.mediaType]} ${number(p.credits)}(${results(p.results)})`,
	usageCompleteFrom: (p) =>
		`-# 이 기간에는 한 보고서가 읽는 것보다 많은 내역이 있어요. <t:${p.fromS}:f>부터는 빠짐없이 담겨 있어요.`,
	chartTitle: "하루 크레딧",
	chartMedium: (p) => MEDIA[p.mediaType],
	chartDescription: (p) =>
		`지난 ${p.days}일 동안 날마다 쓴 크레딧을 종류별로 보여 주는 막대그래프. 모두 ${number(p.totalCredits)}, 가장 많은 날은 ${p.mostDate}의 ${number(p.mostCredits)}.`,
};
