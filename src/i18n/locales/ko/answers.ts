import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, again, changes, command, credits, fileAt, named, number, option, when } from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · ${number(p.leftCredits)} 남음`,
	resultInPart: (p) => `${number(p.ordered)}장 중 ${number(p.made)}장이 만들어졌어요. 만들어진 것만 청구돼요.`,
	resultLeftOut: (p) =>
		`${number(p.made)}개가 만들어졌어요. 메시지 하나에는 ${number(p.shown)}개까지라서 나머지는 보이지 않고 청구되지도 않아요.`,
	detailSeed: (p) => `시드 ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)}초`,
	resultBooksDamaged: (p) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} 청구됨 · 이 서버의 장부가 손상됐어요`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} 청구됨 · 이 서버의 장부가 손상됐어요\n-# Discord가 여기서 허용하지 않아 프롬프트는 다시 보여 드리지 않아요.`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "크레딧은 청구되지 않았어요.",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · ${number(p.leftCredits)} 남음\n-# Discord가 여기서 허용하지 않아 프롬프트는 다시 보여 드리지 않아요.`,
	fileRefused: (p) =>
		`만들어서 청구했지만(${credits(p.costCredits)}) Discord가 여기서는 파일을 받지 않았어요. 일주일 동안 보관해요. ${command("job", "get")} 명령어로 다른 곳에서 받을 수 있을지도 몰라요. 봇 운영자는 ${p.taskId} 번호로 보관하고 있어요.`,
	directLead: (p) => `<#${p.channelId}>에서 요청하셨지만 이제 그곳에 보여 드릴 수 없어요:`,
	comesLaterHere: "평소보다 오래 걸리고 있어요. 다 되면 여기에 올릴게요.",
	comesLaterDirectly: `평소보다 오래 걸리고 있어요. 다 되면 다이렉트 메시지로 보낼게요. 받지 않도록 설정하셨다면 ${command("job")} 명령어로 볼 수 있어요.`,

	creditsShort: (p) =>
		`${credits(p.costCredits)}이 필요한데 이 서버에는 ${credits(p.leftCredits)}이 남아 있어요. ${p.refillsAtS === null ? "더 작은 것을 고르거나 관리자에게 추가를 부탁하세요." : `다음 충전은 ${when(p.refillsAtS)}예요. 그때까지 더 작은 것을 고르거나 관리자에게 문의하세요.`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "이 서버의 관리자가 회원님에게 크레딧을 주지 않았어요. 관리자에게 문의하세요."
			: `${credits(p.costCredits)}이 필요한데 회원님의 ${PER[p.per]} ${credits(p.limitCredits)} 중 ${credits(p.leftCredits)}이 남아 있어요. ${again(p)}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `이 서버의 관리자가 멤버에게 ${MEDIA[p.mediaType]}용 크레딧을 주지 않았어요.`
			: `${credits(p.costCredits)}이 필요한데 멤버마다 ${MEDIA[p.mediaType]}에 쓸 수 있는 ${PER[p.per]} ${credits(p.limitCredits)} 중 ${credits(p.leftCredits)}이 남아 있어요. ${again(p)}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "이 서버의 관리자가 크레딧 사용을 모두 멈췄어요."
			: `${credits(p.costCredits)}이 필요한데 이 서버의 ${PER[p.per]} ${credits(p.limitCredits)} 중 ${credits(p.leftCredits)}이 남아 있어요. ${again(p)}`,
	tooManyAtOnce: "이 서버에서 한꺼번에 만드는 것이 너무 많아요. 하나가 끝나기를 기다렸다가 다시 시도하세요.",
	managersOnly: "이 서버를 관리할 수 있는 사람만 할 수 있어요.",
	grantedByOperator: "크레딧은 이 봇의 운영자만 지급할 수 있어요. 더 필요하면 운영자에게 요청하세요.",
	othersHistory: `다른 사람의 내역은 이 서버를 관리할 수 있는 사람만 볼 수 있어요. 내 내역을 보려면 ${option("member")} 옵션을 빼세요.`,
	revokeTooMuch: (p) =>
		`${credits(p.amountCredits)}을 회수할 수 없어요. 이 서버에는 ${credits(p.availableCredits)}이 비어 있어요${p.heldCredits > 0 ? `(만드는 중인 것에 ${credits(p.heldCredits)} 보류)` : ""}.`,
	changeDiffers: "이 ID로는 이전에 다른 일을 했어요. 바뀐 것은 없어요.",
	changeUncertain: `실행됐는지 확실하지 않아요. 다시 하기 전에 ${command("credits", "history")} 명령어로 확인하세요.`,
	amountImpossible: "장부에 담을 수 있는 것보다 많아요. 더 작은 수를 고르세요.",
	tooManyExpiring: "이 서버에는 만료되는 지급이 이미 너무 많아요. 만료 없이 지급하거나 기다리세요.",
	nothingToChange: "바뀐 것이 없어요. 무엇을 바꿀지 정해 주세요.",
	allotmentOneOf: `${option("credits")}, ${option("unlimited")}, ${option("clear")} 중 하나를 고르세요.`,
	limitOneOf: `${option("credits")}, ${option("unlimited")} 중 하나를 고르세요.`,
	mediumOneOf: `${option("credits")}, ${option("clear")} 중 하나를 고르세요.`,
	warnOneOf: `${option("warn_channel")}, ${option("warn_nobody")} 중 하나를 고르세요.`,
	periodWithoutLimit: `기간으로 셀 서버 한도가 없어요. ${option("credits")} 옵션도 넣어 주세요.`,
	periodForEverybody: `기간은 모두에게 같아요. 바꾸려면 ${option("member")} 옵션을 빼세요.`,
	everyoneRole: `그 역할은 모두를 뜻해요. 멤버 없이 ${command("quota", "member")} 명령어를 쓰세요.`,
	timeZoneUnknown: (p) => `${p.typed}, 이런 시간대는 없어요. Asia/Seoul처럼 목록에서 하나를 고르세요.`,
	tooManyExceptions: (p) =>
		`이 서버에는 이미 역할과 멤버 규칙이 ${number(p.exceptionsMax)}개 있어요. 먼저 몇 개를 해제하세요.`,
	serverOnly: "크레딧은 서버의 것이라 서버 안에서만 쓸 수 있어요.",
	controlUnknown:
		"이것은 더 이상 작동하지 않아요. 이 봇의 이전 버전이나 다른 무언가가 둔 것이에요. 대신 명령어를 입력하세요.",
	promptEmpty: "프롬프트가 비어 있어요. 원하는 것을 짧게 적어 주세요.",
	noModel: (p) =>
		`지금은 여기서 ${MEDIA[p.mediaType]} 만들기를 할 수 없어요. 이유는 봇 운영자가 로그에서 볼 수 있어요.`,
	modelUnknown: (p) => `여기에는 ${p.model} 모델이 없어요. 다음 중에서 고르세요: ${p.known}.`,
	imageNeeded: (p) => `${p.model} 모델에는 바탕이 될 이미지가 필요해요. ${option("image")} 옵션에 첨부하세요.`,
	optionNotTaken: (p) => `${p.model} 모델은 ${named(p.option)} 옵션을 쓰지 않아요. 빼거나 다른 모델을 고르세요.`,
	optionOneOf: (p) =>
		`${p.model} 모델은 ${named(p.option)} 옵션에 ${p.value} 값을 쓸 수 없어요. 다음 중에서 고르세요: ${p.values}.`,
	optionRange: (p) =>
		`${p.model} 모델은 ${named(p.option)} 옵션에 ${p.value} 값을 쓸 수 없어요. ${number(p.min)}부터 ${number(p.max)}까지의 정수를 넣으세요.`,
	durationNeeded: (p) => `${p.model} 모델은 초 단위로 계산해요. ${option("duration")} 옵션으로 길이를 정하세요.`,
	optionTooLong: (p) => `${p.model} 모델의 ${named(p.option)} 옵션은 최대 ${number(p.charsMax)}자예요.`,
	inputTooManyPixels: (p) =>
		`그 이미지는 ${number(p.megapixels)}메가픽셀이에요. ${number(p.megapixelsMax)}메가픽셀보다 작은 이미지를 쓰세요.`,
	attachmentNotImage: "그 파일은 이미지가 아니에요. PNG, JPEG, WebP 중 하나를 첨부하세요.",
	serviceDown: "지금 생성 서비스에 연결할 수 없어요. 몇 분 뒤에 다시 시도하세요.",
	serviceBusy: "생성 서비스가 붐비고 있어요. 몇 분 뒤에 다시 시도하세요.",
	pausedByOperator: "지금은 새 요청을 받지 않아요. 이 봇은 백업에서 복원되었어요. 운영자가 곧 다시 열 거예요.",
	serviceConfused: "생성 서비스가 알 수 없는 응답을 했어요. 봇 운영자가 로그에서 볼 수 있어요.",
	serviceRefused: (p) => `생성 서비스가 거절했어요: ${p.reason}`,
	contentPolicy: "생성 서비스가 이 프롬프트를 받지 않아요. 다르게 표현해 보세요.",
	operatorMustAct: "지금 생성 서비스가 이 봇에서 작동하지 않아요. 봇 운영자만 해결할 수 있고, 이유는 로그에 있어요.",
	modelUnavailable: "생성 서비스가 지금 이 모델을 쓸 수 없어요. 다른 모델을 써 보세요.",
	makingFailed: "생성 서비스가 시도했지만 실패했어요. 다시 시도하거나 다른 모델을 써 보세요.",
	nothingMade: "서비스는 끝났다고 하는데 파일이 없어요. 다시 시도하세요.",
	timedOut: "너무 오래 걸려서 그만뒀어요. 다시 시도하거나 더 짧은 것을 해 보세요.",
	notSent: "제때 서비스에 보내지 못해서 만들어지지 않았어요. 나중에 다시 시도하세요.",
	botWasStopped: "이 봇이 잠시 멈춰 있어서 보내기 전에 시간이 다 됐어요. 다시 시도하세요.",
	resultLost: "만들었지만 파일을 가져오지 못했어요. 다시 시도하세요.",
	diskFull: "만들었지만 이 봇의 디스크가 가득 찼어요. 봇 운영자만 해결할 수 있어요.",
	resultOutOfBounds:
		"만들었지만 이 봇이 파일을 가져올 수 없는 곳에 있어요. 어디인지는 봇 운영자가 로그에서 볼 수 있어요.",
	resultStrange: "만들었지만 Discord가 보여 주지 않는 종류의 파일이에요. 다시 시도하거나 다른 모델을 써 보세요.",
	resultWrongMedium: (p) =>
		`서비스가 만든 것은 ${{ image: "이미지가", video: "동영상이", music: "음악이" }[p.mediaType]} 아니에요. 다시 시도하거나 다른 모델을 써 보세요.`,
	resultDamaged: "만들었지만 파일이 손상됐어요. 다시 시도하거나 다른 모델을 써 보세요.",
	resultTooManyPixels: (p) =>
		`만들었지만 이미지가 ${number(p.megapixels)}메가픽셀이라 안전하게 열 수 없어요. 더 낮은 해상도를 고르세요.`,
	resultFitted: (p) => `여기에 맞게 조정했어요: ${changes(p.changes)}.`,
	resultPreview: (p) =>
		`전체 파일은 ${number(p.sizeMiB)} MiB라서 어떤 화질로도 여기에 보여 드릴 수 없어요. 대신 보여 드리는 것: ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `나머지는 봇 운영자가 일주일 동안 ${p.taskId} 번호로 보관해요.`}`,
	fileAt,
	resultTooLarge: (p) =>
		`만들었지만 파일이 ${number(p.sizeMiB)} MiB이고 여기의 한도는 ${number(p.limitMiB)} MiB예요. 더 낮은 해상도나 더 짧은 길이를 고르세요.`,
	resultNeedsMoreMemory: (p) =>
		`만들었지만 봇의 메모리가 부족해서 ${number(p.sizeMiB)} MiB 파일을 변환할 수 없어요. 더 낮은 해상도나 더 짧은 길이를 고르세요. 봇 운영자는 로그에서 볼 수 있어요.`,
	resultTooLargeToFetch: (p) =>
		`만들었지만 파일이 이 봇이 가져올 수 있는 최대 크기인 ${number(p.limitMiB)} MiB보다 커요. 더 낮은 해상도나 더 짧은 길이를 고르세요.`,
	noWayBack:
		"15분 넘게 걸릴 수 있고, 그 뒤에는 봇만 여기에 보여 줄 수 있어요. 그런데 봇이 이 서버에 없거나 이 채널을 볼 수 없어요. 관리자에게 허용을 부탁하거나 다른 채널을 쓰세요. 크레딧은 청구되지 않았어요.",
	outcomeUnknown: "서비스가 받았는지 확실하지 않아요.",
	outcomePending: (p) => {
		const then = p.costCredits === 0 ? "그만둬요" : `${credits(p.costCredits)}을 돌려 드려요`;
		return p.isLookedUp
			? `서비스가 받았는지 답하지 않아 확인 중이고, <t:${p.deadlineAtS}:R>에도 알 수 없으면 ${then}.`
			: `서비스가 받았는지 답하지 않아 <t:${p.deadlineAtS}:R>에 ${then}.`;
	},
	canceledByMember: "요청한 사람이 취소했어요.",
	canceledByModerator: (p) => `이 서버의 운영진 <@${p.userId}> 님이 취소했어요.`,
	canceledByOperator: "봇 운영자가 취소했어요.",
	canceledByService: "생성 서비스가 취소했어요. 다시 시도하세요.",
	unexpected: (p) => `저희 쪽에 문제가 생겼어요. 또 생기면 봇 운영자에게 알려 주세요: 사건 번호 ${p.incidentId}.`,
	booksDamaged: (p) =>
		`이 서버의 장부가 손상되어 고칠 때까지 아무것도 할 수 없어요. 크레딧은 움직이지 않았어요. 봇 운영자에게 알려 주세요: 사건 번호 ${p.incidentId}.`,
};
