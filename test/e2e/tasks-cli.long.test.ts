import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { serverCreditsLeft, openAtelier, storeOnDisk } from "./start-atelier.ts";
import { runScript } from "./child-process.ts";

/** A bot with a running task, on a store that other processes can open, and the command line on that store. */
async function setup() {
	const env = await storeOnDisk();
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { userClient } = await openAtelier({ env, engine });
	const tasks = (...args: string[]) => runScript("src/cli/atelier.ts", { env, args: ["tasks", ...args] });
	const reply = await userClient.type("/image", { prompt: "a secret boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	const listed = await tasks("list");
	const id = /^\d+/.exec(listed.stdout)?.[0] ?? "none";
	return { userClient, tasks, reply, listed, id };
}

test("the operator lists, shows and cancels tasks while the bot runs", async () => {
	const { userClient, tasks, reply, listed, id } = await setup();
	expect(listed.stdout).toMatch(/^\d+ {2}\S+Z {2}submitted {2}image {2}4 credits {2}server \d+\n1 task\.\n$/);
	const shown = await tasks("show", id);
	expect(JSON.parse(shown.stdout)).toMatchObject({ id, state: "submitted", request: { promptChars: 13 } });
	expect(shown.stdout).not.toMatch(/secret|token"/);

	const canceled = await tasks("cancel", id);
	expect(canceled).toMatchObject({ code: 0, stdout: expect.stringContaining("4 credits are returned") });
	expect(textOf(await reply.until(isFinalReply))).toContain("This job was canceled by the bot owner.");
	expect(await serverCreditsLeft(userClient)).toBe(500);
	expect(await tasks("cancel", id)).toMatchObject({ code: 1, stdout: expect.stringContaining("Too late") });
	expect((await tasks("list")).stdout).toBe("0 tasks.\n");
	expect((await tasks("list", "all")).stdout).toContain("delivered");
});

test("errors are explained to the operator", async () => {
	const { tasks } = await setup();
	expect(await tasks("cancel", "4711")).toMatchObject({ code: 1, stdout: expect.stringContaining("There is no task") });
	expect(await tasks("cancel")).toMatchObject({ code: 2, stderr: expect.stringContaining("argument 'id'") });
});
