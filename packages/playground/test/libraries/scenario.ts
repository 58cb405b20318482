/** The user of each library test: types a command, downloads its file, presses a button, and submits a form. */
import { expect } from "vitest";
import type { UserClient } from "../../src/user-client/user-client.ts";

/** The header of a PNG of 10 by 20, padded to the size of a file. */
export const IMAGE = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d494844520000000a00000014", "hex"),
	Buffer.alloc(5_000, 3),
]);

/** The command of each bot, as Discord's API has it. */
export const IMAGE_COMMAND = {
	type: 1,
	name: "image",
	description: "Makes a picture",
	options: [{ type: 3, name: "prompt", description: "What it shows", required: true }],
} as const;

/** Uses the command, the button and the form of the bot as a user. Resolves to the last reply. */
export async function playScenario(user: UserClient): Promise<string> {
	const reply = await user.type("/image", { prompt: "a lighthouse" });
	const message = await reply.until();
	expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking", "message"]);
	expect(message).toMatchObject({ content: "**a lighthouse**", attachments: [{ filename: "art.png", width: 10 }] });
	expect(await user.download(message.attachments[0] ?? { url: "" })).toStrictEqual(IMAGE);

	const press = await user.press(message, { label: "Edit" });
	const form = await press.modal();
	expect(form).toMatchObject({ customId: "form", title: "Edit the picture" });
	const submitted = await user.submit(form, { prompt: "a lighthouse at dawn" });
	return (await submitted.until()).content;
}
