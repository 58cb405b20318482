import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)} crea ${MEDIA[p.mediaType]}: ${p.models}${andMore(p.more)}.`,
	helpMediumNone: (p) => `${command(p.mediaType)} no puede crear ${MEDIA[p.mediaType]} en este momento.`,
	helpMediumOff: (p) =>
		`${command(p.mediaType)} está desactivado: los admins de este servidor no quieren ${MEDIA[p.mediaType]}.`,
	helpModel: (p) => `${p.model} (${credits(p.costCredits)})`,
	helpPrices: `-# Son los precios sin más opciones; ${option("model")} y ${option("resolution")} muestran otros mientras escribes.`,
	helpNotHere: (p) => `**Aquí y ahora no**: ${p.reason}`,
	helpResults: `**Los resultados** llegan en la respuesta a tu comando, a la vista de todo el canal. Lo que tarda más de 15 minutos llega también ahí o como mensaje directo. ${command("job", "get")} trae los archivos otra vez, solo para ti.`,
	helpCancel: `**Para cancelar** algo usa ${command("job", "cancel")}; lo que no se crea no se cobra. ${command("job", "list")} muestra todo lo que has pedido.`,
	helpStyles: (p) =>
		`**Estilos**: este servidor tiene ${number(p.styles)}; ${option("style")} los ofrece mientras escribes y ${command("style", "list")} los muestra.`,
	helpManagers: `**Para quienes gestionan el servidor**: ${managing}, ${command("credits", "grant")} y ${command("credits", "revoke")}.`,
};
