import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../translation.ts";
import { MEDIA, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "다시",
	buttonVary: "변형",
	buttonEdit: "편집",
	buttonAnimate: "움직이기",
	buttonUseAsInput: "입력으로 사용",
	buttonDelete: "삭제",
	buttonConfirm: (p) => `${credits(p.costCredits)}로 만들기`,
	buttonDecline: "그만두기",
	buttonRedeem: "구매한 크레딧을 여기에 추가",
	editTitle: "다르게 만들기",
	editInputTitle: "이 이미지로 만들기",
	editPrompt: "프롬프트",
	editAspectRatio: "모양",
	editResolution: "크기",
	editDuration: "초",
	editSeed: "시드",
	editLyrics: "가사",
	editInstrumental: "목소리 없이",
	editSeedHint: "비우면 다른 시드",
	choiceYes: "예",
	choiceNo: "아니요",
	animateMenuName: "움직이기",
	variationsMenuName: "변형 만들기",
	sourceGone: "이것을 만든 요청을 더 이상 보관하지 않아 여기서는 다시 만들 수 없어요. 명령어를 다시 입력하세요.",
	sourcePrivate: "다른 사람의 비공개 결과예요.",
	inputGone: "바탕이 된 이미지를 더 이상 쓸 수 없어요. 명령어를 다시 입력하고 이미지를 다시 첨부하세요.",
	noPicture: "그 메시지에는 쓸 수 있는 이미지가 없어요. PNG, JPEG, WebP 중 하나여야 해요.",
	promptTooLongToEdit: (p) =>
		`그 프롬프트는 ${number(p.charsMax)}자가 넘어서 양식에 들어가지 않아요. 명령어를 다시 입력하세요.`,
	notAWholeNumber: (p) => `${p.field}: ${p.typed}, 정수가 아니에요.`,
	othersResult: "요청한 사람과 이 서버의 운영진만 삭제할 수 있어요.",
	resultDeleted: `삭제했어요. 쓴 크레딧은 그대로이고 장부도 그대로예요. 요청하신 것의 파일은 보관되는 동안 ${command("job", "get")} 명령어로 받을 수 있어요.`,
	confirmCost: (p) =>
		`> ${p.prompt}\n${MEDIA[p.mediaType]}(${p.model}) 가격은 **${credits(p.costCredits)}**이에요. 이 서버에서는 확인이 필요해요. 아직 청구된 것은 없어요.`,
	proposalGone: "이미 결정됐거나 너무 오래됐어요. 명령어를 다시 입력하세요.",
	othersProposal: "요청한 사람만 결정할 수 있어요.",
	proposalDeclined: "그만뒀어요. 청구된 것은 없어요.",
};
