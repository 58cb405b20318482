/** The part of the English catalog about who may do what: settings, blocks, filters, styles, reports. */
import type { MediaType } from "@atelier/media-protocol/model";
import { names } from "./names.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import { MEDIA, command, counted, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts = {
	// Why something is not made.
	generationPaused: (p: { sentence: string | null }) =>
		`Nothing is made in this server at the moment${p.sentence === null ? "." : `: ${p.sentence}`} The people who manage it can resume with ${command("settings", "pause")}.`,
	blocked: (p: { reason: string; untilS: number | null }) =>
		`You are blocked from having things made in this server${p.untilS === null ? "" : ` until <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Talk to the people who look after this server if you think that is wrong.`,
	roleDenied: (p: { roleId: string }) =>
		`The admins of this server do not let <@&${p.roleId}> have things made. Ask one of them.`,
	roleNeeded: (p: Named) =>
		`In this server only ${namedList(p, roleMention)} may have things made. Ask an admin for one of these roles.`,
	channelDenied: "The admins of this server do not want that in this channel. Use another one.",
	channelElsewhere: (p: Named) => `Not in this channel: use ${namedList(p, channelMention)}.`,
	mediumOff: (p: { mediaType: MediaType }) =>
		`The admins of this server have switched ${MEDIA[p.mediaType]} off. Make something else, or ask one of them.`,
	modelOff: (p: { model: string }) =>
		`The admins of this server have switched ${p.model} off. Choose another model: ${option("model")} offers them while you type.`,
	modelAgeRestricted: (p: { model: string }) =>
		`${p.model} works in age-restricted channels only. Use one of those, or choose another model.`,
	wordsForbidden: (p: { found: string }) =>
		`The admins of this server do not allow “${p.found}” in what is asked for. Say it another way.`,
	moderationRefused: (p: { reason: string | null }) =>
		p.reason === null
			? "The moderation service of this bot does not accept that. Say it another way."
			: `The moderation service of this bot does not accept that: ${p.reason}`,
	moderationAway:
		"The moderation service of this bot is not answering, and nothing is made without it. Try again in a few minutes.",

	// /settings, as Discord shows it: descriptions up to 100 characters.
	settingsShowDescription: `Everything that is set, beside the limits that ${plain("quota")} shows`,
	settingsMediaDescription: "What is made, and how results are shown; without an option, what is set",
	settingsModelDescription: "Switch one model off, or on again",
	settingsChannelDescription: "Where things may be made; with none allowed, everywhere except where it is denied",
	settingsRoleDescription: "Who may have things made; with none allowed, everybody whose roles are not denied",
	settingsGeneralDescription: "Language, confirmations, and the channels of admins and moderators",
	settingsPauseDescription: "Stop everything from being made in this server, or let it go on",
	settingsAuditDescription: "Every change of the settings, newest first",
	settingsExportDescription: "All settings as a file",
	settingsImportDescription: "Replace all settings by those of a file",
	optionSpoiler: "Hide results until somebody clicks on them",
	optionPrivateDefault: "Show results only to whoever asked, unless they say otherwise",
	optionPrivate: "Show the result only to you, or to everybody",
	optionImages: "Whether pictures are made",
	optionVideos: "Whether videos are made",
	optionMusicOn: "Whether music is made",
	optionModelToSwitch: "Which model",
	optionOn: "Whether it is on",
	optionRuleChannel: "Which channel; threads count as part of theirs",
	optionRuleRole: "Which role",
	optionRule: "What the rule is",
	optionLanguage: "Of messages that everybody sees",
	optionConfirmAbove: "What costs more credits than this is made only once it is confirmed",
	optionLogChannel: "Where every change of the settings is announced",
	optionReportChannel: "Where moderators read what members report",
	optionUnset: "What to unset",
	optionPauseOn: "Whether it is paused",
	optionPauseSentence: "What members read",
	optionAuditBefore: "Only what is older than this change: the number at the end of the page before",
	optionImportFile: `A file that ${plain("settings", "export")} wrote`,
	choiceAllow: "allow",
	choiceDeny: "deny",
	choiceClear: "no rule any more",
	choiceUnsetLanguage: "the language",
	choiceUnsetConfirm: "the confirmation",
	choiceUnsetLog: "the log channel",
	choiceUnsetReports: "the channel of moderators",

	// /block, /unblock, /blocks, /filter.
	blockDescription: "Keep a member from having things made in this server",
	unblockDescription: "Let a blocked member have things made again",
	blocksDescription: "Who is blocked, why, and until when",
	optionBlockMember: "Whom",
	optionUnblockMember: "Whom",
	optionBlockReason: "Why; the member reads it",
	optionBlockDays: "For how many days; leave it out to block until somebody unblocks",
	optionBlockHours: "And how many hours",
	filterDescription: "Words that may not be asked for in this server",
	filterAddDescription: "Add a word or a pattern: * is any letters, ? is one, a blank is whatever separates words",
	filterRemoveDescription: "Remove a word or a pattern",
	filterListDescription: "All words and patterns",
	filterTestDescription: "Whether a text would be refused, and by which pattern",
	optionPattern: "Such as: nud* or bad word",
	optionPatternToRemove: "Which one",
	optionFilterText: "What somebody might ask for",
	memberBlocked: (p: { userId: string; reason: string; untilS: number | null }) =>
		`<@${p.userId}> is blocked${p.untilS === null ? "" : ` until <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. What they asked for before goes on; ${command("job", "list")} can cancel it.`,
	memberUnblocked: (p: { userId: string }) => `<@${p.userId}> is not blocked any more.`,
	notBlocked: (p: { userId: string }) => `<@${p.userId}> is not blocked. Nothing was changed.`,
	moderatorsOnly: "Only people who look after this server can do that.",
	blockSelf: "You cannot block yourself.",
	blockReasonEmpty: "Say why: the member reads it.",
	tooManyBlocked: (p: { blocksMax: number }) =>
		`This server blocks ${number(p.blocksMax)} members already. Unblock some of them first.`,
	blocksEmpty: "Nobody is blocked.",
	blocksHead: (p: { blocked: number }) =>
		`**${counted(p.blocked, { one: "blocked member", other: "blocked members" })}**, newest first:`,
	blockLine: (p: { userId: string; byUserId: string; reason: string; untilS: number | null }) =>
		`<@${p.userId}> ${p.untilS === null ? "without an end" : `until <t:${p.untilS}:f>`}, by <@${p.byUserId}>: ${p.reason}`,
	restInFile: "-# The file has all of them.",
	patternSimplified: (p: { pattern: string }) =>
		`Only letters, digits, \`?\`, \`*\` and what separates words count in a pattern: this one would match ${p.pattern}. Add that, if it is what you mean.`,
	patternEmpty: "There is no letter and no digit in that pattern, so it would match nothing or everything.",
	patternTooLong: (p: { charsMax: number }) =>
		`A pattern can have ${number(p.charsMax)} characters. Use a shorter one.`,
	patternUnknown: `There is no such pattern. ${command("filter", "list")} has them all.`,
	tooManyPatterns: (p: { patternsMax: number }) =>
		`This server has ${number(p.patternsMax)} patterns already. Remove some of them first.`,
	filterEmpty: `No words are forbidden. ${command("filter", "add")} adds one.`,
	filterHead: (p: { patterns: number }) =>
		`**${counted(p.patterns, { one: "pattern", other: "patterns" })}** may not be in what is asked for:`,
	filterMatches: (p: { pattern: string; found: string }) => `Refused: “${p.found}” matches ${p.pattern}.`,
	filterPasses: "Not refused: nothing in it matches.",

	// /style.
	styleDescription: `Styles of this server: words and options by a name, for the option ${names.style}`,
	styleListDescription: "All styles, and what each adds",
	styleAddDescription: "Add a style, or replace it (for managers of the server)",
	styleRemoveDescription: "Remove a style (for managers of the server)",
	optionStyle: "A style of this server: words for the prompt, options, or both",
	optionStyleName: "What it is called: letters, digits, blanks and hyphens",
	optionStyleText: "What is added to the prompt",
	optionStyleMedium: "For which medium; leave it out for all",
	optionStyleToRemove: "Which one",
	styleNameImpossible: (p: { charsMax: number }) =>
		`A style's name has letters, digits, blanks and hyphens, at most ${number(p.charsMax)}, and begins with a letter or a digit.`,
	styleEmpty: "There is nothing in that style. Give it words to add to the prompt, an option, or both.",
	tooManyStyles: (p: { stylesMax: number }) =>
		`This server has ${number(p.stylesMax)} styles already. Remove some of them first.`,
	noStyles: (p: { style: string }) =>
		`There is no style called ${p.style} here, and no other for this either. Leave ${option("style")} out.`,
	styleUnknown: (p: { style: string; known: string }) =>
		`There is no style called ${p.style} for this here. Choose one of: ${p.known}.`,
	stylesEmpty: `This server has no styles. People who manage it can add some with ${command("style", "add")}.`,
	stylesHead: `**Styles**, for the option ${option("style")}:`,
	styleLine: (p: { name: string; medium: MediaType | null; text: string }) =>
		`- **${p.name}**${p.medium === null ? "" : ` (${MEDIA[p.medium]})`}: ${p.text}`,
	styleOption: (p: { option: string; value: string }) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "Save as style",
	styleNameLabel: "Name",
	styleNameHint: "A style of that name is replaced.",
	styleWordsLabel: "Words",
	styleWordsHint: "Added to each prompt. The model and options of this result are kept beside them.",
	styleNotOurs: "That is not a result of this bot, so there is nothing to save.",
	styleMediumNeeded: `Say for which ${option("medium")}: options hold for one only.`,
	styleModelGone: (p: { style: string; model: string }) =>
		`The style **${p.style}** is made by ${p.model}, which is not there any more. Name another ${option("model")}, or ask an admin to change the style.`,
	styleOptionNotTaken: (p: { style: string; option: string; value: string; model: string }) =>
		`The style **${p.style}** says ${named(p.option)}: ${p.value}, which ${p.model} does not take. Say ${named(p.option)} yourself, which goes before the style, or choose another model.`,

	// What is set.
	showPaused: (p: { sentence: string | null }) =>
		`**Paused**: nothing is made${p.sentence === null ? "" : `; members read “${p.sentence}”`}. ${command("settings", "pause")} lets it go on.`,
	showRunning: `**Running**; ${command("settings", "pause")} stops everything.`,
	showChannels: (p: { allowed: Named; denied: Named }) => `**Channels**: ${rules(p, channelMention, "everywhere")}.`,
	showRoles: (p: { allowed: Named; denied: Named }) => `**Roles**: ${rules(p, roleMention, "everybody")}.`,
	showMedia: (p: { off: readonly MediaType[] }) =>
		`**Media**: ${p.off.length === 0 ? "pictures, videos and music" : `${p.off.map((medium) => MEDIA[medium]).join(", ")} off`}.`,
	showModels: (p: Named) => `**Models**: ${p.ids.length === 0 ? "all on" : `off: ${namedList(p)}`}.`,
	showResults: (p: { spoiler: boolean; private: boolean }) =>
		`**Results** are shown ${p.private ? "only to whoever asked" : "to everybody"}${p.spoiler ? ", hidden until somebody clicks on them" : ""}.`,
	showConfirm: (p: { confirmAbove: number | null }) =>
		p.confirmAbove === null
			? "**Confirmation** is never asked for."
			: `**Confirmation** is asked for what costs more than ${credits(p.confirmAbove)}.`,
	showLanguage: (p: { language: string | null }) =>
		`**Language** of messages that everybody sees: ${p.language ?? "the server's"}.`,
	showLog: (p: { channelId: string | null }) =>
		`**Changes of settings** are announced ${p.channelId === null ? "nowhere" : `in <#${p.channelId}>`}; ${command("settings", "audit")} has them all.`,
	showReports: (p: { channelId: string | null }) =>
		`**Reports** from members go ${p.channelId === null ? "nowhere" : `to <#${p.channelId}>`}.`,
	showCounts: (p: { patterns: number; blocked: number; styles: number }) =>
		`**Also**: ${counted(p.patterns, { one: "pattern", other: "patterns" })} in ${command("filter")}, ${counted(p.blocked, { one: "blocked member", other: "blocked members" })} in ${command("blocks")}, ${counted(p.styles, { one: "style", other: "styles" })} in ${command("style")}.`,
	showQuota: `-# ${command("quota", "show")} has the limits.`,
	listFull: (p: { listedMax: number }) =>
		`That list has ${number(p.listedMax)} entries already. Clear some of them first.`,
	everyoneRoleRule: `That role is everybody. Choose another, or stop everything with ${command("settings", "pause")}.`,
	channelNotWritable: (p: { channelId: string }) =>
		`I may not write in <#${p.channelId}>. Let me see it and send messages there, or choose another channel.`,
	logChannelHello: "Every change of this server's settings is announced here from now on.",
	reportChannelHello: "What members report appears here from now on.",
	generalOneOf: `Choose either a value or ${option("unset")} for the same thing, not both.`,

	// Changes.
	auditHead: "**Changes of the settings**, newest first:",
	auditEmpty: "Nothing has been changed yet.",
	auditMore: (p: { before: number }) => `-# For more add ${option("before", p.before)}.`,
	changeLine: (p: { atS: number; who: string; revision: number; fields: string; more: number }) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` and ${number(p.more)} more` : ""} · #${p.revision}`,
	changeField: (p: { name: string; before: string | null; after: string | null }) =>
		`**${p.name}** ${p.before ?? "nothing"} → ${p.after ?? "nothing"}`,
	changeList: (p: { name: string; removed: string | null; added: string | null }) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	// Export and import.
	settingsExported:
		"All settings of this server, blocked members and filter patterns included. Keep the file to yourself.",
	settingsImported: (p: { settings: string }) =>
		`Imported. Everything that the file does not name is as it was at the beginning. Now:\n${p.settings}`,
	importNotJson: `That file is not JSON. Use one that ${command("settings", "export")} wrote. Nothing was changed.`,
	importTooLarge: (p: { sizeMaxKiB: number }) =>
		`That file is larger than ${number(p.sizeMaxKiB)} KiB, so it is no export of settings. Nothing was changed.`,
	importUnread: "That file could not be fetched from Discord. Try again. Nothing was changed.",
	importFaulty: (p: { problems: readonly string[]; more: number }) =>
		`That file cannot be imported, and nothing was changed:\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- and ${number(p.more)} more` : ""}`,
} as const;

/** What is allowed and what is not, of channels or roles. */
function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `, not ${namedList(denied, mention)}`;
	return (allowed.ids.length === 0 ? all : `only ${namedList(allowed, mention)}`) + but;
}
