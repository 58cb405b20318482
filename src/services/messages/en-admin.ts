/** The part of the English catalogue about who may do what: settings, blocks, filters, styles, reports. */
import type { MediaType } from "../generation/model.ts";
import { credits, number } from "./english.ts";

/** Ids of channels or roles, and how many more there are. */
interface Named {
	readonly ids: readonly string[];
	readonly more: number;
}

const MEDIA = { image: "pictures", video: "videos", music: "music" } as const satisfies Record<MediaType, string>;

export const enAdmin = {
	// Why something is not made.
	generationPaused: (p: { sentence: string | null }) =>
		`Nothing is made in this server at the moment${p.sentence === null ? "" : `: ${p.sentence}`}${p.sentence === null ? "." : ""} The people who manage it can resume with \`/settings pause\`.`,
	blocked: (p: { reason: string; untilS: number | null }) =>
		`You are blocked from having things made in this server${p.untilS === null ? "" : ` until <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Talk to the people who look after this server if you think that is wrong.`,
	roleDenied: (p: { roleId: string }) =>
		`The admins of this server do not let <@&${p.roleId}> have things made. Ask one of them.`,
	roleNeeded: (p: Named) =>
		`In this server only ${list(p, (id) => `<@&${id}>`)} may have things made. Ask an admin for one of these roles.`,
	channelDenied: "The admins of this server do not want that in this channel. Use another one.",
	channelElsewhere: (p: Named) => `Not in this channel: use ${list(p, (id) => `<#${id}>`)}.`,
	mediumOff: (p: { mediaType: MediaType }) =>
		`The admins of this server have switched ${MEDIA[p.mediaType]} off. Make something else, or ask one of them.`,
	modelOff: (p: { model: string }) =>
		`The admins of this server have switched ${p.model} off. Choose another model: \`model\` offers them while you type.`,
	modelAgeRestricted: (p: { model: string }) =>
		`${p.model} works in age-restricted channels only. Use one of those, or choose another model.`,
	wordsForbidden: (p: { found: string }) =>
		`The admins of this server do not allow “${p.found}” in what is asked for. Say it in another way.`,
	moderationRefused: (p: { reason: string | null }) =>
		p.reason === null
			? "The moderation service of this bot does not accept that. Say it in another way."
			: `The moderation service of this bot does not accept that: ${p.reason}`,
	moderationAway:
		"The moderation service of this bot does not answer, and nothing is made without it. Try again in a few minutes.",

	// /settings, as Discord shows it: descriptions up to 100 characters.
	settingsShowDescription: "Everything that is set, beside the limits that /quota shows",
	settingsMediaDescription: "What is made, and how results are shown; without an option, what is set",
	settingsModelDescription: "Switch one model off, or on again",
	settingsChannelDescription: "Where things may be made: with none allowed, everywhere else than where it is denied",
	settingsRoleDescription: "Who may have things made: with none allowed, everybody whose roles are not denied",
	settingsGeneralDescription: "Language, confirmations, and the channels of admins and moderators",
	settingsPauseDescription: "Stop everything from being made in this server, or let it go on",
	settingsAuditDescription: "Every change of the settings, newest first",
	settingsExportDescription: "All settings as a file",
	settingsImportDescription: "Replace all settings by those of a file",
	optionSpoiler: "Hide results until somebody clicks on them",
	optionPrivateDefault: "Show results to whoever asked alone, unless they say otherwise",
	optionPrivate: "Show the result to you alone, or to everybody",
	optionImages: "Whether pictures are made",
	optionVideos: "Whether videos are made",
	optionMusicOn: "Whether music is made",
	optionModelToSwitch: "Which model",
	optionOn: "Whether it is on",
	optionRuleChannel: "Which channel; threads count as part of theirs",
	optionRuleRole: "Which role",
	optionRule: "What holds for it",
	optionLanguage: "Of messages that everybody sees",
	optionConfirmAbove: "What costs more credits than this is made only after it was confirmed",
	optionLogChannel: "Where every change of the settings is told",
	optionReportChannel: "Where moderators read what members report",
	optionUnset: "What to unset",
	optionPauseOn: "Whether it is paused",
	optionPauseSentence: "What members read",
	optionAuditBefore: "Only what is older than this change: the number at the end of the page before",
	optionImportFile: "A file that /settings export wrote",
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
		`<@${p.userId}> is blocked${p.untilS === null ? "" : ` until <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. What they asked for before goes on; \`/job list\` can cancel it.`,
	memberUnblocked: (p: { userId: string }) => `<@${p.userId}> is not blocked any more.`,
	notBlocked: (p: { userId: string }) => `<@${p.userId}> is not blocked. Nothing was changed.`,
	moderatorsOnly: "Only people who look after this server can do that.",
	blockSelf: "You cannot block yourself.",
	blockReasonEmpty: "Say why: the member reads it.",
	tooManyBlocked: (p: { blocksMax: number }) =>
		`This server blocks ${number(p.blocksMax)} members already. Unblock some of them first.`,
	blocksEmpty: "Nobody is blocked.",
	blocksHead: (p: { blocked: number }) => `**${plural(p.blocked, "blocked member")}**, newest first:`,
	blockLine: (p: { userId: string; byUserId: string; reason: string; untilS: number | null }) =>
		`<@${p.userId}> ${p.untilS === null ? "without an end" : `until <t:${p.untilS}:f>`}, by <@${p.byUserId}>: ${p.reason}`,
	restInFile: "-# The file has all of them.",
	patternEmpty: "There is no letter and no digit in that pattern, so it would match nothing or everything.",
	patternTooLong: (p: { charsMax: number }) =>
		`A pattern can have ${number(p.charsMax)} characters. Use a shorter one.`,
	patternUnknown: "There is no such pattern. `/filter list` has them all.",
	tooManyPatterns: (p: { patternsMax: number }) =>
		`This server has ${number(p.patternsMax)} patterns already. Remove some of them first.`,
	filterEmpty: "No words are forbidden. `/filter add` adds one.",
	filterHead: (p: { patterns: number }) => `**${plural(p.patterns, "pattern")}** may not be in what is asked for:`,
	filterMatches: (p: { pattern: string; found: string }) => `Refused: “${p.found}” matches ${p.pattern}.`,
	filterPasses: "Not refused: nothing in it matches.",

	// /style.
	styleDescription: "Styles of this server, for the option style",
	styleListDescription: "All styles, and what each adds to a prompt",
	styleAddDescription: "Add a style, or change it (for managers of the server)",
	styleRemoveDescription: "Remove a style (for managers of the server)",
	optionStyle: "A style of this server: words that are added to the prompt",
	optionStyleName: "What it is called: letters, digits, blanks and hyphens",
	optionStyleText: "What is added to the prompt",
	optionStyleMedium: "For which medium; leave it out for all",
	optionStyleToRemove: "Which one",
	styleNameImpossible: (p: { charsMax: number }) =>
		`A style's name has letters, digits, blanks and hyphens, at most ${number(p.charsMax)}, and begins with a letter or a digit.`,
	styleEmpty: "There is nothing in that style. Say what is to be added to the prompt.",
	tooManyStyles: (p: { stylesMax: number }) =>
		`This server has ${number(p.stylesMax)} styles already. Remove some of them first.`,
	noStyles: (p: { style: string }) =>
		`There is no style called ${p.style} here, and no other for this either. Leave \`style\` out.`,
	styleUnknown: (p: { style: string; known: string }) =>
		`There is no style called ${p.style} for this here. Choose one of: ${p.known}.`,
	stylesEmpty: "This server has no styles. People who manage it can add some with `/style add`.",
	stylesHead: "**Styles**: what the option `style` adds to a prompt:",
	styleLine: (p: { name: string; medium: MediaType | null; text: string }) =>
		`- **${p.name}**${p.medium === null ? "" : ` (${MEDIA[p.medium]})`}: ${p.text}`,

	// Reports. Labels of buttons and fields: up to 45 characters, hints and names of menus up to 100 and 32.
	reportMenuName: "Report",
	buttonReport: "Report",
	reportTitle: "Report this to the moderators",
	reportReasonLabel: "What is wrong with it?",
	reportReasonHint: "The moderators of this server read it, with your name.",
	reportThanks: "Thank you. The moderators of this server have it now.",
	reportNotOurs: "That is no result of this bot. Report it to Discord, or to a moderator.",
	reportNowhere:
		"This server has no channel for reports. Tell a moderator; an admin can name one with `/settings general report_channel`.",
	reportClosed: "The moderators' channel takes no messages from this bot. Tell a moderator directly.",
	reportEmpty: "Say what is wrong with it.",
	reportedAlready: "You have reported that already. The moderators have it.",
	reportedByMany: "Many people have reported that already. The moderators have it.",
	reportHead: (p: { reporterId: string; userId: string; channelId: string; link: string | null; atS: number }) =>
		`**Report** by <@${p.reporterId}>, <t:${p.atS}:f>, about what <@${p.userId}> had made in <#${p.channelId}>${p.link === null ? ", which others do not see" : `: [message](${p.link})`}`,
	reportReason: (p: { reason: string }) => `> ${p.reason}`,
	reportAbout: (p: { prompt: string; model: string; costCredits: number; taskId: string }) =>
		`Prompt: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p: { action: "delete" | "block" | "refund"; byUserId: string; atS: number; costCredits: number }) =>
		`**${{ delete: "Deleted", block: "Member blocked", refund: `${credits(p.costCredits)} given back to the server` }[p.action]}** by <@${p.byUserId}>, <t:${p.atS}:f>`,
	buttonReportDelete: "Delete result",
	buttonReportBlock: "Block member",
	buttonReportRefund: "Refund",
	reportNotDeletable: "Only its own person sees that result, so there is nothing to delete.",
	reportDeleteForbidden: (p: { channelId: string }) =>
		`I cannot delete it: let me see <#${p.channelId}> again, or delete the message yourself.`,
	reportBlockReason: "after a report of something you had made",
	reportRefundReason: (p: { taskId: string }) => `refund of ${p.taskId} after a report`,
	reportNothingCharged: "Nothing was charged for that, so there is nothing to give back.",

	// /setup: labels of buttons and fields up to 45 characters, hints up to 100, placeholders up to 150.
	setupDescription: "Set this bot up, step by step; you can stop and go on at any time",
	setupStep: (p: { at: number; of: number; step: "channels" | "roles" | "budget" | "moderators" | "summary" }) =>
		`**Step ${p.at} of ${p.of}.** ${
			{
				channels:
					"Where may things be made? Choose channels, or none for all of them. What you choose is written at once.",
				roles: "Who may have things made? Choose roles, or none for everybody.",
				budget:
					"What may be spent? Each member's credits, the server's, and from when on something has to be confirmed.",
				moderators:
					"Who looks after it? A channel that hears of every change of the settings, and one for what members report.",
				summary: "That is all. `/settings`, `/quota`, `/filter` and `/style` have the rest.",
			}[p.step]
		}`,
	setupChannelsPlaceholder: "Everywhere",
	setupRolesPlaceholder: "Everybody",
	setupLogPlaceholder: "Changes of settings are told nowhere",
	setupReportsPlaceholder: "Members cannot report",
	setupBudgetButton: "Set the budget",
	setupBudgetLabel: (p: { field: "everyone" | "server" | "confirmAbove" }) =>
		({ everyone: "Credits of each member", server: "Credits of the whole server", confirmAbove: "Confirm above" })[
			p.field
		],
	setupBudgetHint: (p: { field: "everyone" | "server" | "confirmAbove"; per: "day" | "week" | "month" }) =>
		({
			everyone: `A ${p.per}, for those without a rule of their own; empty for no limit`,
			server: "A month, unless /quota says otherwise; empty for no limit",
			confirmAbove: "What costs more credits is asked about first; empty for nothing",
		})[p.field],
	setupNotANumber: (p: { field: "everyone" | "server" | "confirmAbove"; creditsMax: number }) =>
		`“${{ everyone: "Credits of each member", server: "Credits of the whole server", confirmAbove: "Confirm above" }[p.field]}” takes a whole number up to ${number(p.creditsMax)}, or nothing. Nothing was changed.`,
	setupBack: "Back",
	setupNext: "Next",
	setupAgain: "From the beginning",

	// What is set.
	showPaused: (p: { sentence: string | null }) =>
		`**Paused**: nothing is made${p.sentence === null ? "" : `; members read “${p.sentence}”`}. \`/settings pause\` lets it go on.`,
	showRunning: "**Running**; `/settings pause` stops everything.",
	showChannels: (p: { allowed: Named; denied: Named }) => `**Channels**: ${rules(p, channel, "everywhere")}.`,
	showRoles: (p: { allowed: Named; denied: Named }) => `**Roles**: ${rules(p, role, "everybody")}.`,
	showMedia: (p: { off: readonly MediaType[] }) =>
		`**Media**: ${p.off.length === 0 ? "pictures, videos and music" : `${p.off.map((medium) => MEDIA[medium]).join(", ")} off`}.`,
	showModels: (p: Named) => `**Models**: ${p.ids.length === 0 ? "all on" : `off: ${list(p, (id) => id)}`}.`,
	showResults: (p: { spoiler: boolean; private: boolean }) =>
		`**Results** are shown ${p.private ? "to whoever asked alone" : "to everybody"}, ${p.spoiler ? "hidden until somebody clicks on them" : "at once"}.`,
	showConfirm: (p: { confirmAbove: number | null }) =>
		p.confirmAbove === null
			? "**Confirmation** is asked for nothing."
			: `**Confirmation** is asked for what costs more than ${credits(p.confirmAbove)}.`,
	showLanguage: (p: { language: string | null }) =>
		`**Language** of messages that everybody sees: ${p.language ?? "the server's"}.`,
	showLog: (p: { channelId: string | null }) =>
		`**Changes of settings** are told ${p.channelId === null ? "nowhere" : `in <#${p.channelId}>`}; \`/settings audit\` has them all.`,
	showReports: (p: { channelId: string | null }) =>
		`**Reports** of members go ${p.channelId === null ? "nowhere" : `to <#${p.channelId}>`}.`,
	showCounts: (p: { patterns: number; blocked: number; styles: number }) =>
		`**Also**: ${plural(p.patterns, "pattern")} in \`/filter\`, ${plural(p.blocked, "blocked member")} in \`/blocks\`, ${plural(p.styles, "style")} in \`/style\`.`,
	showQuota: "-# `/quota show` has the limits.",
	listFull: (p: { listedMax: number }) =>
		`That list has ${number(p.listedMax)} entries already. Clear some of them first.`,
	everyoneRoleRule: "That role is everybody. Choose another, or stop everything with `/settings pause`.",
	channelNotWritable: (p: { channelId: string }) =>
		`I may not write in <#${p.channelId}>. Let me see it and send messages there, or choose another channel.`,
	logChannelHello: "Every change of this server's settings is told here from now on.",
	reportChannelHello: "What members report is told here from now on.",
	generalOneOf: "Choose either a value or `unset` for the same thing, not both.",

	// Changes.
	auditHead: "**Changes of the settings**, newest first:",
	auditEmpty: "Nothing was changed yet.",
	auditMore: (p: { before: number }) => `-# For more add \`before: ${p.before}\`.`,
	changeLine: (p: { atS: number; who: string; revision: number; fields: string; more: number }) =>
		`<t:${p.atS}:d> <t:${p.atS}:t> · ${p.who} · ${p.fields}${p.more > 0 ? ` and ${number(p.more)} more` : ""} · -${p.revision}`,
	changeField: (p: { name: string; before: string | null; after: string | null }) =>
		`**${p.name}** ${p.before ?? "nothing"} → ${p.after ?? "nothing"}`,
	changeList: (p: { name: string; removed: string | null; added: string | null }) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	// Export and import.
	settingsExported:
		"All settings of this server, blocked members and filter patterns included. Keep the file to yourself.",
	settingsImported: (p: { settings: string }) =>
		`Imported. Everything that the file does not name is as at first. Now:\n${p.settings}`,
	importNotJson: "That file is not JSON. Use one that `/settings export` wrote. Nothing was changed.",
	importTooLarge: (p: { sizeMaxKiB: number }) =>
		`That file is larger than ${number(p.sizeMaxKiB)} KiB, so it is no export of settings. Nothing was changed.`,
	importUnread: "That file could not be fetched from Discord. Try again. Nothing was changed.",
	importFaulty: (p: { faults: readonly string[]; more: number }) =>
		`That file cannot be imported, and nothing was changed:\n${p.faults.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- and ${number(p.more)} more` : ""}`,
} as const;

const channel = (id: string): string => `<#${id}>`;
const role = (id: string): string => `<@&${id}>`;

/** What is allowed and what is not, of channels or roles. */
function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `, not ${list(denied, mention)}`;
	return (allowed.ids.length === 0 ? all : `only ${list(allowed, mention)}`) + but;
}

function plural(count: number, noun: string): string {
	return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function list({ ids, more }: Named, mention: (id: string) => string): string {
	const named = ids.map(mention).join(", ");
	return more > 0 ? `${named} and ${number(more)} more` : named;
}
