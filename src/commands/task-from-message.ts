import { ComponentType, type Message } from "discord.js";
import { taskButtonIds } from "../discord/task-buttons.ts";

/**
 * The task that a message of the bot belongs to. The reply to a command carries its interaction, whose id is the task's; a
 * message that the bot posted by itself has only its buttons to know it by. Whether there is such a task here is looked up
 * in either case.
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
