import type { Message } from "discord.js";
import { customIdsIn } from "../../discord/message-contents.ts";
import { taskCustomIds } from "../../discord/task-buttons.ts";

/**
 * Returns the task id of a result that the bot posted, from its buttons. The caller checks that the task exists in this server.
 */
export function taskIdOf({ author, components }: Message, applicationId: string): string | undefined {
	if (author.id !== applicationId) return undefined;
	const customIds = customIdsIn(components.map((component) => component.toJSON()));
	const [taskId] = customIds.flatMap((customId) => taskCustomIds.regenerate.decode(customId)?.taskId ?? []);
	return taskId;
}
