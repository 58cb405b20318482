import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../translation.ts";
import { MEDIA, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "再来一次",
	buttonVary: "变化",
	buttonEdit: "编辑",
	buttonAnimate: "动起来",
	buttonDelete: "删除",
	buttonConfirm: (p) => `用 ${credits(p.costCredits)}生成`,
	buttonDecline: "算了",
	editTitle: "换一种方式生成",
	editPrompt: "提示词",
	editAspectRatio: "形状",
	editResolution: "尺寸",
	editDuration: "秒数",
	editSeed: "种子",
	editLyrics: "歌词",
	editInstrumental: "不要人声",
	editSeedHint: "留空则换一个种子",
	choiceYes: "是",
	choiceNo: "否",
	animateMenuName: "动起来",
	variationsMenuName: "生成变体",
	sourceGone: "生成它的请求已不再保留，因此无法从这里重做。请重新输入命令。",
	sourcePrivate: "那是别人的私密结果。",
	inputGone: "作为起点的图片已无法访问。请重新输入命令，并再次附加图片。",
	noPicture: "该消息中没有可用的图片。需要 PNG、JPEG 或 WebP。",
	promptTooLongToEdit: (p) => `该提示词超过 ${number(p.charsMax)} 个字符，表单放不下。请重新输入命令。`,
	notAWholeNumber: (p) => `${p.field}：${p.typed} 不是整数。`,
	othersResult: "只有请求的人和本服务器的管理人员可以删除。",
	resultDeleted: `已删除。花费的积分不会退还，账本保持不变。只要文件还在保留，你请求过的仍可用 ${command("job", "get")} 领取。`,
	confirmCost: (p) =>
		`> ${p.prompt}\n用 ${p.model} 生成${MEDIA[p.mediaType]}需要 **${credits(p.costCredits)}**。本服务器要求确认；目前尚未扣费。`,
	proposalGone: "这已经决定过了，或时间太久。请重新输入命令。",
	othersProposal: "只有请求的人可以决定。",
	proposalDeclined: "已作罢。没有扣除积分。",
};
