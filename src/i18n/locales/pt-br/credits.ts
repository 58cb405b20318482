import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, command, counted, credits, form, moment, number, option, refill, remain, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`Este servidor ainda tem ${credits(p.leftCredits)} dos ${number(p.monthlyCredits)} que recebe todo mês. Os próximos chegam ${when(p.refillsAtS)}.`,
	monthUsedUp: (p) =>
		`Este servidor gastou seus ${credits(p.monthlyCredits)} deste mês. Os próximos chegam ${when(p.refillsAtS)}.`,
	monthTooShort: (p) =>
		`Este servidor não consegue mais pagar o que foi pedido: custa ${credits(p.costCredits)}, e ${remain(p.leftCredits)} dos ${number(p.monthlyCredits)} que recebe todo mês. Os próximos chegam ${when(p.refillsAtS)}.`,
	creditsBalance: (p) =>
		`Este servidor ainda tem **${number(p.availableCredits)}** ${form(p.availableCredits, { one: "crédito", many: "de créditos", other: "créditos" })}${p.heldCredits > 0 ? `, e ${number(p.heldCredits)} em reserva para o que está em andamento` : ""}.`,
	creditsMine: (p) =>
		`Você ainda tem **${number(p.leftCredits)}** dos seus ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "Você terá")}`,
	creditsMineNone: "Os admins deste servidor não deram nenhum a você.",
	creditsMineUnlimited: "Você pode usar quantos houver.",
	creditsMineWithin: "Você pode usar quantos houver, dentro destes limites:",
	creditsMineNoMedium: (p) => `Para ${MEDIA[p.mediaType]}, os admins deste servidor não deram nenhum aos membros.`,
	creditsMineMedium: (p) =>
		`Para ${MEDIA[p.mediaType]}, você ainda tem **${number(p.leftCredits)}** de ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "Você terá")}`,
	creditsServerLimit: (p) =>
		`Dos ${credits(p.limitCredits)} ${PER[p.per]} que ele se permite, ${form(p.leftCredits, { one: "resta", other: "restam" })} **${number(p.leftCredits)}**.${refill(p, "Ele terá")}`,
	creditsExpire: (p) =>
		`${number(p.credits)} deles ${form(p.credits, { one: "expira", other: "expiram" })} ${when(p.expiresAtS)} se ninguém usar.`,
	topUpOffer: (p) =>
		`Dá para comprar mais para este servidor: ${p.itemCredits.map((count) => credits(count)).join(" · ")}. Compre abaixo e depois aperte **${p.button}**.`,
	topUpAdded: (p) =>
		`Obrigado: compra adicionada, ${credits(p.addedCredits)}. Este servidor agora tem **${number(p.leftCredits)}**; o que foi comprado não expira.`,
	topUpNothing:
		"Nenhuma compra sua está esperando para ser adicionada. Compre primeiro e aperte aqui de novo. O que foi adicionado a um servidor fica nele.",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "Alguém" : `<@${p.buyerId}>`} comprou ${credits(p.addedCredits)} para este servidor. Ele agora tem **${number(p.leftCredits)}**.`,
	creditsRefill: (p) => `Os próximos ${number(p.monthlyCredits)} chegam ${when(p.refillsAtS)}.`,
	creditsPrice: (p) => `-# ${command(p.command)} com ${p.model}: ${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`Concessão de ${credits(p.amountCredits)}: ${p.reason}. Este servidor agora tem **${number(p.availableCredits)}**.`,
	creditsRevoked: (p) =>
		`Retirada de ${credits(p.amountCredits)}: ${p.reason}. Este servidor ainda tem **${number(p.availableCredits)}**.`,
	choiceDegraded: "com problemas agora",
	choiceDown: "fora do ar agora",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**Para onde foram seus créditos**, o mais recente primeiro:",
	historyMember: (p) => `**O que <@${p.userId}> fez**, o mais recente primeiro:`,
	historyServer:
		"**Para onde foram os créditos deste servidor**, o mais recente primeiro; depois da seta, o que ele tinha em seguida:",
	historyEmpty: "Não há nada para mostrar.",
	historyNotFound: (p) =>
		`Não há nada para mostrar até onde esta busca foi. Para buscar mais atrás, acrescente ${option("before", p.before)}.`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, não criado: devolução de ${credits(p.amountCredits)}`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · não usados e expirados`,
	historyMore: (p) => `-# Para ver mais, acrescente ${option("before", p.before)}.`,
	historyCutShort: (p) =>
		`-# A busca voltou bastante sem encher uma página. Para buscar mais atrás, acrescente ${option("before", p.before)}.`,
	historyCsv: (p) =>
		`${counted(p.entries, { one: "entrada", many: "de entradas", other: "entradas" })}, a mais recente primeiro.`,
	byOperator: "os responsáveis por este bot",
	bySystem: "automático",
};
