import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import {
	MEDIA,
	PER,
	again,
	changes,
	command,
	credits,
	fileAt,
	form,
	named,
	number,
	option,
	remain,
	when,
} from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · ${remain(p.leftCredits)}`,
	resultInPart: (p) => `Se hicieron ${number(p.made)} de ${number(p.ordered)}; solo esas se cobran.`,
	resultLeftOut: (p) =>
		`Se hicieron ${number(p.made)}. En un mensaje caben ${number(p.shown)}: las demás no se muestran ni se cobran.`,
	detailSeed: (p) => `semilla ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)} s`,
	resultBooksDamaged: (p) =>
		`> ${p.prompt}\n-# ${p.details} · cobro de ${credits(p.costCredits)} · las cuentas de este servidor están dañadas`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · cobro de ${credits(p.costCredits)} · las cuentas de este servidor están dañadas\n-# El prompt no se repite porque Discord no lo dejó pasar aquí.`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "No se ha cobrado nada.",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · ${remain(p.leftCredits)}\n-# El prompt no se repite porque Discord no lo dejó pasar aquí.`,
	fileRefused: (p) =>
		`Está creado y cobrado (${credits(p.costCredits)}), pero Discord no aceptó el archivo aquí. Se guarda una semana: ${command("job", "get")} quizá lo traiga en otro sitio, y los responsables de este bot lo tienen, con el id ${p.taskId}.`,
	directLead: (p) => `Pediste esto en <#${p.channelId}>, donde ya no se puede mostrar:`,
	comesLaterHere: "Está tardando más de lo habitual. Se publicará aquí cuando esté listo.",
	comesLaterDirectly: `Está tardando más de lo habitual. Llegará como mensaje directo cuando esté listo; si no los aceptas, lo tendrás con ${command("job")}.`,

	creditsShort: (p) =>
		`Eso cuesta ${credits(p.costCredits)}, y a este servidor le ${remain(p.leftCredits)}. ${p.refillsAtS === null ? "Elige algo más pequeño o pide más a un admin." : `Habrá más ${when(p.refillsAtS)}; hasta entonces elige algo más pequeño o pregunta a un admin.`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "Los admins de este servidor no te han dado créditos. Pregunta a uno de ellos."
			: `Eso cuesta ${credits(p.costCredits)}, y de tus ${credits(p.limitCredits)} ${PER[p.per]} te ${remain(p.leftCredits)}. ${again(p, "Tendrás")}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `Los admins de este servidor no han dado créditos a los miembros para ${MEDIA[p.mediaType]}.`
			: `Eso cuesta ${credits(p.costCredits)}, y de los ${credits(p.limitCredits)} ${PER[p.per]} que cada miembro puede usar para ${MEDIA[p.mediaType]} te ${remain(p.leftCredits)}. ${again(p, "Tendrás")}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "Los admins de este servidor han detenido todo uso de créditos en él."
			: `Eso cuesta ${credits(p.costCredits)}, y de los ${credits(p.limitCredits)} ${PER[p.per]} que este servidor se permite ${remain(p.leftCredits)}. ${again(p, "Tendrá")}`,
	tooManyAtOnce: "Hay demasiadas cosas en curso en este servidor. Espera a que termine una e inténtalo de nuevo.",
	managersOnly: "Solo pueden hacer eso las personas que gestionan este servidor.",
	grantedByOperator: "Solo los responsables de este bot dan créditos. Pídeles más.",
	othersHistory: `Solo las personas que gestionan este servidor pueden ver lo que hicieron otros. Omite ${option("member")} para ver tu propio historial.`,
	revokeTooMuch: (p) =>
		`No puedes quitar ${credits(p.amountCredits)}: este servidor tiene ${number(p.availableCredits)} libres${p.heldCredits > 0 ? ` y ${number(p.heldCredits)} en reserva para lo que está en curso` : ""}.`,
	changeDiffers: "Con este id ya se hizo otra cosa. No ha cambiado nada.",
	changeUncertain: `No es seguro que se haya hecho: mira ${command("credits", "history")} antes de repetirlo.`,
	amountImpossible: "Es más de lo que cabe en las cuentas. Elige una cantidad menor.",
	tooManyExpiring: "Este servidor ya tiene demasiadas entregas que caducan. Da estas sin fecha de fin o espera.",
	nothingToChange: "No se ha cambiado nada: di qué debe ser diferente.",
	allotmentOneOf: `Elige una opción entre ${option("credits")}, ${option("unlimited")} y ${option("clear")}.`,
	limitOneOf: `Elige entre ${option("credits")} y ${option("unlimited")}.`,
	mediumOneOf: `Elige entre ${option("credits")} y ${option("clear")}.`,
	warnOneOf: `Elige entre ${option("warn_channel")} y ${option("warn_nobody")}.`,
	periodWithoutLimit: `El servidor no tiene ningún límite que contar por tiempo. Indica también ${option("credits")}.`,
	periodForEverybody: `El tiempo es el mismo para todos. Omite ${option("member")} para cambiarlo.`,
	everyoneRole: `Ese rol son todos. Usa ${command("quota", "member")} sin miembro.`,
	timeZoneUnknown: (p) => `No hay ninguna zona horaria llamada ${p.typed}. Elige una de la lista, como Europe/Madrid.`,
	tooManyExceptions: (p) =>
		`Este servidor ya tiene reglas para ${number(p.exceptionsMax)} roles y miembros. Borra antes algunas.`,
	serverOnly: "Esto solo funciona en un servidor, porque los créditos son del servidor.",
	controlUnknown:
		"Esto ya no hace nada: lo puso una versión anterior de este bot, u otra cosa. Escribe el comando en su lugar.",
	promptEmpty: "Ese prompt está vacío. Di en pocas palabras qué quieres.",
	noModel: (p) =>
		`Nada aquí puede crear ${MEDIA[p.mediaType]} en este momento. Los responsables de este bot pueden ver por qué en su registro.`,
	modelUnknown: (p) => `Aquí no hay ningún modelo llamado ${p.model}. Elige uno de estos: ${p.known}.`,
	imageNeeded: (p) => `${p.model} necesita una imagen de partida: adjunta una como ${option("image")}.`,
	optionNotTaken: (p) => `${p.model} no admite ${named(p.option)}. Omite esa opción o elige otro modelo.`,
	optionOneOf: (p) => `${p.model} no puede hacer ${named(p.option)} ${p.value}. Admite uno de ${p.values}.`,
	optionRange: (p) =>
		`${p.model} no puede hacer ${named(p.option)} ${p.value}. Admite un número entero de ${number(p.min)} a ${number(p.max)}.`,
	durationNeeded: (p) => `${p.model} se paga por segundo: di cuánto debe durar con ${option("duration")}.`,
	optionTooLong: (p) => `${p.model} admite como mucho ${number(p.charsMax)} caracteres en ${named(p.option)}.`,
	inputTooManyPixels: (p) =>
		`Esa imagen tiene ${number(p.megapixels)} megapíxeles. Usa una de menos de ${number(p.megapixelsMax)}.`,
	attachmentNotImage: "Ese archivo no es una imagen. Adjunta un PNG, JPEG o WebP.",
	serviceDown: "El servicio de creación no está disponible ahora mismo. Inténtalo de nuevo en unos minutos.",
	serviceBusy: "El servicio de creación está ocupado. Inténtalo de nuevo en unos minutos.",
	pausedByOperator:
		"Ahora mismo no se acepta nada nuevo: este bot se ha restaurado desde una copia de seguridad. Quien lo administra volverá a abrirlo pronto.",
	serviceConfused:
		"El servicio de creación dio una respuesta sin sentido. Los responsables de este bot pueden verla en el registro.",
	serviceRefused: (p) => `El servicio de creación ha rechazado esto: ${p.reason}`,
	contentPolicy: "El servicio de creación no acepta este prompt. Dilo de otra manera.",
	operatorMustAct:
		"El servicio de creación no trabaja para este bot ahora mismo. Solo los responsables de este bot pueden arreglarlo; el registro dice por qué.",
	modelUnavailable: "El servicio de creación no puede usar este modelo ahora mismo. Prueba otro modelo.",
	makingFailed: "El servicio de creación lo intentó y falló. Inténtalo de nuevo o prueba otro modelo.",
	nothingMade: "El servicio dice que ha terminado, pero no hay ningún archivo. Inténtalo de nuevo.",
	timedOut: "Ha tardado demasiado y se ha abandonado. Inténtalo de nuevo o prueba algo más corto.",
	notSent: "No se pudo enviar al servicio a tiempo, así que no se creó. Inténtalo de nuevo más tarde.",
	botWasStopped:
		"Este bot estuvo detenido un rato, y el tiempo para esto se agotó antes de enviarlo. Inténtalo de nuevo.",
	resultLost: "Se creó, pero no se pudo obtener el archivo. Inténtalo de nuevo.",
	diskFull: "Se creó, pero el disco de este bot está lleno. Solo los responsables de este bot pueden arreglarlo.",
	resultOutOfBounds:
		"Se creó, pero está donde este bot no debe ir a buscar archivos. Los responsables de este bot pueden ver dónde en el registro.",
	resultStrange: "Se creó, pero Discord no muestra ese tipo de archivo. Inténtalo de nuevo o prueba otro modelo.",
	resultWrongMedium: (p) =>
		`El servicio creó algo que no es ${{ image: "una imagen", video: "un vídeo", music: "música" }[p.mediaType]}. Inténtalo de nuevo o prueba otro modelo.`,
	resultDamaged: "Se creó, pero el archivo está dañado. Inténtalo de nuevo o prueba otro modelo.",
	resultTooManyPixels: (p) =>
		`Se creó, pero la imagen tiene ${number(p.megapixels)} megapíxeles, más de lo que es seguro abrir. Elige una resolución menor.`,
	resultFitted: (p) => `Adaptado para que quepa aquí: ${changes(p.changes)}.`,
	resultPreview: (p) =>
		`El archivo completo pesa ${number(p.sizeMiB)} MiB, demasiado para mostrarlo aquí con cualquier calidad: esto es ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `Los responsables de este bot tienen el resto durante una semana, con el id ${p.taskId}.`}`,
	fileAt,
	resultTooLarge: (p) =>
		`Se creó, pero el archivo pesa ${number(p.sizeMiB)} MiB y aquí el límite es de ${number(p.limitMiB)} MiB. Elige una resolución menor o una duración más corta.`,
	resultNeedsMoreMemory: (p) =>
		`Se creó, pero este bot no tiene memoria suficiente para convertir el archivo, que pesa ${number(p.sizeMiB)} MiB. Elige una resolución menor o una duración más corta; los responsables de este bot lo ven en el registro.`,
	resultTooLargeToFetch: (p) =>
		`Se creó, pero el archivo pesa más de ${number(p.limitMiB)} MiB, lo máximo que este bot descarga. Elige una resolución menor o una duración más corta.`,
	noWayBack:
		"Eso puede tardar más de 15 minutos, y después solo el propio bot puede mostrarlo aquí: pero no está en este servidor o no ve este canal. Pide a un admin que le dé acceso o usa otro canal. No se ha cobrado nada.",
	outcomeUnknown: "No es seguro que el servicio aceptara esto.",
	outcomePending: (p) => {
		const then =
			p.costCredits === 0
				? "se abandona"
				: `${form(p.costCredits, { one: "vuelve", other: "vuelven" })} ${credits(p.costCredits)}`;
		return p.isLookedUp
			? `El servicio no dijo si aceptó esto; se está comprobando, y ${then} si <t:${p.deadlineAtS}:R> aún no se sabe.`
			: `El servicio no dijo si aceptó esto, así que ${then} <t:${p.deadlineAtS}:R>.`;
	},
	canceledByMember: "Lo canceló quien lo había pedido.",
	canceledByModerator: (p) => `Lo canceló <@${p.userId}>, de la moderación de este servidor.`,
	canceledByOperator: "Lo cancelaron los responsables de este bot.",
	canceledByService: "El servicio de creación canceló esto. Inténtalo de nuevo.",
	unexpected: (p) =>
		`Algo ha fallado por nuestra parte. Si vuelve a pasar, díselo a los responsables de este bot: incidente ${p.incidentId}.`,
	booksDamaged: (p) =>
		`Las cuentas de este servidor están dañadas, así que no se hace nada hasta que se reparen. No se ha movido ningún crédito. Díselo a los responsables de este bot: incidente ${p.incidentId}.`,
};
