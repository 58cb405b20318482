import { MessageFlags, type APIMessage } from "discord.js";
import { taskCustomIds } from "./task-buttons.ts";

/** A message with a cancel button shows progress, unless it is a card: `/job` shows the buttons of running tasks. */
const CANCEL_ID_PREFIX = taskCustomIds.cancel.encode({ taskId: "1" }).slice(0, -1);

/**
 * Returns whether a message is the outcome of a command, neither "thinking…" nor progress. For the demo, benches and
 * tests, which wait for it as a member does.
 */
export function isFinalReply({ flags, components = [] }: Pick<APIMessage, "flags" | "components">): boolean {
	const isCard = ((flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
	const isProgress = !isCard && JSON.stringify(components).includes(CANCEL_ID_PREFIX);
	return ((flags ?? 0) & MessageFlags.Loading) === 0 && !isProgress;
}
