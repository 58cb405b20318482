import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, again, changes, command, credits, fileAt, named, number, option, when } from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · 剩余 ${number(p.leftCredits)}`,
	resultInPart: (p) => `订购 ${number(p.ordered)} 张，生成了 ${number(p.made)} 张；只收取这些的费用。`,
	resultLeftOut: (p) => `生成了 ${number(p.made)} 个。一条消息最多放 ${number(p.shown)} 个，其余的不显示，也不收费。`,
	detailSeed: (p) => `种子 ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)} 秒`,
	resultBooksDamaged: (p) => `> ${p.prompt}\n-# ${p.details} · 已扣 ${credits(p.costCredits)} · 本服务器的账本已损坏`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · 已扣 ${credits(p.costCredits)} · 本服务器的账本已损坏\n-# Discord 不允许在此显示提示词，因此不再重复。`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "没有扣除积分。",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · 剩余 ${number(p.leftCredits)}\n-# Discord 不允许在此显示提示词，因此不再重复。`,
	fileRefused: (p) =>
		`已经生成并扣费（${credits(p.costCredits)}），但 Discord 不接受在此发送该文件。文件会保留一周：${command("job", "get")} 也许能在别处取到，机器人运营者处的编号是 ${p.taskId}。`,
	directLead: (p) => `这是你在 <#${p.channelId}> 里要的内容，那里已无法显示：`,
	comesLaterHere: "这次比平时久。完成后会发在这里。",
	comesLaterDirectly: `这次比平时久。完成后会私信给你；如果你不接收私信，可以用 ${command("job")} 查看。`,

	creditsShort: (p) =>
		`这需要 ${credits(p.costCredits)}，而本服务器还剩 ${number(p.leftCredits)}。${p.refillsAtS === null ? "请选择更小的内容，或请管理员增加积分。" : `下次补充在 ${when(p.refillsAtS)}；在此之前请选择更小的内容，或联系管理员。`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "本服务器的管理员没有给你分配积分。请联系他们。"
			: `这需要 ${credits(p.costCredits)}，而你${PER[p.per]}的 ${credits(p.limitCredits)}中还剩 ${number(p.leftCredits)}。${again(p)}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `本服务器的管理员没有给成员分配用于${MEDIA[p.mediaType]}的积分。`
			: `这需要 ${credits(p.costCredits)}，而每位成员${PER[p.per]}可用于${MEDIA[p.mediaType]}的 ${credits(p.limitCredits)}中，你还剩 ${number(p.leftCredits)}。${again(p)}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "本服务器的管理员已停止一切积分使用。"
			: `这需要 ${credits(p.costCredits)}，而本服务器${PER[p.per]}的 ${credits(p.limitCredits)}中还剩 ${number(p.leftCredits)}。${again(p)}`,
	tooManyAtOnce: "本服务器同时进行的内容太多。请等其中一个完成后再试。",
	managersOnly: "只有可以管理本服务器的人才能这样做。",
	grantedByOperator: "只有机器人运营者才能发放积分。需要更多请联系他们。",
	othersHistory: `只有可以管理本服务器的人才能查看其他人的记录。不填 ${option("member")} 即可查看你自己的记录。`,
	revokeTooMuch: (p) =>
		`无法收回 ${credits(p.amountCredits)}：本服务器可用的有 ${number(p.availableCredits)}${p.heldCredits > 0 ? `，另有 ${number(p.heldCredits)} 已为进行中的内容预留` : ""}。`,
	changeDiffers: "这个 ID 之前做过别的操作。没有任何改变。",
	changeUncertain: `无法确定是否已经执行：再次操作前请先查看 ${command("credits", "history")}。`,
	amountImpossible: "超出了账本能容纳的数量。请选择更小的数量。",
	tooManyExpiring: "本服务器会过期的发放已经太多。请不设期限地发放，或稍等。",
	nothingToChange: "没有任何更改：请说明要改什么。",
	allotmentOneOf: `请在 ${option("credits")}、${option("unlimited")} 和 ${option("clear")} 中选择一个。`,
	limitOneOf: `请在 ${option("credits")} 和 ${option("unlimited")} 中选择一个。`,
	mediumOneOf: `请在 ${option("credits")} 和 ${option("clear")} 中选择一个。`,
	warnOneOf: `请在 ${option("warn_channel")} 和 ${option("warn_nobody")} 中选择一个。`,
	periodWithoutLimit: `服务器没有按时间计算的限额。请同时填写 ${option("credits")}。`,
	periodForEverybody: `周期对所有人都一样。要更改它，请不填 ${option("member")}。`,
	everyoneRole: `那个身份组就是所有人。请使用不指定成员的 ${command("quota", "member")}。`,
	timeZoneUnknown: (p) => `没有名为 ${p.typed} 的时区。请从列表中选择，例如 Asia/Shanghai。`,
	tooManyExceptions: (p) => `本服务器已有 ${number(p.exceptionsMax)} 条身份组和成员规则。请先清除一些。`,
	serverOnly: "这只能在服务器里使用，因为积分属于服务器。",
	controlUnknown: "这个已经不起作用了：它是本机器人的早期版本或别的东西放的。请改为输入命令。",
	promptEmpty: "提示词是空的。请用几个词说明你想要什么。",
	noModel: (p) => `目前这里无法生成${MEDIA[p.mediaType]}。机器人运营者可以在日志中看到原因。`,
	modelUnknown: (p) => `这里没有名为 ${p.model} 的模型。请从中选择：${p.known}。`,
	imageNeeded: (p) => `${p.model} 需要一张图片作为起点：请附加到 ${option("image")}。`,
	optionNotTaken: (p) => `${p.model} 不支持 ${named(p.option)}。请不填，或选择其他模型。`,
	optionOneOf: (p) => `${p.model} 的 ${named(p.option)} 不能是 ${p.value}。可选：${p.values}。`,
	optionRange: (p) =>
		`${p.model} 的 ${named(p.option)} 不能是 ${p.value}。请填 ${number(p.min)} 到 ${number(p.max)} 之间的整数。`,
	durationNeeded: (p) => `${p.model} 按秒计费：请用 ${option("duration")} 说明时长。`,
	optionTooLong: (p) => `${p.model} 的 ${named(p.option)} 最多 ${number(p.charsMax)} 个字符。`,
	inputTooManyPixels: (p) =>
		`该图片有 ${number(p.megapixels)} 百万像素。请使用少于 ${number(p.megapixelsMax)} 百万像素的图片。`,
	attachmentNotImage: "该文件不是图片。请附加 PNG、JPEG 或 WebP。",
	serviceDown: "目前无法连接生成服务。请几分钟后再试。",
	serviceBusy: "生成服务繁忙。请几分钟后再试。",
	pausedByOperator: "目前不接受新的请求：此机器人刚从备份中恢复。运营者很快会重新开放。",
	serviceConfused: "生成服务给出了无法理解的答复。机器人运营者可以在日志中看到。",
	serviceRefused: (p) => `生成服务拒绝了：${p.reason}`,
	contentPolicy: "生成服务不接受这个提示词。请换一种说法。",
	operatorMustAct: "生成服务目前不为此机器人工作。只有机器人运营者能够解决；原因在日志中。",
	modelUnavailable: "生成服务目前无法使用这个模型。请换一个模型。",
	makingFailed: "生成服务尝试过，但失败了。请再试一次，或换一个模型。",
	nothingMade: "服务说已经完成，但没有文件。请再试一次。",
	timedOut: "耗时太久，已放弃。请再试一次，或试试更短的内容。",
	notSent: "未能及时发送给生成服务，因此没有生成。请稍后再试。",
	botWasStopped: "此机器人停止了一段时间，在发送之前时间已到。请再试一次。",
	resultLost: "已经生成，但无法取回文件。请再试一次。",
	diskFull: "已经生成，但此机器人的磁盘已满。只有机器人运营者能够解决。",
	resultOutOfBounds: "已经生成，但文件在本机器人不得访问的位置。机器人运营者可以在日志中看到位置。",
	resultStrange: "已经生成，但 Discord 无法显示这种文件。请再试一次，或换一个模型。",
	resultWrongMedium: (p) => `服务生成的不是${MEDIA[p.mediaType]}。请再试一次，或换一个模型。`,
	resultDamaged: "已经生成，但文件已损坏。请再试一次，或换一个模型。",
	resultTooManyPixels: (p) =>
		`已经生成，但图片有 ${number(p.megapixels)} 百万像素，超出了可安全打开的范围。请选择更低的分辨率。`,
	resultFitted: (p) => `已为适应此处而调整：${changes(p.changes)}。`,
	resultPreview: (p) =>
		`完整文件有 ${number(p.sizeMiB)} MiB，以任何画质都无法在此显示：这是${changes(p.changes)}。${p.link ? fileAt(p.link) : `其余部分由机器人运营者保留一周，编号 ${p.taskId}。`}`,
	fileAt,
	resultTooLarge: (p) =>
		`已经生成，但文件有 ${number(p.sizeMiB)} MiB，而此处的上限是 ${number(p.limitMiB)} MiB。请选择更低的分辨率或更短的时长。`,
	resultNeedsMoreMemory: (p) =>
		`已经生成，但此机器人内存不足，无法转换这个 ${number(p.sizeMiB)} MiB 的文件。请选择更低的分辨率或更短的时长；机器人的运营者可在日志中看到。`,
	resultTooLargeToFetch: (p) =>
		`已经生成，但文件超过 ${number(p.limitMiB)} MiB，这是此机器人能取回的上限。请选择更低的分辨率或更短的时长。`,
	noWayBack:
		"这可能需要超过 15 分钟，之后只有机器人本身能在此显示：但它不在本服务器，或看不到这个频道。请让管理员放行，或换一个频道。没有扣除积分。",
	outcomeUnknown: "无法确定服务是否接受了请求。",
	outcomePending: (p) => {
		const then = p.costCredits === 0 ? "放弃" : `退还 ${credits(p.costCredits)}`;
		return p.isLookedUp
			? `服务没有说明是否接受了请求，正在确认；如果 <t:${p.deadlineAtS}:R> 仍不清楚，就${then}。`
			: `服务没有说明是否接受了请求，因此 <t:${p.deadlineAtS}:R> ${then}。`;
	},
	canceledByMember: "发起请求的人取消了它。",
	canceledByModerator: (p) => `本服务器的管理人员 <@${p.userId}> 取消了它。`,
	canceledByOperator: "机器人运营者取消了它。",
	canceledByService: "生成服务取消了它。请再试一次。",
	unexpected: (p) => `我们这边出了问题。如果再次发生，请告诉机器人运营者：事件编号 ${p.incidentId}。`,
	booksDamaged: (p) =>
		`本服务器的账本已损坏，修复之前不会执行任何操作。没有积分变动。请告诉机器人运营者：事件编号 ${p.incidentId}。`,
};
