/** The buttons under the messages of a task. Their custom ids carry the task id only. */
import {
	ButtonStyle,
	ComponentType,
	type APIActionRowComponent,
	type APIButtonComponent,
	type APIComponentInMessageActionRow,
} from "discord.js";
import type { TaskAction, TaskButton } from "../services/delivery/task-actions.ts";
import { button, buttonRows, row } from "./card.ts";
import { defineCustomId, idField } from "./custom-id.ts";

const defineTaskButtonId = (name: string) => defineCustomId(name, { taskId: idField.snowflake });

export const taskCustomIds = {
	cancel: defineTaskButtonId("cancel"),
	ping: defineTaskButtonId("ping"),
	regenerate: defineTaskButtonId("regenerate"),
	vary: defineTaskButtonId("vary"),
	/** Also identifies the modal that the button opens. */
	edit: defineTaskButtonId("edit"),
	/** Asks for an improved prompt. */
	improve: defineTaskButtonId("improve"),
	animate: defineTaskButtonId("animate"),
	/** Also identifies the modal that the button opens. */
	input: defineTaskButtonId("input"),
	upscale: defineTaskButtonId("upscale"),
	favorite: defineTaskButtonId("favorite"),
	report: defineTaskButtonId("report"),
	delete: defineTaskButtonId("delete"),
	/** Under the question before an expensive request: the task does not exist yet. */
	confirm: defineTaskButtonId("confirm"),
	/** Under an improved or a denied prompt. Also identifies the modal that the button opens. */
	editDraft: defineTaskButtonId("edit-draft"),
	decline: defineTaskButtonId("decline"),
} as const satisfies Record<TaskAction, unknown>;

/** All other buttons are secondary. */
const STYLE_EXCEPTIONS: Readonly<Partial<Record<TaskAction, ButtonStyle.Primary | ButtonStyle.Danger>>> = {
	confirm: ButtonStyle.Primary,
	editDraft: ButtonStyle.Primary,
	delete: ButtonStyle.Danger,
};

/** The width of a card has no room for more buttons, some of which name a price. */
const CARD_BUTTONS_MAX = 4;

/** A menu of buttons. Its values are the custom ids of the buttons, so that a choice is handled like a press. */
export const moreButtonsCustomId = defineCustomId("more", { taskId: idField.snowflake });

/** Shows one of several images alone, with buttons for its actions. */
export const imageChoiceCustomId = defineCustomId("choose-image", {
	taskId: idField.snowflake,
	imageIndex: idField.number,
});

/** Returns one button per image, with these labels in display order. */
export function imageRows(taskId: string, labels: readonly string[]) {
	return buttonRows(
		labels.map((label, imageIndex) => button(imageChoiceCustomId.encode({ taskId, imageIndex }), label)),
	);
}

/** Returns the button rows of a classic message; empty without buttons. */
export function taskButtonRows(
	taskId: string,
	buttons: readonly TaskButton[],
): readonly APIActionRowComponent<APIButtonComponent>[] {
	const components = buttons.map((each, index) => {
		const component = taskButton(taskId, each);
		// One button stands out at most.
		const isFurtherPrimary = index > 0 && component.style === ButtonStyle.Primary;
		return isFurtherPrimary ? { ...component, style: ButtonStyle.Secondary as const } : component;
	});
	return buttonRows(components);
}

/** Returns the rows of a card: the first buttons, and a menu with the others, two at least, if they do not fit in one row. */
export function taskButtonCardRows(
	taskId: string,
	buttons: readonly TaskButton[],
	moreLabel: string,
): readonly APIActionRowComponent<APIComponentInMessageActionRow>[] {
	if (buttons.length <= CARD_BUTTONS_MAX) return taskButtonRows(taskId, buttons);
	const shownCount = Math.min(CARD_BUTTONS_MAX, buttons.length - 2);
	const others = buttons.slice(shownCount);
	return [
		...taskButtonRows(taskId, buttons.slice(0, shownCount)),
		row({
			type: ComponentType.StringSelect,
			custom_id: moreButtonsCustomId.encode({ taskId }),
			placeholder: moreLabel,
			options: others.map(({ action, label }) => ({ label, value: taskCustomIds[action].encode({ taskId }) })),
		}),
	];
}

export function taskButton(taskId: string, { action, label, isDisabled = false }: TaskButton) {
	const style = STYLE_EXCEPTIONS[action] ?? ButtonStyle.Secondary;
	return button(taskCustomIds[action].encode({ taskId }), label, { style, isDisabled });
}
