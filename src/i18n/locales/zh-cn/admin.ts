import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { MEDIA, command, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`本服务器目前暂停生成${p.sentence === null ? "。" : `：${p.sentence}`} 管理服务器的人可以用 ${command("settings", "pause")} 恢复。`,
	blocked: (p) =>
		`你被禁止在本服务器生成内容${p.untilS === null ? "" : `，直到 <t:${p.untilS}:f>（<t:${p.untilS}:R>）`}：${p.reason}。如果你认为有误，请联系本服务器的管理人员。`,
	roleDenied: (p) => `本服务器的管理员不允许 <@&${p.roleId}> 生成内容。请联系他们。`,
	roleNeeded: (p) => `在本服务器只有 ${namedList(p, roleMention)} 可以生成内容。请向管理员申请其中一个身份组。`,
	channelDenied: "本服务器的管理员不允许在这个频道生成。请换一个频道。",
	channelElsewhere: (p) => `不能在这个频道：请使用 ${namedList(p, channelMention)}。`,
	mediumOff: (p) => `本服务器的管理员已关闭${MEDIA[p.mediaType]}。请生成别的内容，或联系他们。`,
	modelOff: (p) => `本服务器的管理员已关闭 ${p.model}。请选择其他模型：输入时 ${option("model")} 会列出可用的。`,
	modelAgeRestricted: (p) => `${p.model} 只能在年龄限制频道中使用。请换到那里，或选择其他模型。`,
	wordsForbidden: (p) => `本服务器的管理员不允许在请求中使用“${p.found}”。请换一种说法。`,
	moderationRefused: (p) =>
		p.reason === null
			? "本机器人的审核服务不接受这个内容。请换一种说法。"
			: `本机器人的审核服务不接受这个内容：${p.reason}`,
	moderationAway: "本机器人的审核服务没有响应，没有它就不会生成。请几分钟后再试。",

	settingsShowDescription: `除 ${plain("quota")} 所示限额之外的所有设置`,
	settingsMediaDescription: "可以生成什么、结果如何显示；不带选项则显示当前设置",
	settingsModelDescription: "关闭一个模型，或重新启用",
	settingsChannelDescription: "可以在哪里生成：没有允许的频道时，未被拒绝的都可以",
	settingsRoleDescription: "谁可以生成：没有允许的身份组时，没有被拒身份组的人都可以",
	settingsGeneralDescription: "语言、确认，以及管理员和管理人员的频道",
	settingsPauseDescription: "停止本服务器的一切生成，或恢复",
	settingsAuditDescription: "设置的每次更改，最新的在前",
	settingsExportDescription: "以文件形式导出所有设置",
	settingsImportDescription: "用文件中的设置替换所有设置",
	optionSpoiler: "先隐藏结果，有人点击才显示",
	optionPrivateDefault: "除非另有指定，结果只给请求的人看",
	optionPrivate: "结果只给你看，还是给所有人看",
	optionImages: "是否可以生成图片",
	optionVideos: "是否可以生成视频",
	optionMusicOn: "是否可以生成音乐",
	optionModelToSwitch: "哪个模型",
	optionOn: "是否启用",
	optionRuleChannel: "哪个频道；子区随其频道计算",
	optionRuleRole: "哪个身份组",
	optionRule: "适用什么规则",
	optionLanguage: "所有人可见的消息所用的语言",
	optionConfirmAbove: "花费超过这个积分数的，确认后才会生成",
	optionLogChannel: "每次更改设置在哪里通知",
	optionReportChannel: "管理人员在哪里查看成员的举报",
	optionUnset: "重置什么",
	optionPauseOn: "是否暂停",
	optionPauseSentence: "给成员看的说明",
	optionAuditBefore: "只看早于此次更改的：上一页末尾的编号",
	optionImportFile: `由 ${plain("settings", "export")} 写出的文件`,
	choiceAllow: "允许",
	choiceDeny: "拒绝",
	choiceClear: "不再有规则",
	choiceUnsetLanguage: "语言",
	choiceUnsetConfirm: "确认",
	choiceUnsetLog: "日志频道",
	choiceUnsetReports: "管理人员的频道",

	blockDescription: "禁止某位成员在本服务器生成内容",
	unblockDescription: "让被屏蔽的成员重新可以生成内容",
	blocksDescription: "谁被屏蔽、为什么、到什么时候",
	optionBlockMember: "谁",
	optionUnblockMember: "谁",
	optionBlockReason: "原因；该成员会看到",
	optionBlockDays: "多少天；不填则直到有人解除",
	optionBlockHours: "再加多少小时",
	filterDescription: "在本服务器不可请求的词语",
	filterAddDescription: "添加词语或模式：* 是任意字母，? 是一个字母，空格代表词语之间的分隔",
	filterRemoveDescription: "移除词语或模式",
	filterListDescription: "所有词语和模式",
	filterTestDescription: "一段文本是否会被拒绝，以及因为哪个模式",
	optionPattern: "例如：nud* 或 坏 词",
	optionPatternToRemove: "哪一个",
	optionFilterText: "别人可能请求的内容",
	memberBlocked: (p) =>
		`<@${p.userId}> 已被屏蔽${p.untilS === null ? "" : `，直到 <t:${p.untilS}:f>（<t:${p.untilS}:R>）`}：${p.reason}。之前的请求会继续；可用 ${command("job", "list")} 取消。`,
	memberUnblocked: (p) => `<@${p.userId}> 不再被屏蔽。`,
	notBlocked: (p) => `<@${p.userId}> 没有被屏蔽。没有任何更改。`,
	moderatorsOnly: "只有本服务器的管理人员才能这样做。",
	blockSelf: "你不能屏蔽自己。",
	blockReasonEmpty: "请说明原因：该成员会看到。",
	tooManyBlocked: (p) => `本服务器已屏蔽 ${number(p.blocksMax)} 位成员。请先解除一些。`,
	blocksEmpty: "没有人被屏蔽。",
	blocksHead: (p) => `**${number(p.blocked)} 位被屏蔽的成员**，最新的在前：`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "无期限" : `直到 <t:${p.untilS}:f>`}，由 <@${p.byUserId}>：${p.reason}`,
	restInFile: "-# 全部都在文件里。",
	patternSimplified: (p) =>
		`模式中只有字母、数字、\`?\`、\`*\` 和词间分隔有效：该模式会变成 ${p.pattern}。如果这就是你的意思，请直接添加它。`,
	patternEmpty: "该模式中没有字母也没有数字，会匹配不到任何内容，或匹配一切。",
	patternTooLong: (p) => `模式最多 ${number(p.charsMax)} 个字符。请用更短的。`,
	patternUnknown: `没有这个模式。用 ${command("filter", "list")} 查看全部。`,
	tooManyPatterns: (p) => `本服务器已有 ${number(p.patternsMax)} 个模式。请先移除一些。`,
	filterEmpty: `没有被禁止的词语。用 ${command("filter", "add")} 添加。`,
	filterHead: (p) => `**${number(p.patterns)} 个模式**不可出现在请求中：`,
	filterMatches: (p) => `会被拒绝：“${p.found}”匹配 ${p.pattern}。`,
	filterPasses: "不会被拒绝：没有匹配的内容。",

	styleDescription: `本服务器的风格：有名称的词语和选项，用于选项“${names.style}”`,
	styleListDescription: "所有风格及其内容",
	styleAddDescription: "添加或替换一个风格（供管理服务器的人使用）",
	styleRemoveDescription: "移除一个风格（供管理服务器的人使用）",
	optionStyle: "本服务器的风格：添加到提示词的词语、选项，或两者",
	optionStyleName: "名称：字母、数字、空格和连字符",
	optionStyleText: "添加到提示词里的内容",
	optionStyleMedium: "用于哪种类型；不填则全部",
	optionStyleToRemove: "哪一个",
	styleNameImpossible: (p) =>
		`风格名称可用字母、数字、空格和连字符，最多 ${number(p.charsMax)} 个，并以字母或数字开头。`,
	styleEmpty: "这个风格是空的。请说明要给提示词添加的词语，或一个选项。",
	tooManyStyles: (p) => `本服务器已有 ${number(p.stylesMax)} 个风格。请先移除一些。`,
	noStyles: (p) => `这里没有名为 ${p.style} 的风格，也没有其他可用的。请不填 ${option("style")}。`,
	styleUnknown: (p) => `这里没有可用于此的名为 ${p.style} 的风格。请从中选择：${p.known}。`,
	stylesEmpty: `本服务器没有风格。管理服务器的人可以用 ${command("style", "add")} 添加。`,
	stylesHead: `**风格**，用于选项 ${option("style")}：`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : `（${MEDIA[p.medium]}）`}：${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "保存为风格",
	styleNameLabel: "名称",
	styleNameHint: "同名的风格会被替换。",
	styleWordsLabel: "词语",
	styleWordsHint: "会添加到每个提示词。此结果的模型和选项会一并保存。",
	styleNotOurs: "这不是本机器人的结果，没有可保存的内容。",
	styleMediumNeeded: `请用 ${option("medium")} 指定类型：选项只对一种类型有效。`,
	styleModelGone: (p) =>
		`风格 **${p.style}** 使用的模型 ${p.model} 已不存在。请用 ${option("model")} 指定其他模型，或请管理员更改该风格。`,
	styleOptionNotTaken: (p) =>
		`风格 **${p.style}** 设定了 ${named(p.option)}：${p.value}，而 ${p.model} 不支持。请自己填写 ${named(p.option)}（优先于风格），或选择其他模型。`,

	showPaused: (p) =>
		`**已暂停**：不会生成任何内容${p.sentence === null ? "" : `；成员会看到“${p.sentence}”`}。用 ${command("settings", "pause")} 恢复。`,
	showRunning: `**运行中**；用 ${command("settings", "pause")} 停止一切。`,
	showChannels: (p) => `**频道**：${rules(p, channelMention, "所有频道")}。`,
	showRoles: (p) => `**身份组**：${rules(p, roleMention, "所有人")}。`,
	showMedia: (p) =>
		`**类型**：${p.off.length === 0 ? "图片、视频和音乐" : `已关闭${p.off.map((medium) => MEDIA[medium]).join("、")}`}。`,
	showModels: (p) => `**模型**：${p.ids.length === 0 ? "全部启用" : `已关闭：${namedList(p)}`}。`,
	showResults: (p) =>
		`**结果**${p.private ? "只给请求的人看" : "给所有人看"}，${p.spoiler ? "先隐藏，有人点击才显示" : "立即显示"}。`,
	showConfirm: (p) =>
		p.confirmAbove === null ? "**确认**：不需要。" : `**确认**：花费超过 ${credits(p.confirmAbove)}时需要。`,
	showLanguage: (p) => `**所有人可见的消息的语言**：${p.language ?? "服务器的语言"}。`,
	showLog: (p) =>
		`**设置更改**${p.channelId === null ? "不通知到任何地方" : `会通知到 <#${p.channelId}>`}；用 ${command("settings", "audit")} 查看全部。`,
	showReports: (p) => `**成员的举报**${p.channelId === null ? "不会发往任何地方" : `会发到 <#${p.channelId}>`}。`,
	showCounts: (p) =>
		`**另外**：${command("filter")} 中有 ${number(p.patterns)} 个模式，${command("blocks")} 中有 ${number(p.blocked)} 位成员，${command("style")} 中有 ${number(p.styles)} 个风格。`,
	showQuota: `-# 限额请看 ${command("quota", "show")}。`,
	listFull: (p) => `该列表已有 ${number(p.listedMax)} 项。请先清除一些。`,
	everyoneRoleRule: `那个身份组就是所有人。请选择其他身份组，或用 ${command("settings", "pause")} 停止一切。`,
	channelNotWritable: (p) => `我不能在 <#${p.channelId}> 里发言。请让我能看到并在那里发送消息，或选择其他频道。`,
	logChannelHello: "从现在起，本服务器设置的每次更改都会在这里通知。",
	reportChannelHello: "从现在起，成员的举报会发到这里。",
	generalOneOf: `同一项请填写值或选择 ${option("unset")}，不能两者都用。`,

	auditHead: "**设置更改**，最新的在前：",
	auditEmpty: "还没有任何更改。",
	auditMore: (p) => `-# 要看更多，请加上 ${option("before", p.before)}。`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` 等，另有 ${number(p.more)} 项` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "无"} → ${p.after ?? "无"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported: "本服务器的所有设置，包括被屏蔽的成员和过滤模式。请自行保管这个文件。",
	settingsImported: (p) => `已导入。文件中没有的都恢复为初始状态。现在：\n${p.settings}`,
	importNotJson: `该文件不是 JSON。请使用 ${command("settings", "export")} 写出的文件。没有任何更改。`,
	importTooLarge: (p) => `该文件大于 ${number(p.sizeMaxKiB)} KiB，因此不是设置的导出文件。没有任何更改。`,
	importUnread: "无法从 Discord 取得该文件。请再试一次。没有任何更改。",
	importFaulty: (p) =>
		`该文件无法导入，没有任何更改：\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- 另有 ${number(p.more)} 项` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `，除 ${namedList(denied, mention)} 外`;
	return (allowed.ids.length === 0 ? all : `仅 ${namedList(allowed, mention)}`) + but;
}
