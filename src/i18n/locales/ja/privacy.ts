import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "このボットがこのサーバーであなたについて保存しているもの",
	privacyExportDescription: "すべてをファイルで受け取る",
	privacyDeleteDescription: "依頼した内容とファイルを削除する",
	privacyExported: (p) =>
		`このボットがこのサーバーであなたについて保存しているものは、すべてこのファイルにあります：依頼${number(p.tasks)}件、その費用、上限、報告。${p.isCut ? "古い依頼は入りきりませんでした。" : ""}依頼は終了から${number(p.days)}日後に削除されます。${command("privacy", "delete")}で今すぐ削除できます。`,
	privacyDeleteAsk: (p) =>
		`このサーバーで依頼した内容を、言葉もファイルも含めて、終了したものについて削除します。何もしなければ${number(p.days)}日後に削除されます。その結果の下のボタンは使えなくなります。メッセージ自体は残るので、Discordで削除してください。クレジットが使われたことは、あなたの言葉なしでサーバーの帳簿に残ります。`,
	privacyDeleted: (p) =>
		`削除しました：${number(p.forgotten)}件。${p.stillOpen === 0 ? "" : `まだ作成中：${number(p.stillOpen)}件。終わってからもう一度行うか、${command("job", "cancel")}を使ってください。`}`,
	buttonForget: "すべて削除",
};
