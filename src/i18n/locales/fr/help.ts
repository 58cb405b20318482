import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { NONE, SOME, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)} crée ${SOME[p.mediaType]} : ${p.models}${andMore(p.more)}.`,
	helpMediumNone: (p) => `${command(p.mediaType)} ne peut pas créer ${NONE[p.mediaType]} pour le moment.`,
	helpMediumOff: (p) =>
		`${command(p.mediaType)} est désactivée : les admins de ce serveur ne veulent pas ${NONE[p.mediaType]}.`,
	helpModel: (p) => `${p.model} (${credits(p.costCredits)})`,
	helpPrices: `-# Ce sont les prix sans autre option ; ${option("model")} et ${option("resolution")} en montrent d'autres pendant que tu tapes.`,
	helpNotHere: (p) => `**Pas ici, pas maintenant** : ${p.reason}`,
	helpResults: `**Les résultats** arrivent dans la réponse à ta commande, visibles par tout le salon. Ce qui prend plus de 15 minutes y arrive aussi, ou en message privé. ${command("job", "get")} rapporte les fichiers encore une fois, pour toi seulement.`,
	helpCancel: `**Pour annuler**, utilise ${command("job", "cancel")} ; ce qui n'est pas créé n'est pas facturé. ${command("job", "list")} montre tout ce que tu as demandé.`,
	helpStyles: (p) =>
		`**Styles** : ce serveur en a ${number(p.styles)} ; ${option("style")} les propose pendant que tu écris, ${command("style", "list")} les montre.`,
	helpManagers: `**Pour qui gère le serveur** : ${managing}, ${command("credits", "grant")} et ${command("credits", "revoke")}.`,
};
