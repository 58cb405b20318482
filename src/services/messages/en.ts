/**
 * Every sentence in English: the catalogue that the others follow. A value is text, or a function of exactly what it
 * needs. What a member typed arrives here already quoted (`quote.ts`).
 */
import type { ProgressState } from "../delivery/compose-progress.ts";
import type { Change } from "../delivery/fit/fit-job.ts";
import type { ResultLink } from "../delivery/result-links.ts";
import type { MediaType } from "../generation/model.ts";
import type { Period } from "../guilds/period.ts";
import type { JobCredits, JobState } from "../tasks/describe-job.ts";
import { enAdmin } from "./en-admin.ts";
import { credits, number, when } from "./english.ts";

export const en = {
	...enAdmin,

	// Commands and their options, as Discord shows them: names up to 32, descriptions up to 100 characters.
	imageDescription: "Make a picture from words",
	videoDescription: "Make a short video from words",
	musicDescription: "Make a piece of music from words",
	creditsDescription: "What you and this server can still spend",
	creditsShowDescription: "What you and this server can still spend, when there is more, and what things cost",
	creditsHistoryDescription: "Where your credits went; for managers of the server, where all of them went",
	creditsGrantDescription: "Give this server credits",
	creditsRevokeDescription: "Take credits from this server",
	settingsDescription: "How this server wants things",
	quotaDescription: "Who may use how many credits",
	quotaShowDescription: "All limits of this server, and what the server and members with their own limit have used",
	quotaServerDescription: "What the whole server may use, and how it counts",
	quotaRoleDescription: "What members with a role may use; the highest of their roles counts",
	quotaMemberDescription: "What one member may use, or everybody where you name nobody",
	quotaMediumDescription: "What each member may use for pictures, videos or music",
	usageDescription: "What this server's credits went to",
	jobDescription: "What you asked for: what is being made, what is done, and what can be canceled",
	jobListDescription: "What you asked for, newest first",
	jobShowDescription: "Everything about one of them",
	jobGetDescription: "The files once more, for your eyes only",
	jobCancelDescription: "Stop one; what is not made is not charged",
	optionJob: "Which one",
	optionJobMember: "Of this member (for people who look after the server)",
	optionPrompt: "What it should be",
	optionModel: "Which model makes it",
	optionAspectRatio: "The shape, as width:height",
	optionResolution: "How large it should be",
	optionDuration: "How many seconds it should last",
	optionSeed: "The same prompt and seed make the same thing again",
	optionLyrics: "Words for the song",
	optionInstrumental: "Without a voice",
	optionImage: "A picture to start from",
	optionNegativePrompt: "What should not be in it, where the model takes that",
	optionHistoryMember: "Only what this member did (for managers of the server)",
	optionHistoryBefore: "Only what is older than this entry: the number at the end of the page before",
	optionHistoryCsv: "As a table for spreadsheets",
	optionAmount: "How many credits",
	optionReason: "Why; everybody who may read the history sees it",
	optionQuotaRole: "Which role",
	optionQuotaMember: "Which member; leave it out for everybody",
	optionQuotaMedium: "Pictures, videos or music",
	optionQuotaCredits: "How many credits",
	optionQuotaUnlimited: "No limit",
	optionQuotaClear: "No rule of its own any more",
	optionQuotaPer: "In which time",
	optionQuotaUnused: "What becomes of monthly credits that nobody used",
	optionQuotaTimeZone: "Where days, weeks and months begin",
	optionQuotaWarnChannel: "Where to warn when the month's credits run low",
	optionQuotaWarnNobody: "Warn nowhere any more",
	optionUsageDays: "How far back; 30 days where you leave it out",
	choiceDay: "a day",
	choiceWeek: "a week",
	choiceMonth: "a month",
	choiceExpire: "they expire at the end of the month",
	choiceCarryOver: "they carry over",
	choiceImage: "pictures",
	choiceVideo: "videos",
	choiceMusic: "music",
	choiceDays: (p: { days: number }) => `the last ${p.days} days`,

	// While it is being made.
	progress: (p: { state: ProgressState; queuePosition: number | null; bar: string | null; readyAtS: number | null }) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [p.queuePosition === 1 ? "next in the queue" : `number ${number(p.queuePosition)} in the queue`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`ready about <t:${p.readyAtS}:R>`]),
		].join(" · "),
	progressCost: (p: { mediaType: MediaType; model: string; costCredits: number }) =>
		`-# ${ONE_OF[p.mediaType]} by ${p.model} · ${p.costCredits === 0 ? "free" : `${credits(p.costCredits)}, charged when it is made`}`,
	buttonCancel: "Cancel",

	// Under a result, and before something that costs much. Labels have up to 80 characters, titles and fields of forms 45.
	buttonAgain: "Again",
	buttonVary: "Vary",
	buttonEdit: "Edit",
	buttonAnimate: "Animate",
	buttonDelete: "Delete",
	buttonConfirm: (p: { costCredits: number }) => `Make it for ${credits(p.costCredits)}`,
	buttonDecline: "Leave it",
	editTitle: "Make it in another way",
	editPrompt: "Prompt",
	editAspectRatio: "Shape",
	editResolution: "Size",
	editDuration: "Seconds",
	editSeed: "Seed",
	editLyrics: "Lyrics",
	editInstrumental: "Without a voice",
	editSeedHint: "Empty: another one",
	choiceYes: "yes",
	choiceNo: "no",
	animateMenuName: "Animate",
	variationsMenuName: "Make variations",
	animatePrompt: "the scene comes to life",
	variationPrompt: "a variation of this picture",
	sourceGone: "What made this is no longer kept here, so it cannot be done again from here. Type the command anew.",
	sourcePrivate: "That is somebody else's private result.",
	inputGone: "The picture that this started from is no longer reachable. Type the command anew, and attach it again.",
	noPicture: "There is no picture in that message that can be used. It takes a PNG, JPEG or WebP.",
	promptTooLongToEdit: (p: { charsMax: number }) =>
		`That prompt has more than ${number(p.charsMax)} characters, too many for a form. Type the command anew.`,
	notAWholeNumber: (p: { field: string; typed: string }) => `${p.field}: ${p.typed} is not a whole number.`,
	othersResult: "Only whoever asked for this, and people who look after this server, can delete it.",
	resultDeleted:
		"Deleted. What it cost stays spent, and the books stay as they are. `/job get` still has the files of what you asked for, while they are kept.",
	confirmCost: (p: { mediaType: MediaType; model: string; costCredits: number; prompt: string }) =>
		`> ${p.prompt}\nThis ${ONE_OF[p.mediaType]} by ${p.model} costs **${credits(p.costCredits)}**. This server wants that to be confirmed; nothing is charged yet.`,
	proposalGone: "That has been decided already, or was too long ago. Type the command anew.",
	othersProposal: "Only whoever asked for this can decide it.",
	proposalDeclined: "Left. Nothing was charged.",

	// Results.
	resultMade: (p: { prompt: string; details: string; costCredits: number; leftCredits: number }) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · ${p.leftCredits.toLocaleString("en")} left`,
	detailSeed: (p: { seed: number }) => `seed ${p.seed}`,
	detailSeconds: (p: { seconds: number }) => `${p.seconds} s`,
	resultBooksDamaged: (p: { prompt: string; details: string; costCredits: number }) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} charged · the books of this server are damaged`,
	resultBooksDamagedWithoutPrompt: (p: { details: string; costCredits: number }) =>
		`-# ${p.details} · ${credits(p.costCredits)} charged · the books of this server are damaged\n-# The prompt is not repeated, because Discord did not let it through here.`,
	resultFailed: (p: { prompt: string; reason: string }) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "Nothing was charged.",
	resultWithoutPrompt: (p: { details: string; costCredits: number; leftCredits: number }) =>
		`-# ${p.details} · ${credits(p.costCredits)} · ${p.leftCredits.toLocaleString("en")} left\n-# The prompt is not repeated, because Discord did not let it through here.`,
	fileRefused: (p: { costCredits: number; taskId: string }) =>
		`It was made and charged (${credits(p.costCredits)}), but Discord did not take the file here. It is kept for a week: \`/job get\` may bring it somewhere else, and the people who run this bot have it, under ${p.taskId}.`,
	directLead: (p: { channelId: string }) =>
		`You asked for this in <#${p.channelId}>, where it cannot be shown any more:`,
	comesLaterHere: "This takes longer than usual. It will be posted here when it is ready.",
	comesLaterDirectly:
		"This takes longer than usual. It will come as a direct message when it is ready; where you take none, `/job` has it.",

	// Refusals and failures: what happened, and what to do.
	creditsShort: (p: { costCredits: number; leftCredits: number; refillsAtS: number | null }) =>
		`That costs ${credits(p.costCredits)}, and this server has ${number(p.leftCredits)} left. ${p.refillsAtS === null ? "Choose something smaller, or ask an admin for more." : `There is more ${when(p.refillsAtS)}; until then choose something smaller, or ask an admin.`}`,
	limitMember: (p: Limit) =>
		p.limitCredits === 0
			? "The admins of this server have given you no credits to use. Ask one of them."
			: `That costs ${credits(p.costCredits)}, and of your ${credits(p.limitCredits)} a ${p.per} you have ${number(p.leftCredits)} left. ${again(p, "You have")}`,
	limitMedium: (p: Limit & { mediaType: MediaType }) =>
		p.limitCredits === 0
			? `The admins of this server have given its members no credits for ${MEDIA[p.mediaType]}.`
			: `That costs ${credits(p.costCredits)}, and of the ${credits(p.limitCredits)} a ${p.per} that each member may use for ${MEDIA[p.mediaType]} you have ${number(p.leftCredits)} left. ${again(p, "You have")}`,
	limitServer: (p: Limit) =>
		p.limitCredits === 0
			? "The admins of this server have stopped all use of credits in it."
			: `That costs ${credits(p.costCredits)}, and of the ${credits(p.limitCredits)} a ${p.per} that this server lets itself use ${areLeft(p.leftCredits)}. ${again(p, "It has")}`,
	tooManyAtOnce: "This server has too many things in the making. Wait until one is done, then try again.",
	managersOnly: "Only people who may manage this server can do that.",
	othersHistory: "Only people who may manage this server can see what others did. Leave `member` out to see your own.",
	revokeTooMuch: (p: { amountCredits: number; availableCredits: number; heldCredits: number }) =>
		`You cannot take ${credits(p.amountCredits)}: this server has ${number(p.availableCredits)} free${p.heldCredits > 0 ? `, and ${number(p.heldCredits)} set aside for what is being made` : ""}.`,
	changeDiffers: "Something else was done under this id before. Nothing has changed.",
	changeUncertain: "It is not certain whether this was done: look at `/credits history` before you do it again.",
	amountImpossible: "That is more than the books can hold. Choose a smaller amount.",
	tooManyExpiring: "This server has too many grants that expire already. Grant these without an end, or wait.",
	nothingToChange: "Nothing was changed: say what should be different.",
	allotmentOneOf: "Choose one of `credits`, `unlimited` and `clear`.",
	limitOneOf: "Choose one of `credits` and `unlimited`.",
	mediumOneOf: "Choose one of `credits` and `clear`.",
	warnOneOf: "Choose one of `warn_channel` and `warn_nobody`.",
	periodWithoutLimit: "There is no limit for the server to count by time. Say `credits` as well.",
	periodForEverybody: "The time is the same for everybody. Leave `member` out to change it.",
	everyoneRole: "That role is everybody. Use `/quota member` without a member.",
	timeZoneUnknown: (p: { typed: string }) =>
		`There is no time zone called ${p.typed}. Choose one of the list, such as Europe/Berlin.`,
	tooManyExceptions: (p: { exceptionsMax: number }) =>
		`This server has rules for ${number(p.exceptionsMax)} roles and members already. Clear some of them first.`,
	serverOnly: "This works in a server only, because the credits belong to the server.",
	controlUnknown:
		"This no longer does anything: an earlier version of this bot put it there, or something else did. Type the command instead.",
	promptEmpty: "There is nothing in that prompt. Say in a few words what you would like.",
	noModel: (p: { mediaType: "image" | "video" | "music" }) =>
		`Nothing here can make ${{ image: "pictures", video: "videos", music: "music" }[p.mediaType]} at the moment. The people who run this bot can see why in its log.`,
	modelUnknown: (p: { model: string; known: string }) =>
		`There is no model called ${p.model} here. Choose one of: ${p.known}.`,
	imageNeeded: (p: { model: string }) => `${p.model} needs a picture to start from: attach one as \`image\`.`,
	optionNotTaken: (p: { option: string; model: string }) =>
		`${p.model} does not take ${p.option}. Leave it out, or choose another model.`,
	optionOneOf: (p: { option: string; value: string; model: string; values: string }) =>
		`${p.model} cannot do ${p.option} ${p.value}. It takes one of ${p.values}.`,
	optionRange: (p: { option: string; value: string; model: string; min: number; max: number }) =>
		`${p.model} cannot do ${p.option} ${p.value}. It takes a whole number from ${p.min} to ${p.max}.`,
	durationNeeded: (p: { model: string }) => `${p.model} is paid by the second: say how long with \`duration\`.`,
	optionTooLong: (p: { option: string; model: string; charsMax: number }) =>
		`${p.model} takes at most ${p.charsMax.toLocaleString("en")} characters of ${p.option}.`,
	attachmentNotImage: "That file is not a picture. Attach a PNG, JPEG or WebP.",
	serviceDown: "The service that makes the media cannot be reached right now. Try again in a few minutes.",
	serviceConfused:
		"The service that makes the media gave an answer that makes no sense. The people who run this bot can see it in the log.",
	serviceRefused: (p: { reason: string }) => `The service that makes the media refused this: ${p.reason}`,
	contentPolicy: "The service that makes the media does not accept this prompt. Say it in another way.",
	makingFailed: "The service that makes the media tried, and failed. Try again, or try another model.",
	nothingMade: "The service says that it is done, but there is no file. Try again.",
	timedOut: "This took too long and was given up. Try again, or try something shorter.",
	resultLost: "It was made, but the file could not be fetched. Try again.",
	resultOutOfBounds:
		"It was made, but it lies where this bot must not fetch files from. The people who run this bot can see where in its log.",
	resultStrange: "It was made, but the file is of a kind that Discord does not show. Try again, or try another model.",
	resultDamaged: "It was made, but the file is damaged. Try again, or try another model.",
	resultTooManyPixels: (p: { megapixels: number }) =>
		`It was made, but the picture has ${p.megapixels} megapixels, more than is safe to open. Choose a lower resolution.`,
	resultFitted: (p: { changes: readonly Change[] }) => `Made to fit here: ${changes(p.changes)}.`,
	resultPreview: (p: { changes: readonly Change[]; sizeMiB: number; taskId: string; link?: ResultLink }) =>
		`The whole file has ${p.sizeMiB} MiB, too much to show here at any quality: this is ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `The people who run this bot have the rest for a week, under ${p.taskId}.`}`,
	fileAt,
	resultTooLarge: (p: { sizeMiB: number; limitMiB: number }) =>
		`It was made, but the file has ${p.sizeMiB} MiB, and ${p.limitMiB} MiB is the limit here. Choose a lower resolution or a shorter duration.`,
	noWayBack:
		"That can take longer than 15 minutes, and after that only the bot itself can show it here: but it is not in this server, or does not see this channel. Ask an admin to let it, or use another channel. Nothing was charged.",
	outcomeUnknown:
		"It is not certain that the service took this, so it was not sent again. The log says more to the people who run this bot.",
	outcomePending: (p: { costCredits: number; deadlineAtS: number }) =>
		`The service did not say whether it took this. That is being found out, and nothing is sent twice. ${p.costCredits === 1 ? "1 credit stays" : `${credits(p.costCredits)} stay`} set aside for it; you get them back if it is still not known <t:${p.deadlineAtS}:R>.`,
	canceledByMember: "This was canceled by the one who asked for it.",
	canceledByModerator: (p: { userId: string }) => `This was canceled by <@${p.userId}>, who looks after this server.`,
	canceledByOperator: "This was canceled by the people who run this bot.",
	canceledByService: "The service that makes the media canceled this. Try again.",
	unexpected: (p: { incidentId: string }) =>
		`Something went wrong on our side. If it happens again, tell the people who run this bot: incident ${p.incidentId}.`,
	booksDamaged: (p: { incidentId: string }) =>
		`The books of this server are damaged, so nothing is done until they are repaired. No credits were moved. Tell the people who run this bot: incident ${p.incidentId}.`,

	// Jobs.
	jobLine: (
		p: JobCreditsShown & {
			taskId: string;
			state: JobState;
			mediaType: MediaType;
			prompt: string;
			createdAtS: number;
			link: string;
		},
	) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${ONE_OF[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [message](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p: { prompt: string }) => `> ${p.prompt}`,
	jobWhat: (p: { state: JobState; mediaType: MediaType; model: string; createdAtS: number }) =>
		`**${JOB_STATES[p.state]}** · ${ONE_OF[p.mediaType]} · ${p.model} · asked for <t:${p.createdAtS}:R>`,
	jobCredits: (p: JobCreditsShown) => (p.are === "none" ? "Nothing charged." : `Cost: ${jobCredits(p)}`),
	jobDeadline: (p: { deadlineAtS: number }) =>
		`It is given up, and paid back, if it is not done <t:${p.deadlineAtS}:R>.`,
	jobWhere: (p: { taskId: string; link: string }) => `-# [message](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p: { prompt: string; state: JobState; minutes: number }) =>
		`${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "just now" : ago(p.minutes)}`,
	jobsEmpty: "There is nothing to show. `/image`, `/video` and `/music` make something.",
	jobsOlder: "-# There are older ones; `/job show` finds them by their id.",
	jobNotFound: "There is nothing under that id in this server, or it was so long ago that it is no longer kept.",
	othersJob: "That is somebody else's. Only people who look after this server can see and cancel it.",
	jobNotDone: "That is not done yet. `/job show` says how far it is.",
	jobNothingMade: "Nothing was made there, so there is nothing to fetch. `/job show` says why.",
	jobFilesRefused:
		"Discord does not take these files here. Try it in another channel, or look at the message that `/job show` links to.",
	jobFilesLater: "Discord does not take the files at the moment. They are kept: try it again in a minute.",
	jobFilesGone: "The file is no longer kept here. It may still be in the message that `/job show` links to.",
	cancelAsked: (p: { costCredits: number }) =>
		`The cancel is written down. What becomes of it, and of the ${credits(p.costCredits)}, stands in the reply in a moment.`,
	cancelWhenKnown: (p: { costCredits: number }) =>
		`It is not known yet whether the service has this. As soon as it is, it is canceled; the ${credits(p.costCredits)} come back unless it was made by then.`,
	cancelPassedOn: (p: { costCredits: number; deadlineAtS: number }) =>
		`The service was asked to stop. If it does, the ${credits(p.costCredits)} come back; if it is done first, the result comes and is charged. At the latest <t:${p.deadlineAtS}:R> it is over.`,
	cancelNotSupported: (p: { costCredits: number; deadlineAtS: number }) =>
		`The service cannot stop what it has begun. When it is done, the result comes and ${credits(p.costCredits)} ${p.costCredits === 1 ? "is" : "are"} charged; if it is not done <t:${p.deadlineAtS}:R>, ${p.costCredits === 1 ? "it comes" : "they come"} back.`,
	cancelDone: (p: { costCredits: number }) => `Canceled. Nothing was charged: ${credits(p.costCredits)} came back.`,
	cancelTooLate: (p: { costCredits: number }) =>
		`It was made before it could be canceled. It costs ${credits(p.costCredits)}; the result is in the reply, or comes in a moment.`,
	cancelNotNeeded: "It has ended already, without a result. Nothing was charged.",
	cancelCameTooLate: "canceled too late",

	// Credits.
	monthRunsLow: (p: { leftCredits: number; monthlyCredits: number; refillsAtS: number }) =>
		`This server has ${credits(p.leftCredits)} left of the ${number(p.monthlyCredits)} that it gets each month. The next come ${when(p.refillsAtS)}.`,
	monthUsedUp: (p: { leftCredits: number; monthlyCredits: number; refillsAtS: number }) =>
		`This server has used up its ${credits(p.monthlyCredits)} of this month. The next come ${when(p.refillsAtS)}.`,
	monthTooShort: (p: { costCredits: number; leftCredits: number; monthlyCredits: number; refillsAtS: number }) =>
		`This server cannot pay for what was asked any more: that costs ${credits(p.costCredits)}, and ${areLeft(p.leftCredits)} of the ${number(p.monthlyCredits)} that it gets each month. The next come ${when(p.refillsAtS)}.`,
	creditsBalance: (p: { availableCredits: number; heldCredits: number }) =>
		`This server has **${number(p.availableCredits)}** ${p.availableCredits === 1 ? "credit" : "credits"} left${p.heldCredits > 0 ? `, and ${number(p.heldCredits)} set aside for what is being made` : ""}.`,
	creditsMine: (p: LimitShown) =>
		`You have **${number(p.leftCredits)}** of your ${credits(p.limitCredits)} a ${p.per} left.${refill(p, "You have")}`,
	creditsMineNone: "The admins of this server have given you none to use.",
	creditsMineUnlimited: "You may use as many of them as there are.",
	creditsMineWithin: "You may use as many of them as there are, within these limits:",
	creditsMineNoMedium: (p: { mediaType: MediaType }) =>
		`For ${MEDIA[p.mediaType]} the admins of this server have given its members none.`,
	creditsMineMedium: (p: LimitShown & { mediaType: MediaType }) =>
		`For ${MEDIA[p.mediaType]} you have **${number(p.leftCredits)}** of ${credits(p.limitCredits)} a ${p.per} left.${refill(p, "You have")}`,
	creditsServerLimit: (p: LimitShown) =>
		`Of the ${credits(p.limitCredits)} a ${p.per} that it lets itself use **${number(p.leftCredits)}** ${p.leftCredits === 1 ? "is" : "are"} left.${refill(p, "It has")}`,
	creditsExpire: (p: { credits: number; expiresAtS: number }) =>
		`${number(p.credits)} of them expire${p.credits === 1 ? "s" : ""} ${when(p.expiresAtS)} if nobody uses them.`,
	creditsRefill: (p: { monthlyCredits: number; refillsAtS: number }) =>
		`The next ${number(p.monthlyCredits)} come ${when(p.refillsAtS)}.`,
	creditsPrice: (p: { command: string; model: string; costCredits: number }) =>
		`-# \`/${p.command}\` with ${p.model}: ${credits(p.costCredits)}`,
	creditsGranted: (p: { amountCredits: number; availableCredits: number; reason: string }) =>
		`${credits(p.amountCredits)} granted: ${p.reason}. This server has **${number(p.availableCredits)}** left.`,
	creditsRevoked: (p: { amountCredits: number; availableCredits: number; reason: string }) =>
		`${credits(p.amountCredits)} taken: ${p.reason}. This server has **${number(p.availableCredits)}** left.`,
	choicePriced: (p: { name: string; costCredits: number }) => `${p.name} — ${credits(p.costCredits)}`,

	// History: newest first, one line an entry, with what the server owned afterwards.
	historyMine: "**What your credits went to**, newest first:",
	historyMember: (p: { userId: string }) => `**What <@${p.userId}> did**, newest first:`,
	historyServer: "**What this server's credits went to**, newest first; behind the arrow what it owned afterwards:",
	historyEmpty: "There is nothing to show.",
	historyNotFound: (p: { before: number }) =>
		`There is nothing to show as far back as this looked. To look further add \`before: ${p.before}\`.`,
	historyPosted: (p: HistoryLine & { model: string }) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · ${p.who} · ${p.model}`,
	historyVoided: (p: HistoryLine & { model: string }) =>
		`${moment(p.atS)} **±0** → ${number(p.afterCredits)} · ${p.who} · ${p.model}, not made: ${credits(p.amountCredits)} given back`,
	historyChanged: (p: HistoryLine & { reason: string }) =>
		`${moment(p.atS)} **${p.amountCredits < 0 ? "−" : "+"}${number(Math.abs(p.amountCredits))}** → ${number(p.afterCredits)} · ${p.who}: ${p.reason}`,
	historyExpired: (p: HistoryLine) =>
		`${moment(p.atS)} **−${number(p.amountCredits)}** → ${number(p.afterCredits)} · unused and expired`,
	historyMore: (p: { before: number }) => `-# For more add \`before: ${p.before}\`.`,
	historyCutShort: (p: { before: number }) =>
		`-# This went far back without finding a whole page. To look further add \`before: ${p.before}\`.`,
	historyCsv: (p: { entries: number }) =>
		`${p.entries === 1 ? "1 entry" : `${number(p.entries)} entries`}, newest first.`,
	byOperator: "the people who run this bot",
	bySystem: "automatic",

	// Quota.
	settingsMonthly: (p: {
		monthlyCredits: number;
		refillsAtS: number;
		/** `carryOverLater`: chosen in this month, whose credits were given with an end. */
		unusedCredits: "expire" | "carryOver" | "carryOverLater";
	}) =>
		`**Each month** it gets ${credits(p.monthlyCredits)}; the next come ${when(p.refillsAtS)}, and unused ones ${{ expire: "expire then", carryOver: "carry over", carryOverLater: "of this month still expire then; later ones carry over" }[p.unusedCredits]}.`,
	settingsServer: (p: LimitShown & { usedCredits: number }) =>
		`**The whole server** may use ${credits(p.limitCredits)} a ${p.per}; ${number(p.usedCredits)} used, and it starts again ${when(p.resetsAtS)}.`,
	settingsServerUnlimited: "**The whole server** may use all that it has.",
	settingsEveryone: (p: { limitCredits: number | null; per: Period }) =>
		p.limitCredits === null
			? `**Each member** may use as much as there is; limits for roles and members count by the ${p.per}.`
			: `**Each member** may use ${credits(p.limitCredits)} a ${p.per}.`,
	settingsRoles: (p: { roles: string; more: number }) =>
		`**Roles**, of which the highest counts: ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p: { roleId: string; limitCredits: number | null }) =>
		`<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p: { members: string; more: number }) =>
		`**Members**, instead of all that: ${p.members}${andMore(p.more)}.`,
	settingsMember: (p: { userId: string; limitCredits: number | null; usedCredits: number | null }) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : ` (${number(p.usedCredits)} used)`}`,
	settingsMedium: (p: { mediaType: MediaType; limitCredits: number; per: Period }) =>
		`**For ${MEDIA[p.mediaType]}** each member may use ${credits(p.limitCredits)} a ${p.per}.`,
	settingsTimeZone: (p: { timeZone: string }) => `**Days, weeks and months** begin in the time zone ${p.timeZone}.`,
	settingsWarn: (p: { channelId: string }) =>
		`**Warnings**, when 80 % and 100 % of a month's credits are gone, go to <#${p.channelId}>.`,
	settingsWarnNobody: "**Warnings** go nowhere; `/quota server` with `warn_channel` says where.",
	settingsRest: "-# The file has all roles and members.",
	settingsFileRoles: "Roles, of which the highest counts",
	settingsFileMembers: "Members, instead of all that",
	settingsFileLine: (p: { id: string; limitCredits: number | null; usedCredits: number | null }) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t${number(p.usedCredits)} used`}`,
	settingsChanged: (p: { settings: string }) => `Changed. Now:\n${p.settings}`,
	settingsRestarted: (p: { settings: string }) =>
		`Changed. What was used before counts no more, because the time is another. Now:\n${p.settings}`,

	// Usage.
	usageHead: (p: { days: number; totalCredits: number; results: number }) =>
		`**The last ${p.days} days**: ${credits(p.totalCredits)} for ${results(p.results)}${p.totalCredits < p.days ? "" : `, ${number(Math.round(p.totalCredits / p.days))} a day`}.`,
	usageNothing: (p: { days: number }) => `In the last ${p.days} days nobody used any credits here.`,
	usageNothingSince: (p: { fromS: number }) =>
		`Nobody has used any credits here since <t:${p.fromS}:f>. What was before that is more than one report reads.`,
	usageMembers: (p: { uses: string; more: number }) => `**Members**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p: { uses: string; more: number }) => `**Models**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p: { uses: string }) => `**Media**: ${p.uses}`,
	usageMember: (p: { userId: string; credits: number; results: number }) =>
		`<@${p.userId}> ${number(p.credits)} (${results(p.results)})`,
	usageModel: (p: { model: string; credits: number; results: number }) =>
		`${p.model} ${number(p.credits)} (${results(p.results)})`,
	usageMedium: (p: { mediaType: MediaType; credits: number; results: number }) =>
		`${MEDIA[p.mediaType]} ${number(p.credits)} (${results(p.results)})`,
	usageCompleteFrom: (p: { fromS: number }) =>
		`-# There is more in this time than one report reads: it is complete from <t:${p.fromS}:f> on.`,
	chartTitle: "Credits per day",
	chartMedium: (p: { mediaType: MediaType }) => ({ image: "Pictures", video: "Videos", music: "Music" })[p.mediaType],
	chartDescription: (p: { days: number; totalCredits: number; mostCredits: number; mostDate: string }) =>
		`Bar chart of the credits used on each of the last ${p.days} days, by medium: ${number(p.totalCredits)} in all, most on ${p.mostDate} with ${number(p.mostCredits)}.`,
} as const;

