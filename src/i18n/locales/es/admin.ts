import type { adminTexts as english } from "../en/admin.ts";
import { channelMention, roleMention, type Named } from "../../params.ts";
import type { Translation } from "../../translation.ts";
import { names } from "./names.ts";
import { MEDIA, command, counted, credits, moment, namedList, number, option, plain, named } from "./words.ts";

export const adminTexts: Translation<typeof english> = {
	generationPaused: (p) =>
		`En este servidor no se crea nada en este momento${p.sentence === null ? "." : `: ${p.sentence}`} Quienes lo gestionan pueden reanudarlo con ${command("settings", "pause")}.`,
	blocked: (p) =>
		`No puedes pedir nada en este servidor${p.untilS === null ? "" : ` hasta el <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Habla con la moderación de este servidor si crees que es un error.`,
	roleDenied: (p) => `Los admins de este servidor no permiten a <@&${p.roleId}> pedir nada. Pregunta a uno de ellos.`,
	roleNeeded: (p) =>
		`En este servidor solo pueden pedir algo ${namedList(p, roleMention)}. Pide a un admin uno de estos roles.`,
	channelDenied: "Los admins de este servidor no quieren eso en este canal. Usa otro.",
	channelElsewhere: (p) => `En este canal no: usa ${namedList(p, channelMention)}.`,
	mediumOff: (p) =>
		`Los admins de este servidor han desactivado ${MEDIA[p.mediaType]}. Crea otra cosa o pregunta a uno de ellos.`,
	modelOff: (p) =>
		`Los admins de este servidor han desactivado ${p.model}. Elige otro modelo: ${option("model")} los ofrece mientras escribes.`,
	modelAgeRestricted: (p) =>
		`${p.model} solo funciona en canales con restricción de edad. Usa uno de ellos o elige otro modelo.`,
	wordsForbidden: (p) => `Los admins de este servidor no permiten «${p.found}» en lo que se pide. Dilo de otra manera.`,
	moderationRefused: (p) =>
		p.reason === null
			? "El servicio de moderación de este bot no acepta eso. Dilo de otra manera."
			: `El servicio de moderación de este bot no acepta eso: ${p.reason}`,
	moderationAway:
		"El servicio de moderación de este bot no responde, y sin él no se crea nada. Inténtalo de nuevo en unos minutos.",

	settingsShowDescription: `Todo lo que está ajustado, salvo los límites que muestra ${plain("quota")}`,
	settingsMediaDescription: "Qué se crea y cómo se muestra; sin opción, lo que está ajustado",
	settingsModelDescription: "Desactivar un modelo o activarlo de nuevo",
	settingsChannelDescription: "Dónde crear: si no se permite ninguno, en todos los que no se deniegan",
	settingsRoleDescription: "Quién puede pedir: si no se permite ninguno, todos sin un rol denegado",
	settingsGeneralDescription: "Idioma, confirmaciones y canales de admins y moderación",
	settingsPauseDescription: "Parar todo en este servidor o dejar que siga",
	settingsAuditDescription: "Cada cambio de los ajustes, el más reciente primero",
	settingsExportDescription: "Todos los ajustes en un archivo",
	settingsImportDescription: "Sustituir todos los ajustes por los de un archivo",
	optionSpoiler: "Ocultar los resultados hasta que alguien haga clic en ellos",
	optionPrivateDefault: "Mostrar los resultados solo a quien los pide, si no dice otra cosa",
	optionPrivate: "Mostrar el resultado solo a ti o a todos",
	optionImages: "Si se crean imágenes",
	optionVideos: "Si se crean vídeos",
	optionMusicOn: "Si se crea música",
	optionModelToSwitch: "Qué modelo",
	optionOn: "Si está activo",
	optionRuleChannel: "Qué canal; los hilos cuentan con el suyo",
	optionRuleRole: "Qué rol",
	optionRule: "Qué vale para él",
	optionLanguage: "De los mensajes que ven todos",
	optionConfirmAbove: "Lo que cuesta más créditos que esto solo se crea tras confirmarlo",
	optionLogChannel: "Dónde se anuncia cada cambio de los ajustes",
	optionReportChannel: "Dónde lee la moderación lo que reportan los miembros",
	optionUnset: "Qué restablecer",
	optionPauseOn: "Si está en pausa",
	optionPauseSentence: "Qué leen los miembros",
	optionAuditBefore: "Solo lo anterior a este cambio: el número al final de la página anterior",
	optionImportFile: `Un archivo escrito por ${plain("settings", "export")}`,
	choiceAllow: "permitir",
	choiceDeny: "denegar",
	choiceClear: "sin regla",
	choiceUnsetLanguage: "el idioma",
	choiceUnsetConfirm: "la confirmación",
	choiceUnsetLog: "el canal de registro",
	choiceUnsetReports: "el canal de la moderación",

	blockDescription: "Impedir que un miembro pida nada en este servidor",
	unblockDescription: "Dejar que un miembro bloqueado vuelva a pedir",
	blocksDescription: "Quién está bloqueado, por qué y hasta cuándo",
	optionBlockMember: "A quién",
	optionUnblockMember: "A quién",
	optionBlockReason: "Por qué; el miembro lo lee",
	optionBlockDays: "Cuántos días; omítelo para bloquear hasta que alguien desbloquee",
	optionBlockHours: "Y cuántas horas",
	filterDescription: "Palabras que no se pueden pedir en este servidor",
	filterAddDescription: "Añadir una palabra o un patrón: * son letras cualesquiera, ? una; el espacio separa palabras",
	filterRemoveDescription: "Eliminar una palabra o un patrón",
	filterListDescription: "Todas las palabras y patrones",
	filterTestDescription: "Si un texto sería rechazado, y por qué patrón",
	optionPattern: "Por ejemplo: desnud* o mala palabra",
	optionPatternToRemove: "Cuál",
	optionFilterText: "Lo que alguien podría pedir",
	memberBlocked: (p) =>
		`<@${p.userId}> está bloqueado${p.untilS === null ? "" : ` hasta el <t:${p.untilS}:f> (<t:${p.untilS}:R>)`}: ${p.reason}. Lo que se pidió antes sigue; ${command("job", "list")} puede cancelarlo.`,
	memberUnblocked: (p) => `<@${p.userId}> ya no está bloqueado.`,
	notBlocked: (p) => `<@${p.userId}> no está bloqueado. No se ha cambiado nada.`,
	moderatorsOnly: "Solo la moderación de este servidor puede hacer eso.",
	blockSelf: "No puedes bloquearte a ti.",
	blockReasonEmpty: "Di por qué: el miembro lo lee.",
	tooManyBlocked: (p) => `Este servidor ya bloquea a ${number(p.blocksMax)} miembros. Desbloquea antes a algunos.`,
	blocksEmpty: "No hay nadie bloqueado.",
	blocksHead: (p) =>
		`**${counted(p.blocked, { one: "miembro bloqueado", other: "miembros bloqueados" })}**, lo más reciente primero:`,
	blockLine: (p) =>
		`<@${p.userId}> ${p.untilS === null ? "sin fin" : `hasta el <t:${p.untilS}:f>`}, por <@${p.byUserId}>: ${p.reason}`,
	restInFile: "-# El archivo los tiene todos.",
	patternSimplified: (p) =>
		`En un patrón solo cuentan letras, números, \`?\`, \`*\` y lo que separa palabras: este encontraría ${p.pattern}. Añade eso si es lo que quieres.`,
	patternEmpty: "En ese patrón no hay letras ni números, así que coincidiría con nada o con todo.",
	patternTooLong: (p) => `Un patrón puede tener ${number(p.charsMax)} caracteres. Usa uno más corto.`,
	patternUnknown: `Ese patrón no existe. ${command("filter", "list")} los muestra todos.`,
	tooManyPatterns: (p) => `Este servidor ya tiene ${number(p.patternsMax)} patrones. Elimina antes algunos.`,
	filterEmpty: `No hay palabras prohibidas. ${command("filter", "add")} añade una.`,
	filterHead: (p) =>
		`**${counted(p.patterns, { one: "patrón prohibido", other: "patrones prohibidos" })}** en lo que se pide:`,
	filterMatches: (p) => `Rechazado: «${p.found}» coincide con ${p.pattern}.`,
	filterPasses: "No se rechaza: nada coincide.",

	styleDescription: `Estilos de este servidor: palabras y opciones con un nombre, para la opción ${names.style}`,
	styleListDescription: "Todos los estilos y lo que trae cada uno",
	styleAddDescription: "Añadir un estilo o reemplazarlo (para quienes gestionan el servidor)",
	styleRemoveDescription: "Eliminar un estilo (para quienes gestionan el servidor)",
	optionStyle: "Un estilo de este servidor: palabras para el prompt, opciones o ambas",
	optionStyleName: "Cómo se llama: letras, números, espacios y guiones",
	optionStyleText: "Lo que se añade al prompt",
	optionStyleMedium: "Para qué medio; omítelo para todos",
	optionStyleToRemove: "Cuál",
	styleNameImpossible: (p) =>
		`El nombre de un estilo tiene letras, números, espacios y guiones, ${number(p.charsMax)} como mucho, y empieza por una letra o un número.`,
	styleEmpty: "Ese estilo está vacío. Di palabras que se añadan al prompt, o una opción.",
	tooManyStyles: (p) => `Este servidor ya tiene ${number(p.stylesMax)} estilos. Elimina antes algunos.`,
	noStyles: (p) => `Aquí no hay ningún estilo llamado ${p.style}, ni otro para esto. Omite ${option("style")}.`,
	styleUnknown: (p) => `Aquí no hay ningún estilo llamado ${p.style} para esto. Elige uno de estos: ${p.known}.`,
	stylesEmpty: `Este servidor no tiene estilos. Quienes lo gestionan pueden añadir algunos con ${command("style", "add")}.`,
	stylesHead: `**Estilos**, para la opción ${option("style")}:`,
	styleLine: (p) => `- **${p.name}**${p.medium === null ? "" : ` (${MEDIA[p.medium]})`}: ${p.text}`,
	styleOption: (p) => `${named(p.option)}: ${p.value}`,
	styleMenuName: "Guardar como estilo",
	styleNameLabel: "Nombre",
	styleNameHint: "Si ya hay un estilo con ese nombre, se reemplaza.",
	styleWordsLabel: "Palabras",
	styleWordsHint: "Se añaden a cada prompt. El modelo y las opciones de este resultado se guardan con ellas.",
	styleNotOurs: "Eso no es un resultado de este bot, así que no hay nada que guardar.",
	styleMediumNeeded: `Di para qué ${option("medium")}: las opciones solo valen para uno.`,
	styleModelGone: (p) =>
		`El estilo **${p.style}** lo hace ${p.model}, que ya no existe. Indica otro modelo con ${option("model")}, o pide a los administradores que cambien el estilo.`,
	styleOptionNotTaken: (p) =>
		`El estilo **${p.style}** dice ${named(p.option)}: ${p.value}, y ${p.model} no lo admite. Indica tú ${named(p.option)}, que va antes que el estilo, o elige otro modelo.`,

	showPaused: (p) =>
		`**En pausa**: no se crea nada${p.sentence === null ? "" : `; los miembros leen «${p.sentence}»`}. ${command("settings", "pause")} deja que siga.`,
	showRunning: `**En marcha**; ${command("settings", "pause")} lo para todo.`,
	showChannels: (p) => `**Canales**: ${rules(p, channelMention, "en todas partes")}.`,
	showRoles: (p) => `**Roles**: ${rules(p, roleMention, "todos")}.`,
	showMedia: (p) =>
		`**Medios**: ${p.off.length === 0 ? "imágenes, vídeos y música" : `sin ${p.off.map((medium) => MEDIA[medium]).join(", ")}`}.`,
	showModels: (p) => `**Modelos**: ${p.ids.length === 0 ? "todos activos" : `desactivados: ${namedList(p)}`}.`,
	showResults: (p) =>
		`**Los resultados** se muestran ${p.private ? "solo a quien los pidió" : "a todos"}, ${p.spoiler ? "ocultos hasta que alguien haga clic en ellos" : "enseguida"}.`,
	showConfirm: (p) =>
		p.confirmAbove === null
			? "**No se pide confirmación** para nada."
			: `**Se pide confirmación** para lo que cuesta más de ${credits(p.confirmAbove)}.`,
	showLanguage: (p) => `**Idioma** de los mensajes que ven todos: ${p.language ?? "el del servidor"}.`,
	showLog: (p) =>
		`**Los cambios de los ajustes** ${p.channelId === null ? "no se anuncian en ninguna parte" : `se anuncian en <#${p.channelId}>`}; ${command("settings", "audit")} los muestra todos.`,
	showReports: (p) =>
		`**Los reportes** de los miembros ${p.channelId === null ? "no van a ninguna parte" : `van a <#${p.channelId}>`}.`,
	showCounts: (p) =>
		`**Además**: ${counted(p.patterns, { one: "patrón", other: "patrones" })} en ${command("filter")}, ${counted(p.blocked, { one: "miembro bloqueado", other: "miembros bloqueados" })} en ${command("blocks")}, ${counted(p.styles, { one: "estilo", other: "estilos" })} en ${command("style")}.`,
	showQuota: `-# ${command("quota", "show")} tiene los límites.`,
	listFull: (p) => `Esa lista ya tiene ${number(p.listedMax)} entradas. Borra antes algunas.`,
	everyoneRoleRule: `Ese rol son todos. Elige otro o páralo todo con ${command("settings", "pause")}.`,
	channelNotWritable: (p) =>
		`No puedo escribir en <#${p.channelId}>. Déjame ver ese canal y enviar mensajes en él, o elige otro.`,
	logChannelHello: "Cada cambio de los ajustes de este servidor se anuncia aquí desde ahora.",
	reportChannelHello: "Lo que reportan los miembros se anuncia aquí desde ahora.",
	generalOneOf: `Para una misma cosa elige un valor o ${option("unset")}, no ambos.`,

	auditHead: "**Cambios de los ajustes**, lo más reciente primero:",
	auditEmpty: "Aún no se ha cambiado nada.",
	auditMore: (p) => `-# Para ver más añade ${option("before", p.before)}.`,
	changeLine: (p) =>
		`${moment(p.atS)} · ${p.who} · ${p.fields}${p.more > 0 ? ` y ${number(p.more)} más` : ""} · #${p.revision}`,
	changeField: (p) => `**${p.name}** ${p.before ?? "nada"} → ${p.after ?? "nada"}`,
	changeList: (p) =>
		`**${p.name}**${p.added === null ? "" : ` + ${p.added}`}${p.removed === null ? "" : ` − ${p.removed}`}`,

	settingsExported:
		"Todos los ajustes de este servidor, incluidos los miembros bloqueados y los patrones del filtro. Guarda el archivo para ti.",
	settingsImported: (p) => `Importado. Lo que el archivo no nombra está como al principio. Ahora:\n${p.settings}`,
	importNotJson: `Ese archivo no es JSON. Usa uno escrito por ${command("settings", "export")}. No se ha cambiado nada.`,
	importTooLarge: (p) =>
		`Ese archivo pesa más de ${number(p.sizeMaxKiB)} KiB, así que no es una exportación de ajustes. No se ha cambiado nada.`,
	importUnread: "No se pudo obtener ese archivo de Discord. Inténtalo de nuevo. No se ha cambiado nada.",
	importFaulty: (p) =>
		`Ese archivo no se puede importar y no se ha cambiado nada:\n${p.problems.map((fault) => `- ${fault}`).join("\n")}${p.more > 0 ? `\n- y ${number(p.more)} más` : ""}`,
};

function rules(
	{ allowed, denied }: { readonly allowed: Named; readonly denied: Named },
	mention: (id: string) => string,
	all: string,
): string {
	const but = denied.ids.length === 0 ? "" : `, no ${namedList(denied, mention)}`;
	return (allowed.ids.length === 0 ? all : `solo ${namedList(allowed, mention)}`) + but;
}
