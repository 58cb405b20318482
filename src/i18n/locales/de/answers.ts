import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, again, changes, command, credits, fileAt, named, number, option, when } from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · noch ${number(p.leftCredits)} übrig`,
	resultInPart: (p) => `${number(p.made)} von ${number(p.ordered)} wurden gemacht; nur diese werden berechnet.`,
	resultLeftOut: (p) =>
		`${number(p.made)} wurden gemacht. Eine Nachricht fasst ${number(p.shown)}: Die anderen werden weder gezeigt noch berechnet.`,
	detailSeed: (p) => `Seed ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)} s`,
	resultBooksDamaged: (p) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} berechnet · die Bücher dieses Servers sind beschädigt`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} berechnet · die Bücher dieses Servers sind beschädigt\n-# Der Prompt wird nicht wiederholt, weil Discord ihn hier nicht durchgelassen hat.`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "Es wurde nichts berechnet.",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · noch ${number(p.leftCredits)} übrig\n-# Der Prompt wird nicht wiederholt, weil Discord ihn hier nicht durchgelassen hat.`,
	fileRefused: (p) =>
		`Es ist fertig und berechnet (${credits(p.costCredits)}), aber Discord hat die Datei hier nicht angenommen. Sie wird eine Woche aufbewahrt: ${command("job", "get")} bringt sie vielleicht anderswo, und die Betreiber dieses Bots haben sie unter ${p.taskId}.`,
	directLead: (p) => `Du hast das in <#${p.channelId}> in Auftrag gegeben, wo es nicht mehr gezeigt werden kann:`,
	comesLaterHere: "Das dauert länger als sonst. Sobald es fertig ist, erscheint es hier.",
	comesLaterDirectly: `Das dauert länger als sonst. Sobald es fertig ist, kommt es als Direktnachricht; falls du keine annimmst, findest du es mit ${command("job")}.`,

	creditsShort: (p) =>
		`Das kostet ${credits(p.costCredits)}, und dieser Server hat noch ${number(p.leftCredits)}. ${p.refillsAtS === null ? "Nimm etwas Kleineres, oder bitte einen Admin um mehr." : `Mehr gibt es ${when(p.refillsAtS)}; nimm bis dahin etwas Kleineres, oder frag einen Admin.`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "Die Admins dieses Servers haben dir keine Credits gegeben. Frag einen von ihnen."
			: `Das kostet ${credits(p.costCredits)}, und von deinen ${credits(p.limitCredits)} ${PER[p.per]} hast du noch ${number(p.leftCredits)}. ${again(p, "hast du")}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `Die Admins dieses Servers haben den Mitgliedern keine Credits für ${MEDIA[p.mediaType]} gegeben.`
			: `Das kostet ${credits(p.costCredits)}, und von den ${credits(p.limitCredits)} ${PER[p.per]}, die jedes Mitglied für ${MEDIA[p.mediaType]} nutzen darf, hast du noch ${number(p.leftCredits)}. ${again(p, "hast du")}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "Die Admins dieses Servers haben hier jede Nutzung von Credits gestoppt."
			: `Das kostet ${credits(p.costCredits)}, und von den ${credits(p.limitCredits)} ${PER[p.per]}, die dieser Server sich erlaubt, sind noch ${number(p.leftCredits)} übrig. ${again(p, "hat er")}`,
	tooManyAtOnce:
		"Auf diesem Server ist zu viel auf einmal in Arbeit. Warte, bis etwas fertig ist, und versuch es dann noch einmal.",
	managersOnly: "Das können nur Leute, die diesen Server verwalten dürfen.",
	grantedByOperator: "Credits geben hier nur die Betreiber dieses Bots. Bitte sie um mehr.",
	othersHistory: `Nur Leute, die diesen Server verwalten dürfen, können sehen, was andere getan haben. Lass ${option("member")} weg, um deinen eigenen Verlauf zu sehen.`,
	revokeTooMuch: (p) =>
		`Du kannst nicht ${credits(p.amountCredits)} nehmen: Dieser Server hat ${number(p.availableCredits)} frei${p.heldCredits > 0 ? `, und ${number(p.heldCredits)} sind für das zurückgelegt, was in Arbeit ist` : ""}.`,
	changeDiffers: "Unter dieser ID wurde vorher etwas anderes getan. Es hat sich nichts geändert.",
	changeUncertain: `Es ist nicht sicher, ob das geschehen ist: Sieh in ${command("credits", "history")} nach, bevor du es noch einmal machst.`,
	amountImpossible: "Das ist mehr, als die Bücher fassen. Nimm eine kleinere Menge.",
	tooManyExpiring: "Dieser Server hat schon zu viele Gutschriften, die verfallen. Gib diese ohne Ablauf, oder warte.",
	nothingToChange: "Es wurde nichts geändert: Sag, was anders sein soll.",
	allotmentOneOf: `Wähle eines von ${option("credits")}, ${option("unlimited")} und ${option("clear")}.`,
	limitOneOf: `Wähle eines von ${option("credits")} und ${option("unlimited")}.`,
	mediumOneOf: `Wähle eines von ${option("credits")} und ${option("clear")}.`,
	warnOneOf: `Wähle eines von ${option("warn_channel")} und ${option("warn_nobody")}.`,
	periodWithoutLimit: `Es gibt kein Limit für den Server, das nach Zeit zählen könnte. Gib auch ${option("credits")} an.`,
	periodForEverybody: `Die Zeit ist für alle gleich. Lass ${option("member")} weg, um sie zu ändern.`,
	everyoneRole: `Diese Rolle sind alle. Nutze ${command("quota", "member")} ohne ein Mitglied.`,
	timeZoneUnknown: (p) => `Es gibt keine Zeitzone namens ${p.typed}. Wähle eine aus der Liste, etwa Europe/Berlin.`,
	tooManyExceptions: (p) =>
		`Dieser Server hat schon Regeln für ${number(p.exceptionsMax)} Rollen und Mitglieder. Hebe zuerst einige davon auf.`,
	serverOnly: "Das geht nur auf einem Server, denn die Credits gehören dem Server.",
	controlUnknown:
		"Das tut nichts mehr: Eine frühere Version dieses Bots hat es hingesetzt, oder etwas anderes. Gib stattdessen den Befehl ein.",
	promptEmpty: "In diesem Prompt steht nichts. Sag in ein paar Worten, was du möchtest.",
	noModel: (p) =>
		`Nichts hier kann gerade ${MEDIA[p.mediaType]} machen. Die Betreiber dieses Bots sehen im Log, warum.`,
	modelUnknown: (p) => `Hier gibt es kein Modell namens ${p.model}. Wähle eines von: ${p.known}.`,
	imageNeeded: (p) => `${p.model} braucht ein Bild als Ausgangspunkt: Hänge eines als ${option("image")} an.`,
	optionNotTaken: (p) => `${p.model} kennt ${named(p.option)} nicht. Lass es weg, oder wähle ein anderes Modell.`,
	optionOneOf: (p) => `${p.model} kann ${named(p.option)} ${p.value} nicht. Möglich ist eines von ${p.values}.`,
	optionRange: (p) =>
		`${p.model} kann ${named(p.option)} ${p.value} nicht. Möglich ist eine ganze Zahl von ${number(p.min)} bis ${number(p.max)}.`,
	durationNeeded: (p) => `${p.model} wird pro Sekunde bezahlt: Sag mit ${option("duration")}, wie lang.`,
	optionTooLong: (p) => `${p.model} nimmt bei ${named(p.option)} höchstens ${number(p.charsMax)} Zeichen.`,
	inputTooManyPixels: (p) =>
		`Dieses Bild hat ${number(p.megapixels)} Megapixel. Nimm eines mit weniger als ${number(p.megapixelsMax)}.`,
	attachmentNotImage: "Diese Datei ist kein Bild. Hänge ein PNG, JPEG oder WebP an.",
	serviceDown: "Der Mediendienst ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch einmal.",
	serviceBusy: "Der Mediendienst ist gerade ausgelastet. Versuch es in ein paar Minuten noch einmal.",
	pausedByOperator:
		"Hier wird gerade nichts Neues angenommen: Dieser Bot wurde aus einer Sicherung wiederhergestellt. Wer ihn betreibt, gibt ihn bald wieder frei.",
	serviceConfused:
		"Der Mediendienst hat eine Antwort gegeben, die keinen Sinn ergibt. Die Betreiber dieses Bots sehen sie im Log.",
	serviceRefused: (p) => `Der Mediendienst hat das abgelehnt: ${p.reason}`,
	contentPolicy: "Der Mediendienst nimmt diesen Prompt nicht an. Sag es auf andere Weise.",
	operatorMustAct:
		"Der Mediendienst arbeitet gerade nicht für diesen Bot. Nur die Betreiber dieses Bots können das beheben; sie sehen den Grund im Log.",
	modelUnavailable: "Der Mediendienst kann dieses Modell gerade nicht verwenden. Nimm ein anderes Modell.",
	makingFailed:
		"Der Mediendienst hat es versucht, und es ist misslungen. Versuch es noch einmal, oder nimm ein anderes Modell.",
	nothingMade: "Der Mediendienst sagt, er sei fertig, aber es gibt keine Datei. Versuch es noch einmal.",
	timedOut: "Das hat zu lange gedauert und wurde aufgegeben. Versuch es noch einmal, oder nimm etwas Kürzeres.",
	notSent:
		"Das ließ sich nicht rechtzeitig an den Mediendienst senden und wurde nicht gemacht. Versuch es später noch einmal.",
	botWasStopped:
		"Dieser Bot stand eine Weile still, und die Zeit dafür lief ab, bevor es gesendet wurde. Versuch es noch einmal.",
	resultLost: "Es wurde gemacht, aber die Datei ließ sich nicht abholen. Versuch es noch einmal.",
	diskFull:
		"Es wurde gemacht, aber der Speicher dieses Bots ist voll. Nur die Betreiber dieses Bots können das beheben.",
	resultOutOfBounds:
		"Es wurde gemacht, liegt aber dort, wo dieser Bot keine Dateien abholen darf. Die Betreiber dieses Bots sehen im Log, wo.",
	resultStrange:
		"Es wurde gemacht, aber diese Art von Datei zeigt Discord nicht. Versuch es noch einmal, oder nimm ein anderes Modell.",
	resultWrongMedium: (p) =>
		`Der Mediendienst hat etwas anderes gemacht als ${{ image: "ein Bild", video: "ein Video", music: "Musik" }[p.mediaType]}. Versuch es noch einmal, oder nimm ein anderes Modell.`,
	resultDamaged:
		"Es wurde gemacht, aber die Datei ist beschädigt. Versuch es noch einmal, oder nimm ein anderes Modell.",
	resultTooManyPixels: (p) =>
		`Es wurde gemacht, aber das Bild hat ${number(p.megapixels)} Megapixel, mehr als sich sicher öffnen lässt. Wähle eine niedrigere Auflösung.`,
	resultFitted: (p) => `Hier passend gemacht: ${changes(p.changes)}.`,
	resultPreview: (p) =>
		`Die ganze Datei hat ${number(p.sizeMiB)} MiB, zu viel, um sie hier in irgendeiner Qualität zu zeigen: Das ist ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `Die Betreiber dieses Bots haben den Rest eine Woche lang, unter ${p.taskId}.`}`,
	fileAt,
	resultTooLarge: (p) =>
		`Es wurde gemacht, aber die Datei hat ${number(p.sizeMiB)} MiB, und ${number(p.limitMiB)} MiB sind hier das Limit. Wähle eine niedrigere Auflösung oder eine kürzere Dauer.`,
	resultNeedsMoreMemory: (p) =>
		`Es wurde gemacht, aber dieser Bot hat zu wenig Speicher, um die Datei mit ${number(p.sizeMiB)} MiB umzuwandeln. Wähle eine niedrigere Auflösung oder eine kürzere Dauer; die Betreiber dieses Bots sehen es im Log.`,
	resultTooLargeToFetch: (p) =>
		`Es wurde gemacht, aber die Datei ist größer als ${number(p.limitMiB)} MiB, und mehr holt dieser Bot nicht ab. Wähle eine niedrigere Auflösung oder eine kürzere Dauer.`,
	noWayBack:
		"Das kann länger als 15 Minuten dauern, und danach kann nur der Bot selbst es hier zeigen: Er ist aber nicht auf diesem Server, oder sieht diesen Kanal nicht. Bitte einen Admin, ihn hereinzulassen, oder nimm einen anderen Kanal. Es wurde nichts berechnet.",
	outcomeUnknown: "Es ist nicht sicher, ob der Mediendienst das angenommen hat.",
	outcomePending: (p) => {
		const back = `${credits(p.costCredits)} ${p.costCredits === 1 ? "kommt" : "kommen"}`;
		const lead = "Der Mediendienst hat nicht gesagt, ob er das angenommen hat";
		if (p.isLookedUp) {
			const then = p.costCredits === 0 ? "es wird aufgegeben" : `${back} zurück`;
			return `${lead}; das wird nachgesehen, und ${then}, wenn es <t:${p.deadlineAtS}:R> noch unbekannt ist.`;
		}
		const then =
			p.costCredits === 0 ? `es wird <t:${p.deadlineAtS}:R> aufgegeben` : `${back} <t:${p.deadlineAtS}:R> zurück`;
		return `${lead}; ${then}.`;
	},
	canceledByMember: "Das wurde von der Person abgebrochen, die es in Auftrag gegeben hat.",
	canceledByModerator: (p) => `Das wurde von <@${p.userId}> aus der Moderation dieses Servers abgebrochen.`,
	canceledByOperator: "Das wurde von den Betreibern dieses Bots abgebrochen.",
	canceledByService: "Der Mediendienst hat das abgebrochen. Versuch es noch einmal.",
	unexpected: (p) =>
		`Bei uns ist etwas schiefgegangen. Wenn es wieder passiert, sag es den Betreibern dieses Bots: Vorfall ${p.incidentId}.`,
	booksDamaged: (p) =>
		`Die Bücher dieses Servers sind beschädigt, darum geschieht nichts, bis sie repariert sind. Es wurden keine Credits bewegt. Sag es den Betreibern dieses Bots: Vorfall ${p.incidentId}.`,
};
