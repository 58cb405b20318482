import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "Lo que este bot guarda sobre ti en este servidor",
	privacyExportDescription: "Todo, en un archivo",
	privacyDeleteDescription: "Borra lo que pediste, archivos incluidos",
	privacyExported: (p) =>
		`Todo lo que este bot guarda sobre ti en este servidor está en el archivo: tus peticiones (${number(p.tasks)}), lo que costaron, límites y denuncias.${p.isCut ? " Las peticiones más antiguas no cabían." : ""} Las peticiones se borran ${number(p.days)} días después de acabar; ${command("privacy", "delete")} lo hace ahora.`,
	privacyDeleteAsk: (p) =>
		`Esto borra lo que pediste en este servidor, con sus palabras y archivos, si ya ha terminado; si no, ocurre a los ${number(p.days)} días. Los botones bajo esos resultados dejan de funcionar. Los mensajes se quedan: bórralos en Discord. Que se gastaron créditos queda en las cuentas del servidor, sin tus palabras.`,
	privacyDeleted: (p) =>
		`Borrado: ${number(p.forgotten)}.${p.stillOpen === 0 ? "" : ` Aún en marcha: ${number(p.stillOpen)}; vuelve a pedirlo después, o usa ${command("job", "cancel")}.`}`,
	buttonForget: "Borrarlo todo",
};
