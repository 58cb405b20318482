import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../../translation.ts";
import { ONE_OF, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "Noch einmal",
	buttonVary: "Variieren",
	buttonEdit: "Bearbeiten",
	buttonAnimate: "Animieren",
	buttonUseAsInput: "Als Vorlage",
	buttonUpscale: (p) => `Vergrößern (${credits(p.costCredits)})`,
	picturePlaceholder: "Aus einem dieser Bilder etwas machen",
	choicePicture: (p) => `Bild ${p.picture}: ${p.label}`,
	upscaleNone: "Kein Modell hier kann dieses Bild vergrößern.",
	buttonDelete: "Löschen",
	buttonConfirm: (p) => `Für ${credits(p.costCredits)} machen`,
	buttonDecline: "Lassen",
	buttonRedeem: "Meinen Kauf hier gutschreiben",
	editTitle: "Auf andere Weise machen",
	editInputTitle: "Aus diesem Bild etwas machen",
	editPrompt: "Prompt",
	editAspectRatio: "Form",
	editResolution: "Größe",
	editDuration: "Sekunden",
	editSeed: "Seed",
	editLyrics: "Songtext",
	editInstrumental: "Ohne Gesang",
	editCount: "Wie viele",
	editSeedHint: "Leer: ein anderer",
	choiceYes: "ja",
	choiceNo: "nein",
	animateMenuName: "Animieren",
	variationsMenuName: "Variationen machen",
	sourceGone:
		"Woraus das gemacht wurde, wird hier nicht mehr aufbewahrt, darum geht es von hier aus nicht noch einmal. Gib den Befehl neu ein.",
	sourcePrivate: "Das ist das private Ergebnis von jemand anderem.",
	inputGone:
		"Das Bild, von dem ausgegangen wurde, ist nicht mehr erreichbar. Gib den Befehl neu ein, und hänge es wieder an.",
	noPicture: "In dieser Nachricht ist kein Bild, das sich nutzen lässt. Es muss ein PNG, JPEG oder WebP sein.",
	promptTooLongToEdit: (p) =>
		`Dieser Prompt hat mehr als ${number(p.charsMax)} Zeichen, zu viele für ein Formular. Gib den Befehl neu ein.`,
	notAWholeNumber: (p) => `${p.field}: ${p.typed} ist keine ganze Zahl.`,
	othersResult: "Das kann nur löschen, wer es in Auftrag gegeben hat, oder die Moderation dieses Servers.",
	resultDeleted: `Gelöscht. Was es gekostet hat, bleibt ausgegeben, und die Bücher bleiben, wie sie sind. ${command("job", "get")} hat die Dateien deiner Aufträge noch, solange sie aufbewahrt werden.`,
	confirmCost: (p) =>
		`> ${p.prompt}\n${ONE_OF[p.mediaType]} mit ${p.model} kostet **${credits(p.costCredits)}**. Dieser Server möchte, dass das bestätigt wird; noch wird nichts berechnet.`,
	proposalGone: "Das ist schon entschieden, oder zu lange her. Gib den Befehl neu ein.",
	othersProposal: "Das kann nur entscheiden, wer es in Auftrag gegeben hat.",
	proposalDeclined: "Gelassen. Es wurde nichts berechnet.",
	answeredPrivately: "Nicht gestartet. Den Grund sieht nur, wer gefragt hat.",
};
