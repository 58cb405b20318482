import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, ONE_OF, PROGRESS_STATES, ago, command, credits, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [
						p.queuePosition === 1
							? "als Nächstes an der Reihe"
							: `Platz ${number(p.queuePosition)} in der Warteschlange`,
					]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`fertig etwa <t:${p.readyAtS}:R>`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${ONE_OF[p.mediaType]} mit ${p.model} · ${p.costCredits === 0 ? "kostenlos" : `${credits(p.costCredits)}, berechnet, wenn es fertig ist`}`,
	progressTrouble: "Der Mediendienst hat gerade Probleme. Dein Auftrag bleibt erhalten und wird wieder geprüft.",
	progressBusy: "Der Mediendienst ist ausgelastet. Das wird gesendet, sobald Platz ist.",
	progressDiskFull:
		"Der Speicher dieses Bots ist voll, und seine Betreiber müssen Platz schaffen. Dein Auftrag bleibt erhalten und wird wieder geprüft.",
	buttonCancel: "Abbrechen",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${ONE_OF[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [Nachricht](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) =>
		`**${JOB_STATES[p.state]}** · ${ONE_OF[p.mediaType]} · ${p.model} · in Auftrag gegeben <t:${p.createdAtS}:R>`,
	jobCredits: (p) => (p.are === "none" ? "Nichts berechnet." : `Preis: ${jobCredits(p)}`),
	jobDeadline: (p) => `Ist es <t:${p.deadlineAtS}:R> nicht fertig, wird es aufgegeben und erstattet.`,
	jobWhere: (p) => `-# [Nachricht](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "gerade eben" : ago(p.minutes)}`,
	jobsEmpty: `Es gibt nichts zu zeigen. ${command("image")}, ${command("video")} und ${command("music")} machen etwas.`,
	jobsOlder: `-# Es gibt ältere; ${command("job", "show")} findet sie mit ihrer ID.`,
	jobNotFound:
		"Unter dieser ID gibt es auf diesem Server nichts, oder es ist so lange her, dass es nicht mehr aufbewahrt wird.",
	othersJob: "Das gehört jemand anderem. Nur die Moderation dieses Servers kann es sehen und abbrechen.",
	jobNotDone: `Das ist noch nicht fertig. ${command("job", "show")} sagt, wie weit es ist.`,
	jobNothingMade: `Dabei wurde nichts gemacht, also gibt es nichts zu holen. ${command("job", "show")} sagt, warum.`,
	jobFilesRefused: `Discord nimmt diese Dateien hier nicht an. Versuch es in einem anderen Kanal, oder sieh dir die Nachricht an, auf die ${command("job", "show")} verweist.`,
	jobFilesLater:
		"Discord nimmt die Dateien gerade nicht an. Sie werden aufbewahrt: Versuch es in einer Minute noch einmal.",
	jobFilesGone: `Die Datei wird hier nicht mehr aufbewahrt. Vielleicht ist sie noch in der Nachricht, auf die ${command("job", "show")} verweist.`,
	cancelAsked: (p) =>
		`Der Abbruch ist vermerkt. Was daraus und aus ${p.costCredits === 1 ? "dem 1 Credit" : `den ${credits(p.costCredits)}`} wird, steht gleich in der Antwort.`,
	cancelWhenKnown: (p) =>
		`Noch ist unbekannt, ob der Mediendienst das hat. Sobald es bekannt ist, wird es abgebrochen; ${credits(p.costCredits)} ${p.costCredits === 1 ? "kommt" : "kommen"} zurück, außer es ist bis dahin fertig.`,
	cancelPassedOn: (p) =>
		`Der Mediendienst wurde gebeten aufzuhören. Tut er es, ${p.costCredits === 1 ? "kommt" : "kommen"} ${credits(p.costCredits)} zurück; ist es vorher fertig, kommt das Ergebnis und wird berechnet. Spätestens <t:${p.deadlineAtS}:R> ist es vorbei.`,
	cancelNotSupported: (p) =>
		`Der Mediendienst kann nicht abbrechen, was er begonnen hat. Ist es fertig, kommt das Ergebnis und kostet ${credits(p.costCredits)}; ist es <t:${p.deadlineAtS}:R> nicht fertig, ${p.costCredits === 1 ? "kommt er" : "kommen sie"} zurück.`,
	cancelDone: (p) =>
		`Abgebrochen. Es wurde nichts berechnet: ${credits(p.costCredits)} ${p.costCredits === 1 ? "kam" : "kamen"} zurück.`,
	cancelTooLate: (p) =>
		`Es war fertig, bevor es abgebrochen werden konnte. Es kostet ${credits(p.costCredits)}; das Ergebnis steht in der Antwort oder kommt gleich.`,
	cancelNotNeeded: "Es ist schon zu Ende, ohne Ergebnis. Es wurde nichts berechnet.",
	cancelCameTooLate: "zu spät abgebrochen",
};
