import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { ComponentType } from "discord-api-types/v10";
import { assert, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { runCli } from "../cli/run-cli.ts";
import { storeOnDisk, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, isPrivate, pressAndWait, finalReply, generateImage } from "./replies.ts";

/** The file of `/privacy export`, and the reply that contains it. */
async function exportData(userClient: UserClient) {
	const answer = await finalReply(userClient.type("/privacy export"));
	const response = await fetch(filesOf(answer)[0]?.url ?? assert.fail("no file"));
	return { answer, data: (await response.json()) as Record<string, unknown> };
}

const prompts = (data: Record<string, unknown>): readonly string[] =>
	(data["tasks"] as { request: { prompt: string } }[]).map(({ request }) => request.prompt);

test("an export contains the tasks, block and limit of its member, and no data of others", async () => {
	const { owner, ada, grace } = await openAtelierWithMembers();
	await answerTo(ada, "/image", { prompt: "a secret boat" });
	await answerTo(grace, "/image", { prompt: "a secret garden" });
	await answerTo(owner, "/quota member", { member: ada.me.user.id, credits: 40 });
	await answerTo(owner, "/block", { member: ada.me.user.id, reason: "too many boats" });

	const { answer, data } = await exportData(ada);
	expect(isPrivate(answer)).toBe(true);
	expect(answer.components).toMatchObject([{ type: ComponentType.Container }]);
	expect(textOf(answer)).toContain("deleted 30 days after they end");
	expect(prompts(data)).toStrictEqual(["a secret boat"]);
	expect(data).toMatchObject({
		about: { member: ada.me.user.id, tasksKeptDays: 30 },
		blocked: { reason: "too many boats" },
		ownLimitCredits: 40,
	});
	const text = JSON.stringify(data);
	expect(text).not.toMatch(/garden|token/);
	expect(text).not.toContain(grace.me.user.id);
});

test("a deletion removes the member's ended tasks and files, and keeps the credit history", async () => {
	const engine = createFakeEngine({ script: [{ kind: "succeed" }, { kind: "hang" }] });
	const env = await storeOnDisk();
	const { ada, grace } = await openAtelierWithMembers({ engine, env });
	await answerTo(ada, "/image", { prompt: "a boat that is done" });
	const runningReply = await ada.type("/image", { prompt: "a boat that is not" });
	await expect.poll(() => engine.runs.length).toBe(2);
	// The newest task is first.
	const doneTaskId = (await ada.autocomplete("/job show", { id: "" }, "id"))[1]?.value;

	const question = await finalReply(ada.type("/privacy delete"));
	expect(textOf(question)).toContain("Credit records stay");
	expect(question.components).toMatchObject([{ type: ComponentType.Container }]);
	expect(await answerTo(ada, "/job list")).toContain("a boat that is done");
	const done = await (await ada.press(question, { label: "Delete my jobs and their files" })).until();
	expect(textOf(done)).toContain("Deleted.\n1 job isn't finished yet.");
	expect(labelsOf(done)).toStrictEqual([]);
	expect(await answerTo(ada, "/job list")).not.toContain("a boat that is done");
	expect(await answerTo(ada, "/job get", { id: doneTaskId })).toContain("or it was deleted");
	expect(prompts((await exportData(ada)).data)).toStrictEqual(["a boat that is not"]);

	engine.runs[1]?.finish();
	expect(filesOf(await runningReply.until(isFinalReply))).toHaveLength(1);
	const { data } = await exportData(ada);
	expect((data["credits"] as { kind: string }[]).filter(({ kind }) => kind === "post")).toHaveLength(2);
	expect(prompts((await exportData(grace)).data)).toStrictEqual([]);

	const runPrivacyCommand = (action: string, userId: string) => runCli(["privacy", action, userId], { env });
	const runAsOperator = async (action: string) => (await runPrivacyCommand(action, ada.me.user.id)).stdout.join("\n");
	expect(prompts(JSON.parse(await runAsOperator("export")) as Record<string, unknown>)).toStrictEqual([
		"a boat that is not",
	]);
	expect(await runAsOperator("delete")).toMatch(/^server \d+: 1 deleted, 0 still open$/);
	const remaining = JSON.parse(await runAsOperator("export")) as Record<string, unknown>;
	expect([prompts(remaining), (remaining["credits"] as object[]).length > 0]).toStrictEqual([[], true]);
	expect(prompts((await exportData(ada)).data)).toStrictEqual([]);
	expect(await runPrivacyCommand("export", "12345678901234567")).toMatchObject({
		code: 0,
		stdout: [],
		stderr: "No data are stored about 12345678901234567.",
	});
});

test("the operator deletes the favorites of a user who has no tasks", async () => {
	const env = await storeOnDisk();
	const { ada, grace } = await openAtelierWithMembers({ env });
	await pressAndWait(grace, await generateImage(ada, { prompt: "a boat" }), "⭐ Favorite");
	expect(await answerTo(grace, "/gallery favorites")).toContain("a boat");
	const { code } = await runCli(["privacy", "delete", grace.me.user.id], { env });
	expect(code).toBe(0);
	expect(await answerTo(grace, "/gallery favorites")).not.toContain("a boat");
});
