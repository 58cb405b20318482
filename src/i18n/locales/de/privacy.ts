import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "Was dieser Bot auf diesem Server über dich aufbewahrt",
	privacyExportDescription: "Alles davon, als Datei",
	privacyDeleteDescription: "Lösche, was du in Auftrag gegeben hast, samt Dateien",
	privacyExported: (p) =>
		`In der Datei ist alles, was dieser Bot auf diesem Server über dich aufbewahrt: Aufträge (${number(p.tasks)}), was sie gekostet haben, Limits und Meldungen.${p.isCut ? " Ältere Aufträge passten nicht hinein." : ""} Aufträge werden ${number(p.days)} Tage nach ihrem Ende gelöscht; ${command("privacy", "delete")} tut es jetzt.`,
	privacyDeleteAsk: (p) =>
		`Das löscht, was du auf diesem Server in Auftrag gegeben hast, samt Text und Dateien, soweit es zu Ende ist; sonst geschieht das nach ${number(p.days)} Tagen. Knöpfe unter diesen Ergebnissen funktionieren dann nicht mehr. Die Nachrichten selbst bleiben: Lösch sie in Discord. Dass Credits ausgegeben wurden, bleibt in den Büchern des Servers, ohne deinen Text.`,
	privacyDeleted: (p) =>
		`Gelöscht: ${number(p.forgotten)}.${p.stillOpen === 0 ? "" : ` Noch in Arbeit: ${number(p.stillOpen)}; frag danach noch einmal, oder nimm ${command("job", "cancel")}.`}`,
	buttonForget: "Alles löschen",
};
