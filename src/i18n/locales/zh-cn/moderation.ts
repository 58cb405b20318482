import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "每位成员的积分",
	server: "整个服务器的积分",
	confirmAbove: "超过多少需确认",
};
const PER_FIRST = { day: "每天", week: "每周", month: "每月" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "举报",
	buttonReport: "举报",
	reportTitle: "向管理人员举报",
	reportReasonLabel: "有什么问题？",
	reportReasonHint: "本服务器的管理人员会看到，并能看到你的名字。",
	reportThanks: "谢谢。本服务器的管理人员已收到。",
	reportNotOurs: "这不是本机器人的结果。请向 Discord 或管理人员举报。",
	reportNowhere: `本服务器没有举报频道。请告诉管理人员；管理员可以用 ${command("settings", "general")} 的 ${option("report_channel")} 指定。`,
	reportClosed: "管理人员的频道不接收本机器人的消息。请直接告诉管理人员。",
	reportEmpty: "请说明有什么问题。",
	reportedAlready: "你已经举报过了。管理人员已收到。",
	reportedByMany: "已有很多人举报过了。管理人员已收到。",
	reportHead: (p) =>
		`**举报**：<@${p.reporterId}> 于 <t:${p.atS}:f> 举报 <@${p.userId}> 在 <#${p.channelId}> 生成的内容${p.link === null ? "（其他人看不到）" : `：[消息](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `提示词：${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "已删除",
			block: "已屏蔽成员",
			refund: `已退还 ${credits(p.costCredits)}给服务器`,
		}[p.action];
		return `**${what}** · <@${p.byUserId}>，<t:${p.atS}:f>`;
	},
	buttonReportDelete: "删除结果",
	buttonReportBlock: "屏蔽成员",
	buttonReportRefund: "退还积分",
	reportNotDeletable: "该结果只有本人能看到，因此没有可删除的内容。",
	reportDeleteForbidden: (p) => `我无法删除：请让我重新能看到 <#${p.channelId}>，或自行删除该消息。`,
	reportBlockReason: "因你生成的内容被举报",
	reportRefundReason: (p) => `因举报退还 ${p.taskId}`,
	reportNothingCharged: "这次没有扣费，因此没有可退还的。",

	setupDescription: "一步一步设置本机器人；你可以随时停下，之后再继续",
	setupStep: (p) =>
		`**第 ${p.at} 步，共 ${p.of} 步。** ${
			{
				channels: "可以在哪里生成？请选择频道，不选则为所有频道。选择后立即生效。",
				roles: "谁可以生成？请选择身份组，不选则为所有人。",
				budget: "可以花多少？每位成员的积分、整个服务器的积分，以及超过多少需要确认。",
				moderators: "由谁照看？一个用来通知设置更改的频道，和一个接收成员举报的频道。",
				summary: `完成了。其余请用 ${command("settings")}、${command("quota")}、${command("filter")}、${command("style")} 设置。`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# 还有 ${number(p.more)} 个已允许的项目在此菜单中显示不下。无论在这里选什么，它们都保持不变；可用 ${command("settings")} 更改。`,
	setupChannelsPlaceholder: "所有频道",
	setupRolesPlaceholder: "所有人",
	setupLogPlaceholder: "设置更改不通知到任何地方",
	setupReportsPlaceholder: "成员无法举报",
	setupBudgetButton: "设定预算",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}，适用于没有单独规则的人；留空则不限`,
			server: `每月，除非 ${plain("quota")} 另有设定；留空则不限`,
			confirmAbove: "花费超过这个积分数会先询问；留空则不询问",
		})[p.field],
	setupNotANumber: (p) =>
		`“${BUDGET_LABELS[p.field]}”请填不超过 ${number(p.creditsMax)} 的整数，或留空。没有任何更改。`,
	setupSaved: "已保存。",
	setupTypedKept: "你输入的内容已保留：请按**设定预算**更正。",
	setupBack: "返回",
	setupNext: "下一步",
	setupAgain: "从头开始",
};
