import type { Message } from "discord.js";
import { customIdsIn, filenameOf, mediaIn } from "../../discord/message-contents.ts";
import { taskCustomIds } from "../../discord/task-buttons.ts";

/** The start of the names of result files: the id of the task follows. */
const RESULT_FILE = /^atelier-([1-9]\d{16,19})\b/;

/**
 * Returns the task id of a result that the bot posted: from its buttons, or from its files in the showcase, where it has no buttons. The
 * caller checks that the task exists in this server.
 */
export function taskIdOf({ author, components, attachments }: Message, botUserId: string): string | undefined {
	if (author.id !== botUserId) return undefined;
	const shown = components.map((component) => component.toJSON());
	const inButtons = customIdsIn(shown).map((customId) => taskCustomIds.regenerate.decode(customId)?.taskId);
	const filenames = [...[...attachments.values()].map(({ name }) => name), ...mediaIn(shown).map(filenameOf)];
	const inFiles = filenames.map((name) => RESULT_FILE.exec(name)?.[1]);
	return [...inButtons, ...inFiles].find((taskId) => taskId !== undefined);
}
