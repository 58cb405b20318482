import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { MEDIA, command, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`このサーバーでは今、生成を止めています${p.sentence === null ? "。" : `: ${p.sentence}`} サーバーを管理する人は${command("settings", "pause")}で再開できます。`,
	blocked: (p) =>
		`このサーバーでの生成をブロックされています${p.untilS === null ? "" : `（<t:${p.untilS}:f>、<t:${p.untilS}:R>まで）`}: ${p.reason}。間違いだと思う場合は、このサーバーのモデレーターに相談してください。`,
	roleDenied: (p) => `このサーバーの管理者は、<@&${p.roleId}>による生成を許可していません。管理者に相談してください。`,
	roleNeeded: (p) =>
		`このサーバーで生成できるのは${namedList(p, roleMention)}だけです。管理者にこのロールのどれかを頼んでください。`,
	channelDenied: "このサーバーの管理者は、このチャンネルでの生成を許可していません。別のチャンネルを使ってください。",
	channelElsewhere: (p) => `このチャンネルでは使えません。${namedList(p, channelMention)}を使ってください。`,
	mediumOff: (p) =>
		`このサーバーの管理者が${MEDIA[p.mediaType]}をオフにしています。別のものを作るか、管理者に相談してください。`,
	modelOff: (p) =>
		`このサーバーの管理者が${p.model}をオフにしています。別のモデルを選んでください。入力中に${option("model")}に候補が出ます。`,
	modelAgeRestricted: (p) =>
		`${p.model}は年齢制限つきチャンネルでのみ使えます。そこで使うか、別のモデルを選んでください。`,
	wordsForbidden: (p) =>
		`このサーバーの管理者は、依頼に「${p.found}」を使うことを許可していません。別の言い方にしてください。`,
	moderationRefused: (p) =>
		p.reason === null
			? "このボットのモデレーションサービスに断られました。別の言い方にしてください。"
			: `このボットのモデレーションサービスに断られました: ${p.reason}`,
	moderationAway:
		"このボットのモデレーションサービスが応答せず、それなしでは生成できません。数分後にもう一度お試しください。",

	settingsShowDescription: `${plain("quota")}に出る上限以外の、すべての設定`,
	settingsMediaDescription: "何を作るか、どう見せるか。オプションなしなら現在の設定を表示します",
	settingsModelDescription: "モデルを1つオフにする、またはオンに戻す",
	settingsChannelDescription: "どこで作れるか。許可がなければ、拒否されていないすべての場所",
	settingsRoleDescription: "誰が作れるか。許可がなければ、拒否されたロールのない全員",
	settingsGeneralDescription: "言語、確認、管理者とモデレーターのチャンネル",
	settingsPauseDescription: "このサーバーでの生成をすべて止める、または再開する",
	settingsAuditDescription: "設定のすべての変更を新しい順に",
	settingsExportDescription: "すべての設定をファイルで",
	settingsImportDescription: "すべての設定をファイルのものに置き換えます",
	optionSpoiler: "誰かがクリックするまで結果を隠します",
	optionPrivateDefault: "特に指定がなければ、結果を依頼した本人だけに見せます",
	optionPrivate: "結果を自分だけに見せるか、全員に見せるか",
	optionImages: "画像を作れるか",
	optionVideos: "動画を作れるか",
	optionMusicOn: "音楽を作れるか",
	optionModelToSwitch: "どのモデルか",
	optionOn: "オンかどうか",
	optionRuleChannel: "どのチャンネルか。スレッドは親チャンネルに含まれます",
	optionRuleRole: "どのロールか",
	optionRule: "どう扱うか",
	optionLanguage: "全員に見えるメッセージの言語",
	optionConfirmAbove: "これより多くのクレジットがかかるものは、確認してから作ります",
	optionLogChannel: "設定の変更を毎回知らせる場所",
	optionReportChannel: "メンバーの通報をモデレーターが読む場所",
	optionUnset: "何を初期化するか",
	optionPauseOn: "止めるかどうか",
	optionPauseSentence: "メンバーに見せる文",
	optionAuditBefore: "この変更より前の分だけ。前のページの最後にある番号です",
	optionImportFile: `${plain("settings", "export")}が書いたファイル`,
	choiceAllow: "許可",
	choiceDeny: "拒否",
	choiceClear: "ルールなし",
	choiceUnsetLanguage: "言語",
	choiceUnsetConfirm: "確認",
	choiceUnsetLog: "ログチャンネル",
	choiceUnsetReports: "モデレーターのチャンネル",

	blockDescription: "メンバーがこのサーバーで生成できないようにします",
	unblockDescription: "ブロックしたメンバーがまた生成できるようにします",
	blocksDescription: "誰が、なぜ、いつまでブロックされているか",
	optionBlockMember: "誰を",
	optionUnblockMember: "誰を",
	optionBlockReason: "理由。本人に見えます",
	optionBlockDays: "何日間か。省くと解除するまで",
	optionBlockHours: "さらに何時間か",
	filterDescription: "このサーバーで依頼に使えない言葉",
	filterAddDescription: "言葉かパターンを追加: *は任意の文字列、?は1文字、空白は単語の区切り",
	filterRemoveDescription: "言葉かパターンを削除",
	filterListDescription: "すべての言葉とパターン",
	filterTestDescription: "その文が断られるか、どのパターンによるか",
	optionPattern: "例: nud* または 悪い 言葉",
	optionPatternToRemove: "どれか",
	optionFilterText: "誰かが依頼しそうな文",
	memberBlocked: (p) =>
		`<@${p.userId}>をブロックしました${p.untilS === null ? "" : `（<t:${p.untilS}:f>、<t:${p.untilS}:R>まで）`}: ${p.reason}。以前の依頼は続きます。${command("job", "list")}からキャンセルできます。`,
	memberUnblocked: (p) => `<@${p.userId}>のブロックを解除しました。`,
	notBlocked: (p) => `<@${p.userId}>はブロックされていません。何も変更していません。`,
	moderatorsOnly: "これは、このサーバーのモデレーターだけができます。",
	blockSelf: "自分をブロックすることはできません。",
	blockReasonEmpty: "理由を書いてください。本人に見えます。",
	tooManyBlocked: (p) =>
		`このサーバーではすでに${number(p.blocksMax)}人をブロックしています。先に何人か解除してください。`,
	blocksEmpty: "ブロックされている人はいません。",
	blocksHead: (p) => `**ブロック中のメンバー${number(p.blocked)}人**（新しい順）:`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "無期限" : `<t:${p.untilS}:f>まで`}、<@${p.byUserId}>による: ${p.reason}`,
	restInFile: "-# すべてはファイルにあります。",
	patternSimplified: (p) =>
		`パターンで使えるのは文字、数字、\`?\`、\`*\`と単語の区切りだけです。これは${p.pattern}と同じになります。それでよければ、そのまま追加してください。`,
	patternEmpty: "そのパターンには文字も数字もないので、何にも一致しないか、すべてに一致してしまいます。",
	patternTooLong: (p) => `パターンは${number(p.charsMax)}文字までです。もっと短くしてください。`,
	patternUnknown: `そのパターンはありません。${command("filter", "list")}ですべて見られます。`,
	tooManyPatterns: (p) =>
		`このサーバーにはすでに${number(p.patternsMax)}個のパターンがあります。先にいくつか削除してください。`,
	filterEmpty: `禁止されている言葉はありません。${command("filter", "add")}で追加できます。`,
	filterHead: (p) => `**依頼に使えないパターン${number(p.patterns)}個**:`,
	filterMatches: (p) => `断られます: 「${p.found}」が${p.pattern}に一致します。`,
	filterPasses: "断られません。一致するものはありません。",

	styleDescription: `このサーバーのスタイル。名前を付けた言葉とオプションで、「${names.style}」で使います`,
	styleListDescription: "すべてのスタイルと、その内容",
	styleAddDescription: "スタイルを追加または置き換えます（サーバーを管理する人向け）",
	styleRemoveDescription: "スタイルを削除します（サーバーを管理する人向け）",
	optionStyle: "このサーバーのスタイル。プロンプトへの言葉、オプション、またはその両方",
	optionStyleName: "名前: 文字、数字、空白、ハイフン",
	optionStyleText: "プロンプトに加わる言葉",
	optionStyleMedium: "どの種類用か。省くとすべて",
	optionStyleToRemove: "どれか",
	styleNameImpossible: (p) =>
		`スタイルの名前に使えるのは文字、数字、空白、ハイフンで、${number(p.charsMax)}文字まで、最初は文字か数字です。`,
	styleEmpty: "そのスタイルは空です。プロンプトに加える言葉かオプションを指定してください。",
	tooManyStyles: (p) =>
		`このサーバーにはすでに${number(p.stylesMax)}個のスタイルがあります。先にいくつか削除してください。`,
	noStyles: (p) =>
		`${p.style}というスタイルはなく、これに使えるほかのスタイルもありません。${option("style")}を省いてください。`,
	styleUnknown: (p) => `これに使える${p.style}というスタイルはありません。次から選んでください: ${p.known}。`,
	stylesEmpty: `このサーバーにはスタイルがありません。管理する人は${command("style", "add")}で追加できます。`,
	stylesHead: `**スタイル**（オプション${option("style")}で使います）:`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : `（${MEDIA[p.medium]}）`}: ${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "スタイルとして保存",
	styleNameLabel: "名前",
	styleNameHint: "同じ名前のスタイルは置き換えられます。",
	styleWordsLabel: "言葉",
	styleWordsHint: "プロンプトに加わる言葉。この結果のモデルとオプションも一緒に保存されます。",
	styleNotOurs: "これはこのボットの結果ではないため、保存するものがありません。",
	styleMediumNeeded: `${option("medium")}を指定してください。オプションは1種類にだけ使えます。`,
	styleModelGone: (p) =>
		`スタイル**${p.style}**のモデル${p.model}はもうありません。${option("model")}で別のモデルを指定するか、管理者にスタイルの変更を頼んでください。`,
	styleOptionNotTaken: (p) =>
		`スタイル**${p.style}**の${named(p.option)}（${p.value}）は、${p.model}では使えません。${named(p.option)}を自分で指定する（スタイルより優先されます）か、別のモデルを選んでください。`,

	showPaused: (p) =>
		`**停止中**: 何も生成されません${p.sentence === null ? "" : `。メンバーには「${p.sentence}」と表示されます`}。${command("settings", "pause")}で再開できます。`,
	showRunning: `**稼働中**。${command("settings", "pause")}ですべて止められます。`,
	showChannels: (p) => `**チャンネル**: ${rules(p, channelMention, "すべて")}。`,
	showRoles: (p) => `**ロール**: ${rules(p, roleMention, "全員")}。`,
	showMedia: (p) =>
		`**種類**: ${p.off.length === 0 ? "画像、動画、音楽" : `${p.off.map((medium) => MEDIA[medium]).join("、")}はオフ`}。`,
	showModels: (p) => `**モデル**: ${p.ids.length === 0 ? "すべてオン" : `オフ: ${namedList(p)}`}。`,
	showResults: (p) =>
		`**結果**は${p.private ? "依頼した本人だけ" : "全員"}に、${p.spoiler ? "クリックするまで隠して" : "すぐに"}表示されます。`,
	showConfirm: (p) =>
		p.confirmAbove === null ? "**確認**は求めません。" : `**確認**は${credits(p.confirmAbove)}を超えるものに求めます。`,
	showLanguage: (p) => `**全員に見えるメッセージの言語**: ${p.language ?? "サーバーの言語"}。`,
	showLog: (p) =>
		`**設定の変更**は${p.channelId === null ? "どこにも知らせません" : `<#${p.channelId}>に知らせます`}。${command("settings", "audit")}ですべて見られます。`,
	showReports: (p) =>
		`**メンバーの通報**は${p.channelId === null ? "どこにも届きません" : `<#${p.channelId}>に届きます`}。`,
	showCounts: (p) =>
		`**ほか**: ${command("filter")}にパターン${number(p.patterns)}個、${command("blocks")}に${number(p.blocked)}人、${command("style")}に${number(p.styles)}個。`,
	showQuota: `-# 上限は${command("quota", "show")}で見られます。`,
	listFull: (p) => `その一覧にはすでに${number(p.listedMax)}件あります。先にいくつか解除してください。`,
	everyoneRoleRule: `そのロールは全員のことです。別のロールを選ぶか、${command("settings", "pause")}ですべて止めてください。`,
	channelNotWritable: (p) =>
		`<#${p.channelId}>に書き込めません。ボットがそこを見てメッセージを送れるようにするか、別のチャンネルを選んでください。`,
	logChannelHello: "今後、このサーバーの設定の変更はすべてここに知らせます。",
	reportChannelHello: "今後、メンバーの通報はここに届きます。",
	generalOneOf: `同じものについては、値か${option("unset")}のどちらか一方を選んでください。`,

	auditHead: "**設定の変更**（新しい順）:",
	auditEmpty: "まだ何も変更されていません。",
	auditMore: (p) => `-# 続きを見るには${option("before", p.before)}を追加してください。`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` ほか${number(p.more)}件` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "なし"} → ${p.after ?? "なし"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported:
		"このサーバーのすべての設定です。ブロックしたメンバーとフィルターのパターンも含みます。ファイルはほかの人に渡さないでください。",
	settingsImported: (p) => `読み込みました。ファイルにないものは初期状態です。現在の設定:\n${p.settings}`,
	importNotJson: `そのファイルはJSONではありません。${command("settings", "export")}が書いたものを使ってください。何も変更していません。`,
	importTooLarge: (p) =>
		`そのファイルは${number(p.sizeMaxKiB)} KiBより大きいので、設定の書き出しではありません。何も変更していません。`,
	importUnread: "そのファイルをDiscordから取得できませんでした。もう一度お試しください。何も変更していません。",
	importFaulty: (p) =>
		`そのファイルは読み込めません。何も変更していません:\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- ほか${number(p.more)}件` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `（${namedList(denied, mention)}を除く）`;
	return (allowed.ids.length === 0 ? all : `${namedList(allowed, mention)}のみ`) + but;
}
