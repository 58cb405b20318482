import { pino } from "pino";
import { expect, test } from "vitest";
import {
	createIdentifyThrottler,
	IDENTIFY_WINDOW_MS,
	type TakeIdentifySlot,
} from "../../../src/discord/cluster/identify-throttler.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const HOUR_MS = 60 * 60_000;

interface Setup {
	readonly maxConcurrency?: number;
	readonly remaining?: number;
	readonly processes?: number;
	readonly takeSharedIdentifySlot?: TakeIdentifySlot;
}

/** Shards that start sessions, and a record of when each did. */
async function setup({ maxConcurrency = 1, remaining = 1_000, processes = 1, takeSharedIdentifySlot }: Setup) {
	const clock = createManualClock(0);
	const limit = { total: 1_000, remaining, reset_after: HOUR_MS, max_concurrency: maxConcurrency };
	const manager = { fetchGatewayInformation: async () => ({ url: "", shards: 1, session_start_limit: limit }) };
	const identifyThrottler = createIdentifyThrottler({
		clock,
		logger: pino({ level: "silent" }),
		random: () => 0,
		takeSharedIdentifySlot,
		processes: () => processes,
	});
	const throttler = await identifyThrottler.build(manager as unknown as Parameters<typeof identifyThrottler.build>[0]);
	const started: string[] = [];
	const start = async (shard: number, signal = new AbortController().signal): Promise<void> => {
		await throttler.waitForIdentify(shard, signal);
		started.push(`${shard} at ${clock.nowMs()}`);
	};
	return { clock, limit, identifyThrottler, started, start };
}

test("shards with the same remainder identify one after the other, others concurrently", async () => {
	const { clock, started, start } = await setup({ maxConcurrency: 2 });
	for (const shard of [0, 1, 2]) void start(shard);
	await clock.advance(IDENTIFY_WINDOW_MS);
	expect(started).toStrictEqual(["0 at 0", "1 at 0", `2 at ${IDENTIFY_WINDOW_MS}`]);
});

test("a shard whose connection closes is removed from the queue", async () => {
	const { clock, started, start } = await setup({});
	void start(0);
	const closed = new AbortController();
	const waiting = start(1, closed.signal);
	await clock.advance(1);
	closed.abort(new Error("closed"));
	await expect(waiting).rejects.toThrow("closed");
	expect(started).toStrictEqual(["0 at 0"]);
});

test("near the daily limit of session starts, shards wait until Discord reports its reset", async () => {
	const { clock, limit, identifyThrottler, started, start } = await setup({ remaining: 50 });
	void start(0);
	await clock.advance(10 * 60_000);
	expect(started).toStrictEqual([]);
	// The limit is read once a minute. The last read, after ten minutes, says that it resets in an hour.
	expect(identifyThrottler.delayReason()).toBe(
		"Discord lets this bot start 50 more sessions until 1970-01-01T01:10:00.000Z, and resets its token after that: none is started before",
	);
	limit.remaining = 1_000;
	await clock.advance(60_000);
	expect(started).toStrictEqual(["0 at 660000"]);
	expect(identifyThrottler.delayReason()).toBeUndefined();
});

test("a shard waits for slots that other processes use", async () => {
	const answers = [700, 300, 0];
	const { clock, started, start, identifyThrottler } = await setup({
		takeSharedIdentifySlot: async () => answers.shift() ?? 0,
	});
	void start(0);
	await clock.advance(1_000);
	expect(started).toStrictEqual(["0 at 1000"]);
	expect(identifyThrottler.waits()).toBe(2);
});

test("each of four processes without a coordinator identifies at a quarter of the rate", async () => {
	const { clock, started, start } = await setup({ processes: 4 });
	for (const shard of [0, 1]) void start(shard);
	await clock.advance(4 * IDENTIFY_WINDOW_MS);
	expect(started).toStrictEqual(["0 at 0", `1 at ${4 * IDENTIFY_WINDOW_MS}`]);
});

test("while the coordinator is unreachable, no shard starts a session", async () => {
	let isAway = true;
	const { clock, started, start } = await setup({
		takeSharedIdentifySlot: () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(0)),
	});
	void start(0);
	await clock.advance(60_000);
	expect(started).toStrictEqual([]);
	isAway = false;
	await clock.advance(1_000);
	expect(started).toHaveLength(1);
});
