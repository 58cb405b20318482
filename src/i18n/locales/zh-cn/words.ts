/** How Chinese counts, names and puts things. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { Period } from "../../params.ts";
import { mentionsOf } from "../../command-names.ts";
import { pluralRulesOf } from "../../plurals.ts";
import {
	isUsed,
	isWorthWaiting,
	type JobCreditsShown,
	type Limit,
	type LimitShown,
	type Named,
	type ProgressState,
	type JobState,
	type ResultLink,
	type Change,
} from "../../params.ts";
import { names } from "./names.ts";

export const { ago, number } = pluralRulesOf("zh-CN");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "提交中",
	queued: "排队等候",
	making: "生成中",
	canceling: "取消中",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "等待中",
	sending: "提交中",
	unknown: "待确认",
	making: "生成中",
	canceling: "取消中",
	delivering: "发送中",
	done: "已完成",
	canceled: "已取消",
	failed: "失败",
};

export const MEDIA: Record<MediaType, string> = { image: "图片", video: "视频", music: "音乐" };
export const PER: Record<Period, string> = { day: "每天", week: "每周", month: "每月" };
/** By what limits are counted. */
export const BY: Record<Period, string> = { day: "天", week: "周", month: "月" };

export function credits(count: number): string {
	return `${number(count)} 积分`;
}

export function results(count: number): string {
	return `${number(count)} 个结果`;
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `已预留 ${credits(count)}`, charged: credits(count), none: "未扣费" }[are];
}

export function again(limit: Limit): string {
	if (!isWorthWaiting(limit)) return "请选择更小的内容，或联系管理员。";
	return `${when(limit.resetsAtS)}可重新使用全部 ${number(limit.limitCredits)}。`;
}

export function refill(limit: LimitShown): string {
	return isUsed(limit) ? `${when(limit.resetsAtS)}可重新使用全部。` : "";
}

/** Discord words each timestamp in the reader's own language and time. */
export function when(timeS: number): string {
	return `<t:${timeS}:f>（<t:${timeS}:R>）`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "不限" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` 等，另有 ${number(more)} 个` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `完整文件，最迟到 <t:${untilS}:f>：<${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join("、");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "已压缩";
		case "smaller":
			return `${made.width} × ${made.height} 像素`;
		case "fewerFrames":
			return `每秒 ${number(made.framesPerSecond)} 帧`;
		case "still":
			return "没有动态";
		case "standardColours":
			return made.faithful ? "用标准色彩代替 HDR" : "用标准色彩代替 HDR，看起来偏淡";
		case "frame":
			return "其中一帧";
		case "beginning":
			return `开头 ${number(made.seconds)} 秒`;
	}
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join("、") + andMore(more);
}
