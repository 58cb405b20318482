import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, MEDIA, PROGRESS_STATES, ago, command, credits, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null ? [] : [p.queuePosition === 1 ? "次が順番です" : `${number(p.queuePosition)}番目`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`<t:${p.readyAtS}:R>ごろ完成`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${MEDIA[p.mediaType]}（${p.model}） · ${p.costCredits === 0 ? "無料" : `${credits(p.costCredits)}、完成時に請求`}`,
	progressTrouble: "生成サービスに問題が起きています。タスクはそのまま残り、もう一度確認されます。",
	progressBusy: "生成サービスが混み合っています。空きしだい送信されます。",
	progressDiskFull:
		"このボットのディスクがいっぱいです。運営者が空きを作る必要があります。タスクはそのまま残り、もう一度確認されます。",
	buttonCancel: "キャンセル",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${MEDIA[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [メッセージ](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) => `**${JOB_STATES[p.state]}** · ${MEDIA[p.mediaType]} · ${p.model} · <t:${p.createdAtS}:R>に依頼`,
	jobCredits: (p) => (p.are === "none" ? "請求なし。" : `料金: ${jobCredits(p)}`),
	jobDeadline: (p) => `<t:${p.deadlineAtS}:R>までに終わらなければ中止し、クレジットをお返しします。`,
	jobWhere: (p) => `-# [メッセージ](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}、${p.minutes < 1 ? "たった今" : ago(p.minutes)}`,
	jobsEmpty: `表示するものはありません。${command("image")}、${command("video")}、${command("music")}で何か作れます。`,
	jobsOlder: `-# もっと古いものもあります。${command("job", "show")}にIDを入れると見つかります。`,
	jobNotFound: "このサーバーにそのIDのタスクはありません。古すぎて、もう保管されていないのかもしれません。",
	othersJob: "それはほかの人のタスクです。見たりキャンセルしたりできるのは、このサーバーのモデレーターだけです。",
	jobNotDone: `まだ終わっていません。進み具合は${command("job", "show")}で分かります。`,
	jobNothingMade: `何も生成されなかったので、取得できるものがありません。理由は${command("job", "show")}で分かります。`,
	jobFilesRefused: `Discordはここではこれらのファイルを受け付けません。別のチャンネルで試すか、${command("job", "show")}のリンク先のメッセージを見てください。`,
	jobFilesLater:
		"Discordが今ファイルを受け付けません。ファイルは保管されています。1分ほどしてからもう一度お試しください。",
	jobFilesGone: `ファイルはもうここに保管されていません。${command("job", "show")}のリンク先のメッセージにまだあるかもしれません。`,
	cancelAsked: (p) =>
		`キャンセルを受け付けました。結果と${credits(p.costCredits)}の扱いは、まもなく返信に表示されます。`,
	cancelWhenKnown: (p) =>
		`サービスが受け付けたかまだ分かりません。分かりしだいキャンセルします。それまでに生成されていなければ、${credits(p.costCredits)}をお返しします。`,
	cancelPassedOn: (p) =>
		`サービスに停止を頼みました。止まれば${credits(p.costCredits)}をお返しします。先に完成した場合は結果が届き、請求されます。遅くとも<t:${p.deadlineAtS}:R>には終わります。`,
	cancelNotSupported: (p) =>
		`サービスは始めたものを止められません。完成すれば結果が届き、${credits(p.costCredits)}が請求されます。<t:${p.deadlineAtS}:R>までに完成しなければお返しします。`,
	cancelDone: (p) => `キャンセルしました。請求はありません。${credits(p.costCredits)}をお返ししました。`,
	cancelTooLate: (p) =>
		`キャンセルする前に完成していました。料金は${credits(p.costCredits)}です。結果は返信にあるか、まもなく届きます。`,
	cancelNotNeeded: "すでに結果なしで終わっています。クレジットは請求されていません。",
	cancelCameTooLate: "キャンセルは間に合わず",
};
