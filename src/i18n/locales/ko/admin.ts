import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { MEDIA, command, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`지금 이 서버에서는 아무것도 만들지 않아요${p.sentence === null ? "." : `: ${p.sentence}`} 서버를 관리하는 사람이 ${command("settings", "pause")} 명령어로 다시 시작할 수 있어요.`,
	blocked: (p) =>
		`이 서버에서 만들기가 차단됐어요${p.untilS === null ? "" : `(<t:${p.untilS}:f>, <t:${p.untilS}:R>까지)`}: ${p.reason}. 잘못됐다고 생각하시면 이 서버의 운영진에게 문의하세요.`,
	roleDenied: (p) => `이 서버의 관리자가 <@&${p.roleId}> 역할의 만들기를 허용하지 않아요. 관리자에게 문의하세요.`,
	roleNeeded: (p) =>
		`이 서버에서는 ${namedList(p, roleMention)} 역할만 만들 수 있어요. 관리자에게 이 역할 중 하나를 부탁하세요.`,
	channelDenied: "이 서버의 관리자가 이 채널에서는 허용하지 않아요. 다른 채널을 쓰세요.",
	channelElsewhere: (p) => `이 채널에서는 안 돼요. ${namedList(p, channelMention)} 채널을 쓰세요.`,
	mediumOff: (p) =>
		`이 서버의 관리자가 ${MEDIA[p.mediaType]} 만들기를 껐어요. 다른 것을 만들거나 관리자에게 문의하세요.`,
	modelOff: (p) =>
		`이 서버의 관리자가 ${p.model} 모델을 껐어요. 다른 모델을 고르세요. 입력하는 동안 ${option("model")} 옵션에 나와요.`,
	modelAgeRestricted: (p) =>
		`${p.model} 모델은 연령 제한 채널에서만 쓸 수 있어요. 그런 채널을 쓰거나 다른 모델을 고르세요.`,
	wordsForbidden: (p) => `이 서버의 관리자가 요청에 “${p.found}” 쓰기를 허용하지 않아요. 다르게 표현해 보세요.`,
	moderationRefused: (p) =>
		p.reason === null
			? "이 봇의 검열 서비스가 받지 않아요. 다르게 표현해 보세요."
			: `이 봇의 검열 서비스가 받지 않아요: ${p.reason}`,
	moderationAway: "이 봇의 검열 서비스가 응답하지 않아서 아무것도 만들 수 없어요. 몇 분 뒤에 다시 시도하세요.",

	settingsShowDescription: `${plain("quota")}에 나오는 한도를 뺀 모든 설정`,
	settingsMediaDescription: "무엇을 만들고 어떻게 보여 줄지. 옵션이 없으면 현재 설정을 보여 줘요",
	settingsModelDescription: "모델 하나를 끄거나 다시 켜요",
	settingsChannelDescription: "어디서 만들 수 있는지. 허용한 곳이 없으면 거부하지 않은 모든 곳",
	settingsRoleDescription: "누가 만들 수 있는지. 허용한 역할이 없으면 거부된 역할이 없는 모두",
	settingsGeneralDescription: "언어, 확인, 관리자와 운영진의 채널",
	settingsPauseDescription: "이 서버의 모든 만들기를 멈추거나 다시 시작해요",
	settingsAuditDescription: "설정의 모든 변경을 최신순으로",
	settingsExportDescription: "모든 설정을 파일로",
	settingsImportDescription: "모든 설정을 파일의 것으로 바꿔요",
	optionSpoiler: "누군가 클릭할 때까지 결과를 가려요",
	optionPrivateDefault: "따로 정하지 않으면 결과를 요청한 사람에게만 보여 줘요",
	optionPrivate: "결과를 나에게만 또는 모두에게 보여 줘요",
	optionImages: "이미지를 만들지",
	optionVideos: "동영상을 만들지",
	optionMusicOn: "음악을 만들지",
	optionModelToSwitch: "어떤 모델인지",
	optionOn: "켤지",
	optionRuleChannel: "어떤 채널인지. 스레드는 그 채널에 포함돼요",
	optionRuleRole: "어떤 역할인지",
	optionRule: "어떻게 할지",
	optionLanguage: "모두가 보는 메시지의 언어",
	optionConfirmAbove: "이보다 크레딧이 더 드는 것은 확인한 뒤에 만들어요",
	optionLogChannel: "설정이 바뀔 때마다 알릴 곳",
	optionReportChannel: "멤버의 신고를 운영진이 읽을 곳",
	optionUnset: "무엇을 초기화할지",
	optionPauseOn: "멈출지",
	optionPauseSentence: "멤버가 읽을 문장",
	optionAuditBefore: "이 변경보다 오래된 것만. 앞 페이지 끝에 있는 번호예요",
	optionImportFile: `${plain("settings", "export")} 명령어가 쓴 파일`,
	choiceAllow: "허용",
	choiceDeny: "거부",
	choiceClear: "규칙 없음",
	choiceUnsetLanguage: "언어",
	choiceUnsetConfirm: "확인",
	choiceUnsetLog: "로그 채널",
	choiceUnsetReports: "운영진 채널",

	blockDescription: "멤버가 이 서버에서 만들지 못하게 해요",
	unblockDescription: "차단된 멤버가 다시 만들 수 있게 해요",
	blocksDescription: "누가 왜 언제까지 차단됐는지",
	optionBlockMember: "누구를",
	optionUnblockMember: "누구를",
	optionBlockReason: "이유. 그 멤버가 읽어요",
	optionBlockDays: "며칠 동안. 비우면 해제할 때까지",
	optionBlockHours: "추가로 몇 시간",
	filterDescription: "이 서버에서 요청할 수 없는 말",
	filterAddDescription: "말이나 패턴 추가: *는 아무 글자들, ?는 한 글자, 빈칸은 단어 사이",
	filterRemoveDescription: "말이나 패턴 제거",
	filterListDescription: "모든 말과 패턴",
	filterTestDescription: "글이 거절될지, 어떤 패턴 때문인지",
	optionPattern: "예: nud* 또는 나쁜 말",
	optionPatternToRemove: "어떤 것을",
	optionFilterText: "누군가 요청할 만한 글",
	memberBlocked: (p) =>
		`<@${p.userId}> 님을 차단했어요${p.untilS === null ? "" : `(<t:${p.untilS}:f>, <t:${p.untilS}:R>까지)`}: ${p.reason}. 전에 요청한 것은 계속돼요. ${command("job", "list")} 명령어로 취소할 수 있어요.`,
	memberUnblocked: (p) => `<@${p.userId}> 님의 차단을 해제했어요.`,
	notBlocked: (p) => `<@${p.userId}> 님은 차단되어 있지 않아요. 바뀐 것은 없어요.`,
	moderatorsOnly: "이 서버의 운영진만 할 수 있어요.",
	blockSelf: "자신을 차단할 수는 없어요.",
	blockReasonEmpty: "이유를 적어 주세요. 그 멤버가 읽어요.",
	tooManyBlocked: (p) => `이 서버는 이미 멤버 ${number(p.blocksMax)}명을 차단했어요. 먼저 몇 명을 해제하세요.`,
	blocksEmpty: "차단된 사람이 없어요.",
	blocksHead: (p) => `**차단된 멤버 ${number(p.blocked)}명**(최신순):`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "무기한" : `<t:${p.untilS}:f>까지`}, <@${p.byUserId}> 님이: ${p.reason}`,
	restInFile: "-# 전체는 파일에 있어요.",
	patternSimplified: (p) =>
		`패턴에는 글자, 숫자, \`?\`, \`*\`와 단어 구분만 쓸 수 있어요. 이것은 ${p.pattern}과 같아져요. 그 뜻이라면 그렇게 추가하세요.`,
	patternEmpty: "그 패턴에는 글자도 숫자도 없어서 아무것도 찾지 못하거나 모든 것에 맞아요.",
	patternTooLong: (p) => `패턴은 ${number(p.charsMax)}자까지예요. 더 짧게 쓰세요.`,
	patternUnknown: `그런 패턴이 없어요. ${command("filter", "list")} 명령어로 모두 볼 수 있어요.`,
	tooManyPatterns: (p) => `이 서버에는 이미 패턴이 ${number(p.patternsMax)}개 있어요. 먼저 몇 개를 제거하세요.`,
	filterEmpty: `금지된 말이 없어요. ${command("filter", "add")} 명령어로 추가할 수 있어요.`,
	filterHead: (p) => `**요청에 쓸 수 없는 패턴 ${number(p.patterns)}개**:`,
	filterMatches: (p) => `거절돼요: “${p.found}”, 패턴 ${p.pattern}에 맞아요.`,
	filterPasses: "거절되지 않아요. 맞는 것이 없어요.",

	styleDescription: `이 서버의 스타일: 이름을 붙인 말과 옵션. ${names.style} 옵션에 써요`,
	styleListDescription: "모든 스타일과 그 내용",
	styleAddDescription: "스타일을 추가하거나 바꿔요(서버를 관리하는 사람용)",
	styleRemoveDescription: "스타일을 제거해요(서버를 관리하는 사람용)",
	optionStyle: "이 서버의 스타일: 프롬프트에 더할 말, 옵션, 또는 둘 다",
	optionStyleName: "이름: 글자, 숫자, 빈칸, 하이픈",
	optionStyleText: "프롬프트에 더해지는 말",
	optionStyleMedium: "어떤 종류에 쓸지. 비우면 모두",
	optionStyleToRemove: "어떤 것을",
	styleNameImpossible: (p) =>
		`스타일 이름에는 글자, 숫자, 빈칸, 하이픈을 ${number(p.charsMax)}자까지 쓸 수 있고 글자나 숫자로 시작해야 해요.`,
	styleEmpty: "그 스타일은 비어 있어요. 프롬프트에 더할 말이나 옵션을 적어 주세요.",
	tooManyStyles: (p) => `이 서버에는 이미 스타일이 ${number(p.stylesMax)}개 있어요. 먼저 몇 개를 제거하세요.`,
	noStyles: (p) => `여기에는 ${p.style} 스타일도, 여기에 쓸 다른 스타일도 없어요. ${option("style")} 옵션을 빼세요.`,
	styleUnknown: (p) => `여기에 쓸 ${p.style} 스타일이 없어요. 다음 중에서 고르세요: ${p.known}.`,
	stylesEmpty: `이 서버에는 스타일이 없어요. 관리하는 사람이 ${command("style", "add")} 명령어로 추가할 수 있어요.`,
	stylesHead: `**스타일**(${option("style")} 옵션에 써요):`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : `(${MEDIA[p.medium]})`}: ${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "스타일로 저장",
	styleNameLabel: "이름",
	styleNameHint: "같은 이름의 스타일은 바뀌어요.",
	styleWordsLabel: "더할 말",
	styleWordsHint: "모든 프롬프트에 더해져요. 이 결과의 모델과 옵션도 함께 저장돼요.",
	styleNotOurs: "이 봇의 결과가 아니라서 저장할 것이 없어요.",
	styleMediumNeeded: `${option("medium")} 옵션으로 종류를 정하세요. 옵션은 한 종류에만 쓸 수 있어요.`,
	styleModelGone: (p) =>
		`**${p.style}** 스타일에 정해 둔 모델(${p.model})이 이제 없어요. ${option("model")} 옵션으로 다른 모델을 고르거나, 관리자에게 스타일을 바꿔 달라고 하세요.`,
	styleOptionNotTaken: (p) =>
		`**${p.style}** 스타일의 ${named(p.option)}: ${p.value} 값을 ${p.model} 모델은 쓰지 않아요. ${named(p.option)} 옵션을 직접 정하거나(스타일보다 우선해요) 다른 모델을 고르세요.`,

	showPaused: (p) =>
		`**멈춤**: 아무것도 만들지 않아요${p.sentence === null ? "" : `. 멤버에게는 “${p.sentence}”라고 보여요`}. ${command("settings", "pause")} 명령어로 다시 시작해요.`,
	showRunning: `**작동 중**. ${command("settings", "pause")} 명령어로 모두 멈출 수 있어요.`,
	showChannels: (p) => `**채널**: ${rules(p, channelMention, "모든 곳")}.`,
	showRoles: (p) => `**역할**: ${rules(p, roleMention, "모두")}.`,
	showMedia: (p) =>
		`**종류**: ${p.off.length === 0 ? "이미지, 동영상, 음악" : `${p.off.map((medium) => MEDIA[medium]).join(", ")} 끔`}.`,
	showModels: (p) => `**모델**: ${p.ids.length === 0 ? "모두 켬" : `끔: ${namedList(p)}`}.`,
	showResults: (p) =>
		`**결과**는 ${p.private ? "요청한 사람에게만" : "모두에게"} ${p.spoiler ? "누군가 클릭할 때까지 가려서" : "바로"} 보여 줘요.`,
	showConfirm: (p) =>
		p.confirmAbove === null
			? "**확인**은 받지 않아요."
			: `**확인**은 ${credits(p.confirmAbove)}보다 더 드는 것에 받아요.`,
	showLanguage: (p) => `**모두가 보는 메시지의 언어**: ${p.language ?? "서버의 언어"}.`,
	showLog: (p) =>
		`**설정 변경**은 ${p.channelId === null ? "아무 데도 알리지 않아요" : `<#${p.channelId}> 채널에 알려요`}. ${command("settings", "audit")} 명령어로 모두 볼 수 있어요.`,
	showReports: (p) =>
		`**멤버의 신고**는 ${p.channelId === null ? "아무 데도 가지 않아요" : `<#${p.channelId}> 채널로 가요`}.`,
	showCounts: (p) =>
		`**그 밖에**: ${command("filter")} 패턴 ${number(p.patterns)}개, ${command("blocks")} 멤버 ${number(p.blocked)}명, ${command("style")} 스타일 ${number(p.styles)}개.`,
	showQuota: `-# 한도는 ${command("quota", "show")} 명령어로 볼 수 있어요.`,
	listFull: (p) => `그 목록에는 이미 ${number(p.listedMax)}개가 있어요. 먼저 몇 개를 해제하세요.`,
	everyoneRoleRule: `그 역할은 모두를 뜻해요. 다른 역할을 고르거나 ${command("settings", "pause")} 명령어로 모두 멈추세요.`,
	channelNotWritable: (p) =>
		`<#${p.channelId}> 채널에 쓸 수 없어요. 봇이 그 채널을 보고 메시지를 보낼 수 있게 하거나 다른 채널을 고르세요.`,
	logChannelHello: "이제부터 이 서버의 설정이 바뀔 때마다 여기에 알려요.",
	reportChannelHello: "이제부터 멤버의 신고를 여기에 알려요.",
	generalOneOf: `같은 것에는 값이나 ${option("unset")} 중 하나만 고르세요.`,

	auditHead: "**설정 변경**(최신순):",
	auditEmpty: "아직 바뀐 것이 없어요.",
	auditMore: (p) => `-# 더 보려면 ${option("before", p.before)}, 이렇게 추가하세요.`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` 외 ${number(p.more)}개` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "없음"} → ${p.after ?? "없음"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported:
		"이 서버의 모든 설정이에요. 차단된 멤버와 필터 패턴도 들어 있어요. 파일을 다른 사람에게 주지 마세요.",
	settingsImported: (p) => `가져왔어요. 파일에 없는 것은 처음 상태예요. 지금 설정:\n${p.settings}`,
	importNotJson: `그 파일은 JSON이 아니에요. ${command("settings", "export")} 명령어가 쓴 파일을 쓰세요. 바뀐 것은 없어요.`,
	importTooLarge: (p) =>
		`그 파일은 ${number(p.sizeMaxKiB)} KiB보다 커서 설정을 내보낸 파일이 아니에요. 바뀐 것은 없어요.`,
	importUnread: "Discord에서 그 파일을 가져오지 못했어요. 다시 시도하세요. 바뀐 것은 없어요.",
	importFaulty: (p) =>
		`그 파일을 가져올 수 없어요. 바뀐 것은 없어요:\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- 외 ${number(p.more)}개` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `(${namedList(denied, mention)} 제외)`;
	return (allowed.ids.length === 0 ? all : `${namedList(allowed, mention)}만`) + but;
}
