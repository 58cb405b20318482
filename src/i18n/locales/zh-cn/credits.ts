import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, command, credits, moment, number, option, refill, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`本服务器每月获得的 ${number(p.monthlyCredits)} 中还剩 ${credits(p.leftCredits)}。下次补充在 ${when(p.refillsAtS)}。`,
	monthUsedUp: (p) => `本服务器已用完本月的 ${credits(p.monthlyCredits)}。下次补充在 ${when(p.refillsAtS)}。`,
	monthTooShort: (p) =>
		`本服务器已无法支付所请求的内容：需要 ${credits(p.costCredits)}，而每月获得的 ${number(p.monthlyCredits)} 中还剩 ${number(p.leftCredits)}。下次补充在 ${when(p.refillsAtS)}。`,
	creditsBalance: (p) =>
		`本服务器还剩 **${number(p.availableCredits)}** 积分${p.heldCredits > 0 ? `，另有 ${number(p.heldCredits)} 已为进行中的内容预留` : ""}。`,
	creditsMine: (p) => `你${PER[p.per]}的 ${credits(p.limitCredits)}中还剩 **${number(p.leftCredits)}**。${refill(p)}`,
	creditsMineNone: "本服务器的管理员没有给你分配积分。",
	creditsMineUnlimited: "有多少就可以用多少。",
	creditsMineWithin: "在以下限额内，有多少就可以用多少：",
	creditsMineNoMedium: (p) => `本服务器的管理员没有给成员分配用于${MEDIA[p.mediaType]}的积分。`,
	creditsMineMedium: (p) =>
		`用于${MEDIA[p.mediaType]}的${PER[p.per]} ${credits(p.limitCredits)}中还剩 **${number(p.leftCredits)}**。${refill(p)}`,
	creditsServerLimit: (p) =>
		`整个服务器${PER[p.per]}的 ${credits(p.limitCredits)}中还剩 **${number(p.leftCredits)}**。${refill(p)}`,
	creditsExpire: (p) => `其中 ${number(p.credits)} 若没人使用，将在 ${when(p.expiresAtS)}过期。`,
	topUpOffer: (p) =>
		`可以为本服务器购买更多：${p.itemCredits.map((count) => credits(count)).join(" · ")}。先在下方购买，然后按 **${p.button}**。`,
	topUpAdded: (p) =>
		`谢谢：已加入 ${credits(p.addedCredits)}。本服务器还剩 **${number(p.leftCredits)}**；购买的积分不会过期。`,
	topUpNothing: "没有你购买后等待加入的积分。请先购买，再按一次。已加入某个服务器的积分会留在那里。",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "有人" : `<@${p.buyerId}>`} 为本服务器购买了 ${credits(p.addedCredits)}。现在还剩 **${number(p.leftCredits)}**。`,
	creditsRefill: (p) => `下一批 ${number(p.monthlyCredits)} 将在 ${when(p.refillsAtS)}到账。`,
	creditsPrice: (p) => `-# ${command(p.command)}（${p.model}）：${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`已发放 ${credits(p.amountCredits)}：${p.reason}。本服务器现有 **${number(p.availableCredits)}**。`,
	creditsRevoked: (p) =>
		`已收回 ${credits(p.amountCredits)}：${p.reason}。本服务器还剩 **${number(p.availableCredits)}**。`,
	choiceDegraded: "目前不稳定",
	choiceDown: "目前不可用",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**你的积分去向**，最新的在前：",
	historyMember: (p) => `**<@${p.userId}> 的记录**，最新的在前：`,
	historyServer: "**本服务器的积分去向**，最新的在前；箭头后是之后的余额：",
	historyEmpty: "没有可显示的内容。",
	historyNotFound: (p) => `在查找的范围内没有可显示的内容。要查更早的，请加上 ${option("before", p.before)}。`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}，未生成：退还 ${credits(p.amountCredits)}`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}：${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · 未使用，已过期`,
	historyMore: (p) => `-# 要看更多，请加上 ${option("before", p.before)}。`,
	historyCutShort: (p) => `-# 已往前查了很久，仍不足一页。要查更早的，请加上 ${option("before", p.before)}。`,
	historyCsv: (p) => `共 ${number(p.entries)} 条，最新的在前。`,
	byOperator: "机器人运营者",
	bySystem: "自动",
};
