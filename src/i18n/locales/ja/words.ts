/** How Japanese counts, names and puts things. */
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

export const { ago, number } = pluralRulesOf("ja");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "送信中",
	queued: "順番待ち",
	making: "生成中",
	canceling: "キャンセル中",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "待機中",
	sending: "送信中",
	unknown: "確認中",
	making: "生成中",
	canceling: "キャンセル中",
	delivering: "送付中",
	done: "完了",
	canceled: "キャンセル済み",
	failed: "失敗",
};

export const MEDIA: Record<MediaType, string> = { image: "画像", video: "動画", music: "音楽" };
export const PER: Record<Period, string> = { day: "1日", week: "1週間", month: "1か月" };
/** By what limits are counted. */
export const BY: Record<Period, string> = { day: "日単位", week: "週単位", month: "月単位" };

export function credits(count: number): string {
	return `${number(count)}クレジット`;
}

export function results(count: number): string {
	return `${number(count)}件`;
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)}確保中`, charged: credits(count), none: "請求なし" }[are];
}

export function again(limit: Limit): string {
	if (!isWorthWaiting(limit)) return "もっと小さいものを選ぶか、管理者に相談してください。";
	return `${when(limit.resetsAtS)}に${number(limit.limitCredits)}すべてがまた使えるようになります。`;
}

export function refill(limit: LimitShown): string {
	return isUsed(limit) ? `${when(limit.resetsAtS)}にまたすべて使えるようになります。` : "";
}

/** Discord words each timestamp in the reader's own language and time. */
export function when(timeS: number): string {
	return `<t:${timeS}:f>（<t:${timeS}:R>）`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "無制限" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` ほか${number(more)}件` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `ファイル全体（最長で<t:${untilS}:f>まで）: <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join("、");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "圧縮";
		case "smaller":
			return `${made.width} × ${made.height}ピクセル`;
		case "fewerFrames":
			return `毎秒${number(made.framesPerSecond)}フレーム`;
		case "still":
			return "動きなし";
		case "standardColours":
			return made.faithful ? "HDRではなく標準の色" : "HDRではなく標準の色（やや淡く見えます）";
		case "frame":
			return "その1コマ";
		case "beginning":
			return `最初の${number(made.seconds)}秒`;
	}
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join("、") + andMore(more);
}
