import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { plainText } from "../../web/src/message-text.ts";

function textOf(message: object): string {
	const whole = { content: "", embeds: [], attachments: [], components: [], ...message };
	// Only these parts are read.
	return plainText(whole as Pick<APIMessage, keyof typeof whole> as APIMessage, {
		members: [],
		channels: [{ id: "2", type: 0, name: "general", topic: "" }],
		roles: [],
	});
}

const text = (content: string) => ({ type: 10, content });

test("the text of a message has no markdown, shows no spoiler, and reads components and files", () => {
	const components = [
		{ type: 17, components: [text("### Title"), { type: 9, components: [text("-# small")], accessory: {} }] },
		{ type: 1, components: [{ type: 2, label: "Button" }] },
	];
	const attachments = [{ filename: "a.png" }, { filename: "b.png", description: "a boat" }];
	expect(
		textOf({ content: "**bold** ||secret|| <@1> in <#2>\n> quoted `code`\n- item", components, attachments }),
	).toBe("bold (spoiler) @unknown in #general quoted code item Title small a.png a boat");
	expect(textOf({ embeds: [{ title: "A" }, { description: "B" }] })).toBe("A B");
	expect(textOf({})).toBe("");
});

test.each([
	[{ victor_answer_votes: "2", total_votes: "3", victor_answer_text: "Harbor" }, "Harbor won with 2 of 3 votes."],
	[{ victor_answer_votes: "1", total_votes: "2" }, "No answer won, with 2 votes."],
	[{ victor_answer_votes: "0", total_votes: "0" }, "No answer won, with 0 votes."],
])("the result %o of a poll is told in words", (result, outcome) => {
	const fields = Object.entries({ poll_question_text: "*Where* to?", ...result }).map(([name, value]) => ({
		name,
		value,
	}));
	expect(textOf({ embeds: [{ type: "poll_result", fields }] })).toBe(`The poll “*Where* to?” has ended. ${outcome}`);
});
