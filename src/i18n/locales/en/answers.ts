/** What comes of a command: the result, or why there is none and what to do. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { Limit, ResultLink, Change } from "../../params.ts";
import { MEDIA, again, areLeft, changes, command, credits, fileAt, named, number, option, when } from "./words.ts";

export const answerTexts = {
	// Results.
	resultMade: (p: { prompt: string; details: string; costCredits: number; leftCredits: number }) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · ${number(p.leftCredits)} left`,
	resultInPart: (p: { made: number; ordered: number }) =>
		`${number(p.made)} of ${number(p.ordered)} were made; only these are charged.`,
	resultLeftOut: (p: { made: number; shown: number }) =>
		`${number(p.made)} were made. A message holds ${number(p.shown)}: the others are not shown and not charged.`,
	detailSeed: (p: { seed: number }) => `seed ${p.seed}`,
	detailSeconds: (p: { seconds: number }) => `${p.seconds} s`,
	resultBooksDamaged: (p: { prompt: string; details: string; costCredits: number }) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} charged · the books of this server are damaged`,
	resultBooksDamagedWithoutPrompt: (p: { details: string; costCredits: number }) =>
		`-# ${p.details} · ${credits(p.costCredits)} charged · the books of this server are damaged\n-# The prompt is not repeated, because Discord did not let it through here.`,
	resultFailed: (p: { prompt: string; reason: string }) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "Nothing was charged.",
	resultWithoutPrompt: (p: { details: string; costCredits: number; leftCredits: number }) =>
		`-# ${p.details} · ${credits(p.costCredits)} · ${number(p.leftCredits)} left\n-# The prompt is not repeated, because Discord did not let it through here.`,
	fileRefused: (p: { costCredits: number; taskId: string }) =>
		`It was made and charged (${credits(p.costCredits)}), but Discord did not take the file here. It is kept for a week: ${command("job", "get")} may bring it somewhere else, and the people who run this bot have it, under ${p.taskId}.`,
	directLead: (p: { channelId: string }) =>
		`You asked for this in <#${p.channelId}>, where it cannot be shown any more:`,
	comesLaterHere: "This takes longer than usual. It will be posted here when it is ready.",
	comesLaterDirectly: `This takes longer than usual. It will come as a direct message when it is ready; where you take none, ${command("job")} has it.`,

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
	grantedByOperator: "Only the people who run this bot give credits. Ask them for more.",
	othersHistory: `Only people who may manage this server can see what others did. Leave ${option("member")} out to see your own.`,
	revokeTooMuch: (p: { amountCredits: number; availableCredits: number; heldCredits: number }) =>
		`You cannot take ${credits(p.amountCredits)}: this server has ${number(p.availableCredits)} free${p.heldCredits > 0 ? `, and ${number(p.heldCredits)} set aside for what is being made` : ""}.`,
	changeDiffers: "Something else was done under this id before. Nothing has changed.",
	changeUncertain: `It is not certain whether this was done: look at ${command("credits", "history")} before you do it again.`,
	amountImpossible: "That is more than the books can hold. Choose a smaller amount.",
	tooManyExpiring: "This server has too many grants that expire already. Grant these without an end, or wait.",
	nothingToChange: "Nothing was changed: say what should be different.",
	allotmentOneOf: `Choose one of ${option("credits")}, ${option("unlimited")} and ${option("clear")}.`,
	limitOneOf: `Choose one of ${option("credits")} and ${option("unlimited")}.`,
	mediumOneOf: `Choose one of ${option("credits")} and ${option("clear")}.`,
	warnOneOf: `Choose one of ${option("warn_channel")} and ${option("warn_nobody")}.`,
	periodWithoutLimit: `There is no limit for the server to count by time. Say ${option("credits")} as well.`,
	periodForEverybody: `The time is the same for everybody. Leave ${option("member")} out to change it.`,
	everyoneRole: `That role is everybody. Use ${command("quota", "member")} without a member.`,
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
	imageNeeded: (p: { model: string }) => `${p.model} needs a picture to start from: attach one as ${option("image")}.`,
	optionNotTaken: (p: { option: string; model: string }) =>
		`${p.model} does not take ${named(p.option)}. Leave it out, or choose another model.`,
	optionOneOf: (p: { option: string; value: string; model: string; values: string }) =>
		`${p.model} cannot do ${named(p.option)} ${p.value}. It takes one of ${p.values}.`,
	optionRange: (p: { option: string; value: string; model: string; min: number; max: number }) =>
		`${p.model} cannot do ${named(p.option)} ${p.value}. It takes a whole number from ${p.min} to ${p.max}.`,
	durationNeeded: (p: { model: string }) =>
		`${p.model} is paid by the second: say how long with ${option("duration")}.`,
	optionTooLong: (p: { option: string; model: string; charsMax: number }) =>
		`${p.model} takes at most ${number(p.charsMax)} characters of ${named(p.option)}.`,
	inputTooManyPixels: (p: { megapixels: number; megapixelsMax: number }) =>
		`That image has ${number(p.megapixels)} megapixels. Use one with fewer than ${number(p.megapixelsMax)}.`,
	attachmentNotImage: "That file is not a picture. Attach a PNG, JPEG or WebP.",
	serviceDown: "The service that makes the media cannot be reached right now. Try again in a few minutes.",
	serviceBusy: "The service that makes the media is busy. Try again in a few minutes.",
	pausedByOperator:
		"Nothing new is taken right now: this bot was restored from a backup. Whoever runs it will open it again soon.",
	serviceConfused:
		"The service that makes the media gave an answer that makes no sense. The people who run this bot can see it in the log.",
	serviceRefused: (p: { reason: string }) => `The service that makes the media refused this: ${p.reason}`,
	contentPolicy: "The service that makes the media does not accept this prompt. Say it another way.",
	operatorMustAct:
		"The service that makes the media does not work for this bot right now. Only the people who run this bot can fix that; its log says why.",
	modelUnavailable: "The service that makes the media cannot use this model right now. Try another model.",
	makingFailed: "The service that makes the media tried, and failed. Try again, or try another model.",
	nothingMade: "The service says that it is done, but there is no file. Try again.",
	timedOut: "This took too long and was given up. Try again, or try something shorter.",
	notSent: "This could not be sent to the service in time, so it was not made. Try again later.",
	botWasStopped: "This bot was stopped for a while, and the time for this ran out before it was sent. Try again.",
	resultLost: "It was made, but the file could not be fetched. Try again.",
	diskFull: "It was made, but the disk of this bot is full. Only the people who run this bot can fix that.",
	resultOutOfBounds:
		"It was made, but it lies where this bot must not fetch files from. The people who run this bot can see where in its log.",
	resultStrange: "It was made, but the file is of a kind that Discord does not show. Try again, or try another model.",
	resultWrongMedium: (p: { mediaType: MediaType }) =>
		`The service made something other than ${{ image: "an image", video: "a video", music: "music" }[p.mediaType]}. Try again, or try another model.`,
	resultDamaged: "It was made, but the file is damaged. Try again, or try another model.",
	resultTooManyPixels: (p: { megapixels: number }) =>
		`It was made, but the picture has ${p.megapixels} megapixels, more than is safe to open. Choose a lower resolution.`,
	resultFitted: (p: { changes: readonly Change[] }) => `Made to fit here: ${changes(p.changes)}.`,
	resultPreview: (p: { changes: readonly Change[]; sizeMiB: number; taskId: string; link?: ResultLink }) =>
		`The whole file has ${p.sizeMiB} MiB, too much to show here at any quality: this is ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `The people who run this bot have the rest for a week, under ${p.taskId}.`}`,
	fileAt,
	resultTooLarge: (p: { sizeMiB: number; limitMiB: number }) =>
		`It was made, but the file has ${p.sizeMiB} MiB, and ${p.limitMiB} MiB is the limit here. Choose a lower resolution or a shorter duration.`,
	resultNeedsMoreMemory: (p: { sizeMiB: number }) =>
		`It was made, but this bot has too little memory to convert the file, which has ${p.sizeMiB} MiB. Choose a lower resolution or a shorter duration; the people who run this bot see it in its log.`,
	resultTooLargeToFetch: (p: { limitMiB: number }) =>
		`It was made, but the file is larger than ${p.limitMiB} MiB, the most that this bot fetches. Choose a lower resolution or a shorter duration.`,
	noWayBack:
		"That can take longer than 15 minutes, and after that only the bot itself can show it here: but it is not in this server, or does not see this channel. Ask an admin to let it, or use another channel. Nothing was charged.",
	outcomeUnknown: "It is not certain that the service took this.",
	outcomePending: (p: { costCredits: number; deadlineAtS: number; isLookedUp: boolean }) => {
		const then =
			p.costCredits === 0
				? "it is given up"
				: `${credits(p.costCredits)} ${p.costCredits === 1 ? "comes" : "come"} back`;
		return p.isLookedUp
			? `The service did not say whether it took this; that is being looked up, and ${then} if it is still not known <t:${p.deadlineAtS}:R>.`
			: `The service did not say whether it took this, so ${then} <t:${p.deadlineAtS}:R>.`;
	},
	canceledByMember: "This was canceled by the person who asked for it.",
	canceledByModerator: (p: { userId: string }) => `This was canceled by <@${p.userId}>, who looks after this server.`,
	canceledByOperator: "This was canceled by the people who run this bot.",
	canceledByService: "The service that makes the media canceled this. Try again.",
	unexpected: (p: { incidentId: string }) =>
		`Something went wrong on our side. If it happens again, tell the people who run this bot: incident ${p.incidentId}.`,
	booksDamaged: (p: { incidentId: string }) =>
		`The books of this server are damaged, so nothing is done until they are repaired. No credits were moved. Tell the people who run this bot: incident ${p.incidentId}.`,
} as const;
