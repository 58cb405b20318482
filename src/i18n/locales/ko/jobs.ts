import type { jobTexts as english } from "../en/jobs.ts";
import type { Translation } from "../../translation.ts";
import { JOB_STATES, MEDIA, PROGRESS_STATES, ago, command, credits, jobCredits, number } from "./words.ts";

export const jobTexts: Translation<typeof english> = {
	progress: (p) =>
		[
			`**${PROGRESS_STATES[p.state]}**`,
			...(p.queuePosition === null
				? []
				: [p.queuePosition === 1 ? "다음 차례" : `대기 순서 ${number(p.queuePosition)}번`]),
			...(p.bar === null ? [] : [p.bar]),
			...(p.readyAtS === null ? [] : [`<t:${p.readyAtS}:R>쯤 완료`]),
		].join(" · "),
	progressCost: (p) =>
		`-# ${MEDIA[p.mediaType]}(${p.model}) · ${p.costCredits === 0 ? "무료" : `${credits(p.costCredits)}, 완료되면 청구`}`,
	progressTrouble: "생성 서비스에 문제가 있어요. 작업은 그대로 남아 있고 다시 확인해요.",
	progressBusy: "생성 서비스가 붐비고 있어요. 자리가 나면 바로 보내요.",
	progressDiskFull: "이 봇의 디스크가 가득 차서 운영자가 공간을 마련해야 해요. 작업은 그대로 남아 있고 다시 확인해요.",
	buttonCancel: "취소",

	jobLine: (p) =>
		`**${JOB_STATES[p.state]}** · ${p.prompt} · ${MEDIA[p.mediaType]} · ${jobCredits(p)} · <t:${p.createdAtS}:R> · [메시지](${p.link}) · \`${p.taskId}\``,
	jobPrompt: (p) => `> ${p.prompt}`,
	jobWhat: (p) => `**${JOB_STATES[p.state]}** · ${MEDIA[p.mediaType]} · ${p.model} · <t:${p.createdAtS}:R> 요청`,
	jobCredits: (p) => (p.are === "none" ? "청구 없음." : `가격: ${jobCredits(p)}`),
	jobDeadline: (p) => `<t:${p.deadlineAtS}:R>까지 끝나지 않으면 그만두고 돌려 드려요.`,
	jobWhere: (p) => `-# [메시지](${p.link}) · \`${p.taskId}\``,
	jobChoice: (p) => `${p.prompt} — ${JOB_STATES[p.state]}, ${p.minutes < 1 ? "방금" : ago(p.minutes)}`,
	jobsEmpty: `보여 드릴 것이 없어요. ${command("image")}, ${command("video")}, ${command("music")} 명령어로 만들어 보세요.`,
	jobsOlder: `-# 더 오래된 것도 있어요. ${command("job", "show")} 명령어에 ID를 넣으면 찾을 수 있어요.`,
	jobNotFound: "이 서버에는 그 ID의 작업이 없거나, 너무 오래되어 더 이상 보관하지 않아요.",
	othersJob: "다른 사람의 작업이에요. 이 서버의 운영진만 보고 취소할 수 있어요.",
	jobNotDone: `아직 끝나지 않았어요. ${command("job", "show")} 명령어로 진행 상황을 볼 수 있어요.`,
	jobNothingMade: `만들어진 것이 없어서 받을 것도 없어요. 이유는 ${command("job", "show")} 명령어로 볼 수 있어요.`,
	jobFilesRefused: `Discord가 여기서는 이 파일들을 받지 않아요. 다른 채널에서 해 보거나 ${command("job", "show")} 명령어가 알려 주는 메시지를 보세요.`,
	jobFilesLater: "Discord가 지금 파일을 받지 않아요. 파일은 보관돼 있으니 잠시 뒤에 다시 시도하세요.",
	jobFilesGone: `파일을 더 이상 여기에 보관하지 않아요. ${command("job", "show")} 명령어가 알려 주는 메시지에는 아직 있을지도 몰라요.`,
	cancelAsked: (p) => `취소를 적어 두었어요. 취소 결과와 ${credits(p.costCredits)}의 처리는 곧 답장에 나와요.`,
	cancelWhenKnown: (p) =>
		`서비스가 받았는지 아직 몰라요. 알게 되는 대로 취소하고, 그때까지 만들어지지 않았으면 ${credits(p.costCredits)}을 돌려 드려요.`,
	cancelPassedOn: (p) =>
		`서비스에 중단을 요청했어요. 멈추면 ${credits(p.costCredits)}을 돌려 드리고, 먼저 끝나면 결과가 오고 청구돼요. 늦어도 <t:${p.deadlineAtS}:R>에는 끝나요.`,
	cancelNotSupported: (p) =>
		`서비스는 시작한 것을 멈출 수 없어요. 끝나면 결과가 오고 ${credits(p.costCredits)}이 청구돼요. <t:${p.deadlineAtS}:R>까지 끝나지 않으면 돌려 드려요.`,
	cancelDone: (p) => `취소했어요. 청구된 것은 없고 ${credits(p.costCredits)}을 돌려 드렸어요.`,
	cancelTooLate: (p) =>
		`취소하기 전에 만들어졌어요. 가격은 ${credits(p.costCredits)}이에요. 결과는 답장에 있거나 곧 와요.`,
	cancelNotNeeded: "이미 결과 없이 끝났어요. 크레딧은 청구되지 않았어요.",
	cancelCameTooLate: "취소가 늦음",
};
