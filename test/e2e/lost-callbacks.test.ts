import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAdminClient, type AdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "./start-atelier.ts";

const CALLBACK = "POST /interactions/:interaction/:token/callback";
const HANG_UP = { kind: "hangUp" } as const;

async function setup() {
	const { atelier, userClient, logs } = await openAtelier();
	return { userClient, logs, adminClient: openAdminClient(atelier.origin) };
}

async function callbacksSent(adminClient: AdminClient): Promise<readonly number[]> {
	const { requests } = await adminClient.requests();
	return requests.filter(({ path }) => path.includes("/callback")).map(({ status }) => status);
}

describe.each([
	["accepted, and its answer lost", { acts: true }],
	["lost on its way", { acts: false }],
])("a callback that is %s is retried once", (_what, { acts }) => {
	const lose = (adminClient: AdminClient) => adminClient.inject({ route: CALLBACK, times: 1, acts, answer: HANG_UP });

	test("and a result replaces the deferral", async () => {
		const { userClient, adminClient, logs } = await setup();
		await lose(adminClient);
		const answer = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
		expect(answer.attachments).toHaveLength(1);
		expect(await callbacksSent(adminClient)).toStrictEqual([0, acts ? 400 : 200]);
		expect(logs()).not.toContain("interaction already acknowledged");
	});

	test("and a command gets its reply", async () => {
		const { userClient, adminClient } = await setup();
		await lose(adminClient);
		expect((await (await userClient.type("/credits show")).until(isFinalReply)).content).toContain("credits left");
	});

	test("and a form opens and gets its reply", async () => {
		const { userClient, adminClient } = await setup();
		const completed = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
		await lose(adminClient);
		const modal = await (await userClient.press(completed, { label: "Edit" })).modal();
		await lose(adminClient);
		const edited = await (await userClient.submit(modal, { prompt: "a ship" })).until(isFinalReply);
		expect(edited.attachments).toHaveLength(1);
	});

	test("and the message of a button is updated", async () => {
		const { userClient, adminClient } = await setup();
		const completed = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
		await lose(adminClient);
		const pressed = await userClient.press(completed, { label: "Delete" });
		await pressed.answered();
		await expect.poll(async () => (await userClient.messages()).some(({ id }) => id === completed.id)).toBe(false);
		await expect
			.poll(() =>
				pressed
					.messages()
					.map(({ content }) => content)
					.join(""),
			)
			.toContain("Deleted");
	});
});

test.each([
	["lost twice", HANG_UP],
	["lost, and then answered with 429", { kind: "error", status: 429, code: 0 }],
] as const)("a callback that was accepted and is %s leaves no reply at “thinking…”", async (_what, answer) => {
	const { userClient, adminClient, logs } = await setup();
	await adminClient.inject({ route: CALLBACK, times: 1, acts: true, answer: HANG_UP });
	await adminClient.inject({ route: CALLBACK, times: 1, acts: false, answer });
	const result = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
	expect(result.attachments).toHaveLength(1);
	expect(logs()).not.toContain("interaction already acknowledged");
});

test("a callback that is lost twice starts nothing", async () => {
	const { userClient, adminClient, logs } = await setup();
	await adminClient.inject({ route: CALLBACK, times: 2, acts: false, answer: HANG_UP });
	await userClient.type("/image", { prompt: "a boat" });
	await expect.poll(logs).toContain("error reply failed");
	expect(logs()).not.toContain("task created");
});

test("lost autocomplete choices are not retried", async () => {
	const { userClient, adminClient, logs } = await setup();
	await adminClient.inject({ route: CALLBACK, times: 1, answer: HANG_UP });
	const choices = userClient.autocomplete("/image", { prompt: "a boat", model: "f" }, "model");
	await expect(choices).rejects.toThrow("did not respond");
	expect(await callbacksSent(adminClient)).toStrictEqual([0]);
	expect(logs()).toContain("autocomplete failed");
});

test("a callback that another process has sent is left to that process", async () => {
	const { userClient, adminClient, logs } = await setup();
	const taken = { kind: "error", status: 400, code: 40_060 } as const;
	await adminClient.inject({ route: CALLBACK, times: 1, acts: true, answer: taken });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await expect.poll(logs).toContain("interaction already acknowledged");
	expect(await callbacksSent(adminClient)).toStrictEqual([400]);
	expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking"]);
});

test("a deferral that Discord accepts without returning its message is read back", async () => {
	const { userClient, adminClient } = await setup();
	const answers = [
		{ text: "", status: 204 },
		{ text: "{}" },
		{ text: "<html></html>", contentType: "text/html" },
	] as const;
	for (const answer of answers) {
		await adminClient.inject({ route: CALLBACK, times: 1, acts: true, answer: { kind: "body", ...answer } });
		const result = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
		expect(result.attachments).toHaveLength(1);
	}
});
