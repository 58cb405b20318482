/** Reports of members, and the guided setup: sentences, and the labels of buttons, fields and menus. */
import { command, credits, number, option, plain } from "./words.ts";

export const moderationTexts = {
	// Reports. Labels of buttons and fields: up to 45 characters, hints and names of menus up to 100 and 32.
	reportMenuName: "Report",
	buttonReport: "Report",
	reportTitle: "Report this to the moderators",
	reportReasonLabel: "What is wrong with it?",
	reportReasonHint: "The moderators of this server read it, with your name.",
	reportThanks: "Thank you. The moderators of this server have it now.",
	reportNotOurs: "That is not a result of this bot. Report it to Discord, or to a moderator.",
	reportNowhere: `This server has no channel for reports. Tell a moderator; an admin can name one with ${command("settings", "general")} and ${option("report_channel")}.`,
	reportClosed: "The moderators' channel takes no messages from this bot. Tell a moderator directly.",
	reportEmpty: "Say what is wrong with it.",
	reportedAlready: "You have reported that already. The moderators have it.",
	reportedByMany: "Many people have reported that already. The moderators have it.",
	reportHead: (p: { reporterId: string; userId: string; channelId: string; link: string | null; atS: number }) =>
		`**Report** by <@${p.reporterId}>, <t:${p.atS}:f>, about what <@${p.userId}> had made in <#${p.channelId}>${p.link === null ? ", which others do not see" : `: [message](${p.link})`}`,
	reportReason: (p: { reason: string }) => `> ${p.reason}`,
	reportAbout: (p: { prompt: string; model: string; costCredits: number; taskId: string }) =>
		`Prompt: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p: { action: "delete" | "block" | "refund"; byUserId: string; atS: number; costCredits: number }) =>
		`**${{ delete: "Deleted", block: "Member blocked", refund: `${credits(p.costCredits)} given back to the server` }[p.action]}** by <@${p.byUserId}>, <t:${p.atS}:f>`,
	buttonReportDelete: "Delete result",
	buttonReportBlock: "Block member",
	buttonReportRefund: "Refund",
	reportNotDeletable: "Only the person who asked for that result sees it, so there is nothing to delete.",
	reportDeleteForbidden: (p: { channelId: string }) =>
		`I cannot delete it: let me see <#${p.channelId}> again, or delete the message yourself.`,
	reportBlockReason: "after a report of something you had made",
	reportRefundReason: (p: { taskId: string }) => `refund of ${p.taskId} after a report`,
	reportNothingCharged: "Nothing was charged for that, so there is nothing to give back.",

	// /setup: labels of buttons and fields up to 45 characters, hints up to 100, placeholders up to 150.
	setupDescription: "Set this bot up, step by step; you can stop and go on at any time",
	setupStep: (p: { at: number; of: number; step: "channels" | "roles" | "budget" | "moderators" | "summary" }) =>
		`**Step ${p.at} of ${p.of}.** ${
			{
				channels:
					"Where may things be made? Choose channels, or none for all of them. What you choose is saved at once.",
				roles: "Who may have things made? Choose roles, or none for everybody.",
				budget:
					"What may be spent? Each member's credits, the whole server's, and from which price on something has to be confirmed.",
				moderators:
					"Who looks after it? One channel for every change of the settings, and one for what members report.",
				summary: `That is all. ${command("settings")}, ${command("quota")}, ${command("filter")} and ${command("style")} have the rest.`,
			}[p.step]
		}`,
	setupBeyond: (p: { more: number }) =>
		`-# ${number(p.more)} more are allowed than this menu can show. They stay allowed, whatever you choose here; ${command("settings")} changes them.`,
	setupChannelsPlaceholder: "Everywhere",
	setupRolesPlaceholder: "Everybody",
	setupLogPlaceholder: "No channel for changes of settings",
	setupReportsPlaceholder: "No channel for reports of members",
	setupBudgetButton: "Set the budget",
	setupBudgetLabel: (p: { field: "everyone" | "server" | "confirmAbove" }) =>
		({ everyone: "Credits of each member", server: "Credits of the whole server", confirmAbove: "Confirm above" })[
			p.field
		],
	setupBudgetHint: (p: { field: "everyone" | "server" | "confirmAbove"; per: "day" | "week" | "month" }) =>
		({
			everyone: `A ${p.per}, for those without a rule of their own; empty for no limit`,
			server: `A month, unless ${plain("quota")} says otherwise; empty for no limit`,
			confirmAbove: "What costs more credits is asked about first; empty never to ask",
		})[p.field],
	setupNotANumber: (p: { field: "everyone" | "server" | "confirmAbove"; creditsMax: number }) =>
		`“${{ everyone: "Credits of each member", server: "Credits of the whole server", confirmAbove: "Confirm above" }[p.field]}” takes a whole number up to ${number(p.creditsMax)}, or nothing. Nothing was changed.`,
	setupSaved: "Saved.",
	setupTypedKept: "What you typed is kept: press **Set the budget** to correct it.",
	setupBack: "Back",
	setupNext: "Next",
	setupAgain: "Start over",
} as const;
