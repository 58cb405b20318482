import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { creditsLeft } from "./start-atelier.ts";
import { answerTo, image, openServer } from "./server.ts";

const ID = /`(\d+)`/;

/** The lines of `/job list`, with what differs from day to day left out. */
async function listOf(userClient: UserClient, options = {}): Promise<readonly string[]> {
	const content = await answerTo(userClient, "/job list", options);
	return content
		.replaceAll(/[\u2068\u2069]/g, "")
		.replaceAll(/<t:\d+:R>/g, "<then>")
		.replaceAll(/https:\/\/discord\.com\/channels\/\d+\/\d+\/\d+/g, "<link>")
		.replaceAll(/`\d+`/g, "<id>")
		.split("\n");
}

const newestId = async (userClient: UserClient, options = {}): Promise<string> =>
	ID.exec(await answerTo(userClient, "/job list", options))?.[1] ?? "none";

/** A server in which something is being made for Ada. */
async function making() {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const server = await openServer({ engine });
	const reply = await server.ada.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	return { ...server, engine, reply, id: await newestId(server.ada) };
}

describe("/job list", () => {
	test("shows the member's tasks, newest first, with state, price, age and a link to the message", async () => {
		const { ada, grace, id, engine, reply } = await making();
		await image(ada);
		expect(await listOf(ada)).toStrictEqual([
			"**done** · a boat · picture · 4 credits · <then> · [message](<link>) · <id>",
			"**being made** · a slow boat · video · 15 credits set aside · <then> · [message](<link>) · <id>",
		]);
		expect(await listOf(grace)).toStrictEqual([
			"There is nothing to show. `/image`, `/video` and `/music` make something.",
		]);
		const thinking = await reply.until(() => true);
		expect(await answerTo(ada, "/job list")).toContain(`/${thinking.channel_id}/${thinking.id}) · \`${id}\``);
		engine.runs[0]?.finish();
		await reply.until(isFinalReply);
	});

	test("shows a member's tasks to moderators only", async () => {
		const { admin, ada, grace } = await openServer();
		await image(ada);
		const member = ada.me.user.id;
		expect(await listOf(admin, { member })).toHaveLength(1);
		expect(await listOf(grace, { member })).toStrictEqual([
			"That is somebody else's. Only people who look after this server can see and cancel it.",
		]);
	});

	test("stays within one message, whatever the prompts are, and announces more", async () => {
		const { ada } = await openServer();
		for (let n = 0; n < 17; n++) await answerTo(ada, "/image", { prompt: `**${n}** ${"_".repeat(200)}` });
		const content = await answerTo(ada, "/job list");
		expect(content.length).toBeLessThanOrEqual(2000);
		expect(content).toContain(String.raw`\*\*16\*\*`);
		expect(content).toContain("There are older ones");
	});
});

describe("/job show", () => {
	test("shows the details of a running task: request, start, credits, deadline, channel", async () => {
		const { ada, id } = await making();
		const content = await answerTo(ada, "/job show", { id });
		expect(content.replaceAll(/[\u2068\u2069]|<t:\d+:R>/g, "").split("\n")).toStrictEqual([
			"> a slow boat",
			"**being made** · video · Fake video · asked for ",
			"Cost: 15 credits set aside",
			"If it is not done , it is given up and paid back.",
			expect.stringMatching(new RegExp(`^-# \\[message\\]\\(https://discord\\.com/channels/[\\d/]+\\) · \`${id}\`$`)),
		]);
	});

	test("shows the reason of a failure", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", code: "content_policy", retryable: false }] });
		const { ada } = await openServer({ engine });
		await image(ada);
		const content = await answerTo(ada, "/job show", { id: await newestId(ada) });
		expect(content).toContain("**failed**");
		expect(content).toContain("does not accept this prompt");
		expect(content).toContain("Nothing charged.");
	});
});

describe("/job get", () => {
	test("delivers the files again to the member alone, free of charge", async () => {
		const { ada } = await openServer();
		const first = await (await ada.type("/image", { prompt: "a boat" })).until(isFinalReply);
		const again = await (await ada.type("/job get", { id: await newestId(ada) })).until(isFinalReply);
		expect((again.flags ?? 0) & 64).toBe(64);
		expect(again.attachments).toMatchObject([{ content_type: "image/png", description: "a boat" }]);
		const files = [first, again].flatMap(({ attachments }) => attachments.map((file) => ada.download(file)));
		const [one, other] = await Promise.all(files);
		expect(other?.equals(one ?? Buffer.alloc(0))).toBe(true);
		expect(await creditsLeft(ada)).toBe(496);
	});

	test("denies a task that is not finished", async () => {
		const { ada, id } = await making();
		expect(await answerTo(ada, "/job get", { id })).toContain("That is not done yet.");
	});

	test("denies a task without a result", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: false }] });
		const { ada } = await openServer({ engine });
		await image(ada);
		expect(await answerTo(ada, "/job get", { id: await newestId(ada) })).toContain("Nothing was made there");
	});
});

describe("/job cancel", () => {
	test("stops a running task: the engine is notified, the credits are returned, and the reply names the member", async () => {
		const { ada, id, engine, reply } = await making();
		expect(await answerTo(ada, "/job cancel", { id })).toBe("Canceled. Nothing was charged: 15 credits came back.");
		expect(engine.runs[0]?.signal.aborted).toBe(true);
		expect((await reply.until(isFinalReply)).content).toContain("This was canceled by the person who asked for it.");
		expect(await creditsLeft(ada)).toBe(500);
		expect((await listOf(ada))[0]).toContain("**canceled** · a slow boat · video · nothing charged");
	});

	test("of another member's task is for moderators", async () => {
		const { admin, ada, grace, id, reply } = await making();
		expect(await answerTo(grace, "/job cancel", { id })).toContain("That is somebody else's.");
		expect(await answerTo(admin, "/job cancel", { id, member: ada.me.user.id })).toContain("Canceled.");
		expect((await reply.until(isFinalReply)).content).toContain(`This was canceled by <@${admin.me.user.id}>`);
	});

	test("suggests only tasks that can be canceled", async () => {
		const { admin, ada, id } = await making();
		await image(ada);
		const offered = await ada.autocomplete("/job cancel", { id: "" }, "id");
		expect(offered).toStrictEqual([{ name: "a slow boat — being made, just now", value: id }]);
		expect(await ada.autocomplete("/job show", { id: "" }, "id")).toHaveLength(2);
		expect(await ada.autocomplete("/job get", { id: "boa" }, "id")).toMatchObject([
			{ name: expect.stringMatching(/^a boat — done/) },
		]);
		const member = ada.me.user.id;
		expect(await admin.autocomplete("/job cancel", { id: "", member }, "id")).toMatchObject([{ value: id }]);
	});
});
