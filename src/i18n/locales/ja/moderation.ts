import type { moderationTexts as english } from "../en/moderation.ts";
import type { Translation } from "../../translation.ts";
import { command, credits, number, option, plain } from "./words.ts";

const BUDGET_LABELS = {
	everyone: "各メンバーのクレジット",
	server: "サーバー全体のクレジット",
	confirmAbove: "確認を求める基準",
};
const PER_FIRST = { day: "1日あたり", week: "1週間あたり", month: "1か月あたり" };

export const moderationTexts: Translation<typeof english> = {
	reportMenuName: "通報",
	buttonReport: "通報",
	reportTitle: "モデレーターに通報",
	reportReasonLabel: "何が問題ですか？",
	reportReasonHint: "このサーバーのモデレーターが、あなたの名前とともに読みます。",
	reportThanks: "ありがとうございます。このサーバーのモデレーターに届きました。",
	reportNotOurs: "それはこのボットの結果ではありません。Discordかモデレーターに通報してください。",
	reportNowhere: `このサーバーには通報用のチャンネルがありません。モデレーターに伝えてください。管理者は${command("settings", "general")}の${option("report_channel")}で決められます。`,
	reportClosed:
		"モデレーターのチャンネルが、このボットからのメッセージを受け付けません。モデレーターに直接伝えてください。",
	reportEmpty: "何が問題かを書いてください。",
	reportedAlready: "すでに通報しています。モデレーターに届いています。",
	reportedByMany: "すでに多くの人が通報しています。モデレーターに届いています。",
	reportHead: (p) =>
		`**通報** <@${p.reporterId}>より（<t:${p.atS}:f>）: <@${p.userId}>が<#${p.channelId}>で生成したもの${p.link === null ? "（ほかの人には見えません）" : `: [メッセージ](${p.link})`}`,
	reportReason: (p) => `> ${p.reason}`,
	reportAbout: (p) => `プロンプト: ${p.prompt}\n-# ${p.model} · ${credits(p.costCredits)} · \`${p.taskId}\``,
	reportDone: (p) => {
		const what = {
			delete: "削除しました",
			block: "メンバーをブロックしました",
			refund: `${credits(p.costCredits)}をサーバーに返却しました`,
		}[p.action];
		return `**${what}**（<@${p.byUserId}>、<t:${p.atS}:f>）`;
	},
	buttonReportDelete: "結果を削除",
	buttonReportBlock: "メンバーをブロック",
	buttonReportRefund: "返却",
	reportNotDeletable: "その結果は本人にしか見えないので、削除するものがありません。",
	reportDeleteForbidden: (p) =>
		`削除できません。ボットがまた<#${p.channelId}>を見られるようにするか、自分でメッセージを削除してください。`,
	reportBlockReason: "あなたが生成したものへの通報のため",
	reportRefundReason: (p) => `通報による${p.taskId}の返却`,
	reportNothingCharged: "それには何も請求されていないので、返すものがありません。",

	setupDescription: "このボットを順を追って設定します。いつでも中断して、続きから再開できます",
	setupStep: (p) =>
		`**ステップ ${p.at} / ${p.of}** ${
			{
				channels:
					"どこで作れるようにしますか？ チャンネルを選んでください。選ばなければすべてです。選んだ内容はすぐ反映されます。",
				roles: "誰が作れるようにしますか？ ロールを選んでください。選ばなければ全員です。",
				budget:
					"どれだけ使えるようにしますか？ 各メンバーのクレジット、サーバー全体のクレジット、確認を求める基準です。",
				moderators: "誰が見守りますか？ 設定の変更を知らせるチャンネルと、メンバーの通報を受けるチャンネルです。",
				summary: `これで完了です。ほかは${command("settings")}、${command("quota")}、${command("filter")}、${command("style")}で設定できます。`,
			}[p.step]
		}`,
	setupBeyond: (p) =>
		`-# このメニューに表示しきれない許可があと${number(p.more)}個あります。ここで何を選んでもそのまま残ります。変更は${command("settings")}で行えます。`,
	setupChannelsPlaceholder: "すべてのチャンネル",
	setupRolesPlaceholder: "全員",
	setupLogPlaceholder: "設定の変更はどこにも知らせません",
	setupReportsPlaceholder: "メンバーは通報できません",
	setupBudgetButton: "予算を決める",
	setupBudgetLabel: (p) => BUDGET_LABELS[p.field],
	setupBudgetHint: (p) =>
		({
			everyone: `${PER_FIRST[p.per]}。個別のルールがない人に適用。空欄なら上限なし`,
			server: `${plain("quota")}で変えなければ1か月あたり。空欄なら上限なし`,
			confirmAbove: "これより多くのクレジットがかかるものは先に確認します。空欄なら確認なし",
		})[p.field],
	setupNotANumber: (p) =>
		`「${BUDGET_LABELS[p.field]}」には${number(p.creditsMax)}までの整数か空欄を入れてください。何も変更していません。`,
	setupSaved: "保存しました。",
	setupTypedKept: "入力した内容は残っています。**予算を決める**を押して直してください。",
	setupBack: "戻る",
	setupNext: "次へ",
	setupAgain: "最初から",
};
