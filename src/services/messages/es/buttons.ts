import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../translation.ts";
import { ONE_OF, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "Otra vez",
	buttonVary: "Variar",
	buttonEdit: "Editar",
	buttonAnimate: "Animar",
	buttonUseAsInput: "Usar como base",
	buttonUpscale: (p) => `Ampliar (${credits(p.costCredits)})`,
	picturePlaceholder: "Hacer algo con una de estas imágenes",
	choicePicture: (p) => `Imagen ${p.picture}: ${p.label}`,
	upscaleNone: "Ningún modelo de aquí puede ampliar esta imagen.",
	buttonDelete: "Eliminar",
	buttonConfirm: (p) => `Crear por ${credits(p.costCredits)}`,
	buttonDecline: "Dejarlo",
	buttonRedeem: "Añadir mi compra aquí",
	editTitle: "Crear de otra manera",
	editInputTitle: "Crear a partir de esta imagen",
	editPrompt: "Prompt",
	editAspectRatio: "Forma",
	editResolution: "Tamaño",
	editDuration: "Segundos",
	editSeed: "Semilla",
	editLyrics: "Letra",
	editInstrumental: "Sin voz",
	editCount: "Cuántas",
	editSeedHint: "Vacío: otra",
	choiceYes: "sí",
	choiceNo: "no",
	animateMenuName: "Animar",
	variationsMenuName: "Crear variaciones",
	sourceGone:
		"Lo que creó esto ya no se guarda aquí, así que desde aquí no se puede repetir. Escribe el comando de nuevo.",
	sourcePrivate: "Ese es el resultado privado de otra persona.",
	inputGone: "La imagen de partida ya no está disponible. Escribe el comando de nuevo y adjúntala otra vez.",
	noPicture: "En ese mensaje no hay ninguna imagen que se pueda usar. Debe ser un PNG, JPEG o WebP.",
	promptTooLongToEdit: (p) =>
		`Ese prompt tiene más de ${number(p.charsMax)} caracteres, demasiados para un formulario. Escribe el comando de nuevo.`,
	notAWholeNumber: (p) => `${p.field}: ${p.typed} no es un número entero.`,
	othersResult: "Solo puede eliminarlo quien lo pidió o la moderación de este servidor.",
	resultDeleted: `Eliminado. Lo que costó sigue gastado y las cuentas siguen como están. ${command("job", "get")} aún tiene los archivos de lo que pediste, mientras se guarden.`,
	confirmCost: (p) =>
		`> ${p.prompt}\n${p.model} (${ONE_OF[p.mediaType]}) cuesta **${credits(p.costCredits)}**. Este servidor quiere que se confirme; aún no se cobra nada.`,
	proposalGone: "Eso ya está decidido o fue hace demasiado. Escribe el comando de nuevo.",
	othersProposal: "Solo puede decidirlo quien lo pidió.",
	proposalDeclined: "Dejado. No se ha cobrado nada.",
};
