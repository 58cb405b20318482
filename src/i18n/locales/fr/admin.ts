import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { THE, command, counted, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`Rien n'est créé dans ce serveur pour le moment${p.sentence === null ? "." : ` : ${p.sentence}`} Les personnes qui le gèrent peuvent reprendre avec ${command("settings", "pause")}.`,
	blocked: (p) =>
		`Tu ne peux rien faire créer dans ce serveur${p.untilS === null ? "" : ` jusqu'au <t:${p.untilS}:f> (<t:${p.untilS}:R>)`} : ${p.reason}. Parle à la modération de ce serveur si tu penses que c'est une erreur.`,
	roleDenied: (p) =>
		`Les admins de ce serveur ne laissent pas <@&${p.roleId}> faire créer quoi que ce soit. Demande à l'un d'eux.`,
	roleNeeded: (p) =>
		`Dans ce serveur, seuls ${namedList(p, roleMention)} peuvent faire créer quelque chose. Demande l'un de ces rôles à un admin.`,
	channelDenied: "Les admins de ce serveur ne veulent pas de ça dans ce salon. Utilise un autre salon.",
	channelElsewhere: (p) => `Pas dans ce salon : utilise ${namedList(p, channelMention)}.`,
	mediumOff: (p) =>
		`Les admins de ce serveur ont désactivé ${THE[p.mediaType]}. Crée autre chose, ou demande à l'un d'eux.`,
	modelOff: (p) =>
		`Les admins de ce serveur ont désactivé ${p.model}. Choisis un autre modèle : ${option("model")} les propose pendant que tu tapes.`,
	modelAgeRestricted: (p) =>
		`${p.model} ne marche que dans les salons avec limite d'âge. Utilise l'un d'eux, ou choisis un autre modèle.`,
	wordsForbidden: (p) =>
		`Les admins de ce serveur n'autorisent pas « ${p.found} » dans les demandes. Dis-le autrement.`,
	moderationRefused: (p) =>
		p.reason === null
			? "Le service de modération de ce bot n'accepte pas ça. Dis-le autrement."
			: `Le service de modération de ce bot n'accepte pas ça : ${p.reason}`,
	moderationAway:
		"Le service de modération de ce bot ne répond pas, et rien n'est créé sans lui. Réessaie dans quelques minutes.",

	settingsShowDescription: `Tout ce qui est réglé, en dehors des limites que montre ${plain("quota")}`,
	settingsMediaDescription: "Ce qui est créé et comment c'est montré ; sans option, le réglage actuel",
	settingsModelDescription: "Désactiver un modèle, ou le réactiver",
	settingsChannelDescription: "Où créer : si aucun salon n'est autorisé, partout où ce n'est pas refusé",
	settingsRoleDescription: "Qui peut faire créer : si aucun rôle n'est autorisé, tous sans rôle refusé",
	settingsGeneralDescription: "Langue, confirmations, et salons des admins et de la modération",
	settingsPauseDescription: "Tout arrêter dans ce serveur, ou laisser reprendre",
	settingsAuditDescription: "Chaque changement des réglages, le plus récent d'abord",
	settingsExportDescription: "Tous les réglages dans un fichier",
	settingsImportDescription: "Remplacer tous les réglages par ceux d'un fichier",
	optionSpoiler: "Cacher les résultats jusqu'à ce que quelqu'un clique dessus",
	optionPrivateDefault: "Montrer les résultats seulement à qui les demande, sauf avis contraire",
	optionPrivate: "Montrer le résultat à toi seulement, ou à tout le monde",
	optionImages: "Si des images sont créées",
	optionVideos: "Si des vidéos sont créées",
	optionMusicOn: "Si de la musique est créée",
	optionModelToSwitch: "Quel modèle",
	optionOn: "Si c'est actif",
	optionRuleChannel: "Quel salon ; les fils comptent avec le leur",
	optionRuleRole: "Quel rôle",
	optionRule: "Ce qui vaut pour lui",
	optionLanguage: "Des messages que tout le monde voit",
	optionConfirmAbove: "Ce qui coûte plus de crédits n'est créé qu'après confirmation",
	optionLogChannel: "Où chaque changement des réglages est annoncé",
	optionReportChannel: "Où la modération lit ce que les membres signalent",
	optionUnset: "Ce qu'il faut réinitialiser",
	optionPauseOn: "Si tout est en pause",
	optionPauseSentence: "Ce que lisent les membres",
	optionAuditBefore: "Seulement ce qui précède ce changement : le nombre à la fin de la page d'avant",
	optionImportFile: `Un fichier écrit par ${plain("settings", "export")}`,
	choiceAllow: "autoriser",
	choiceDeny: "refuser",
	choiceClear: "plus de règle",
	choiceUnsetLanguage: "la langue",
	choiceUnsetConfirm: "la confirmation",
	choiceUnsetLog: "le salon du journal",
	choiceUnsetReports: "le salon de la modération",

	blockDescription: "Empêcher un membre de faire créer quoi que ce soit dans ce serveur",
	unblockDescription: "Laisser un membre bloqué faire créer de nouveau",
	blocksDescription: "Qui est bloqué, pourquoi et jusqu'à quand",
	optionBlockMember: "Qui",
	optionUnblockMember: "Qui",
	optionBlockReason: "Pourquoi ; le membre le lit",
	optionBlockDays: "Pour combien de jours ; à omettre pour bloquer jusqu'au déblocage",
	optionBlockHours: "Et combien d'heures",
	filterDescription: "Les mots qu'on ne peut pas demander dans ce serveur",
	filterAddDescription: "Ajouter un mot ou un motif : * des lettres quelconques, ? une seule, espace entre mots",
	filterRemoveDescription: "Supprimer un mot ou un motif",
	filterListDescription: "Tous les mots et motifs",
	filterTestDescription: "Si un texte serait refusé, et par quel motif",
	optionPattern: "Par exemple : nu* ou gros mot",
	optionPatternToRemove: "Lequel",
	optionFilterText: "Ce que quelqu'un pourrait demander",
	memberBlocked: (p) =>
		`<@${p.userId}> est bloqué${p.untilS === null ? "" : ` jusqu'au <t:${p.untilS}:f> (<t:${p.untilS}:R>)`} : ${p.reason}. Ce qui a été demandé avant continue ; ${command("job", "list")} permet de l'annuler.`,
	memberUnblocked: (p) => `<@${p.userId}> n'est plus bloqué.`,
	notBlocked: (p) => `<@${p.userId}> n'est pas bloqué. Rien n'a été changé.`,
	moderatorsOnly: "Seule la modération de ce serveur peut faire ça.",
	blockSelf: "Tu ne peux pas te bloquer toi-même.",
	blockReasonEmpty: "Dis pourquoi : le membre le lit.",
	tooManyBlocked: (p) => `Ce serveur bloque déjà ${number(p.blocksMax)} membres. Débloques-en d'abord quelques-uns.`,
	blocksEmpty: "Personne n'est bloqué.",
	blocksHead: (p) =>
		`**${counted(p.blocked, { one: "membre bloqué", other: "membres bloqués" })}**, le plus récent d'abord :`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "sans fin" : `jusqu'au <t:${p.untilS}:f>`}, par <@${p.byUserId}> : ${p.reason}`,
	restInFile: "-# Le fichier les contient tous.",
	patternSimplified: (p) =>
		`Dans un motif ne comptent que les lettres, les chiffres, \`?\`, \`*\` et ce qui sépare les mots : celui-ci trouverait ${p.pattern}. Ajoute cela si c'est ce que tu veux.`,
	patternEmpty: "Ce motif n'a ni lettre ni chiffre, il ne correspondrait donc à rien ou à tout.",
	patternTooLong: (p) => `Un motif peut avoir ${number(p.charsMax)} caractères. Utilises-en un plus court.`,
	patternUnknown: `Ce motif n'existe pas. ${command("filter", "list")} les montre tous.`,
	tooManyPatterns: (p) => `Ce serveur a déjà ${number(p.patternsMax)} motifs. Supprimes-en d'abord quelques-uns.`,
	filterEmpty: `Aucun mot n'est interdit. ${command("filter", "add")} en ajoute un.`,
	filterHead: (p) =>
		`**${counted(p.patterns, { one: "motif interdit", other: "motifs interdits" })}** dans les demandes :`,
	filterMatches: (p) => `Refusé : « ${p.found} » correspond à ${p.pattern}.`,
	filterPasses: "Pas refusé : rien n'y correspond.",

	styleDescription: `Les styles de ce serveur : mots et options sous un nom, pour l'option ${names.style}`,
	styleListDescription: "Tous les styles, et ce que chacun apporte",
	styleAddDescription: "Ajouter un style, ou le remplacer (pour qui gère le serveur)",
	styleRemoveDescription: "Supprimer un style (pour qui gère le serveur)",
	optionStyle: "Un style de ce serveur : des mots pour le prompt, des options, ou les deux",
	optionStyleName: "Son nom : lettres, chiffres, espaces et traits d'union",
	optionStyleText: "Ce qui est ajouté au prompt",
	optionStyleMedium: "Pour quel média ; à omettre pour tous",
	optionStyleToRemove: "Lequel",
	styleNameImpossible: (p) =>
		`Le nom d'un style a des lettres, des chiffres, des espaces et des traits d'union, ${number(p.charsMax)} au plus, et commence par une lettre ou un chiffre.`,
	styleEmpty: "Ce style est vide. Donne des mots à ajouter au prompt, ou une option.",
	tooManyStyles: (p) => `Ce serveur a déjà ${number(p.stylesMax)} styles. Supprimes-en d'abord quelques-uns.`,
	noStyles: (p) => `Il n'y a pas de style nommé ${p.style} ici, ni d'autre pour cela. Omets ${option("style")}.`,
	styleUnknown: (p) => `Il n'y a pas de style nommé ${p.style} pour cela ici. Choisis parmi : ${p.known}.`,
	stylesEmpty: `Ce serveur n'a pas de styles. Les personnes qui le gèrent peuvent en ajouter avec ${command("style", "add")}.`,
	stylesHead: `**Styles**, pour l'option ${option("style")} :`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : ` (${THE[p.medium]})`} : ${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "Enregistrer comme style",
	styleNameLabel: "Nom",
	styleNameHint: "Un style de ce nom est remplacé.",
	styleWordsLabel: "Mots",
	styleWordsHint: "Ajoutés à chaque prompt. Le modèle et les options de ce résultat sont gardés avec eux.",
	styleNotOurs: "Ce n'est pas un résultat de ce bot : il n'y a rien à enregistrer.",
	styleMediumNeeded: `Dis pour quel ${option("medium")} : des options ne valent que pour un seul.`,
	styleModelGone: (p) =>
		`Le style **${p.style}** est fait par ${p.model}, qui n'existe plus. Nomme un autre modèle avec ${option("model")}, ou demande aux admins de changer le style.`,
	styleOptionNotTaken: (p) =>
		`Le style **${p.style}** dit ${named(p.option)} : ${p.value}, que ${p.model} ne prend pas. Donne toi-même ${named(p.option)}, qui passe avant le style, ou choisis un autre modèle.`,

	showPaused: (p) =>
		`**En pause** : rien n'est créé${p.sentence === null ? "" : ` ; les membres lisent « ${p.sentence} »`}. ${command("settings", "pause")} laisse reprendre.`,
	showRunning: `**En marche** ; ${command("settings", "pause")} arrête tout.`,
	showChannels: (p) => `**Salons** : ${rules(p, channelMention, "partout")}.`,
	showRoles: (p) => `**Rôles** : ${rules(p, roleMention, "tout le monde")}.`,
	showMedia: (p) =>
		`**Médias** : ${p.off.length === 0 ? "images, vidéos et musique" : `désactivés : ${p.off.map((medium) => THE[medium]).join(", ")}`}.`,
	showModels: (p) => `**Modèles** : ${p.ids.length === 0 ? "tous actifs" : `désactivés : ${namedList(p)}`}.`,
	showResults: (p) =>
		`**Les résultats** sont montrés ${p.private ? "seulement à qui les a demandés" : "à tout le monde"}, ${p.spoiler ? "cachés jusqu'à ce que quelqu'un clique dessus" : "tout de suite"}.`,
	showConfirm: (p) =>
		p.confirmAbove === null
			? "**Aucune confirmation** n'est demandée."
			: `**Une confirmation** est demandée au-dessus de ${credits(p.confirmAbove)}.`,
	showLanguage: (p) => `**Langue** des messages que tout le monde voit : ${p.language ?? "celle du serveur"}.`,
	showLog: (p) =>
		`**Les changements des réglages** ${p.channelId === null ? "ne sont annoncés nulle part" : `sont annoncés dans <#${p.channelId}>`} ; ${command("settings", "audit")} les montre tous.`,
	showReports: (p) =>
		`**Les signalements** des membres ${p.channelId === null ? "ne vont nulle part" : `vont dans <#${p.channelId}>`}.`,
	showCounts: (p) =>
		`**Et aussi** : ${counted(p.patterns, { one: "motif", other: "motifs" })} dans ${command("filter")}, ${counted(p.blocked, { one: "membre bloqué", other: "membres bloqués" })} dans ${command("blocks")}, ${counted(p.styles, { one: "style", other: "styles" })} dans ${command("style")}.`,
	showQuota: `-# ${command("quota", "show")} montre les limites.`,
	listFull: (p) => `Cette liste a déjà ${number(p.listedMax)} entrées. Effaces-en d'abord quelques-unes.`,
	everyoneRoleRule: `Ce rôle, c'est tout le monde. Choisis-en un autre, ou arrête tout avec ${command("settings", "pause")}.`,
	channelNotWritable: (p) =>
		`Je ne peux pas écrire dans <#${p.channelId}>. Laisse-moi voir ce salon et y envoyer des messages, ou choisis-en un autre.`,
	logChannelHello: "Chaque changement des réglages de ce serveur est annoncé ici à partir de maintenant.",
	reportChannelHello: "Ce que les membres signalent est annoncé ici à partir de maintenant.",
	generalOneOf: `Pour une même chose, choisis une valeur ou ${option("unset")}, pas les deux.`,

	auditHead: "**Changements des réglages**, le plus récent d'abord :",
	auditEmpty: "Rien n'a encore été changé.",
	auditMore: (p) => `-# Pour la suite, ajoute ${option("before", p.before)}.`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` et ${counted(p.more, { one: "autre", other: "autres" })}` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "rien"} → ${p.after ?? "rien"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported:
		"Tous les réglages de ce serveur, membres bloqués et motifs du filtre compris. Garde ce fichier pour toi.",
	settingsImported: (p) =>
		`Importé. Tout ce que le fichier ne nomme pas est comme au début. Maintenant :\n${p.settings}`,
	importNotJson: `Ce fichier n'est pas du JSON. Utilises-en un écrit par ${command("settings", "export")}. Rien n'a été changé.`,
	importTooLarge: (p) =>
		`Ce fichier dépasse ${number(p.sizeMaxKiB)} Kio, ce n'est donc pas un export de réglages. Rien n'a été changé.`,
	importUnread: "Ce fichier n'a pas pu être récupéré auprès de Discord. Réessaie. Rien n'a été changé.",
	importFaulty: (p) =>
		`Ce fichier ne peut pas être importé, et rien n'a été changé :\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- et ${counted(p.more, { one: "autre", other: "autres" })}` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `, pas ${namedList(denied, mention)}`;
	return (allowed.ids.length === 0 ? all : `seulement ${namedList(allowed, mention)}`) + but;
}
