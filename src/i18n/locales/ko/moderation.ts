import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "멤버마다의 크레딧",
	server: "서버 전체의 크레딧",
	confirmAbove: "확인받을 기준",
};
const PER_FIRST = { day: "하루 기준", week: "일주일 기준", month: "한 달 기준" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "신고",
	buttonReport: "신고",
	reportTitle: "운영진에게 신고",
	reportReasonLabel: "무엇이 문제인가요?",
	reportReasonHint: "이 서버의 운영진이 회원님의 이름과 함께 읽어요.",
	reportThanks: "고마워요. 이 서버의 운영진에게 전달했어요.",
	reportNotOurs: "이 봇의 결과가 아니에요. Discord나 운영진에게 신고하세요.",
	reportNowhere: `이 서버에는 신고 채널이 없어요. 운영진에게 알려 주세요. 관리자는 ${command("settings", "general")} 명령어의 ${option("report_channel")} 옵션으로 정할 수 있어요.`,
	reportClosed: "운영진 채널이 이 봇의 메시지를 받지 않아요. 운영진에게 직접 알려 주세요.",
	reportEmpty: "무엇이 문제인지 적어 주세요.",
	reportedAlready: "이미 신고하셨어요. 운영진에게 전달돼 있어요.",
	reportedByMany: "이미 많은 사람이 신고했어요. 운영진에게 전달돼 있어요.",
	reportHead: (p) =>
		`**신고** <@${p.reporterId}> 님, <t:${p.atS}:f>: <@${p.userId}> 님이 <#${p.channelId}> 채널에서 만든 것${p.link === null ? "(다른 사람에게는 보이지 않아요)" : `: [메시지](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `프롬프트: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "삭제함",
			block: "멤버 차단함",
			refund: `${credits(p.costCredits)} 서버에 반환함`,
		}[p.action];
		return `**${what}** · <@${p.byUserId}> 님, <t:${p.atS}:f>`;
	},
	buttonReportDelete: "결과 삭제",
	buttonReportBlock: "멤버 차단",
	buttonReportRefund: "크레딧 반환",
	reportNotDeletable: "그 결과는 본인에게만 보여서 삭제할 것이 없어요.",
	reportDeleteForbidden: (p) =>
		`삭제할 수 없어요. 봇이 <#${p.channelId}> 채널을 다시 볼 수 있게 하거나 메시지를 직접 삭제하세요.`,
	reportBlockReason: "회원님이 만든 것에 대한 신고 때문에",
	reportRefundReason: (p) => `신고로 인한 ${p.taskId} 반환`,
	reportNothingCharged: "청구된 것이 없어서 돌려줄 것도 없어요.",

	setupDescription: "이 봇을 단계별로 설정해요. 언제든 멈추고 이어서 할 수 있어요",
	setupStep: (p) =>
		`**${p.at}/${p.of}단계.** ${
			{
				channels: "어디서 만들 수 있나요? 채널을 고르세요. 고르지 않으면 모두예요. 고른 것은 바로 적용돼요.",
				roles: "누가 만들 수 있나요? 역할을 고르세요. 고르지 않으면 모두예요.",
				budget: "얼마나 쓸 수 있나요? 멤버마다의 크레딧, 서버의 크레딧, 그리고 언제부터 확인을 받을지예요.",
				moderators: "누가 돌보나요? 설정이 바뀔 때마다 알릴 채널과 멤버의 신고를 받을 채널이에요.",
				summary: `다 됐어요. 나머지는 ${command("settings")}, ${command("quota")}, ${command("filter")}, ${command("style")} 명령어에 있어요.`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# 이 메뉴에 다 보이지 않는 허용 항목이 ${number(p.more)}개 더 있어요. 여기서 무엇을 골라도 그대로 남아요. ${command("settings")} 명령어로 바꿀 수 있어요.`,
	setupChannelsPlaceholder: "모든 곳",
	setupRolesPlaceholder: "모두",
	setupLogPlaceholder: "설정 변경을 아무 데도 알리지 않아요",
	setupReportsPlaceholder: "멤버가 신고할 수 없어요",
	setupBudgetButton: "예산 정하기",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}, 별도 규칙이 없는 사람에게. 비우면 한도 없음`,
			server: `${plain("quota")} 명령어로 바꾸지 않으면 한 달 기준. 비우면 한도 없음`,
			confirmAbove: "크레딧이 이보다 더 들면 먼저 물어봐요. 비우면 묻지 않음",
		})[p.field],
	setupNotANumber: (p) =>
		`“${BUDGET_LABELS[p.field]}”에는 ${number(p.creditsMax)} 이하의 정수를 넣거나 비워 두세요. 바뀐 것은 없어요.`,
	setupSaved: "저장했어요.",
	setupTypedKept: "입력한 내용은 남아 있어요. **예산 정하기**를 눌러 고치세요.",
	setupBack: "뒤로",
	setupNext: "다음",
	setupAgain: "처음부터",
};
