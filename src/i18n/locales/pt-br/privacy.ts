import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "O que este bot guarda sobre você neste servidor",
	privacyExportDescription: "Tudo, em um arquivo",
	privacyDeleteDescription: "Exclua o que você pediu, com os arquivos",
	privacyExported: (p) =>
		`Tudo o que este bot guarda sobre você neste servidor está no arquivo: seus pedidos (${number(p.tasks)}), o que custaram, limites e denúncias.${p.isCut ? " Pedidos mais antigos não couberam." : ""} Os pedidos são excluídos ${number(p.days)} dias depois de terminar; ${command("privacy", "delete")} faz isso agora.`,
	privacyDeleteAsk: (p) =>
		`Isto exclui o que você pediu neste servidor, com as palavras e os arquivos, se já terminou; senão, isso acontece após ${number(p.days)} dias. Os botões sob esses resultados deixam de funcionar. As mensagens ficam: exclua-as no Discord. Que créditos foram gastos fica nas contas do servidor, sem as suas palavras.`,
	privacyDeleted: (p) =>
		`Excluído: ${number(p.forgotten)}.${p.stillOpen === 0 ? "" : ` Ainda em andamento: ${number(p.stillOpen)}; peça de novo depois, ou use ${command("job", "cancel")}.`}`,
	buttonForget: "Excluir tudo",
};
