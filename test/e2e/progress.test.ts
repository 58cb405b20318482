import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { creditsLeft, newFolder, openAtelier, passUntilAnswered } from "./start-atelier.ts";
import { freePort } from "@atelier/common/testing/free-port";
import { openServer, isPrivate } from "./server.ts";

const isNews = (message: APIMessage): boolean => message.content !== "" && !isFinalReply(message);
const has = (text: string) => (message: APIMessage) => message.content.includes(text);
const hanging = () => createFakeEngine({ script: [{ kind: "hang" }] });

/** Something of Ada's that is being made, and a reply that says so. */
async function making() {
	const clock = createManualClock();
	const engine = hanging();
	const server = await openServer({ engine, clock });
	const reply = await server.ada.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	const news = await passUntilAnswered(clock, reply, isNews);
	const pressed = async (userClient: UserClient): Promise<APIMessage> =>
		await passUntilAnswered(clock, await userClient.press(news, { label: "Cancel" }));
	return { ...server, engine, pressed, ended: () => passUntilAnswered(clock, reply) };
}

test("a reply shows progress, expected end and cost, and becomes the result", async () => {
	const clock = createManualClock();
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { userClient } = await openAtelier({ engine, clock });
	const reply = await userClient.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	const first = await passUntilAnswered(clock, reply, has("**Being made**"));
	expect(first.content).toContain("video by Fake video · 15 credits, charged when it is made");
	expect(first.content).toMatch(/ready about <t:\d+:R>/);
	engine.runs[0]?.report(63);
	await passUntilAnswered(clock, reply, has("▰▰▰▰▰▰▱▱▱▱ 60 %"));
	engine.runs[0]?.finish();
	const answer = await passUntilAnswered(clock, reply);
	expect(answer.id).toBe(first.id);
	expect(answer.attachments).toHaveLength(1);
	expect(isFinalReply(answer)).toBe(true);
});

describe("the cancel button", () => {
	test("stops the task for its member, reports the credits, and disappears", async () => {
		const { ada, engine, pressed, ended } = await making();
		const answer = await pressed(ada);
		expect(answer.content).toBe("Canceled. Nothing was charged: 15 credits came back.");
		expect(isPrivate(answer)).toBe(true);
		expect(engine.runs[0]?.signal.aborted).toBe(true);
		expect((await ended()).content).toContain("This was canceled by the person who asked for it.");
		expect(await creditsLeft(ada)).toBe(500);
	});

	test("is denied to others, and allowed to moderators", async () => {
		const { admin, grace, ada, pressed, ended } = await making();
		expect((await pressed(grace)).content).toContain("That is somebody else's.");
		expect((await pressed(admin)).content).toContain("Canceled.");
		expect((await ended()).content).toContain(`canceled by <@${admin.me.user.id}>`);
		expect(await creditsLeft(ada)).toBe(500);
	});

	test("that is pressed twice at once cancels once, and both presses get a reply", async () => {
		const { ada, pressed } = await making();
		const answers = await Promise.all([pressed(ada), pressed(ada)]);
		expect(answers.map(({ content }) => content)).toStrictEqual(
			Array<string>(2).fill("Canceled. Nothing was charged: 15 credits came back."),
		);
		expect(await creditsLeft(ada)).toBe(500);
	});
});

test("after a restart the bot continues the progress updates, and accepts a cancel", async () => {
	const folder = await newFolder();
	const port = String(await freePort());
	const env = { PORT: port, DATA_DIR: folder, STORE_URL: `sqlite:${folder}/atelier.db` };
	const clock = createManualClock();
	const engine = hanging();
	const first = await openAtelier({ engine, env, clock });
	const reply = await first.userClient.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	await passUntilAnswered(clock, reply, isNews);
	await first.atelier.stop();
	const { userClient } = await openAtelier({ engine: hanging(), env, clock });
	const isNotified = (message: APIMessage): boolean => isNews(message) && message.edited_timestamp !== null;
	const news = await passUntilAnswered(clock, reply, isNotified);
	expect(news.content).toContain("**Being made**");
	const press = await userClient.press(news, { label: "Cancel" });
	expect((await passUntilAnswered(clock, press)).content).toContain("Canceled.");
	expect((await passUntilAnswered(clock, reply)).content).toContain(
		"This was canceled by the person who asked for it.",
	);
	expect(await creditsLeft(userClient)).toBe(500);
});
