import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { MEDIA, command, counted, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`Auf diesem Server wird gerade nichts gemacht${p.sentence === null ? "." : `: ${p.sentence}`} Wer ihn verwaltet, kann mit ${command("settings", "pause")} weitermachen lassen.`,
	blocked: (p) =>
		`Du darfst auf diesem Server nichts machen lassen${p.untilS === null ? "" : `, bis <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Sprich mit der Moderation dieses Servers, wenn du das für falsch hältst.`,
	roleDenied: (p) =>
		`Die Admins dieses Servers erlauben es <@&${p.roleId}> nicht, etwas machen zu lassen. Frag einen von ihnen.`,
	roleNeeded: (p) =>
		`Auf diesem Server dürfen nur ${namedList(p, roleMention)} etwas machen lassen. Bitte einen Admin um eine dieser Rollen.`,
	channelDenied: "Die Admins dieses Servers möchten das in diesem Kanal nicht. Nimm einen anderen.",
	channelElsewhere: (p) => `Nicht in diesem Kanal: Nimm ${namedList(p, channelMention)}.`,
	mediumOff: (p) =>
		`Die Admins dieses Servers haben ${MEDIA[p.mediaType]} abgeschaltet. Mach etwas anderes, oder frag einen von ihnen.`,
	modelOff: (p) =>
		`Die Admins dieses Servers haben ${p.model} abgeschaltet. Wähle ein anderes Modell: ${option("model")} bietet sie an, während du tippst.`,
	modelAgeRestricted: (p) =>
		`${p.model} gibt es nur in altersbeschränkten Kanälen. Nimm einen davon, oder wähle ein anderes Modell.`,
	wordsForbidden: (p) =>
		`Die Admins dieses Servers erlauben „${p.found}“ nicht in dem, was verlangt wird. Sag es auf andere Weise.`,
	moderationRefused: (p) =>
		p.reason === null
			? "Der Moderationsdienst dieses Bots nimmt das nicht an. Sag es auf andere Weise."
			: `Der Moderationsdienst dieses Bots nimmt das nicht an: ${p.reason}`,
	moderationAway:
		"Der Moderationsdienst dieses Bots antwortet nicht, und ohne ihn wird nichts gemacht. Versuch es in ein paar Minuten noch einmal.",

	settingsShowDescription: `Alles, was eingestellt ist, außer den Limits, die ${plain("quota")} zeigt`,
	settingsMediaDescription: "Was gemacht und wie es gezeigt wird; ohne Option, was eingestellt ist",
	settingsModelDescription: "Ein Modell abschalten oder wieder einschalten",
	settingsChannelDescription: "Wo etwas gemacht werden darf: Ist keiner erlaubt, überall, wo es nicht verboten ist",
	settingsRoleDescription: "Wer etwas machen lassen darf: Ist keine erlaubt, alle ohne verbotene Rolle",
	settingsGeneralDescription: "Sprache, Bestätigungen und die Kanäle von Admins und Moderation",
	settingsPauseDescription: "Auf diesem Server alles anhalten oder weitergehen lassen",
	settingsAuditDescription: "Jede Änderung der Einstellungen, die neueste zuerst",
	settingsExportDescription: "Alle Einstellungen als Datei",
	settingsImportDescription: "Alle Einstellungen durch die einer Datei ersetzen",
	optionSpoiler: "Ergebnisse verbergen, bis jemand darauf klickt",
	optionPrivateDefault: "Ergebnisse nur der Person zeigen, die fragt, wenn sie es nicht anders sagt",
	optionPrivate: "Das Ergebnis nur dir zeigen, oder allen",
	optionImages: "Ob Bilder gemacht werden",
	optionVideos: "Ob Videos gemacht werden",
	optionMusicOn: "Ob Musik gemacht wird",
	optionModelToSwitch: "Welches Modell",
	optionOn: "Ob es an ist",
	optionRuleChannel: "Welcher Kanal; Threads zählen zu ihrem Kanal",
	optionRuleRole: "Welche Rolle",
	optionRule: "Was dafür gilt",
	optionLanguage: "Von Nachrichten, die alle sehen",
	optionConfirmAbove: "Was mehr Credits kostet als das, wird erst nach Bestätigung gemacht",
	optionLogChannel: "Wo jede Änderung der Einstellungen gemeldet wird",
	optionReportChannel: "Wo die Moderation liest, was Mitglieder melden",
	optionUnset: "Was zurückgesetzt wird",
	optionPauseOn: "Ob angehalten ist",
	optionPauseSentence: "Was Mitglieder lesen",
	optionAuditBefore: "Nur, was älter ist als diese Änderung: die Zahl am Ende der vorigen Seite",
	optionImportFile: `Eine Datei, die ${plain("settings", "export")} geschrieben hat`,
	choiceAllow: "erlauben",
	choiceDeny: "verbieten",
	choiceClear: "keine Regel mehr",
	choiceUnsetLanguage: "die Sprache",
	choiceUnsetConfirm: "die Bestätigung",
	choiceUnsetLog: "den Log-Kanal",
	choiceUnsetReports: "den Kanal der Moderation",

	blockDescription: "Ein Mitglied auf diesem Server nichts mehr machen lassen",
	unblockDescription: "Ein gesperrtes Mitglied wieder etwas machen lassen",
	blocksDescription: "Wer gesperrt ist, warum und bis wann",
	optionBlockMember: "Wen",
	optionUnblockMember: "Wen",
	optionBlockReason: "Warum; das Mitglied liest es",
	optionBlockDays: "Für wie viele Tage; weglassen sperrt, bis jemand entsperrt",
	optionBlockHours: "Und wie viele Stunden",
	filterDescription: "Wörter, die auf diesem Server nicht verlangt werden dürfen",
	filterAddDescription:
		"Ein Wort oder Muster hinzufügen: * sind beliebige Buchstaben, ? einer, Leerzeichen trennt Wörter",
	filterRemoveDescription: "Ein Wort oder Muster entfernen",
	filterListDescription: "Alle Wörter und Muster",
	filterTestDescription: "Ob ein Text abgelehnt würde, und durch welches Muster",
	optionPattern: "Zum Beispiel: nackt* oder böses wort",
	optionPatternToRemove: "Welches",
	optionFilterText: "Was jemand verlangen könnte",
	memberBlocked: (p) =>
		`<@${p.userId}> ist gesperrt${p.untilS === null ? "" : ` bis <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Was vorher verlangt wurde, läuft weiter; ${command("job", "list")} kann es abbrechen.`,
	memberUnblocked: (p) => `<@${p.userId}> ist nicht mehr gesperrt.`,
	notBlocked: (p) => `<@${p.userId}> ist nicht gesperrt. Es wurde nichts geändert.`,
	moderatorsOnly: "Das kann nur die Moderation dieses Servers.",
	blockSelf: "Du kannst dich nicht selbst sperren.",
	blockReasonEmpty: "Sag, warum: Das Mitglied liest es.",
	tooManyBlocked: (p) =>
		`Auf diesem Server sind schon ${number(p.blocksMax)} Mitglieder gesperrt. Entsperre zuerst einige.`,
	blocksEmpty: "Niemand ist gesperrt.",
	blocksHead: (p) =>
		`**${counted(p.blocked, { one: "gesperrtes Mitglied", other: "gesperrte Mitglieder" })}**, neueste zuerst:`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "ohne Ende" : `bis <t:${p.untilS}:f>`}, von <@${p.byUserId}>: ${p.reason}`,
	restInFile: "-# Die Datei enthält alle.",
	patternSimplified: (p) =>
		`In einem Muster zählen nur Buchstaben, Ziffern, \`?\`, \`*\` und was Wörter trennt: Dieses träfe ${p.pattern}. Füge das hinzu, wenn du es so meinst.`,
	patternEmpty:
		"In diesem Muster steht kein Buchstabe und keine Ziffer, es würde also auf nichts oder auf alles passen.",
	patternTooLong: (p) => `Ein Muster kann ${number(p.charsMax)} Zeichen haben. Nimm ein kürzeres.`,
	patternUnknown: `Dieses Muster gibt es nicht. ${command("filter", "list")} zeigt alle.`,
	tooManyPatterns: (p) => `Dieser Server hat schon ${number(p.patternsMax)} Muster. Entferne zuerst einige.`,
	filterEmpty: `Es sind keine Wörter verboten. ${command("filter", "add")} fügt eines hinzu.`,
	filterHead: (p) =>
		`**${counted(p.patterns, { one: "Muster darf", other: "Muster dürfen" })}** nicht in dem stehen, was verlangt wird:`,
	filterMatches: (p) => `Abgelehnt: „${p.found}“ passt auf ${p.pattern}.`,
	filterPasses: "Nicht abgelehnt: Nichts darin passt.",

	styleDescription: `Stile dieses Servers: Worte und Optionen unter einem Namen, für die Option ${names.style}`,
	styleListDescription: "Alle Stile, und was jeder mitbringt",
	styleAddDescription: "Einen Stil hinzufügen oder ersetzen (für alle, die den Server verwalten)",
	styleRemoveDescription: "Einen Stil entfernen (für alle, die den Server verwalten)",
	optionStyle: "Ein Stil dieses Servers: Worte für den Prompt, Optionen oder beides",
	optionStyleName: "Wie er heißt: Buchstaben, Ziffern, Leerzeichen und Bindestriche",
	optionStyleText: "Was zum Prompt hinzukommt",
	optionStyleMedium: "Für welches Medium; weglassen meint alle",
	optionStyleToRemove: "Welchen",
	styleNameImpossible: (p) =>
		`Der Name eines Stils hat Buchstaben, Ziffern, Leerzeichen und Bindestriche, höchstens ${number(p.charsMax)}, und beginnt mit einem Buchstaben oder einer Ziffer.`,
	styleEmpty: "In diesem Stil steht nichts. Sag Worte, die zum Prompt hinzukommen, oder eine Option.",
	tooManyStyles: (p) => `Dieser Server hat schon ${number(p.stylesMax)} Stile. Entferne zuerst einige.`,
	noStyles: (p) =>
		`Hier gibt es keinen Stil namens ${p.style}, und auch keinen anderen dafür. Lass ${option("style")} weg.`,
	styleUnknown: (p) => `Hier gibt es dafür keinen Stil namens ${p.style}. Wähle einen von: ${p.known}.`,
	stylesEmpty: `Dieser Server hat keine Stile. Wer ihn verwaltet, kann mit ${command("style", "add")} welche hinzufügen.`,
	stylesHead: `**Stile**, für die Option ${option("style")}:`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : ` (${MEDIA[p.medium]})`}: ${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "Als Stil speichern",
	styleNameLabel: "Name",
	styleNameHint: "Ein Stil dieses Namens wird ersetzt.",
	styleWordsLabel: "Worte",
	styleWordsHint: "Kommen zu jedem Prompt hinzu. Modell und Optionen dieses Ergebnisses bleiben daneben.",
	styleNotOurs: "Das ist kein Ergebnis dieses Bots, es gibt also nichts zu speichern.",
	styleMediumNeeded: `Sag, für welches ${option("medium")}: Optionen gelten nur für eines.`,
	styleModelGone: (p) =>
		`Den Stil **${p.style}** macht ${p.model}, und das gibt es nicht mehr. Nenne bei ${option("model")} ein anderes Modell, oder bitte jemanden von den Admins, den Stil zu ändern.`,
	styleOptionNotTaken: (p) =>
		`Der Stil **${p.style}** sagt ${named(p.option)}: ${p.value}, und das nimmt ${p.model} nicht. Sag ${named(p.option)} selbst, das geht dem Stil vor, oder wähle ein anderes Modell.`,

	showPaused: (p) =>
		`**Angehalten**: Nichts wird gemacht${p.sentence === null ? "" : `; Mitglieder lesen „${p.sentence}“`}. Mit ${command("settings", "pause")} geht es weiter.`,
	showRunning: `**In Betrieb**; ${command("settings", "pause")} hält alles an.`,
	showChannels: (p) => `**Kanäle**: ${rules(p, channelMention, "überall")}.`,
	showRoles: (p) => `**Rollen**: ${rules(p, roleMention, "alle")}.`,
	showMedia: (p) =>
		`**Medien**: ${p.off.length === 0 ? "Bilder, Videos und Musik" : `${p.off.map((medium) => MEDIA[medium]).join(", ")} aus`}.`,
	showModels: (p) => `**Modelle**: ${p.ids.length === 0 ? "alle an" : `aus: ${namedList(p)}`}.`,
	showResults: (p) =>
		`**Ergebnisse** sieht ${p.private ? "nur, wer gefragt hat" : "jeder"}, ${p.spoiler ? "verborgen, bis jemand darauf klickt" : "sofort"}.`,
	showConfirm: (p) =>
		p.confirmAbove === null
			? "**Bestätigt** werden muss nichts."
			: `**Bestätigt** werden muss, was mehr als ${credits(p.confirmAbove)} kostet.`,
	showLanguage: (p) => `**Sprache** von Nachrichten, die alle sehen: ${p.language ?? "die des Servers"}.`,
	showLog: (p) =>
		`**Änderungen der Einstellungen** werden ${p.channelId === null ? "nirgends" : `in <#${p.channelId}>`} gemeldet; ${command("settings", "audit")} hat sie alle.`,
	showReports: (p) =>
		`**Meldungen** von Mitgliedern gehen ${p.channelId === null ? "nirgendwohin" : `nach <#${p.channelId}>`}.`,
	showCounts: (p) =>
		`**Außerdem**: ${counted(p.patterns, { other: "Muster" })} in ${command("filter")}, ${counted(p.blocked, { one: "gesperrtes Mitglied", other: "gesperrte Mitglieder" })} in ${command("blocks")}, ${counted(p.styles, { one: "Stil", other: "Stile" })} in ${command("style")}.`,
	showQuota: `-# ${command("quota", "show")} hat die Limits.`,
	listFull: (p) => `Diese Liste hat schon ${number(p.listedMax)} Einträge. Hebe zuerst einige auf.`,
	everyoneRoleRule: `Diese Rolle sind alle. Wähle eine andere, oder halte mit ${command("settings", "pause")} alles an.`,
	channelNotWritable: (p) =>
		`Ich darf in <#${p.channelId}> nicht schreiben. Lass mich den Kanal sehen und dort Nachrichten senden, oder wähle einen anderen.`,
	logChannelHello: "Jede Änderung der Einstellungen dieses Servers wird ab jetzt hier gemeldet.",
	reportChannelHello: "Was Mitglieder melden, steht ab jetzt hier.",
	generalOneOf: `Wähle für dieselbe Sache entweder einen Wert oder ${option("unset")}, nicht beides.`,

	auditHead: "**Änderungen der Einstellungen**, die neuesten zuerst:",
	auditEmpty: "Es wurde noch nichts geändert.",
	auditMore: (p) => `-# Für mehr ergänze ${option("before", p.before)}.`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` und ${number(p.more)} weitere` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "nichts"} → ${p.after ?? "nichts"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported:
		"Alle Einstellungen dieses Servers, samt gesperrten Mitgliedern und Filtermustern. Behalte die Datei für dich.",
	settingsImported: (p) => `Importiert. Was die Datei nicht nennt, ist wie am Anfang. Jetzt gilt:\n${p.settings}`,
	importNotJson: `Diese Datei ist kein JSON. Nimm eine, die ${command("settings", "export")} geschrieben hat. Es wurde nichts geändert.`,
	importTooLarge: (p) =>
		`Diese Datei ist größer als ${number(p.sizeMaxKiB)} KiB, also kein Export von Einstellungen. Es wurde nichts geändert.`,
	importUnread: "Diese Datei ließ sich nicht von Discord holen. Versuch es noch einmal. Es wurde nichts geändert.",
	importFaulty: (p) =>
		`Diese Datei lässt sich nicht importieren, und es wurde nichts geändert:\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- und ${number(p.more)} weitere` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `, nicht ${namedList(denied, mention)}`;
	return (allowed.ids.length === 0 ? all : `nur ${namedList(allowed, mention)}`) + but;
}
