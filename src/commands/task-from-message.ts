import { ComponentType, type Message } from "discord.js";
import { taskButtonIds } from "../discord/task-buttons.ts";

/**
 * Returns the task id of a message of the bot. A reply carries its interaction, whose id is the task id; a channel message
 * carries it in its buttons only. The caller checks that the task exists in this guild.
 */
export function taskIdOf(
	{ author, components, interactionMetadata }: Message,
	applicationId: string,
): string | undefined {
	if (author.id !== applicationId) return undefined;
	const buttons = components.flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []));
	const [taskId] = buttons.flatMap(({ customId }) => taskButtonIds.report.read(customId ?? "")?.taskId ?? []);
	return taskId ?? interactionMetadata?.id;
}
