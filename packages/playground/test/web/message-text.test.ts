import { expect, test } from "vitest";
import { plainText, pollResultText } from "../../web/src/message-text.ts";

test("the text of a message has no markdown, no line breaks, and shows no spoiler", () => {
	const content = "### Title\n**bold** ||secret|| <@1> in <#2>\n> quoted `code`\n- item <:boat:3> </image:4>";
	const channels = [{ id: "2", type: 0, name: "general", topic: "" }];
	expect(plainText({ content }, { members: [], channels, roles: [] })).toBe(
		"Title bold (spoiler) @unknown in #general quoted code item :boat: /image",
	);
});

test.each([
	[{ victor_answer_votes: "2", total_votes: "3", victor_answer_text: "Harbor" }, "Harbor won with 2 of 3 votes."],
	[{ victor_answer_votes: "1", total_votes: "2" }, "No answer won, with 2 votes."],
])("the result %o of a poll is told in words", (result, outcome) => {
	const texts = { poll_question_text: "*Where* to?", ...result };
	const fields = Object.entries(texts).map(([name, value]) => ({ name, value }));
	expect(pollResultText({ fields })).toBe(`The poll “*Where* to?” has ended. ${outcome}`);
});
