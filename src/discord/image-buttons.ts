/** The buttons under a result of several images, one for each. */
import { button, buttonRows } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";

/** Shows one of several images alone, with buttons for its actions. */
export const imageChoiceCustomId = defineCustomId("choose-image", {
	taskId: idField.snowflake,
	imageIndex: idField.number,
});
/** Returns one button per image, with these labels in display order. */
export function imageRows(taskId: string, labels: readonly string[]) {
	const buttons = labels.map((label, index) =>
		button(imageChoiceCustomId.encode({ taskId, imageIndex: index }), label),
	);
	return buttonRows(buttons);
}
