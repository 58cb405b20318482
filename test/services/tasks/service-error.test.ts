import { describe, expect, test } from "vitest";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { runCli } from "../../cli/run-cli.ts";
import { notCharged, MINUTE_MS, SECOND_MS, setup, type Setup, TASK, submission, textOf, repeat } from "./task-setup.ts";

const ACCOUNT_ALERT = "media service rejected the account of this bot: it has no credits left or is locked";
const KEY_ALERT = "media service rejected the API key of this bot: check MEDIA_API_KEY";
const STATE_ALERT = "media service reported an unknown state: the task stays open";
const NOT_WORKING_TEXT = "The generation service isn't working for this bot right now.";

const rejectSubmit = (code: string, reason: string, status?: number) => (media: Setup["media"]) =>
	media.failuresBefore.push(new MediaRejectedError(code, reason, status));
const failTask = (code: string, reason: string) => (media: Setup["media"]) =>
	(media.answer = { state: "failed", code, reason });
const failPolls = (error: Error) => (media: Setup["media"]) => {
	media.onRead = () => {
		throw error;
	};
};

async function shownByCli({ process, clock }: Setup): Promise<string> {
	const { stdout } = await runCli(["tasks", "show", TASK], { store: process.store, clock });
	return stdout.join("\n");
}

test.each([
	["a submit beyond the credits", rejectSubmit("402", "insufficient credits"), NOT_WORKING_TEXT, [ACCOUNT_ALERT]],
	["a submit without a valid key", rejectSubmit("-1", "no auth, please sign in"), NOT_WORKING_TEXT, [KEY_ALERT]],
	["a task beyond the credits", failTask("unknown", "Exhausted balance"), NOT_WORKING_TEXT, [ACCOUNT_ALERT]],
	["a moderated submit", rejectSubmit("430", "moderation failed"), "doesn't accept this prompt", []],
	["a moderated poll", failPolls(new MediaRejectedError("430", "sensitive")), "doesn't accept this prompt", []],
	["a moderated task", failTask("501", "flagged content: NSFW"), "doesn't accept this prompt", []],
	["a task that the service cancels", failTask("canceled", ""), "The generation service canceled this job.", []],
	["a task that failed in the engine", failTask("upstream_error", "cuda"), "Generation failed.", []],
])("%s costs nothing, and its member and the operator are told what they can do", async (_, arrange, text, alerts) => {
	const { process, media, logged, openKeys, replyAndBalance } = setup();
	arrange(media);
	await process.run(10 * SECOND_MS);
	expect(await replyAndBalance()).toStrictEqual(notCharged(text));
	expect(logged("error")).toStrictEqual(alerts);
	expect(await openKeys()).toStrictEqual([]);
});

test("an alert is logged once in ten minutes, with the number of alerts left out since", async () => {
	const { process, media, linesOf, advance } = setup({ credits: 100 });
	const submitAt = async (number: number): Promise<void> => {
		rejectSubmit("402", "insufficient credits")(media);
		await process.run(SECOND_MS, { id: `10000000000000000${number}` });
	};
	for (let number = 10; number < 15; number++) await submitAt(number);
	expect(linesOf(ACCOUNT_ALERT)).toHaveLength(1);
	await advance(10 * MINUTE_MS);
	await submitAt(15);
	const details = { code: "402", reason: "insufficient credits" };
	expect(linesOf(ACCOUNT_ALERT)).toMatchObject([0, 4].map((unreported) => ({ ...details, unreported })));
});

test("an unknown state is logged once in ten minutes, although its words change", async () => {
	const { process, media, linesOf } = setup();
	media.onRead = () => {
		media.answer = { ...runningRemoteTask, phase: "unknown", word: `step_${media.reads}_of_50`, shape: "{}" };
	};
	await process.run(9 * MINUTE_MS);
	expect(media.reads).toBeGreaterThan(10);
	expect(linesOf(STATE_ALERT)).toHaveLength(1);
});

describe("the reason that the service gives", () => {
	const PROMPT = "a hidden waterfall in the deep forest";
	const ECHO = `cannot make "${PROMPT}", it has 3 legs`;
	const unavailable = repeat(400, new MediaUnavailableError("429", { reason: ECHO }));

	test.each<[string, (media: Setup["media"]) => unknown, string]>([
		["a rejected submit", rejectSubmit("40005", ECHO), "submit rejected"],
		["a failed task", failTask("internal", ECHO), "task failed at the service"],
		["failed polls", failPolls(new MediaHttpError("code 50000", 500, { reason: ECHO })), "poll failed"],
		["postponed submits", (m) => m.failuresBefore.push(...unavailable), "submit did not reach the service"],
	])("for %s is in the log and in `tasks show`, without the prompt", async (_what, arrange, message) => {
		const fixture = setup();
		arrange(fixture.media);
		await fixture.process.run(11 * MINUTE_MS, { request: { ...submission.request, prompt: PROMPT } });
		expect(fixture.linesOf(message)[0]).toMatchObject({ reason: "cannot make [prompt], it has 3 legs" });
		expect(fixture.lines.join("\n")).not.toContain("waterfall");
		const shown = await shownByCli(fixture);
		expect(shown).toMatch(/\nThe service said: .*cannot make \[prompt\], it has 3 legs$/);
		expect(shown).not.toContain("waterfall");
	});

	test("is not classified by the words of a quoted prompt", async () => {
		const { process, media, replyClient, logged } = setup();
		const prompt = "insufficient credits, invalid api key";
		rejectSubmit("40005", `no such style: ${prompt}`)(media);
		await process.run(SECOND_MS, { request: { ...submission.request, prompt } });
		expect(textOf(replyClient)).toContain(String.raw`rejected this: ⁨no such style\: \[prompt\]⁩`);
		expect(logged("error")).toStrictEqual([]);
	});
});
