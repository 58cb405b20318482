import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, command, counted, credits, form, moment, number, option, refill, remain, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`A este servidor le ${form(p.leftCredits, { one: "queda", other: "quedan" })} ${credits(p.leftCredits)} de los ${number(p.monthlyCredits)} que recibe cada mes. Los próximos llegan ${when(p.refillsAtS)}.`,
	monthUsedUp: (p) =>
		`Este servidor ha gastado sus ${credits(p.monthlyCredits)} de este mes. Los próximos llegan ${when(p.refillsAtS)}.`,
	monthTooShort: (p) =>
		`Este servidor ya no puede pagar lo que se ha pedido: cuesta ${credits(p.costCredits)}, y ${remain(p.leftCredits)} de los ${number(p.monthlyCredits)} que recibe cada mes. Los próximos llegan ${when(p.refillsAtS)}.`,
	creditsBalance: (p) =>
		`A este servidor le ${form(p.availableCredits, { one: "queda", other: "quedan" })} **${number(p.availableCredits)}** ${form(p.availableCredits, { one: "crédito", many: "de créditos", other: "créditos" })}${p.heldCredits > 0 ? `, y ${number(p.heldCredits)} en reserva para lo que está en curso` : ""}.`,
	creditsMine: (p) =>
		`Te ${form(p.leftCredits, { one: "queda", other: "quedan" })} **${number(p.leftCredits)}** de tus ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "Tendrás")}`,
	creditsMineNone: "Los admins de este servidor no te han dado ninguno.",
	creditsMineUnlimited: "Puedes usar tantos como haya.",
	creditsMineWithin: "Puedes usar tantos como haya, dentro de estos límites:",
	creditsMineNoMedium: (p) =>
		`Para ${MEDIA[p.mediaType]}, los admins de este servidor no han dado ninguno a los miembros.`,
	creditsMineMedium: (p) =>
		`Para ${MEDIA[p.mediaType]} te ${form(p.leftCredits, { one: "queda", other: "quedan" })} **${number(p.leftCredits)}** de ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "Tendrás")}`,
	creditsServerLimit: (p) =>
		`De los ${credits(p.limitCredits)} ${PER[p.per]} que se permite ${form(p.leftCredits, { one: "queda", other: "quedan" })} **${number(p.leftCredits)}**.${refill(p, "Tendrá")}`,
	creditsExpire: (p) =>
		`${number(p.credits)} de ellos ${form(p.credits, { one: "caduca", other: "caducan" })} ${when(p.expiresAtS)} si nadie los usa.`,
	topUpOffer: (p) =>
		`Se pueden comprar más para este servidor: ${p.itemCredits.map((count) => credits(count)).join(" · ")}. Compra abajo y luego pulsa **${p.button}**.`,
	topUpAdded: (p) =>
		`Gracias: compra añadida, ${credits(p.addedCredits)}. A este servidor le ${form(p.leftCredits, { one: "queda", other: "quedan" })} **${number(p.leftCredits)}**; lo comprado no caduca.`,
	topUpNothing:
		"No hay ninguna compra tuya a la espera de añadirse. Compra primero y pulsa aquí otra vez. Lo que se añadió a un servidor se queda en él.",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "Alguien" : `<@${p.buyerId}>`} ha comprado ${credits(p.addedCredits)} para este servidor. Le ${form(p.leftCredits, { one: "queda", other: "quedan" })} **${number(p.leftCredits)}**.`,
	creditsRefill: (p) => `Los próximos ${number(p.monthlyCredits)} llegan ${when(p.refillsAtS)}.`,
	creditsPrice: (p) => `-# ${command(p.command)} con ${p.model}: ${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`Entrega de ${credits(p.amountCredits)}: ${p.reason}. Este servidor tiene ahora **${number(p.availableCredits)}**.`,
	creditsRevoked: (p) =>
		`Retirada de ${credits(p.amountCredits)}: ${p.reason}. A este servidor le ${form(p.availableCredits, { one: "queda", other: "quedan" })} **${number(p.availableCredits)}**.`,
	choiceDegraded: "con problemas ahora",
	choiceDown: "no funciona ahora",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**En qué se fueron tus créditos**, lo más reciente primero:",
	historyMember: (p) => `**Lo que hizo <@${p.userId}>**, lo más reciente primero:`,
	historyServer:
		"**En qué se fueron los créditos de este servidor**, lo más reciente primero; tras la flecha, lo que tenía después:",
	historyEmpty: "No hay nada que mostrar.",
	historyNotFound: (p) =>
		`No hay nada que mostrar hasta donde se ha mirado. Para mirar más atrás añade ${option("before", p.before)}.`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, no creado: devolución de ${credits(p.amountCredits)}`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · sin usar y caducados`,
	historyMore: (p) => `-# Para ver más añade ${option("before", p.before)}.`,
	historyCutShort: (p) =>
		`-# Se miró muy atrás sin llenar una página. Para mirar más atrás añade ${option("before", p.before)}.`,
	historyCsv: (p) =>
		`${counted(p.entries, { one: "entrada", many: "de entradas", other: "entradas" })}, la más reciente primero.`,
	byOperator: "los responsables de este bot",
	bySystem: "automático",
};
