/** The menu under several images: selects an action and an image. */
import { ComponentType, type APIActionRowComponent, type APIStringSelectComponent } from "discord.js";
import { IMAGE_ACTIONS, type ImageAction, type ImageMenu } from "../services/delivery/reply-client.ts";
import { customIds, part } from "./custom-id.ts";

export const imageMenuIds = customIds("image", { taskId: part.snowflake });
/** Custom ids of the modal about one of several images. */
export const imageFormIds = customIds("image-input", {
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
				options: choices.map(({ action, image, label }) => ({ label, value: `${action}:${image}` })),
			},
		],
	};
}

/** `undefined` for a value that the menu never offered. */
export function readImageChoice(value: string | undefined): { action: ImageAction; image: number } | undefined {
	const [word, digit = ""] = value?.split(":") ?? [];
	const action = IMAGE_ACTIONS.find((each) => each === word);
	return action && /^\d$/.test(digit) ? { action, image: Number(digit) } : undefined;
}