const PROGRESS_STATES = {
	sending: "Being sent",
	queued: "Waiting for its turn",
	making: "Being made",
	canceling: "Being canceled",
} as const satisfies Record<ProgressState, string>;

const JOB_STATES = {
	waiting: "waiting",
	sending: "being sent",
	unknown: "not certain",
	making: "being made",
	canceling: "being canceled",
	delivering: "being delivered",
	done: "done",
	canceled: "canceled",
	failed: "failed",
} as const satisfies Record<JobState, string>;

interface JobCreditsShown {
	readonly credits: number;
	readonly are: JobCredits;
}

function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} set aside`, charged: credits(count), none: "nothing charged" }[are];
}

/** In plain text, where Discord's timestamps are not shown. */
function ago(minutes: number): string {
	if (minutes < 60) return `${minutes} min ago`;
	return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} days ago`;
}

/** A limit on use as it stands; the time as Discord's timestamps count, in seconds. */
interface LimitShown {
	readonly leftCredits: number;
	readonly limitCredits: number;
	readonly per: Period;
	readonly resetsAtS: number;
}

/** What a limit on use says when it stops something. */
interface Limit extends LimitShown {
	readonly costCredits: number;
}

const ONE_OF = { image: "picture", video: "video", music: "music" } as const satisfies Record<MediaType, string>;
const MEDIA = { image: "pictures", video: "videos", music: "music" } as const satisfies Record<MediaType, string>;

