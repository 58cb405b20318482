import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

const FAMILY = "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}";

const PROMPTS = [
	"x",
	"a very long story ".repeat(334).slice(0, 6000),
	`${FAMILY} \u{1F680} 🏳️‍🌈`,
	"מגדלור בסערה \u202E\u2066 abc",
	"@everyone @here <@1> <@&1> <#1>",
	"**bold** `code` ```block``` ||spoiler|| > quote # title [a](https://evil.example)",
	"one\n> two\n```\nthree",
	"../../../../etc/passwd",
	"http://127.0.0.1:1/secret https://evil.example/x.png",
	"${process.env.HOME} $(id) {{7*7}} %s %o",
];

test("any prompt reaches the engine, mentions no one, stays on its line and is not logged", async () => {
	const engine = createFakeEngine();
	const { userClient, logs } = await openAtelier({ engine });
	for (const prompt of PROMPTS) {
		const answer = await finalReply(userClient.type("/image", { prompt }));
		expect(engine.runs.at(-1)?.task.prompt).toBe(prompt.trim());
		expect(filesOf(answer)).toHaveLength(1);
		expect(answer).toMatchObject({ mentions: [], mention_roles: [], mention_everyone: false, embeds: [] });
		expect(textOf(answer).split("\n")).toHaveLength(2);
		expect(textOf(answer)).toMatch(/^> \u2068[^\n]*\u2069\n-# /);
		// A single letter occurs in any log.
		const inLog = prompt.length > 1 ? JSON.stringify(prompt).slice(1, -1) : `"${prompt}"`;
		expect(logs()).not.toContain(inLog);
	}
});
