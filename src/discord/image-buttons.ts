/** Buttons for one of several images: one per image under the result, and one per action under the chosen image. */
import { IMAGE_ACTIONS, type ImageAction, type TaskButton } from "../services/delivery/task-buttons.ts";
import { button, buttonRows, row } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";

/** Shows one of several images alone, with buttons for its actions. */
export const imageChoiceCustomId = defineCustomId("choose-image", {
	taskId: idField.snowflake,
	imageIndex: idField.number,
});
/** Acts on the only image of the message. */
export const imageActionCustomId = defineCustomId("image-action", {
	action: idField.oneOf(...IMAGE_ACTIONS),
	taskId: idField.snowflake,
});

/** Returns one button per image, with these labels in display order. */
export function imageRows(taskId: string, labels: readonly string[]) {
	const buttons = labels.map((label, index) =>
		button(imageChoiceCustomId.encode({ taskId, imageIndex: index }), label),
	);
	return buttonRows(buttons);
}

/** Builds the row of actions on one image. */
export function imageActionRow(taskId: string, buttons: readonly (TaskButton & { action: ImageAction })[]) {
	return row(...buttons.map(({ action, label }) => button(imageActionCustomId.encode({ action, taskId }), label)));
}
