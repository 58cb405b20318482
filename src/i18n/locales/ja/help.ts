import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)}で${MEDIA[p.mediaType]}を作れます: ${p.models}${andMore(p.more)}。`,
	helpMediumNone: (p) => `${command(p.mediaType)}では今${MEDIA[p.mediaType]}を作れません。`,
	helpMediumOff: (p) =>
		`${command(p.mediaType)}は使えません。このサーバーの管理者が${MEDIA[p.mediaType]}をオフにしています。`,
	helpModel: (p) => `${p.model}（${credits(p.costCredits)}）`,
	helpPrices: `-# オプションなしの料金です。ほかの料金は、入力中に${option("model")}と${option("resolution")}に表示されます。`,
	helpNotHere: (p) => `**今ここでは使えません**: ${p.reason}`,
	helpResults: `**結果**はコマンドへの返信として、チャンネルの全員に表示されます。15分以上かかるものも同じ場所か、ダイレクトメッセージで届きます。${command("job", "get")}なら、ファイルをもう一度あなただけに表示します。`,
	helpCancel: `**キャンセル**は${command("job", "cancel")}で。作られなかったものは請求されません。${command("job", "list")}で依頼したものをすべて確認できます。`,
	helpStyles: (p) =>
		`**スタイル**: このサーバーには${number(p.styles)}個あります。入力中に${option("style")}に表示され、${command("style", "list")}で一覧できます。`,
	helpManagers: `**サーバーを管理する人へ**: ${managing}, ${command("credits", "grant")}, ${command("credits", "revoke")}。`,
};
