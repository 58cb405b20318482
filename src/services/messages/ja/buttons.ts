import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../translation.ts";
import { MEDIA, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "もう一度",
	buttonVary: "バリエーション",
	buttonEdit: "編集",
	buttonAnimate: "動かす",
	buttonUseAsInput: "入力に使う",
	buttonUpscale: (p) => `高解像度化（${credits(p.costCredits)}）`,
	picturePlaceholder: "この中の1枚から作る",
	choicePicture: (p) => `画像${p.picture}: ${p.label}`,
	upscaleNone: "ここにはこの画像を拡大できるモデルがありません。",
	buttonDelete: "削除",
	buttonConfirm: (p) => `${credits(p.costCredits)}で作る`,
	buttonDecline: "やめる",
	buttonRedeem: "購入分をここに追加",
	editTitle: "別の形で作る",
	editInputTitle: "この画像をもとに作る",
	editPrompt: "プロンプト",
	editAspectRatio: "形",
	editResolution: "大きさ",
	editDuration: "秒数",
	editSeed: "シード",
	editLyrics: "歌詞",
	editInstrumental: "歌声なし",
	editCount: "枚数",
	editSeedHint: "空欄なら別のシード",
	choiceYes: "はい",
	choiceNo: "いいえ",
	animateMenuName: "動かす",
	variationsMenuName: "バリエーションを作る",
	sourceGone:
		"これを作った依頼はもう保管されていないため、ここからはやり直せません。もう一度コマンドを入力してください。",
	sourcePrivate: "それはほかの人の非公開の結果です。",
	inputGone: "もとの画像にもうアクセスできません。もう一度コマンドを入力し、画像を添付し直してください。",
	noPicture: "そのメッセージには使える画像がありません。PNG、JPEG、WebPのどれかが必要です。",
	promptTooLongToEdit: (p) =>
		`そのプロンプトは${number(p.charsMax)}文字を超えていて、フォームに入りません。もう一度コマンドを入力してください。`,
	notAWholeNumber: (p) => `${p.field}: ${p.typed}は整数ではありません。`,
	othersResult: "削除できるのは、依頼した本人とこのサーバーのモデレーターだけです。",
	resultDeleted: `削除しました。かかったクレジットは戻らず、帳簿もそのままです。あなたが依頼したもののファイルは、保管されている間は${command("job", "get")}で取得できます。`,
	confirmCost: (p) =>
		`> ${p.prompt}\n${MEDIA[p.mediaType]}（${p.model}）には**${credits(p.costCredits)}**かかります。このサーバーでは確認が必要です。まだ何も請求されていません。`,
	proposalGone: "すでに決まったか、時間がたちすぎています。もう一度コマンドを入力してください。",
	othersProposal: "決められるのは依頼した本人だけです。",
	proposalDeclined: "やめました。クレジットは請求されていません。",
};
