/** The menu under several pictures: what is to be made, and of which of them. */
import { ComponentType, type APIActionRowComponent, type APIStringSelectComponent } from "discord.js";
import { IMAGE_ACTIONS, type ImageAction, type ImageMenu } from "../services/delivery/reply-client.ts";
import { customIds, part } from "./custom-id.ts";

export const imageMenuIds = customIds("picture", { taskId: part.snowflake });
/** Of a form about one of them. */
export const imageFormIds = customIds("picture-input", {
	taskId: part.snowflake,
	picture: part.oneOf("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
});

export function imageMenuRow(
	taskId: string,
	{ placeholder, choices }: ImageMenu,
): APIActionRowComponent<APIStringSelectComponent> {
	return {
		type: ComponentType.ActionRow,
		components: [
			{
				type: ComponentType.StringSelect,
				custom_id: imageMenuIds.write({ taskId }),
				placeholder,
				options: choices.map(({ action, picture, label }) => ({ label, value: `${action}:${picture}` })),
			},
		],
	};
}

/** `undefined` for what this menu never offered. */
export function readImageChoice(value: string | undefined): { action: ImageAction; picture: number } | undefined {
	const [word, digit = ""] = value?.split(":") ?? [];
	const action = IMAGE_ACTIONS.find((each) => each === word);
	return action && /^\d$/.test(digit) ? { action, picture: Number(digit) } : undefined;
}
