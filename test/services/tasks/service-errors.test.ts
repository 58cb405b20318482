/** Errors of the service: the member's message, the operator's alert, and the stored details. */
import { describe, expect, test } from "vitest";
import {
	MediaHttpError,
	MediaRefusedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { runCli } from "../../cli/run-cli.ts";
import { open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

const ACCOUNT_ALERT = "media service refused the account of this bot: it has no credits left or is locked";
const KEY_ALERT = "media service refused the API key of this bot: check MEDIA_API_KEY";
const FOR_OPERATOR = "Only the people who run this bot can fix that";

async function shownByTasks({ process, clock }: ReturnType<typeof setup>): Promise<string> {
	const { stdout } = await runCli(["tasks", "show", TASK], { store: process.store, clock });
	return stdout.join("\n");
}

describe("errors that only the operator can fix", () => {
	test.each([
		["402", "insufficient credits", ACCOUNT_ALERT],
		["-1", "no auth, please sign in", KEY_ALERT],
	])("are not blamed on the member when a submit is rejected with %s: %s", async (code, reason, alert) => {
		const all = setup();
		all.media.failuresBefore.push(new MediaRefusedError(code, reason));
		await all.process.submit();
		await all.pass(SECOND_MS);
		expect(textOf(all.replyClient)).toContain(FOR_OPERATOR);
		expect(textOf(all.replyClient)).not.toContain(reason);
		expect(all.logged("error")).toStrictEqual([alert]);
		expect(all.linesOf(alert)).toMatchObject([{ code, reason, taskId: TASK }]);
		expect(await all.process.balance()).toMatchObject({ availableCredits: 10 });
		expect(await shownByTasks(all)).toContain(`\nThe service said: ${code}: ${reason}`);
	});

	test("are not blamed on the member when a task fails", async () => {
		const all = setup();
		all.media.answer = { state: "failed", code: "unknown", reason: "Exhausted balance" };
		await all.process.submit();
		await all.pass(10 * SECOND_MS);
		expect(textOf(all.replyClient)).toContain(FOR_OPERATOR);
		expect(all.logged("error")).toStrictEqual([ACCOUNT_ALERT]);
	});

	test("are logged once in ten minutes, for any number of failed tasks", async () => {
		const all = setup({ credits: 100 });
		const submitAt = async (number: number): Promise<void> => {
			all.media.failuresBefore.push(new MediaRefusedError("402", ""));
			await all.process.submit({ id: `10000000000000000${number}` });
			await all.pass(SECOND_MS);
		};
		for (let number = 10; number < 15; number++) await submitAt(number);
		expect(all.logged("error")).toStrictEqual([ACCOUNT_ALERT]);
		await all.pass(10 * MINUTE_MS);
		await submitAt(15);
		expect(all.linesOf(ACCOUNT_ALERT)).toMatchObject([{ unreported: 0 }, { unreported: 4 }]);
	});
});

describe("a rejection by the service's moderation", () => {
	test.each([
		[
			"a submit refused with 430",
			(m: Media) => m.failuresBefore.push(new MediaRefusedError("430", "moderation failed")),
		],
		[
			"a submit refused with 403",
			(m: Media) => m.failuresBefore.push(new MediaRefusedError("403", "NSFW prompt", 403)),
		],
		[
			"a poll refused with 430",
			(m: Media) => (m.read = () => Promise.reject(new MediaRefusedError("430", "sensitive"))),
		],
		["a failed task", (m: Media) => (m.answer = { state: "failed", code: "501", reason: "flagged content: NSFW" })],
		["its code alone", (m: Media) => (m.answer = { state: "failed", code: "content_policy", reason: "" })],
	])("is recognized in %s", async (_what, arrange) => {
		const all = setup();
		arrange(all.media);
		await all.process.submit();
		await all.pass(10 * SECOND_MS);
		expect(textOf(all.replyClient)).toContain("does not accept this prompt");
		expect(await all.process.balance()).toMatchObject({ availableCredits: 10, heldCredits: 0 });
		expect(all.logged("error")).toStrictEqual([]);
	});
});

describe("the service's reason", () => {
	const PROMPT = "a hidden waterfall in the deep forest";
	const ECHO = `cannot make "${PROMPT}", it has 3 legs`;
	const KEPT = "cannot make [prompt], it has 3 legs";

	test.each([
		["a refused submit", (m: Media) => m.failuresBefore.push(new MediaRefusedError("40005", ECHO)), "submit rejected"],
		["a failed task", (m: Media) => (m.answer = { state: "failed", code: "internal", reason: ECHO }), "making failed"],
		[
			"polls that are answered with 500 to the end",
			(m: Media) => (m.read = () => Promise.reject(new MediaHttpError("poll: code 50000", 500, { reason: ECHO }))),
			"poll failed",
		],
		[
			"a submit that is asked to wait to the end",
			(m: Media) =>
				m.failuresBefore.push(...Array.from({ length: 400 }, () => new MediaUnavailableError("429", { reason: ECHO }))),
			"submit did not reach the service",
		],
	])("for %s is in the log and in `tasks show`, without the prompt", async (_what, arrange, line) => {
		const all = setup();
		arrange(all.media);
		await all.process.submit({ request: { ...taskRequest.request, prompt: PROMPT } });
		await all.pass(11 * MINUTE_MS);
		expect(all.linesOf(line)[0]).toMatchObject({ reason: KEPT });
		expect(all.lines().join("\n")).not.toContain("waterfall");
		const shown = await shownByTasks(all);
		expect(shown).toMatch(/\nThe service said: .*cannot make \[prompt\], it has 3 legs$/);
		expect(shown).not.toContain("waterfall");
	});

	test("cannot be forged by a prompt", async () => {
		const all = setup();
		const prompt = "insufficient credits, invalid api key";
		all.media.failuresBefore.push(new MediaRefusedError("40005", `no such style: ${prompt}`));
		await all.process.submit({ request: { ...taskRequest.request, prompt } });
		await all.pass(SECOND_MS);
		expect(textOf(all.replyClient)).toContain(String.raw`refused this: ⁨no such style\: \[prompt\]⁩`);
		expect(all.logged("error")).toStrictEqual([]);
	});
});

describe("the failure does not claim that the task took too long", () => {
	test("if the service stops responding until the deadline", async () => {
		const { media, replyClient, process, pass } = setup();
		media.answer = open;
		await process.submit();
		await pass(9 * MINUTE_MS);
		media.read = () => Promise.reject(new MediaTimeoutError("no answer"));
		await pass(5 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("cannot be reached right now");
	});

	test("if the bot was stopped and could not submit the task", async () => {
		const { media, replyClient, process, boot, pass } = setup();
		media.failuresBefore.push(new MediaUnavailableError("429", { retryAfterMs: MINUTE_MS }));
		await process.submit();
		await pass(SECOND_MS);
		await process.runner.stop();
		await pass(20 * MINUTE_MS);
		await boot().runner.recover();
		await pass(SECOND_MS);
		expect(textOf(replyClient)).toContain("This bot was stopped for a while");
		expect(media.submits).toBe(1);
	});

	test("if the service cannot be polled after a long stop of the bot", async () => {
		const { media, replyClient, process, boot, pass } = setup();
		media.answer = open;
		await process.submit();
		await pass(SECOND_MS);
		await process.runner.stop();
		await pass(20 * MINUTE_MS);
		media.read = () => Promise.reject(new MediaUnavailableError("not reached"));
		await boot().runner.recover();
		await pass(SECOND_MS);
		expect(textOf(replyClient)).toContain("cannot be reached right now");
	});
});

type Media = ReturnType<typeof setup>["media"];
