/** Jobs, and what becomes of them when they are canceled. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { JobCreditsShown, ProgressState, JobState } from "../../params.ts";
import { JOB_STATES, ONE_OF, PROGRESS_STATES, ago, command, credits, jobCredits, number } from "./words.ts";

export const jobTexts = {
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
	progressTrouble: "The service has trouble. Your job is kept, and is checked again.",
	progressBusy: "The service is busy. This is sent as soon as there is room.",
	progressDiskFull:
		"The disk of this bot is full, and its operator has to make room. Your job is kept, and is checked again.",
	buttonCancel: "Cancel",

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
		`If it is not done <t:${p.deadlineAtS}:R>, it is given up and paid back.`,
	jobWhere: (p: { taskId: string; link: string }) => `-# [message](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p: { prompt: string; state: JobState; minutes: number }) =>
		`${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "just now" : ago(p.minutes)}`,
	jobsEmpty: `There is nothing to show. ${command("image")}, ${command("video")} and ${command("music")} make something.`,
	jobsOlder: `-# There are older ones; ${command("job", "show")} finds them by their id.`,
	jobNotFound: "There is nothing under that id in this server, or it was so long ago that it is no longer kept.",
	othersJob: "That is somebody else's. Only people who look after this server can see and cancel it.",
	jobNotDone: `That is not done yet. ${command("job", "show")} says how far it is.`,
	jobNothingMade: `Nothing was made there, so there is nothing to fetch. ${command("job", "show")} says why.`,
	jobFilesRefused: `Discord does not take these files here. Try it in another channel, or look at the message that ${command("job", "show")} links to.`,
	jobFilesLater: "Discord does not take the files at the moment. They are kept: try it again in a minute.",
	jobFilesGone: `The file is no longer kept here. It may still be in the message that ${command("job", "show")} links to.`,
	cancelAsked: (p: { costCredits: number }) =>
		`Your cancel is noted. In a moment the reply says what becomes of it, and of the ${credits(p.costCredits)}.`,
	cancelWhenKnown: (p: { costCredits: number }) =>
		`It is not known yet whether the service has this. As soon as it is, it is canceled; the ${credits(p.costCredits)} come back unless it was made by then.`,
	cancelPassedOn: (p: { costCredits: number; deadlineAtS: number }) =>
		`The service was asked to stop. If it does, the ${credits(p.costCredits)} come back; if it is done first, the result comes and is charged. It is over <t:${p.deadlineAtS}:R> at the latest.`,
	cancelNotSupported: (p: { costCredits: number; deadlineAtS: number }) =>
		`The service cannot stop what it has begun. When it is done, the result comes and ${credits(p.costCredits)} ${p.costCredits === 1 ? "is" : "are"} charged; if it is not done <t:${p.deadlineAtS}:R>, ${p.costCredits === 1 ? "it comes" : "they come"} back.`,
	cancelDone: (p: { costCredits: number }) => `Canceled. Nothing was charged: ${credits(p.costCredits)} came back.`,
	cancelTooLate: (p: { costCredits: number }) =>
		`It was made before it could be canceled. It costs ${credits(p.costCredits)}; the result is in the reply, or comes in a moment.`,
	cancelNotNeeded: "It has ended already, without a result. Nothing was charged.",
	cancelCameTooLate: "canceled too late",
} as const;
