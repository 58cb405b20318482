import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { MEDIA, command, counted, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`Nada é criado neste servidor no momento${p.sentence === null ? "." : `: ${p.sentence}`} Quem o gerencia pode retomar com ${command("settings", "pause")}.`,
	blocked: (p) =>
		`Você não pode pedir nada neste servidor${p.untilS === null ? "" : ` até <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Fale com a moderação deste servidor se achar que é um engano.`,
	roleDenied: (p) => `Os admins deste servidor não deixam <@&${p.roleId}> pedir nada. Fale com um deles.`,
	roleNeeded: (p) =>
		`Neste servidor só ${namedList(p, roleMention)} podem pedir algo. Peça a um admin um destes cargos.`,
	channelDenied: "Os admins deste servidor não querem isso neste canal. Use outro.",
	channelElsewhere: (p) => `Neste canal não: use ${namedList(p, channelMention)}.`,
	mediumOff: (p) => `Os admins deste servidor desligaram ${MEDIA[p.mediaType]}. Crie outra coisa ou fale com um deles.`,
	modelOff: (p) =>
		`Os admins deste servidor desligaram ${p.model}. Escolha outro modelo: ${option("model")} oferece os disponíveis enquanto você digita.`,
	modelAgeRestricted: (p) =>
		`${p.model} só funciona em canais com restrição de idade. Use um deles ou escolha outro modelo.`,
	wordsForbidden: (p) => `Os admins deste servidor não permitem “${p.found}” no que é pedido. Diga de outro jeito.`,
	moderationRefused: (p) =>
		p.reason === null
			? "O serviço de moderação deste bot não aceita isso. Diga de outro jeito."
			: `O serviço de moderação deste bot não aceita isso: ${p.reason}`,
	moderationAway:
		"O serviço de moderação deste bot não responde, e nada é criado sem ele. Tente de novo em alguns minutos.",

	settingsShowDescription: `Tudo o que está definido, fora os limites que ${plain("quota")} mostra`,
	settingsMediaDescription: "O que é criado e como é mostrado; sem opção, o que está definido",
	settingsModelDescription: "Desligar um modelo ou ligá-lo de novo",
	settingsChannelDescription: "Onde criar: se nenhum canal é permitido, em todos os que não são negados",
	settingsRoleDescription: "Quem pode pedir: se nenhum cargo é permitido, todos sem cargo negado",
	settingsGeneralDescription: "Idioma, confirmações e canais de admins e moderação",
	settingsPauseDescription: "Parar tudo neste servidor ou deixar continuar",
	settingsAuditDescription: "Cada mudança das configurações, a mais recente primeiro",
	settingsExportDescription: "Todas as configurações em um arquivo",
	settingsImportDescription: "Trocar todas as configurações pelas de um arquivo",
	optionSpoiler: "Esconder os resultados até alguém clicar neles",
	optionPrivateDefault: "Mostrar os resultados só a quem pediu, se não disser outra coisa",
	optionPrivate: "Mostrar o resultado só a você ou a todos",
	optionImages: "Se imagens são criadas",
	optionVideos: "Se vídeos são criados",
	optionMusicOn: "Se música é criada",
	optionModelToSwitch: "Qual modelo",
	optionOn: "Se está ligado",
	optionRuleChannel: "Qual canal; os tópicos contam com o canal deles",
	optionRuleRole: "Qual cargo",
	optionRule: "O que vale para ele",
	optionLanguage: "Das mensagens que todos veem",
	optionConfirmAbove: "O que custa mais créditos que isto só é criado depois de confirmado",
	optionLogChannel: "Onde cada mudança das configurações é avisada",
	optionReportChannel: "Onde a moderação lê o que os membros denunciam",
	optionUnset: "O que redefinir",
	optionPauseOn: "Se está em pausa",
	optionPauseSentence: "O que os membros leem",
	optionAuditBefore: "Só o que vem antes desta mudança: o número no fim da página anterior",
	optionImportFile: `Um arquivo escrito por ${plain("settings", "export")}`,
	choiceAllow: "permitir",
	choiceDeny: "negar",
	choiceClear: "sem regra",
	choiceUnsetLanguage: "o idioma",
	choiceUnsetConfirm: "a confirmação",
	choiceUnsetLog: "o canal de registro",
	choiceUnsetReports: "o canal da moderação",

	blockDescription: "Impedir um membro de pedir qualquer coisa neste servidor",
	unblockDescription: "Deixar um membro bloqueado pedir de novo",
	blocksDescription: "Quem está bloqueado, por quê e até quando",
	optionBlockMember: "Quem",
	optionUnblockMember: "Quem",
	optionBlockReason: "Por quê; o membro lê",
	optionBlockDays: "Por quantos dias; omita para bloquear até alguém desbloquear",
	optionBlockHours: "E quantas horas",
	filterDescription: "Palavras que não podem ser pedidas neste servidor",
	filterAddDescription: "Adicionar uma palavra ou padrão: * são letras quaisquer, ? é uma, espaço separa palavras",
	filterRemoveDescription: "Remover uma palavra ou padrão",
	filterListDescription: "Todas as palavras e padrões",
	filterTestDescription: "Se um texto seria recusado, e por qual padrão",
	optionPattern: "Por exemplo: nude* ou palavra feia",
	optionPatternToRemove: "Qual",
	optionFilterText: "O que alguém poderia pedir",
	memberBlocked: (p) =>
		`<@${p.userId}> está bloqueado${p.untilS === null ? "" : ` até <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. O que foi pedido antes continua; ${command("job", "list")} pode cancelar.`,
	memberUnblocked: (p) => `<@${p.userId}> não está mais bloqueado.`,
	notBlocked: (p) => `<@${p.userId}> não está bloqueado. Nada foi alterado.`,
	moderatorsOnly: "Só a moderação deste servidor pode fazer isso.",
	blockSelf: "Você não pode bloquear a si.",
	blockReasonEmpty: "Diga por quê: o membro lê.",
	tooManyBlocked: (p) => `Este servidor já bloqueia ${number(p.blocksMax)} membros. Desbloqueie alguns primeiro.`,
	blocksEmpty: "Ninguém está bloqueado.",
	blocksHead: (p) =>
		`**${counted(p.blocked, { one: "membro bloqueado", other: "membros bloqueados" })}**, o mais recente primeiro:`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "sem fim" : `até <t:${p.untilS}:f>`}, por <@${p.byUserId}>: ${p.reason}`,
	restInFile: "-# O arquivo tem todos.",
	patternSimplified: (p) =>
		`Em um padrão só contam letras, números, \`?\`, \`*\` e o que separa palavras: este encontraria ${p.pattern}. Adicione isso, se é o que você quer.`,
	patternEmpty: "Nesse padrão não há letra nem número, então ele casaria com nada ou com tudo.",
	patternTooLong: (p) => `Um padrão pode ter ${number(p.charsMax)} caracteres. Use um mais curto.`,
	patternUnknown: `Esse padrão não existe. ${command("filter", "list")} mostra todos.`,
	tooManyPatterns: (p) => `Este servidor já tem ${number(p.patternsMax)} padrões. Remova alguns primeiro.`,
	filterEmpty: `Nenhuma palavra é proibida. ${command("filter", "add")} adiciona uma.`,
	filterHead: (p) =>
		`**${counted(p.patterns, { one: "padrão proibido", other: "padrões proibidos" })}** no que é pedido:`,
	filterMatches: (p) => `Recusado: “${p.found}” casa com ${p.pattern}.`,
	filterPasses: "Não é recusado: nada casa.",

	styleDescription: `Estilos deste servidor: palavras e opções com um nome, para a opção ${names.style}`,
	styleListDescription: "Todos os estilos e o que cada um traz",
	styleAddDescription: "Adicionar um estilo ou substituí-lo (para quem gerencia o servidor)",
	styleRemoveDescription: "Remover um estilo (para quem gerencia o servidor)",
	optionStyle: "Um estilo deste servidor: palavras para o prompt, opções ou ambas",
	optionStyleName: "Como se chama: letras, números, espaços e hifens",
	optionStyleText: "O que é acrescentado ao prompt",
	optionStyleMedium: "Para qual mídia; omita para todas",
	optionStyleToRemove: "Qual",
	styleNameImpossible: (p) =>
		`O nome de um estilo tem letras, números, espaços e hifens, no máximo ${number(p.charsMax)}, e começa com uma letra ou um número.`,
	styleEmpty: "Esse estilo está vazio. Diga palavras para acrescentar ao prompt, ou uma opção.",
	tooManyStyles: (p) => `Este servidor já tem ${number(p.stylesMax)} estilos. Remova alguns primeiro.`,
	noStyles: (p) => `Não há estilo chamado ${p.style} aqui, nem outro para isto. Omita ${option("style")}.`,
	styleUnknown: (p) => `Não há estilo chamado ${p.style} para isto aqui. Escolha um destes: ${p.known}.`,
	stylesEmpty: `Este servidor não tem estilos. Quem o gerencia pode adicionar alguns com ${command("style", "add")}.`,
	stylesHead: `**Estilos**, para a opção ${option("style")}:`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : ` (${MEDIA[p.medium]})`}: ${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "Salvar como estilo",
	styleNameLabel: "Nome",
	styleNameHint: "Um estilo com esse nome é substituído.",
	styleWordsLabel: "Palavras",
	styleWordsHint: "Acrescentadas a cada prompt. O modelo e as opções deste resultado ficam guardados com elas.",
	styleNotOurs: "Isso não é um resultado deste bot, então não há nada para salvar.",
	styleMediumNeeded: `Diga para qual ${option("medium")}: opções só valem para uma.`,
	styleModelGone: (p) =>
		`O estilo **${p.style}** é feito por ${p.model}, que não existe mais. Indique outro modelo com ${option("model")}, ou peça aos administradores que mudem o estilo.`,
	styleOptionNotTaken: (p) =>
		`O estilo **${p.style}** diz ${named(p.option)}: ${p.value}, e ${p.model} não aceita isso. Indique ${named(p.option)} você mesmo, o que vale mais que o estilo, ou escolha outro modelo.`,

	showPaused: (p) =>
		`**Em pausa**: nada é criado${p.sentence === null ? "" : `; os membros leem “${p.sentence}”`}. ${command("settings", "pause")} deixa continuar.`,
	showRunning: `**Em funcionamento**; ${command("settings", "pause")} para tudo.`,
	showChannels: (p) => `**Canais**: ${rules(p, channelMention, "em todo lugar")}.`,
	showRoles: (p) => `**Cargos**: ${rules(p, roleMention, "todos")}.`,
	showMedia: (p) =>
		`**Mídias**: ${p.off.length === 0 ? "imagens, vídeos e música" : `sem ${p.off.map((medium) => MEDIA[medium]).join(", ")}`}.`,
	showModels: (p) => `**Modelos**: ${p.ids.length === 0 ? "todos ligados" : `desligados: ${namedList(p)}`}.`,
	showResults: (p) =>
		`**Os resultados** são mostrados ${p.private ? "só a quem pediu" : "a todos"}, ${p.spoiler ? "escondidos até alguém clicar neles" : "na hora"}.`,
	showConfirm: (p) =>
		p.confirmAbove === null
			? "**Nenhuma confirmação** é pedida."
			: `**Confirmação** é pedida para o que custa mais de ${credits(p.confirmAbove)}.`,
	showLanguage: (p) => `**Idioma** das mensagens que todos veem: ${p.language ?? "o do servidor"}.`,
	showLog: (p) =>
		`**Mudanças das configurações** ${p.channelId === null ? "não são avisadas em lugar nenhum" : `são avisadas em <#${p.channelId}>`}; ${command("settings", "audit")} mostra todas.`,
	showReports: (p) =>
		`**Denúncias** dos membros ${p.channelId === null ? "não vão a lugar nenhum" : `vão para <#${p.channelId}>`}.`,
	showCounts: (p) =>
		`**Além disso**: ${counted(p.patterns, { one: "padrão", other: "padrões" })} em ${command("filter")}, ${counted(p.blocked, { one: "membro bloqueado", other: "membros bloqueados" })} em ${command("blocks")}, ${counted(p.styles, { one: "estilo", other: "estilos" })} em ${command("style")}.`,
	showQuota: `-# ${command("quota", "show")} tem os limites.`,
	listFull: (p) => `Essa lista já tem ${number(p.listedMax)} entradas. Limpe algumas primeiro.`,
	everyoneRoleRule: `Esse cargo é todo mundo. Escolha outro ou pare tudo com ${command("settings", "pause")}.`,
	channelNotWritable: (p) =>
		`Não posso escrever em <#${p.channelId}>. Deixe-me ver esse canal e enviar mensagens nele, ou escolha outro.`,
	logChannelHello: "Cada mudança das configurações deste servidor é avisada aqui a partir de agora.",
	reportChannelHello: "O que os membros denunciam é avisado aqui a partir de agora.",
	generalOneOf: `Para a mesma coisa, escolha um valor ou ${option("unset")}, não os dois.`,

	auditHead: "**Mudanças das configurações**, a mais recente primeiro:",
	auditEmpty: "Nada foi mudado ainda.",
	auditMore: (p) => `-# Para ver mais, acrescente ${option("before", p.before)}.`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` e mais ${number(p.more)}` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "nada"} → ${p.after ?? "nada"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported:
		"Todas as configurações deste servidor, com os membros bloqueados e os padrões do filtro. Guarde o arquivo para você.",
	settingsImported: (p) => `Importado. O que o arquivo não cita está como no início. Agora:\n${p.settings}`,
	importNotJson: `Esse arquivo não é JSON. Use um escrito por ${command("settings", "export")}. Nada foi alterado.`,
	importTooLarge: (p) =>
		`Esse arquivo tem mais de ${number(p.sizeMaxKiB)} KiB, então não é uma exportação de configurações. Nada foi alterado.`,
	importUnread: "Não deu para buscar esse arquivo no Discord. Tente de novo. Nada foi alterado.",
	importFaulty: (p) =>
		`Esse arquivo não pode ser importado, e nada foi alterado:\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- e mais ${number(p.more)}` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `, não ${namedList(denied, mention)}`;
	return (allowed.ids.length === 0 ? all : `só ${namedList(allowed, mention)}`) + but;
}
