import { MessageFlags, type APIMessage } from "discord.js";
import { taskButtonIds } from "./task-buttons.ts";

const CANCEL = taskButtonIds.cancel.write({ taskId: "1" }).slice(0, -1);

/**
 * Returns whether a message is the outcome of a command, neither "thinking…" nor progress. For the demo, benches and
 * tests, which wait for it as a member does.
 */
export function isFinalReply({ flags, components = [] }: Pick<APIMessage, "flags" | "components">): boolean {
	return ((flags ?? 0) & MessageFlags.Loading) === 0 && !JSON.stringify(components).includes(CANCEL);
}
