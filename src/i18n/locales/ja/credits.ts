import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, command, credits, moment, number, option, refill, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`このサーバーが毎月受け取る${number(p.monthlyCredits)}のうち、残りは${credits(p.leftCredits)}です。次の補充は${when(p.refillsAtS)}です。`,
	monthUsedUp: (p) =>
		`このサーバーは今月の${credits(p.monthlyCredits)}を使い切りました。次の補充は${when(p.refillsAtS)}です。`,
	monthTooShort: (p) =>
		`このサーバーは依頼されたものの料金を払えなくなりました。${credits(p.costCredits)}かかりますが、毎月受け取る${number(p.monthlyCredits)}のうち残りは${number(p.leftCredits)}です。次の補充は${when(p.refillsAtS)}です。`,
	creditsBalance: (p) =>
		`このサーバーの残りは**${number(p.availableCredits)}**クレジットです${p.heldCredits > 0 ? `（ほかに${number(p.heldCredits)}を生成中のものに確保）` : ""}。`,
	creditsMine: (p) =>
		`あなたの${PER[p.per]}${credits(p.limitCredits)}のうち、残りは**${number(p.leftCredits)}**です。${refill(p)}`,
	creditsMineNone: "このサーバーの管理者は、あなたにクレジットを割り当てていません。",
	creditsMineUnlimited: "あるだけ使えます。",
	creditsMineWithin: "次の上限の範囲で、あるだけ使えます:",
	creditsMineNoMedium: (p) =>
		`このサーバーの管理者は、メンバーに${MEDIA[p.mediaType]}用のクレジットを割り当てていません。`,
	creditsMineMedium: (p) =>
		`${MEDIA[p.mediaType]}には、${PER[p.per]}${credits(p.limitCredits)}のうち**${number(p.leftCredits)}**が残っています。${refill(p)}`,
	creditsServerLimit: (p) =>
		`サーバー全体の${PER[p.per]}${credits(p.limitCredits)}のうち、残りは**${number(p.leftCredits)}**です。${refill(p)}`,
	creditsExpire: (p) => `そのうち${number(p.credits)}は、使われなければ${when(p.expiresAtS)}に失効します。`,
	topUpOffer: (p) =>
		`このサーバー用にクレジットを購入できます: ${p.itemCredits.map((count) => credits(count)).join(" · ")}。下のボタンで購入してから、**${p.button}** を押してください。`,
	topUpAdded: (p) =>
		`ありがとうございます。${credits(p.addedCredits)}を追加しました。このサーバーの残りは**${number(p.leftCredits)}**です。購入分は失効しません。`,
	topUpNothing:
		"追加を待っているあなたの購入分はありません。先に購入してから、もう一度押してください。サーバーに追加した分は、そのサーバーに残ります。",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "どなたか" : `<@${p.buyerId}>`}がこのサーバーに${credits(p.addedCredits)}を購入しました。残りは**${number(p.leftCredits)}**です。`,
	creditsRefill: (p) => `次の${number(p.monthlyCredits)}は${when(p.refillsAtS)}に届きます。`,
	creditsPrice: (p) => `-# ${command(p.command)}（${p.model}）: ${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`${credits(p.amountCredits)}を付与しました: ${p.reason}。このサーバーの残りは**${number(p.availableCredits)}**です。`,
	creditsRevoked: (p) =>
		`${credits(p.amountCredits)}を回収しました: ${p.reason}。このサーバーの残りは**${number(p.availableCredits)}**です。`,
	choiceDegraded: "現在不調",
	choiceDown: "現在停止中",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**あなたのクレジットの使い道**（新しい順）:",
	historyMember: (p) => `**<@${p.userId}>の履歴**（新しい順）:`,
	historyServer: "**このサーバーのクレジットの使い道**（新しい順。矢印の後ろはその後の残高）:",
	historyEmpty: "表示するものはありません。",
	historyNotFound: (p) =>
		`調べた範囲には何もありませんでした。さらに前を調べるには${option("before", p.before)}を追加してください。`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}、生成されず: ${credits(p.amountCredits)}を返却`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · 未使用のまま失効`,
	historyMore: (p) => `-# 続きを見るには${option("before", p.before)}を追加してください。`,
	historyCutShort: (p) =>
		`-# かなり前まで調べましたが、1ページ分はありませんでした。さらに前を調べるには${option("before", p.before)}を追加してください。`,
	historyCsv: (p) => `${number(p.entries)}件（新しい順）。`,
	byOperator: "ボットの運営者",
	bySystem: "自動",
};
