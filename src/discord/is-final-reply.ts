import { MessageFlags, type APIMessage } from "discord.js";
import { taskButtonIds } from "./task-buttons.ts";

const CANCEL = taskButtonIds.cancel.write({ taskId: "1" }).slice(0, -1);

/**
 * Whether a message is what came of a command, and neither "thinking…" nor news of how far it is: for the demo, the
 * benches and the tests, which wait for it as a person does.
 */
export function isFinalReply({ flags, components = [] }: Pick<APIMessage, "flags" | "components">): boolean {
	return ((flags ?? 0) & MessageFlags.Loading) === 0 && !JSON.stringify(components).includes(CANCEL);
}
