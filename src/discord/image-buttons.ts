/** Buttons for one of several images: one per image under the result, and one per action under the chosen image. */
import { ButtonStyle, ComponentType } from "discord.js";
import { IMAGE_ACTIONS, type ImageAction, type TaskButton } from "../services/delivery/reply-client.ts";
import { row } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";

/** Shows one of several images alone, with buttons for its actions. */
export const imageChoiceCustomId = defineCustomId("choose-image", {
	taskId: idField.snowflake,
	imageIndex: idField.oneOf("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
});
/** Acts on the only image of the message. */
export const imageActionCustomId = defineCustomId("image-action", {
	action: idField.oneOf(...IMAGE_ACTIONS),
	taskId: idField.snowflake,
});

const BUTTONS_IN_ROW_MAX = 5;

/** `labels`: of the images, in display order. */
export function imageRows(taskId: string, labels: readonly string[]) {
	const buttons = labels.map((label, index) =>
		buttonOf(label, imageChoiceCustomId.encode({ taskId, imageIndex: String(index) as "0" })),
	);
	return Array.from({ length: Math.ceil(buttons.length / BUTTONS_IN_ROW_MAX) }, (_, at) =>
		row(...buttons.slice(at * BUTTONS_IN_ROW_MAX, (at + 1) * BUTTONS_IN_ROW_MAX)),
	);
}

/** The actions on one image. */
export function imageActionRow(taskId: string, buttons: readonly (TaskButton & { action: ImageAction })[]) {
	return row(...buttons.map(({ action, label }) => buttonOf(label, imageActionCustomId.encode({ action, taskId }))));
}

function buttonOf(label: string, customId: string) {
	return {
		type: ComponentType.Button as const,
		style: ButtonStyle.Secondary as const,
		label,
		custom_id: customId,
	};
}
