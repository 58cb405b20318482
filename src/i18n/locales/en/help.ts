/** `/help`: what this server lets this person do. */
import type { MediaType } from "@atelier/media-protocol/model";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts = {
	helpMedium: (p: { mediaType: MediaType; models: string; more: number }) =>
		`${command(p.mediaType)} makes ${MEDIA[p.mediaType]}: ${p.models}${andMore(p.more)}.`,
	helpMediumNone: (p: { mediaType: MediaType }) =>
		`${command(p.mediaType)} cannot make ${MEDIA[p.mediaType]} at the moment.`,
	helpMediumOff: (p: { mediaType: MediaType }) =>
		`${command(p.mediaType)} is switched off: the admins of this server want no ${MEDIA[p.mediaType]}.`,
	helpModel: (p: { model: string; costCredits: number }) => `${p.model} (${credits(p.costCredits)})`,
	helpPrices: `-# These are the prices of a plain request; ${option("model")} and ${option("resolution")} show others while you type.`,
	helpNotHere: (p: { reason: string }) => `**Not here, not now**: ${p.reason}`,
	helpResults: `**Results** come in the reply to your command, for everyone in the channel. What takes longer than 15 minutes comes there too, or as a direct message. ${command("job", "get")} brings the files once more, for your eyes only.`,
	helpCancel: `**To cancel** something use ${command("job", "cancel")}; what is not made is not charged. ${command("job", "list")} shows all that you asked for.`,
	helpStyles: (p: { styles: number }) =>
		`**Styles**: this server has ${number(p.styles)}; ${option("style")} offers them while you type, ${command("style", "list")} shows them.`,
	helpManagers: `**For managers of the server**: ${managing}, ${command("credits", "grant")} and ${command("credits", "revoke")}.`,
} as const;
