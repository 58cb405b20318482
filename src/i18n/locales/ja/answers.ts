import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, PER, again, changes, command, credits, fileAt, named, number, option, when } from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · 残り${number(p.leftCredits)}`,
	resultInPart: (p) => `${number(p.ordered)}枚中${number(p.made)}枚ができました。できた分だけ請求されます。`,
	resultLeftOut: (p) =>
		`${number(p.made)}個できました。1つのメッセージに入るのは${number(p.shown)}個までで、残りは表示も請求もされません。`,
	detailSeed: (p) => `シード ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)}秒`,
	resultBooksDamaged: (p) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)}を請求 · このサーバーの帳簿が壊れています`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)}を請求 · このサーバーの帳簿が壊れています\n-# Discordがここでは許可しなかったため、プロンプトは表示していません。`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "クレジットは請求されていません。",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · 残り${number(p.leftCredits)}\n-# Discordがここでは許可しなかったため、プロンプトは表示していません。`,
	fileRefused: (p) =>
		`生成して請求しました（${credits(p.costCredits)}）が、Discordがここではファイルを受け付けませんでした。1週間保管されます。${command("job", "get")}なら別の場所で受け取れるかもしれません。ボットの運営者は${p.taskId}で保管しています。`,
	directLead: (p) => `<#${p.channelId}>で依頼されたものですが、そこにはもう表示できません:`,
	comesLaterHere: "いつもより時間がかかっています。できあがったらここに投稿します。",
	comesLaterDirectly: `いつもより時間がかかっています。できあがったらダイレクトメッセージで送ります。受け取らない設定の場合は${command("job")}で確認できます。`,

	creditsShort: (p) =>
		`これには${credits(p.costCredits)}かかりますが、このサーバーの残りは${number(p.leftCredits)}です。${p.refillsAtS === null ? "もっと小さいものを選ぶか、管理者に追加を頼んでください。" : `次の補充は${when(p.refillsAtS)}です。それまではもっと小さいものを選ぶか、管理者に相談してください。`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "このサーバーの管理者は、あなたにクレジットを割り当てていません。管理者に相談してください。"
			: `これには${credits(p.costCredits)}かかりますが、あなたの${PER[p.per]}${credits(p.limitCredits)}のうち残りは${number(p.leftCredits)}です。${again(p)}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `このサーバーの管理者は、メンバーに${MEDIA[p.mediaType]}用のクレジットを割り当てていません。`
			: `これには${credits(p.costCredits)}かかりますが、各メンバーが${MEDIA[p.mediaType]}に使える${PER[p.per]}${credits(p.limitCredits)}のうち、あなたの残りは${number(p.leftCredits)}です。${again(p)}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "このサーバーの管理者が、クレジットの使用をすべて止めています。"
			: `これには${credits(p.costCredits)}かかりますが、このサーバーの${PER[p.per]}${credits(p.limitCredits)}のうち残りは${number(p.leftCredits)}です。${again(p)}`,
	tooManyAtOnce: "このサーバーでは同時に生成中のものが多すぎます。1つ終わるのを待ってから、もう一度お試しください。",
	managersOnly: "これは、このサーバーを管理できる人だけができます。",
	grantedByOperator: "クレジットを付与できるのは、このボットの運営者だけです。追加は運営者に依頼してください。",
	othersHistory: `ほかの人の履歴は、このサーバーを管理できる人だけが見られます。自分の履歴を見るには${option("member")}を省いてください。`,
	revokeTooMuch: (p) =>
		`${credits(p.amountCredits)}は回収できません。このサーバーの空きは${number(p.availableCredits)}です${p.heldCredits > 0 ? `（ほかに${number(p.heldCredits)}が生成中のものに確保されています）` : ""}。`,
	changeDiffers: "このIDでは、以前に別の操作が行われています。何も変わっていません。",
	changeUncertain: `実行されたかどうか確かではありません。もう一度行う前に${command("credits", "history")}を確認してください。`,
	amountImpossible: "帳簿に入りきらない数です。もっと小さい数を選んでください。",
	tooManyExpiring: "このサーバーには期限つきの付与がすでに多すぎます。期限なしで付与するか、お待ちください。",
	nothingToChange: "何も変更されていません。変える内容を指定してください。",
	allotmentOneOf: `${option("credits")}、${option("unlimited")}、${option("clear")}のどれか1つを選んでください。`,
	limitOneOf: `${option("credits")}か${option("unlimited")}のどちらかを選んでください。`,
	mediumOneOf: `${option("credits")}か${option("clear")}のどちらかを選んでください。`,
	warnOneOf: `${option("warn_channel")}か${option("warn_nobody")}のどちらかを選んでください。`,
	periodWithoutLimit: `期間で数えるサーバーの上限がありません。${option("credits")}も指定してください。`,
	periodForEverybody: `期間は全員共通です。変えるには${option("member")}を省いてください。`,
	everyoneRole: `そのロールは全員のことです。${command("quota", "member")}をメンバーなしで使ってください。`,
	timeZoneUnknown: (p) => `${p.typed}というタイムゾーンはありません。Asia/Tokyoのように一覧から選んでください。`,
	tooManyExceptions: (p) =>
		`このサーバーにはすでに${number(p.exceptionsMax)}件のロールとメンバーのルールがあります。先にいくつか解除してください。`,
	serverOnly: "クレジットはサーバーのものなので、これはサーバーの中だけで使えます。",
	controlUnknown:
		"これはもう動きません。このボットの以前のバージョンか、別の何かが置いたものです。代わりにコマンドを入力してください。",
	promptEmpty: "プロンプトが空です。ほしいものを短い言葉で書いてください。",
	noModel: (p) =>
		`今ここには${MEDIA[p.mediaType]}を作れるモデルがありません。理由はボットの運営者がログで確認できます。`,
	modelUnknown: (p) => `${p.model}というモデルはここにはありません。次から選んでください: ${p.known}。`,
	imageNeeded: (p) => `${p.model}にはもとになる画像が必要です。${option("image")}に添付してください。`,
	optionNotTaken: (p) => `${p.model}では${named(p.option)}を使えません。省くか、別のモデルを選んでください。`,
	optionOneOf: (p) => `${p.model}では${named(p.option)}を${p.value}にできません。選べるのは${p.values}です。`,
	optionRange: (p) =>
		`${p.model}では${named(p.option)}を${p.value}にできません。${number(p.min)}から${number(p.max)}までの整数にしてください。`,
	durationNeeded: (p) => `${p.model}は秒単位の料金です。${option("duration")}で長さを指定してください。`,
	optionTooLong: (p) => `${p.model}の${named(p.option)}は${number(p.charsMax)}文字までです。`,
	inputTooManyPixels: (p) =>
		`その画像は${number(p.megapixels)}メガピクセルあります。${number(p.megapixelsMax)}メガピクセル未満の画像を使ってください。`,
	attachmentNotImage: "そのファイルは画像ではありません。PNG、JPEG、WebPのどれかを添付してください。",
	serviceDown: "生成サービスに今つながりません。数分後にもう一度お試しください。",
	serviceBusy: "生成サービスが混み合っています。数分後にもう一度お試しください。",
	pausedByOperator:
		"今は新しい依頼を受け付けていません。このボットはバックアップから復元されました。運営者がまもなく再開します。",
	serviceConfused: "生成サービスから意味の通らない返答がありました。ボットの運営者がログで確認できます。",
	serviceRefused: (p) => `生成サービスに断られました: ${p.reason}`,
	contentPolicy: "生成サービスはこのプロンプトを受け付けません。別の言い方にしてください。",
	operatorMustAct:
		"生成サービスは今このボットでは使えません。対処できるのはボットの運営者だけで、理由はログにあります。",
	modelUnavailable: "生成サービスは今このモデルを使えません。別のモデルをお試しください。",
	makingFailed: "生成サービスが試みましたが、失敗しました。もう一度試すか、別のモデルをお試しください。",
	nothingMade: "サービスは完了したと言っていますが、ファイルがありません。もう一度お試しください。",
	timedOut: "時間がかかりすぎたため中止しました。もう一度試すか、もっと短いものをお試しください。",
	notSent: "時間内に生成サービスへ送れなかったため、生成されませんでした。しばらくしてからもう一度お試しください。",
	botWasStopped: "このボットがしばらく止まっていたため、送る前に期限が過ぎました。もう一度お試しください。",
	resultLost: "生成されましたが、ファイルを取得できませんでした。もう一度お試しください。",
	diskFull: "生成されましたが、このボットのディスクがいっぱいです。対処できるのはボットの運営者だけです。",
	resultOutOfBounds:
		"生成されましたが、このボットがファイルを取りに行けない場所にあります。場所はボットの運営者がログで確認できます。",
	resultStrange:
		"生成されましたが、Discordで表示できない種類のファイルです。もう一度試すか、別のモデルをお試しください。",
	resultWrongMedium: (p) =>
		`サービスから届いたのは${MEDIA[p.mediaType]}ではありませんでした。もう一度試すか、別のモデルをお試しください。`,
	resultDamaged: "生成されましたが、ファイルが壊れています。もう一度試すか、別のモデルをお試しください。",
	resultTooManyPixels: (p) =>
		`生成されましたが、画像が${number(p.megapixels)}メガピクセルあり、安全に開ける大きさを超えています。解像度を下げてください。`,
	resultFitted: (p) => `ここに収まるように調整しました: ${changes(p.changes)}。`,
	resultPreview: (p) =>
		`ファイル全体は${number(p.sizeMiB)} MiBあり、どの画質でもここには表示できません。これは${changes(p.changes)}です。${p.link ? fileAt(p.link) : `残りはボットの運営者が1週間、${p.taskId}で保管しています。`}`,
	fileAt,
	resultTooLarge: (p) =>
		`生成されましたが、ファイルは${number(p.sizeMiB)} MiBで、ここの上限は${number(p.limitMiB)} MiBです。解像度を下げるか、短くしてください。`,
	resultNeedsMoreMemory: (p) =>
		`生成されましたが、ボットのメモリが足りず、${number(p.sizeMiB)} MiBのファイルを変換できませんでした。解像度を下げるか、短くしてください。ボットの運営者はログで確認できます。`,
	resultTooLargeToFetch: (p) =>
		`生成されましたが、ファイルはこのボットが取得できる上限の${number(p.limitMiB)} MiBを超えています。解像度を下げるか、短くしてください。`,
	noWayBack:
		"これには15分以上かかることがあり、その後ここに表示できるのはボット自身だけです。しかしボットがこのサーバーにいないか、このチャンネルを見られません。管理者に許可を頼むか、別のチャンネルを使ってください。クレジットは請求されていません。",
	outcomeUnknown: "サービスが受け付けたか確かではありません。",
	outcomePending: (p) => {
		const then = p.costCredits === 0 ? "中止します" : `${credits(p.costCredits)}をお返しします`;
		return p.isLookedUp
			? `サービスが受け付けたかどうか返答がないため確認中で、<t:${p.deadlineAtS}:R>になっても分からなければ${then}。`
			: `サービスが受け付けたかどうか返答がないため、<t:${p.deadlineAtS}:R>に${then}。`;
	},
	canceledByMember: "依頼した本人がキャンセルしました。",
	canceledByModerator: (p) => `このサーバーのモデレーター<@${p.userId}>がキャンセルしました。`,
	canceledByOperator: "ボットの運営者がキャンセルしました。",
	canceledByService: "生成サービスがキャンセルしました。もう一度お試しください。",
	unexpected: (p) =>
		`こちらで問題が起きました。また起きる場合は、ボットの運営者に知らせてください: 番号 ${p.incidentId}。`,
	booksDamaged: (p) =>
		`このサーバーの帳簿が壊れているため、修復されるまで何もできません。クレジットは動いていません。ボットの運営者に知らせてください: 番号 ${p.incidentId}。`,
};
