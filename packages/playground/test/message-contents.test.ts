import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { filesOf } from "../src/user-client/message-contents.ts";

test("the files of a card have the names in their addresses, also in those that are not encoded", () => {
	const items = ["a%20boat.png?ex=1", "100%.png"].map((name) => ({ media: { url: `https://example.com/${name}` } }));
	const message = { content: "", attachments: [], components: [{ type: 12, items }] } as unknown as APIMessage;
	expect(filesOf(message).map(({ filename }) => filename)).toStrictEqual(["a boat.png", "100%.png"]);
});
