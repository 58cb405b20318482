import type { Message } from "discord.js";
import { customIdsIn } from "../../discord/message-contents.ts";
import { taskCustomIds } from "../../discord/task-buttons.ts";

/**
 * Returns the task id of a message of the bot. A reply carries its interaction, whose id is the task id; a channel message
 * carries it in its buttons only. The caller checks that the task exists in this server.
 */
export function taskIdOf(
	{ author, components, interactionMetadata }: Message,
	applicationId: string,
): string | undefined {
	if (author.id !== applicationId) return undefined;
	const customIds = customIdsIn(components.map((component) => component.toJSON()));
	const [taskId] = customIds.flatMap((customId) => taskCustomIds.regenerate.decode(customId)?.taskId ?? []);
	return taskId ?? interactionMetadata?.id;
}
