/** `/privacy`: what is kept about whoever asks. */
import { command, number } from "./words.ts";

export const privacyTexts = {
	privacyDescription: "What this bot keeps about you in this server",
	privacyExportDescription: "All of it, as a file",
	privacyDeleteDescription: "Delete what you asked for, and the files",
	privacyExported: (p: { tasks: number; isCut: boolean; days: number }) =>
		`Everything that this bot keeps about you in this server is in the file: ${number(p.tasks)} of your tasks, what they cost, limits and reports.${p.isCut ? " Older tasks did not fit into it." : ""} Tasks are deleted ${number(p.days)} days after their end; ${command("privacy", "delete")} does it now.`,
	privacyDeleteAsk: (p: { days: number }) =>
		`This deletes what you asked for in this server, with its words and files, as far as it has ended; otherwise that happens after ${number(p.days)} days. Buttons under those results no longer work. The messages themselves stay: delete them in Discord. That credits were spent stays in the server’s books, without your words.`,
	privacyDeleted: (p: { forgotten: number; stillOpen: number }) =>
		`Deleted: ${number(p.forgotten)}.${p.stillOpen === 0 ? "" : ` Still being made: ${number(p.stillOpen)}; ask again when that is done, or use ${command("job", "cancel")}.`}`,
	buttonForget: "Delete it all",
} as const;
