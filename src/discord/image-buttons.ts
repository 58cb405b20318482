/** Choosing one of several images: a row of buttons under the result, and the actions on the chosen image. */
import { ButtonStyle, ComponentType } from "discord.js";
import { IMAGE_ACTIONS, type ImageAction, type TaskButton } from "../services/delivery/reply-client.ts";
import { row } from "./card.ts";
import { defineCustomId, part } from "./custom-id.ts";

const image = part.oneOf("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");

/** Chooses an image. */
export const imageChoiceCustomId = defineCustomId("choose-image", { taskId: part.snowflake, image });
/** Acts on the image of the message. */
export const imageActionCustomId = defineCustomId("image-action", {
	action: part.oneOf(...IMAGE_ACTIONS),
	taskId: part.snowflake,
	image,
});

const BUTTONS_IN_ROW_MAX = 5;

/** `labels`: of the images, in display order. */
export function imageRows(taskId: string, labels: readonly string[]) {
	const buttons = labels.map((label, at) =>
		buttonOf(label, imageChoiceCustomId.encode({ taskId, image: digitOf(at) })),
	);
	return Array.from({ length: Math.ceil(buttons.length / BUTTONS_IN_ROW_MAX) }, (_, at) =>
		row(...buttons.slice(at * BUTTONS_IN_ROW_MAX, (at + 1) * BUTTONS_IN_ROW_MAX)),
	);
}

/** The actions on one image. */
export function imageActionRow(taskId: string, at: number, buttons: readonly (TaskButton & { action: ImageAction })[]) {
	return row(
		...buttons.map(({ action, label }) =>
			buttonOf(label, imageActionCustomId.encode({ action, taskId, image: digitOf(at) })),
		),
	);
}

function buttonOf(label: string, customId: string) {
	return {
		type: ComponentType.Button as const,
		style: ButtonStyle.Secondary as const,
		label,
		custom_id: customId,
	};
}

function digitOf(at: number) {
	return String(at) as "0";
}
