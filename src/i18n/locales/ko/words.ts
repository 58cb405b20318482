/** How Korean counts, names and puts things. */
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

export const { ago, number } = pluralRulesOf("ko");
export const { command, managing, named, option, plain } = mentionsOf(names);

export const PROGRESS_STATES: Record<ProgressState, string> = {
	sending: "전송 중",
	queued: "차례를 기다리는 중",
	making: "생성 중",
	canceling: "취소 중",
};

export const JOB_STATES: Record<JobState, string> = {
	waiting: "대기 중",
	sending: "전송 중",
	unknown: "확인 중",
	making: "생성 중",
	canceling: "취소 중",
	delivering: "전달 중",
	done: "완료",
	canceled: "취소됨",
	failed: "실패",
};

export const MEDIA: Record<MediaType, string> = { image: "이미지", video: "동영상", music: "음악" };
export const PER: Record<Period, string> = { day: "하루", week: "일주일", month: "한 달" };
/** By what limits are counted. */
export const BY: Record<Period, string> = { day: "일", week: "주", month: "월" };

/** Particles that depend on the sound before them are kept away from numbers and names: "크레딧" ends in a consonant. */
export function credits(count: number): string {
	return `${number(count)}크레딧`;
}

export function results(count: number): string {
	return `${number(count)}개`;
}

export function jobCredits({ credits: count, are }: JobCreditsShown): string {
	return { aside: `${credits(count)} 보류 중`, charged: credits(count), none: "청구 없음" }[are];
}

export function again(limit: Limit): string {
	if (!isWorthWaiting(limit)) return "더 작은 것을 고르거나 관리자에게 문의하세요.";
	return `${when(limit.resetsAtS)}에 ${credits(limit.limitCredits)} 전부를 다시 쓸 수 있어요.`;
}

export function refill(limit: LimitShown): string {
	return isUsed(limit) ? ` ${when(limit.resetsAtS)}에 다시 전부 쓸 수 있어요.` : "";
}

/** Discord words each timestamp in the reader's own language and time. */
export function when(timeS: number): string {
	return `<t:${timeS}:f>(<t:${timeS}:R>)`;
}

export function moment(timeS: number): string {
	return `<t:${timeS}:d> <t:${timeS}:t>`;
}

export function orUnlimited(limitCredits: number | null): string {
	return limitCredits === null ? "무제한" : number(limitCredits);
}

export function andMore(more: number): string {
	return more > 0 ? ` 외 ${number(more)}개` : "";
}

export function fileAt({ url, untilS }: ResultLink): string {
	return `전체 파일(최대 <t:${untilS}:f>까지): <${url}>`;
}

export function changes(made: readonly Change[]): string {
	return made.map(change).join(", ");
}

function change(made: Change): string {
	switch (made.kind) {
		case "compressed":
			return "압축";
		case "smaller":
			return `${made.width} × ${made.height} 픽셀`;
		case "fewerFrames":
			return `초당 ${number(made.framesPerSecond)}프레임`;
		case "still":
			return "움직임 없음";
		case "standardColours":
			return made.faithful ? "HDR 대신 표준 색상" : "HDR 대신 표준 색상(조금 흐려 보임)";
		case "frame":
			return "한 장면";
		case "beginning":
			return `처음 ${number(made.seconds)}초`;
	}
}

export function namedList({ ids, more }: Named, mention: (id: string) => string = String): string {
	return ids.map((id) => mention(id)).join(", ") + andMore(more);
}
