/** What a server and its members have, and where it went. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { HistoryLine, LimitShown } from "../../params.ts";
import { MEDIA, areLeft, command, credits, moment, number, option, refill, when } from "./words.ts";

export const creditTexts = {
	monthRunsLow: (p: { leftCredits: number; monthlyCredits: number; refillsAtS: number }) =>
		`This server has ${credits(p.leftCredits)} left of the ${number(p.monthlyCredits)} that it gets each month. The next come ${when(p.refillsAtS)}.`,
	monthUsedUp: (p: { leftCredits: number; monthlyCredits: number; refillsAtS: number }) =>
		`This server has used up its ${credits(p.monthlyCredits)} of this month. The next come ${when(p.refillsAtS)}.`,
	monthTooShort: (p: { costCredits: number; leftCredits: number; monthlyCredits: number; refillsAtS: number }) =>
		`This server cannot pay for what was asked any more: that costs ${credits(p.costCredits)}, and ${areLeft(p.leftCredits)} of the ${number(p.monthlyCredits)} that it gets each month. The next come ${when(p.refillsAtS)}.`,
	creditsBalance: (p: { availableCredits: number; heldCredits: number }) =>
		`This server has **${number(p.availableCredits)}** ${p.availableCredits === 1 ? "credit" : "credits"} left${p.heldCredits > 0 ? `, and ${number(p.heldCredits)} set aside for what is being made` : ""}.`,
	creditsMine: (p: LimitShown) =>
		`You have **${number(p.leftCredits)}** of your ${credits(p.limitCredits)} a ${p.per} left.${refill(p, "You have")}`,
	creditsMineNone: "The admins of this server have given you none to use.",
	creditsMineUnlimited: "You may use as many of them as there are.",
	creditsMineWithin: "You may use as many of them as there are, within these limits:",
	creditsMineNoMedium: (p: { mediaType: MediaType }) =>
		`For ${MEDIA[p.mediaType]} the admins of this server have given its members none.`,
	creditsMineMedium: (p: LimitShown & { mediaType: MediaType }) =>
		`For ${MEDIA[p.mediaType]} you have **${number(p.leftCredits)}** of ${credits(p.limitCredits)} a ${p.per} left.${refill(p, "You have")}`,
	creditsServerLimit: (p: LimitShown) =>
		`Of the ${credits(p.limitCredits)} a ${p.per} that it lets itself use **${number(p.leftCredits)}** ${p.leftCredits === 1 ? "is" : "are"} left.${refill(p, "It has")}`,
	creditsExpire: (p: { credits: number; expiresAtS: number }) =>
		`${number(p.credits)} of them expire${p.credits === 1 ? "s" : ""} ${when(p.expiresAtS)} if nobody uses them.`,
	topUpOffer: (p: { itemCredits: readonly number[]; button: string }) =>
		`More can be bought for this server: ${p.itemCredits.map((count) => credits(count)).join(" · ")}. Buy below, then press **${p.button}**.`,
	topUpAdded: (p: { addedCredits: number; leftCredits: number }) =>
		`Thank you: ${credits(p.addedCredits)} added. This server has **${number(p.leftCredits)}** left; what was bought does not expire.`,
	topUpNothing:
		"Nothing that you bought is waiting to be added. Buy first, then press this again. What was added to a server stays there.",
	topUpAnnounced: (p: { buyerId: string | null; addedCredits: number; leftCredits: number }) =>
		`${p.buyerId === null ? "Somebody" : `<@${p.buyerId}>`} bought this server ${credits(p.addedCredits)}. It has **${number(p.leftCredits)}** left.`,
	creditsRefill: (p: { monthlyCredits: number; refillsAtS: number }) =>
		`The next ${number(p.monthlyCredits)} come ${when(p.refillsAtS)}.`,
	creditsPrice: (p: { command: MediaType; model: string; costCredits: number }) =>
		`-# ${command(p.command)} with ${p.model}: ${credits(p.costCredits)}`,
	creditsGranted: (p: { amountCredits: number; availableCredits: number; reason: string }) =>
		`${credits(p.amountCredits)} granted: ${p.reason}. This server has **${number(p.availableCredits)}** left.`,
	creditsRevoked: (p: { amountCredits: number; availableCredits: number; reason: string }) =>
		`${credits(p.amountCredits)} taken: ${p.reason}. This server has **${number(p.availableCredits)}** left.`,
	choiceDegraded: "has trouble now",
	choiceDown: "not working now",
	choicePriced: (p: { name: string; costCredits: number }) => `${p.name} — ${credits(p.costCredits)}`,

	// History: newest first, one line an entry, with what the server owned afterwards.
	historyMine: "**What your credits went to**, newest first:",
	historyMember: (p: { userId: string }) => `**What <@${p.userId}> did**, newest first:`,
	historyServer: "**What this server's credits went to**, newest first; behind the arrow what it owned afterwards:",
	historyEmpty: "There is nothing to show.",
	historyNotFound: (p: { before: number }) =>
		`There is nothing to show as far back as this looked. To look further add ${option("before", p.before)}.`,
	historyPosted: (p: HistoryLine & { model: string }) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p: HistoryLine & { model: string }) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, not made: ${credits(p.amountCredits)} given back`,
	historyChanged: (p: HistoryLine & { reason: string }) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p: HistoryLine) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · unused and expired`,
	historyMore: (p: { before: number }) => `-# For more add ${option("before", p.before)}.`,
	historyCutShort: (p: { before: number }) =>
		`-# This went far back without finding a whole page. To look further add ${option("before", p.before)}.`,
	historyCsv: (p: { entries: number }) =>
		`${p.entries === 1 ? "1 entry" : `${number(p.entries)} entries`}, newest first.`,
	byOperator: "the people who run this bot",
	bySystem: "automatic",
} as const;