/** Waiting helps only where the whole limit would be enough. */
function again({ costCredits, limitCredits, resetsAtS }: Limit, who: string): string {
	if (costCredits > limitCredits) return "Choose something smaller, or ask an admin.";
	return `${who} all ${number(limitCredits)} again ${when(resetsAtS)}.`;
}

function refill({ leftCredits, limitCredits, resetsAtS }: LimitShown, who: string): string {
	return leftCredits < limitCredits ? ` ${who} all of them again ${when(resetsAtS)}.` : "";
}

/** One line of the history; `who` as it is shown, a mention or words. */
interface HistoryLine {
	readonly atS: number;
	readonly amountCredits: number;
	readonly afterCredits: number;
	readonly who: string;
}

/** Short, in the reader's own way of writing dates. */
function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

function areLeft(count: number): string {
	return `${number(count)} ${count === 1 ? "is" : "are"} left`;
}

function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "without limit" : number(limitCredits);
}

function andMore(more: number): string {
	return more > 0 ? ` and ${number(more)} more` : "";
}

function fileAt({ url, untilS }: ResultLink): string {
	return `The whole file, until <t:${untilS}:f> at the latest: <${url}>`;
}

function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "compressed";
		case "smaller":
			return `${made.width} × ${made.height} pixels`;
		case "fewerFrames":
			return `${made.framesPerSecond} frames a second`;
		case "still":
			return "without its motion";
		case "standardColours":
			return made.faithful
				? "in standard instead of HDR colours"
				: "in standard instead of HDR colours, which look paler";
		case "frame":
			return "one frame of it";
		case "beginning":
			return `its first ${made.seconds} seconds`;
	}
}

function results(count: number): string {
	return count === 1 ? "1 result" : `${number(count)} results`;
}
