import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)} macht ${MEDIA[p.mediaType]}: ${p.models}${andMore(p.more)}.`,
	helpMediumNone: (p) => `${command(p.mediaType)} kann gerade keine ${MEDIA[p.mediaType]} machen.`,
	helpMediumOff: (p) =>
		`${command(p.mediaType)} ist abgeschaltet: Die Admins dieses Servers möchten keine ${MEDIA[p.mediaType]}.`,
	helpModel: (p) => `${p.model} (${credits(p.costCredits)})`,
	helpPrices: `-# Das sind die Preise ohne weitere Optionen; ${option("model")} und ${option("resolution")} zeigen andere, während du tippst.`,
	helpNotHere: (p) => `**Nicht hier, nicht jetzt**: ${p.reason}`,
	helpResults: `**Ergebnisse** erscheinen in der Antwort auf deinen Befehl, für alle im Kanal. Was länger als 15 Minuten dauert, kommt auch dorthin oder als Direktnachricht. ${command("job", "get")} bringt die Dateien noch einmal, nur für dich.`,
	helpCancel: `**Abbrechen** kannst du mit ${command("job", "cancel")}; was nicht gemacht wird, wird nicht berechnet. ${command("job", "list")} zeigt alle deine Aufträge.`,
	helpStyles: (p) =>
		`**Stile**: Dieser Server hat ${number(p.styles)}; ${option("style")} bietet sie beim Tippen an, ${command("style", "list")} zeigt sie.`,
	helpManagers: `**Für alle, die den Server verwalten**: ${managing}, ${command("credits", "grant")} und ${command("credits", "revoke")}.`,
};
