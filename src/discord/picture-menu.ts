/** The menu under several pictures: what is to be made, and of which of them. */
import { ComponentType, type APIActionRowComponent, type APIStringSelectComponent } from "discord.js";
import { PICTURE_ACTIONS, type PictureAction, type PictureMenu } from "../services/delivery/messenger.ts";
import { customIds, part } from "./custom-id.ts";

export const pictureMenuIds = customIds("picture", { taskId: part.snowflake });
/** Of a form about one of them. */
export const pictureFormIds = customIds("picture-input", {
	taskId: part.snowflake,
	picture: part.oneOf("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
});

export function pictureMenuRow(
	taskId: string,
	{ placeholder, choices }: PictureMenu,
): APIActionRowComponent<APIStringSelectComponent> {
	return {
		type: ComponentType.ActionRow,
		components: [
			{
				type: ComponentType.StringSelect,
				custom_id: pictureMenuIds.write({ taskId }),
				placeholder,
				options: choices.map(({ action, picture, label }) => ({ label, value: `${action}:${picture}` })),
			},
		],
	};
}

/** `undefined` for what this menu never offered. */
export function readPictureChoice(value: string | undefined): { action: PictureAction; picture: number } | undefined {
	const [word, digit = ""] = value?.split(":") ?? [];
	const action = PICTURE_ACTIONS.find((each) => each === word);
	return action && /^\d$/.test(digit) ? { action, picture: Number(digit) } : undefined;
}
