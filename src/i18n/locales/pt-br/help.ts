import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)} cria ${MEDIA[p.mediaType]}: ${p.models}${andMore(p.more)}.`,
	helpMediumNone: (p) => `${command(p.mediaType)} não consegue criar ${MEDIA[p.mediaType]} no momento.`,
	helpMediumOff: (p) =>
		`${command(p.mediaType)} está desligado: os admins deste servidor não querem ${MEDIA[p.mediaType]}.`,
	helpModel: (p) => `${p.model} (${credits(p.costCredits)})`,
	helpPrices: `-# Estes são os preços sem outras opções; ${option("model")} e ${option("resolution")} mostram outros enquanto você digita.`,
	helpNotHere: (p) => `**Aqui e agora não**: ${p.reason}`,
	helpResults: `**Os resultados** chegam na resposta ao seu comando, à vista de todo o canal. O que leva mais de 15 minutos também chega ali, ou como mensagem direta. ${command("job", "get")} traz os arquivos mais uma vez, só para você.`,
	helpCancel: `**Para cancelar** algo, use ${command("job", "cancel")}; o que não é criado não é cobrado. ${command("job", "list")} mostra tudo o que você pediu.`,
	helpStyles: (p) =>
		`**Estilos**: este servidor tem ${number(p.styles)}; ${option("style")} os oferece enquanto você digita e ${command("style", "list")} os mostra.`,
	helpManagers: `**Para quem gerencia o servidor**: ${managing}, ${command("credits", "grant")} e ${command("credits", "revoke")}.`,
};
