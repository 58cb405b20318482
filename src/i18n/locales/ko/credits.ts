import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, command, credits, moment, number, option, refill, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`이 서버가 매달 받는 ${credits(p.monthlyCredits)} 중 ${credits(p.leftCredits)}이 남았어요. 다음 충전은 ${when(p.refillsAtS)}예요.`,
	monthUsedUp: (p) =>
		`이 서버가 이번 달 ${credits(p.monthlyCredits)}을 다 썼어요. 다음 충전은 ${when(p.refillsAtS)}예요.`,
	monthTooShort: (p) =>
		`이 서버는 요청한 것의 값을 더 이상 낼 수 없어요. ${credits(p.costCredits)}이 필요한데, 매달 받는 ${credits(p.monthlyCredits)} 중 ${credits(p.leftCredits)}이 남았어요. 다음 충전은 ${when(p.refillsAtS)}예요.`,
	creditsBalance: (p) =>
		`이 서버에는 **${number(p.availableCredits)}**크레딧이 남아 있어요${p.heldCredits > 0 ? `(만드는 중인 것에 ${credits(p.heldCredits)} 보류)` : ""}.`,
	creditsMine: (p) =>
		`회원님의 ${PER[p.per]} ${credits(p.limitCredits)} 중 **${number(p.leftCredits)}**크레딧이 남아 있어요.${refill(p)}`,
	creditsMineNone: "이 서버의 관리자가 회원님에게 크레딧을 주지 않았어요.",
	creditsMineUnlimited: "있는 만큼 쓸 수 있어요.",
	creditsMineWithin: "다음 한도 안에서 있는 만큼 쓸 수 있어요:",
	creditsMineNoMedium: (p) => `이 서버의 관리자가 멤버에게 ${MEDIA[p.mediaType]}용 크레딧을 주지 않았어요.`,
	creditsMineMedium: (p) =>
		`${MEDIA[p.mediaType]}에는 ${PER[p.per]} ${credits(p.limitCredits)} 중 **${number(p.leftCredits)}**크레딧이 남아 있어요.${refill(p)}`,
	creditsServerLimit: (p) =>
		`서버 전체의 ${PER[p.per]} ${credits(p.limitCredits)} 중 **${number(p.leftCredits)}**크레딧이 남아 있어요.${refill(p)}`,
	creditsExpire: (p) => `그중 ${credits(p.credits)}은 아무도 쓰지 않으면 ${when(p.expiresAtS)}에 만료돼요.`,
	topUpOffer: (p) =>
		`이 서버에 쓸 크레딧을 살 수 있어요: ${p.itemCredits.map((count) => credits(count)).join(" · ")}. 아래에서 구매한 다음 **${p.button}** 버튼을 눌러 주세요.`,
	topUpAdded: (p) =>
		`고마워요. ${credits(p.addedCredits)}을 추가했어요. 이 서버에는 **${number(p.leftCredits)}**크레딧이 남아 있어요. 구매한 크레딧은 만료되지 않아요.`,
	topUpNothing:
		"추가를 기다리는 회원님의 구매가 없어요. 먼저 구매한 다음 다시 눌러 주세요. 서버에 추가한 것은 그 서버에 남아요.",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "누군가" : `<@${p.buyerId}>`} 님이 이 서버에 ${credits(p.addedCredits)}을 구매했어요. **${number(p.leftCredits)}**크레딧이 남아 있어요.`,
	creditsRefill: (p) => `다음 ${credits(p.monthlyCredits)}은 ${when(p.refillsAtS)}에 들어와요.`,
	creditsPrice: (p) => `-# ${command(p.command)}(${p.model}): ${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`${credits(p.amountCredits)}을 지급했어요: ${p.reason}. 이 서버에는 **${number(p.availableCredits)}**크레딧이 있어요.`,
	creditsRevoked: (p) =>
		`${credits(p.amountCredits)}을 회수했어요: ${p.reason}. 이 서버에는 **${number(p.availableCredits)}**크레딧이 남아 있어요.`,
	choiceDegraded: "현재 불안정",
	choiceDown: "현재 작동 안 함",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**내 크레딧을 쓴 곳**(최신순):",
	historyMember: (p) => `**<@${p.userId}> 님의 내역**(최신순):`,
	historyServer: "**이 서버의 크레딧을 쓴 곳**(최신순, 화살표 뒤는 그 뒤의 잔액):",
	historyEmpty: "보여 드릴 것이 없어요.",
	historyNotFound: (p) =>
		`찾아본 범위에는 아무것도 없어요. 더 이전을 찾으려면 ${option("before", p.before)}, 이렇게 추가하세요.`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, 만들지 못함: ${credits(p.amountCredits)} 반환`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · 쓰지 않아 만료`,
	historyMore: (p) => `-# 더 보려면 ${option("before", p.before)}, 이렇게 추가하세요.`,
	historyCutShort: (p) =>
		`-# 꽤 이전까지 찾았지만 한 페이지가 차지 않았어요. 더 이전을 찾으려면 ${option("before", p.before)}, 이렇게 추가하세요.`,
	historyCsv: (p) => `${number(p.entries)}개 항목, 최신순.`,
	byOperator: "봇 운영자",
	bySystem: "자동",
};
