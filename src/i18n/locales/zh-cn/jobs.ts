import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, MEDIA, PROGRESS_STATES, ago, command, credits, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [p.queuePosition === 1 ? "下一个就是" : `排在第 ${number(p.queuePosition)} 位`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`大约 <t:${p.readyAtS}:R> 完成`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${MEDIA[p.mediaType]}（${p.model}） · ${p.costCredits === 0 ? "免费" : `${credits(p.costCredits)}，生成后扣除`}`,
	progressTrouble: "生成服务出现问题。任务已保留，会再次检查。",
	progressBusy: "生成服务繁忙。有空位后会立即提交。",
	progressDiskFull: "此机器人的磁盘已满，需要运营者清理空间。任务已保留，会再次检查。",
	buttonCancel: "取消",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${MEDIA[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [消息](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) => `**${JOB_STATES[p.state]}** · ${MEDIA[p.mediaType]} · ${p.model} · <t:${p.createdAtS}:R> 发起`,
	jobCredits: (p) => (p.are === "none" ? "未扣费。" : `价格：${jobCredits(p)}`),
	jobDeadline: (p) => `如果 <t:${p.deadlineAtS}:R> 仍未完成，就会放弃并退还。`,
	jobWhere: (p) => `-# [消息](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}，${p.minutes < 1 ? "刚刚" : ago(p.minutes)}`,
	jobsEmpty: `没有可显示的内容。用 ${command("image")}、${command("video")} 和 ${command("music")} 来生成。`,
	jobsOlder: `-# 还有更早的；用 ${command("job", "show")} 加 ID 可以找到。`,
	jobNotFound: "本服务器没有这个 ID 的任务，或时间太久已不再保留。",
	othersJob: "那是别人的任务。只有本服务器的管理人员可以查看和取消。",
	jobNotDone: `还没有完成。用 ${command("job", "show")} 查看进度。`,
	jobNothingMade: `没有生成任何内容，因此没有可领取的。用 ${command("job", "show")} 查看原因。`,
	jobFilesRefused: `Discord 不接受在此发送这些文件。请换个频道试试，或查看 ${command("job", "show")} 所链接的消息。`,
	jobFilesLater: "Discord 目前不接受这些文件。文件已保留：请一分钟后再试。",
	jobFilesGone: `文件已不再保留。它也许还在 ${command("job", "show")} 所链接的消息里。`,
	cancelAsked: (p) => `已记下取消请求。结果以及 ${credits(p.costCredits)}的去向，稍后会出现在回复里。`,
	cancelWhenKnown: (p) =>
		`还不清楚服务是否收到了请求。一旦清楚就会取消；除非届时已经生成，否则退还 ${credits(p.costCredits)}。`,
	cancelPassedOn: (p) =>
		`已请求服务停止。如果停下，就退还 ${credits(p.costCredits)}；如果先完成了，结果会发来并扣费。最迟 <t:${p.deadlineAtS}:R> 结束。`,
	cancelNotSupported: (p) =>
		`服务无法停止已经开始的内容。完成后会发来结果并扣除 ${credits(p.costCredits)}；如果 <t:${p.deadlineAtS}:R> 仍未完成，就会退还。`,
	cancelDone: (p) => `已取消。没有扣费：已退还 ${credits(p.costCredits)}。`,
	cancelTooLate: (p) => `取消之前就已经生成了。价格是 ${credits(p.costCredits)}；结果在回复里，或马上就到。`,
	cancelNotNeeded: "它已经结束，没有结果。没有扣除积分。",
	cancelCameTooLate: "取消得太晚",
};
