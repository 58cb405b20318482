import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { freePort } from "@atelier/common/testing/free-port";
import { creditsLeft, newFolder, openAtelier, passUntilAnswered } from "./start-atelier.ts";
import { openServer, isPrivate } from "./server.ts";

const isProgress = (message: APIMessage): boolean => message.content !== "" && !isFinalReply(message);
const createHangingEngine = () => createFakeEngine({ script: [{ kind: "hang" }] });

/** Starts a task of Ada's that shows its progress. */
async function setup() {
	const clock = createManualClock();
	const engine = createHangingEngine();
	const server = await openServer({ engine, clock });
	const reply = await server.ada.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	const progress = await passUntilAnswered(clock, reply, isProgress);
	const cancel = async (userClient: UserClient): Promise<APIMessage> =>
		await passUntilAnswered(clock, await userClient.press(progress, { label: "Cancel" }));
	const ended = () => passUntilAnswered(clock, reply);
	return { ...server, clock, engine, reply, progress, cancel, ended };
}

test("a reply shows the progress, the expected end and the cost, and becomes the result", async () => {
	const { clock, engine, reply, progress, ended } = await setup();
	expect(progress.content).toContain("**Generating**");
	expect(progress.content).toContain("video with Fake video · 15 credits, charged when done");
	expect(progress.content).toMatch(/ready <t:\d+:R>/);
	engine.runs[0]?.report(63);
	await passUntilAnswered(clock, reply, ({ content }) => content.includes("▰▰▰▰▰▰▱▱▱▱ 60 %"));
	engine.runs[0]?.finish();
	const answer = await ended();
	expect(answer.id).toBe(progress.id);
	expect(answer.attachments).toHaveLength(1);
});

describe("the Cancel button", () => {
	test("cancels the task for its member, once if it is pressed twice, and returns the credits", async () => {
		const { ada, engine, cancel, ended } = await setup();
		const answers = await Promise.all([cancel(ada), cancel(ada)]);
		const canceled = "Canceled. No credits were charged.";
		expect(answers.map(({ content }) => content)).toStrictEqual([canceled, canceled]);
		expect(answers.map(isPrivate)).toStrictEqual([true, true]);
		expect(engine.runs[0]?.signal.aborted).toBe(true);
		expect((await ended()).content).toContain("This job was canceled by the member who asked for it.");
		expect(await creditsLeft(ada)).toBe(500);
	});

	test("is denied to other members, and allowed to moderators", async () => {
		const { admin, grace, ada, cancel, ended } = await setup();
		expect((await cancel(grace)).content).toContain("That's another member's job.");
		expect((await cancel(admin)).content).toContain("Canceled.");
		expect((await ended()).content).toContain(`canceled by <@${admin.me.user.id}>`);
		expect(await creditsLeft(ada)).toBe(500);
	});
});

test("after a restart the bot continues the progress updates, and the Cancel button works", async () => {
	const folder = await newFolder();
	const port = String(await freePort());
	const env = { PORT: port, DATA_DIR: folder, STORE_URL: `sqlite:${folder}/atelier.db` };
	const clock = createManualClock();
	const engine = createHangingEngine();
	const first = await openAtelier({ engine, env, clock });
	const reply = await first.userClient.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	await passUntilAnswered(clock, reply, isProgress);
	await first.atelier.stop();
	const { userClient } = await openAtelier({ engine: createHangingEngine(), env, clock });
	const isUpdated = (message: APIMessage): boolean => isProgress(message) && message.edited_timestamp !== null;
	const updated = await passUntilAnswered(clock, reply, isUpdated);
	expect(updated.content).toContain("**Generating**");
	const press = await userClient.press(updated, { label: "Cancel" });
	expect((await passUntilAnswered(clock, press)).content).toContain("Canceled.");
	expect((await passUntilAnswered(clock, reply)).content).toContain("This job was canceled by the member who asked");
	expect(await creditsLeft(userClient)).toBe(500);
});
