import type { creditTexts as english } from "../en/credits.ts";
import type { Translation } from "../../translation.ts";
import { PER, THE, command, counted, credits, form, moment, number, option, refill, when } from "./words.ts";

export const creditTexts: Translation<typeof english> = {
	monthRunsLow: (p) =>
		`Il reste à ce serveur ${credits(p.leftCredits)} sur les ${number(p.monthlyCredits)} qu'il reçoit chaque mois. Les prochains arrivent ${when(p.refillsAtS)}.`,
	monthUsedUp: (p) =>
		`Ce serveur a épuisé ses ${credits(p.monthlyCredits)} de ce mois. Les prochains arrivent ${when(p.refillsAtS)}.`,
	monthTooShort: (p) =>
		`Ce serveur ne peut plus payer ce qui a été demandé : ça coûte ${credits(p.costCredits)}, et il en reste ${number(p.leftCredits)} sur les ${number(p.monthlyCredits)} qu'il reçoit chaque mois. Les prochains arrivent ${when(p.refillsAtS)}.`,
	creditsBalance: (p) =>
		`Il reste à ce serveur **${number(p.availableCredits)}** ${form(p.availableCredits, { one: "crédit", many: "de crédits", other: "crédits" })}${p.heldCredits > 0 ? `, et ${number(p.heldCredits)} mis de côté pour ce qui est en cours` : ""}.`,
	creditsMine: (p) =>
		`Il te reste **${number(p.leftCredits)}** de tes ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "Tu auras")}`,
	creditsMineNone: "Les admins de ce serveur ne t'en ont pas donné.",
	creditsMineUnlimited: "Tu peux en utiliser autant qu'il y en a.",
	creditsMineWithin: "Tu peux en utiliser autant qu'il y en a, dans ces limites :",
	creditsMineNoMedium: (p) => `Pour ${THE[p.mediaType]}, les admins de ce serveur n'en ont pas donné aux membres.`,
	creditsMineMedium: (p) =>
		`Pour ${THE[p.mediaType]}, il te reste **${number(p.leftCredits)}** sur ${credits(p.limitCredits)} ${PER[p.per]}.${refill(p, "Tu auras")}`,
	creditsServerLimit: (p) =>
		`Sur les ${credits(p.limitCredits)} ${PER[p.per]} qu'il s'autorise, il en reste **${number(p.leftCredits)}**.${refill(p, "Il aura")}`,
	creditsExpire: (p) =>
		`${number(p.credits)} d'entre eux ${form(p.credits, { one: "expire", other: "expirent" })} ${when(p.expiresAtS)} si personne ne les utilise.`,
	topUpOffer: (p) =>
		`On peut en acheter plus pour ce serveur : ${p.itemCredits.map((count) => credits(count)).join(" · ")}. Achète ci-dessous, puis appuie sur **${p.button}**.`,
	topUpAdded: (p) =>
		`Merci : achat ajouté, ${credits(p.addedCredits)}. Il en reste **${number(p.leftCredits)}** à ce serveur ; ce qui est acheté n'expire pas.`,
	topUpNothing:
		"Aucun achat de ta part n'attend d'être ajouté. Achète d'abord, puis appuie de nouveau ici. Ce qui a été ajouté à un serveur y reste.",
	topUpAnnounced: (p) =>
		`${p.buyerId === null ? "Quelqu'un" : `<@${p.buyerId}>`} a acheté ${credits(p.addedCredits)} pour ce serveur. Il lui en reste **${number(p.leftCredits)}**.`,
	creditsRefill: (p) => `Les ${number(p.monthlyCredits)} prochains arrivent ${when(p.refillsAtS)}.`,
	creditsPrice: (p) => `-# ${command(p.command)} avec ${p.model} : ${credits(p.costCredits)}`,
	creditsGranted: (p) =>
		`${credits(p.amountCredits)} ${form(p.amountCredits, { one: "donné", other: "donnés" })} : ${p.reason}. Ce serveur en a maintenant **${number(p.availableCredits)}**.`,
	creditsRevoked: (p) =>
		`${credits(p.amountCredits)} ${form(p.amountCredits, { one: "retiré", other: "retirés" })} : ${p.reason}. Il en reste **${number(p.availableCredits)}** à ce serveur.`,
	choiceDegraded: "a des problèmes",
	choiceDown: "ne fonctionne pas",
	choicePriced: (p) => `${p.name} — ${credits(p.costCredits)}`,

	historyMine: "**Où sont passés tes crédits**, le plus récent d'abord :",
	historyMember: (p) => `**Ce que <@${p.userId}> a fait**, le plus récent d'abord :`,
	historyServer:
		"**Où sont passés les crédits de ce serveur**, le plus récent d'abord ; après la flèche, ce qu'il possédait ensuite :",
	historyEmpty: "Il n'y a rien à montrer.",
	historyNotFound: (p) =>
		`Il n'y a rien à montrer aussi loin que porte cette recherche. Pour chercher plus loin, ajoute ${option("before", p.before)}.`,
	historyPosted: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, pas créé : ${credits(p.amountCredits)} ${form(p.amountCredits, { one: "rendu", other: "rendus" })}`,
	historyChanged: (p) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who} : ${p.reason}`,
	historyExpired: (p) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · inutilisés et expirés`,
	historyMore: (p) => `-# Pour la suite, ajoute ${option("before", p.before)}.`,
	historyCutShort: (p) =>
		`-# La recherche est remontée loin sans remplir une page. Pour chercher plus loin, ajoute ${option("before", p.before)}.`,
	historyCsv: (p) =>
		`${counted(p.entries, { one: "entrée", many: "d'entrées", other: "entrées" })}, la plus récente d'abord.`,
	byOperator: "les responsables de ce bot",
	bySystem: "automatique",
};
