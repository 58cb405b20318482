import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "Ce que ce bot conserve sur toi dans ce serveur",
	privacyExportDescription: "Tout, dans un fichier",
	privacyDeleteDescription: "Supprime ce que tu as demandé, fichiers compris",
	privacyExported: (p) =>
		`Tout ce que ce bot conserve sur toi dans ce serveur est dans le fichier : tes demandes (${number(p.tasks)}), leur coût, limites et signalements.${p.isCut ? " Les demandes plus anciennes n’y tenaient pas." : ""} Les demandes sont supprimées ${number(p.days)} jours après leur fin ; ${command("privacy", "delete")} le fait maintenant.`,
	privacyDeleteAsk: (p) =>
		`Ceci supprime ce que tu as demandé dans ce serveur, textes et fichiers compris, si c’est terminé ; sinon cela se fait après ${number(p.days)} jours. Les boutons sous ces résultats ne marchent plus ensuite. Les messages eux-mêmes restent : supprime-les dans Discord. Que des crédits ont été dépensés reste dans les comptes du serveur, sans tes mots.`,
	privacyDeleted: (p) =>
		`Supprimé : ${number(p.forgotten)}.${p.stillOpen === 0 ? "" : ` Encore en cours : ${number(p.stillOpen)} ; redemande ensuite, ou utilise ${command("job", "cancel")}.`}`,
	buttonForget: "Tout supprimer",
};
