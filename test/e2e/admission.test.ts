/** What admins decided holds for whatever asks for something to be made: commands, buttons, forms, menus and confirmations. */
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isAnswer } from "../../src/discord/is-answer.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { creditsLeft } from "./atelier.ts";
import { answerTo, openServer } from "./server.ts";

const plain = (text: string): string => text.replaceAll(/[\\\u2068\u2069]/g, "");

/** A result of Ada's, and what became of each way to have something made of it. */
async function openStage() {
	const engine = createFakeEngine();
	const server = await openServer({ engine });
	const { ada } = server;
	const made = await (await ada.type("/image", { prompt: "a boat", seed: 5 })).until(isAnswer);
	const pressed = async (label: string, message: APIMessage = made): Promise<string> =>
		(await (await ada.press(message, { label })).until(isAnswer)).content;
	const edited = async (prompt: string): Promise<string> => {
		const form = await (await ada.press(made, { label: "Edit" })).modal();
		return (await (await ada.submit(form, { prompt })).until(isAnswer)).content;
	};
	return { ...server, engine, made, pressed, edited };
}

describe("a decision of the admins", () => {
	test("stops buttons as it stops commands", async () => {
		const { admin, ada, engine, pressed } = await openStage();
		await answerTo(admin, "/settings pause", { on: true, sentence: "back soon" });
		expect(await pressed("Again")).toContain("Nothing is made in this server at the moment");
		await answerTo(admin, "/settings pause", { on: false });
		await answerTo(admin, "/block", { member: ada.me.user.id, reason: "flooding" });
		expect(await pressed("Vary")).toContain("You are blocked");
		await answerTo(admin, "/unblock", { member: ada.me.user.id });
		await answerTo(admin, "/settings model", { model: "fake-image", on: false });
		expect(await pressed("Again")).toContain("switched Fake image off");
		expect(engine.runs).toHaveLength(1);
		expect(await creditsLeft(ada)).toBe(496);
	});

	test("reads what is typed into a form", async () => {
		const { admin, engine, edited } = await openStage();
		await answerTo(admin, "/filter add", { pattern: "storm*" });
		expect(plain(await edited("a boat in STO\u200BRMS"))).toContain("do not allow “storms”");
		expect(engine.runs).toHaveLength(1);
		expect(await edited("a boat in the sun")).toContain("492 left");
	});

	test("is told before anybody is asked to confirm what it costs", async () => {
		const { admin, ada } = await openStage();
		await answerTo(admin, "/settings general", { confirm_above: 0 });
		await answerTo(admin, "/filter add", { pattern: "storm" });
		expect(await answerTo(ada, "/image", { prompt: "a storm" })).toContain("do not allow");
		expect(await answerTo(ada, "/image", { prompt: "a boat" })).toContain("costs **4 credits**");
	});

	test("that comes between the question and the confirmation still holds", async () => {
		const { admin, ada, engine } = await openStage();
		await answerTo(admin, "/settings general", { confirm_above: 0 });
		const question = await (await ada.type("/image", { prompt: "a boat" })).until(isAnswer);
		await answerTo(admin, "/block", { member: ada.me.user.id, reason: "flooding" });
		const confirmed = await ada.press(question, { label: "Make it for 4 credits" });
		await expect
			.poll(() =>
				confirmed
					.messages()
					.map(({ content }) => content)
					.join(),
			)
			.toContain("You are blocked");
		expect(engine.runs).toHaveLength(1);
		expect(await creditsLeft(ada)).toBe(496);
	});
});
