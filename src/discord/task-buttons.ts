/** The buttons under the messages of a task. Their custom ids carry the task id only. */
import { ButtonStyle, ComponentType, type APIActionRowComponent, type APIButtonComponent } from "discord.js";
import type { TaskAction, TaskButton } from "../services/delivery/reply-client.ts";
import { customIds, part } from "./custom-id.ts";

const ofTask = (name: string) => customIds(name, { taskId: part.snowflake });

export const taskButtonIds = {
	cancel: ofTask("cancel"),
	again: ofTask("again"),
	vary: ofTask("vary"),
	/** Also identifies the modal that it opens. */
	edit: ofTask("edit"),
	animate: ofTask("animate"),
	/** Also identifies the modal that it opens. */
	input: ofTask("input"),
	upscale: ofTask("upscale"),
	report: ofTask("report"),
	delete: ofTask("delete"),
	/** Under the question before an expensive request: the task does not exist yet. */
	confirm: ofTask("confirm"),
	decline: ofTask("decline"),
} as const satisfies Record<TaskAction, unknown>;

/** All other buttons are secondary. */
const STYLE_EXCEPTIONS: Readonly<Partial<Record<TaskAction, ButtonStyle.Primary | ButtonStyle.Danger>>> = {
	confirm: ButtonStyle.Primary,
	delete: ButtonStyle.Danger,
};
const BUTTONS_IN_ROW_MAX = 5;

/** Returns the button rows of a message; empty without buttons. */
export function taskButtonRows(
	taskId: string,
	buttons: readonly TaskButton[],
): readonly APIActionRowComponent<APIButtonComponent>[] {
	const rows = Math.ceil(buttons.length / BUTTONS_IN_ROW_MAX);
	return Array.from({ length: rows }, (_, row) => ({
		type: ComponentType.ActionRow,
		components: buttons
			.slice(row * BUTTONS_IN_ROW_MAX, (row + 1) * BUTTONS_IN_ROW_MAX)
			.map(({ action, label, isDisabled = false }) => ({
				type: ComponentType.Button,
				style: STYLE_EXCEPTIONS[action] ?? ButtonStyle.Secondary,
				label,
				custom_id: taskButtonIds[action].write({ taskId }),
				disabled: isDisabled,
			})),
	}));
}
