import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, command, counted, credits, moment, number, option, refill, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`Dieser Server hat noch ${credits(p.leftCredits)} von den ${number(p.monthlyCredits)}, die er jeden Monat bekommt. Die nächsten kommen ${when(p.refillsAtS)}.`,
	monthUsedUp: (p) =>
		`Dieser Server hat seine ${credits(p.monthlyCredits)} dieses Monats aufgebraucht. Die nächsten kommen ${when(p.refillsAtS)}.`,
	monthTooShort: (p) =>
		`Dieser Server kann nicht mehr bezahlen, was verlangt wurde: Das kostet ${credits(p.costCredits)}, und von den ${number(p.monthlyCredits)}, die er jeden Monat bekommt, ${p.leftCredits === 1 ? "ist" : "sind"} noch ${number(p.leftCredits)} übrig. Die nächsten kommen ${when(p.refillsAtS)}.`,
	creditsBalance: (p) =>
		`Dieser Server hat noch **${number(p.availableCredits)}** ${p.availableCredits === 1 ? "Credit" : "Credits"}${p.heldCredits > 0 ? `, und ${number(p.heldCredits)} ${p.heldCredits === 1 ? "ist" : "sind"} für das zurückgelegt, was in Arbeit ist` : ""}.`,
	creditsMine: (p) =>
		`Von deinen ${credits(p.limitCredits)} ${PER[p.per]} hast du noch **${number(p.leftCredits)}**.${refill(p, "hast du")}`,
	creditsMineNone: "Die Admins dieses Servers haben dir keine gegeben.",
	creditsMineUnlimited: "Du darfst so viele davon nutzen, wie da sind.",
	creditsMineWithin: "Du darfst so viele davon nutzen, wie da sind, innerhalb dieser Limits:",
	creditsMineNoMedium: (p) =>
		`Für ${MEDIA[p.mediaType]} haben die Admins dieses Servers den Mitgliedern keine gegeben.`,
	creditsMineMedium: (p) =>
		`Für ${MEDIA[p.mediaType]} hast du noch **${number(p.leftCredits)}** von ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "hast du")}`,
	creditsServerLimit: (p) =>
		`Von den ${credits(p.limitCredits)} ${PER[p.per]}, die er sich erlaubt, ${p.leftCredits === 1 ? "ist" : "sind"} noch **${number(p.leftCredits)}** übrig.${refill(p, "hat er")}`,
	creditsExpire: (p) =>
		`${number(p.credits)} davon ${p.credits === 1 ? "verfällt" : "verfallen"} ${when(p.expiresAtS)}, wenn niemand sie nutzt.`,
	topUpOffer: (p) =>
		`Für diesen Server lässt sich mehr kaufen: ${p.itemCredits.map((count) => credits(count)).join(" · ")}. Unten kaufen, dann **${p.button}** drücken.`,
	topUpAdded: (p) =>
		`Danke: ${credits(p.addedCredits)} gutgeschrieben. Dieser Server hat noch **${number(p.leftCredits)}**; was gekauft ist, verfällt nicht.`,
	topUpNothing:
		"Von dir wartet kein Kauf auf eine Gutschrift. Erst kaufen, dann hier noch einmal drücken. Was einem Server gutgeschrieben ist, bleibt dort.",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "Jemand" : `<@${p.buyerId}>`} hat diesem Server ${credits(p.addedCredits)} gekauft. Er hat noch **${number(p.leftCredits)}**.`,
	creditsRefill: (p) => `Die nächsten ${number(p.monthlyCredits)} kommen ${when(p.refillsAtS)}.`,
	creditsPrice: (p) => `-# ${command(p.command)} mit ${p.model}: ${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`${credits(p.amountCredits)} gegeben: ${p.reason}. Dieser Server hat jetzt **${number(p.availableCredits)}**.`,
	creditsRevoked: (p) =>
		`${credits(p.amountCredits)} genommen: ${p.reason}. Dieser Server hat noch **${number(p.availableCredits)}**.`,
	choiceDegraded: "hat gerade Probleme",
	choiceDown: "geht gerade nicht",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**Wohin deine Credits gingen**, die neuesten Einträge zuerst:",
	historyMember: (p) => `**Was <@${p.userId}> getan hat**, das Neueste zuerst:`,
	historyServer:
		"**Wohin die Credits dieses Servers gingen**, die neuesten Einträge zuerst; hinter dem Pfeil, was er danach besaß:",
	historyEmpty: "Es gibt nichts zu zeigen.",
	historyNotFound: (p) =>
		`So weit zurück, wie gesucht wurde, gibt es nichts zu zeigen. Um weiter zu suchen, ergänze ${option("before", p.before)}.`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, nicht gemacht: ${credits(p.amountCredits)} zurückgegeben`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ungenutzt verfallen`,
	historyMore: (p) => `-# Für mehr ergänze ${option("before", p.before)}.`,
	historyCutShort: (p) =>
		`-# So weit zurück fand sich keine ganze Seite. Um weiter zu suchen, ergänze ${option("before", p.before)}.`,
	historyCsv: (p) => `${counted(p.entries, { one: "Eintrag", other: "Einträge" })}, die neuesten zuerst.`,
	byOperator: "die Betreiber dieses Bots",
	bySystem: "automatisch",
};
