import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../translation.ts";
import { ONE_OF, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "Encore",
	buttonVary: "Varier",
	buttonEdit: "Modifier",
	buttonAnimate: "Animer",
	buttonUseAsInput: "Utiliser comme base",
	buttonUpscale: (p) => `Agrandir (${credits(p.costCredits)})`,
	picturePlaceholder: "Faire quelque chose d'une de ces images",
	choicePicture: (p) => `Image ${p.picture} : ${p.label}`,
	upscaleNone: "Aucun modèle ici ne peut agrandir cette image.",
	buttonDelete: "Supprimer",
	buttonConfirm: (p) => `Créer pour ${credits(p.costCredits)}`,
	buttonDecline: "Laisser",
	buttonRedeem: "Ajouter mon achat ici",
	editTitle: "Créer autrement",
	editInputTitle: "Partir de cette image",
	editPrompt: "Prompt",
	editAspectRatio: "Forme",
	editResolution: "Taille",
	editDuration: "Secondes",
	editSeed: "Graine",
	editLyrics: "Paroles",
	editInstrumental: "Sans voix",
	editCount: "Combien",
	editSeedHint: "Vide : une autre",
	choiceYes: "oui",
	choiceNo: "non",
	animateMenuName: "Animer",
	variationsMenuName: "Créer des variations",
	sourceGone:
		"Ce qui a créé ceci n'est plus gardé ici, donc ça ne peut pas être refait d'ici. Tape de nouveau la commande.",
	sourcePrivate: "C'est le résultat privé de quelqu'un d'autre.",
	inputGone: "L'image de départ n'est plus accessible. Tape de nouveau la commande, et joins-la encore.",
	noPicture: "Il n'y a pas d'image utilisable dans ce message. Il faut un PNG, un JPEG ou un WebP.",
	promptTooLongToEdit: (p) =>
		`Ce prompt a plus de ${number(p.charsMax)} caractères, trop pour un formulaire. Tape de nouveau la commande.`,
	notAWholeNumber: (p) => `${p.field} : ${p.typed} n'est pas un nombre entier.`,
	othersResult: "Seules la personne qui l'a demandé et la modération de ce serveur peuvent le supprimer.",
	resultDeleted: `Supprimé. Ce que ça a coûté reste dépensé, et les comptes restent tels quels. ${command("job", "get")} a encore les fichiers de ce que tu as demandé, tant qu'ils sont gardés.`,
	confirmCost: (p) =>
		`> ${p.prompt}\n${p.model} (${ONE_OF[p.mediaType]}) coûte **${credits(p.costCredits)}**. Ce serveur veut une confirmation ; rien n'est encore facturé.`,
	proposalGone: "C'est déjà décidé, ou c'était il y a trop longtemps. Tape de nouveau la commande.",
	othersProposal: "Seule la personne qui l'a demandé peut en décider.",
	proposalDeclined: "Laissé. Rien n'a été facturé.",
};
