/**
 * Two processes of one bot with the same shards, as during an upgrade: both receive every event. Each kind of
 * interaction is repeated TIMES times; OVERLAP_TIMES=200 in the environment is the long form.
 */
import { textOf } from "@atelier/playground/user-client/message-contents";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { env } from "node:process";
import type { APIMessage } from "discord-api-types/v10";
import { assert, describe, expect, onTestFinished, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { openUserClient, type Reply } from "@atelier/playground/user-client";
import { REQUESTS_CHANNEL } from "@atelier/playground/rest/request-log";
import type { RequestRecord } from "@atelier/playground/admin/admin-contract";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { openAtelier, serverCreditsLeft, storeOnDisk, channelIdOf } from "./start-atelier.ts";
import { answerTo, deleteResult, finalReply, hasFile, pressSetting, reportsIn } from "./replies.ts";
import { openDiscord } from "./open-discord.ts";
import { createProcessClock } from "./process-clock.ts";

const TIMES = Number(env["OVERLAP_TIMES"] ?? 3);
const CREDITS = 1_000_000;
const CONCURRENT_REPEATS = 8;
/** The most styles that a server can have. */
const STYLES_MAX = 50;
/** Longer than two processes on a busy machine need for concurrent interactions. */
const LONG_MS = 60_000 + TIMES * 5_000;

/** The responses to each interaction, with Discord's status for each. */
function countCallbacks() {
	const statuses = new Map<string, number[]>();
	const note = (message: unknown): void => {
		const { method, path, status } = message as RequestRecord;
		const [, id] = /\/interactions\/(\d+)\/.*callback/.exec(path) ?? [];
		if (method === "POST" && id !== undefined) statuses.set(id, [...(statuses.get(id) ?? []), status]);
	};
	subscribe(REQUESTS_CHANNEL, note);
	onTestFinished(() => void unsubscribe(REQUESTS_CHANNEL, note));
	return statuses;
}

async function openTwoBots() {
	const redis = await startRedisServer(["--appendonly", "no"]);
	const onDisk = await storeOnDisk();
	// Both bots share this process: on a busy machine, an answer can take three seconds of real time.
	const discord = await openDiscord({ clock: createProcessClock() });
	const engine = createFakeEngine({ concurrency: 8 });
	const botEnv = { ...discord.env, ...onDisk, QUEUE_URL: redis.url, GUILD_CREDITS: String(CREDITS) };
	const bots = [await openAtelier({ engine, env: botEnv }), await openAtelier({ engine, env: botEnv })];
	const linesWith = (part: RegExp): readonly string[] =>
		bots.flatMap(({ logs }) => logs().split("\n")).filter((line) => part.test(line));
	const callbacks = countCallbacks();
	const admin = await openUserClient(discord.origin);
	onTestFinished(() => admin.close());
	return {
		redis,
		admin,
		engine,
		callbacks,
		// The clock of the playground lags behind that of the bots on a busy machine.
		errors: () => linesWith(/"level":[56]0/).filter((line) => !line.includes("clock differs from Discord's")),
		leftToOthers: () => linesWith(/interaction already claimed/).length,
	};
}

/** Runs the work TIMES times, a few at once. */
async function runTimes<T>(work: (n: number) => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	const runNext = async (): Promise<void> => {
		for (let n = next++; n < TIMES; n = next++) results[n] = await work(n);
	};
	await Promise.all(Array.from({ length: CONCURRENT_REPEATS }, runNext));
	return results;
}

const isCanceled = (message: APIMessage): boolean => textOf(message).startsWith("Canceled.");
/** Waits until the reply has the expected state. */
const answered = async (reply: Promise<Reply>, isExpected: (message: APIMessage) => boolean = isFinalReply) =>
	await (await reply).until(isExpected, LONG_MS);
const openForm = async (reply: Promise<Reply>) => await (await reply).modal(LONG_MS);

describe.skipIf(!startRedisServer.isPossible)("while one process takes over from another", () => {
	test(
		"each command, button, menu and form is handled and answered once",
		async () => {
			const { admin, engine, callbacks, errors, leftToOthers } = await openTwoBots();

			const images = await runTimes((n) => answered(admin.type("/image", { prompt: `a boat ${n}` }), hasFile));
			const imageOf = (n: number): APIMessage => images[n] ?? assert.fail("no image");
			await runTimes((n) => answered(admin.press(imageOf(n), { label: "Regenerate" }), hasFile));
			await runTimes(async (n) => {
				const form = await openForm(admin.press(imageOf(n), { label: "Edit" }));
				await answered(admin.submit(form, { prompt: `an edited boat ${n}` }), hasFile);
			});
			expect(engine.runs).toHaveLength(3 * TIMES);
			expect(await serverCreditsLeft(admin)).toBe(CREDITS - 4 * 3 * TIMES);

			await runTimes((n) => answered(admin.type("/balance grant", { amount: 1, reason: `for number ${n}` })));
			expect(await serverCreditsLeft(admin)).toBe(CREDITS - 4 * 3 * TIMES + TIMES);

			await runTimes((n) => answered(admin.type("/settings general", { confirm_above: n + 1_000 })));
			// The first page has ten changes.
			const changes = (await answerTo(admin, "/settings audit")).match(/→ above [\d,]+ credits/g);
			expect(changes).toHaveLength(Math.min(TIMES, 10));
			expect(new Set(changes).size).toBe(Math.min(TIMES, 10));

			await answerTo(admin, "/settings general", { confirm_above: 0 });
			const ask = (n: number) => answered(admin.type("/image", { prompt: `a dear boat ${n}` }));
			await runTimes(async (n) => {
				await answered(admin.press(await ask(n), { label: "Generate for 4 credits" }), hasFile);
			});
			await runTimes(async (n) => await answered(admin.press(await ask(n), { label: "Cancel" }), isCanceled));
			expect(engine.runs).toHaveLength(4 * TIMES);
			expect(await serverCreditsLeft(admin)).toBe(CREDITS - 4 * 4 * TIMES + TIMES);

			const gallery = await channelIdOf(admin, "gallery");
			await answerTo(admin, "/settings general", { report_channel: gallery });
			await runTimes(async (n) => {
				const form = await openForm(admin.context("Report", imageOf(n)));
				await answered(admin.submit(form, { reason: "not a boat" }));
			});
			expect(await reportsIn(admin, gallery)).toHaveLength(TIMES);
			await runTimes(async (n) => await (await deleteResult(admin, imageOf(n))).answered(LONG_MS));

			const setup = await answered(admin.type("/setup"));
			const form = await openForm(pressSetting(admin, setup, "1:setup-field:channels"));
			await (await admin.submit(form, { allowed: [gallery], denied: [] })).answered(LONG_MS);
			const choices = await runTimes(() => admin.autocomplete("/job get", { id: "" }, "id"));
			expect(choices.every(({ length }) => length > 0)).toBe(true);

			const notOnce = [...callbacks].filter(([, statuses]) => statuses.length !== 1 || statuses[0]! >= 300);
			// Both processes offer choices, and both respond if Redis is slow. Discord accepts the first.
			const accepted = notOnce.map(([, statuses]) => statuses.filter((status) => status < 300).length);
			expect(accepted).toStrictEqual(notOnce.map(() => 1));
			expect(notOnce.length).toBeLessThan(callbacks.size / 2);
			expect(leftToOthers()).toBeGreaterThan(0);
			expect(errors()).toStrictEqual([]);
		},
		LONG_MS * 4,
	);

	test(
		"each command and button is handled and answered once during an outage of Redis",
		async () => {
			const { redis, admin, callbacks, errors } = await openTwoBots();
			await answerTo(admin, "/settings general", { confirm_above: 0 });
			const questions = await runTimes(async (n) => await finalReply(admin.type("/image", { prompt: `a boat ${n}` })));
			const before = await serverCreditsLeft(admin);
			await redis.kill();
			callbacks.clear();
			await runTimes((n) => answered(admin.type("/balance grant", { amount: 1, reason: `for number ${n}` })));
			await runTimes((n) => answered(admin.type("/style add", { name: `style ${n}`, text: "in ink" })));
			await runTimes(async (n) => {
				await (await admin.press(questions[n]!, { label: "Cancel" })).answered(LONG_MS);
			});
			const accepted = [...callbacks.values()].map((statuses) => statuses.filter((status) => status < 300).length);
			expect(accepted).toStrictEqual(Array.from({ length: 3 * TIMES }, () => 1));
			expect([...callbacks.values()].some((statuses) => statuses.length > 1)).toBe(true);
			expect(await serverCreditsLeft(admin)).toBe(before + TIMES);
			expect((await answerTo(admin, "/style list")).match(/style \d/g)).toHaveLength(Math.min(TIMES, STYLES_MAX));
			expect(errors()).toStrictEqual([]);
			await redis.start();
		},
		LONG_MS * 2,
	);
});
