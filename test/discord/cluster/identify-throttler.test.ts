import { pino } from "pino";
import { expect, test } from "vitest";
import {
	createIdentifyThrottler,
	IDENTIFY_WINDOW_MS as WINDOW_MS,
} from "../../../src/discord/cluster/identify-throttler.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

interface Setup {
	readonly maxConcurrency?: number;
	readonly remaining?: number;
	readonly takeSharedIdentifySlot?: (remainder: number) => Promise<number>;
}

/** Shards that start sessions, and a record of when each did. */
async function setup({ maxConcurrency = 1, remaining = 1_000, takeSharedIdentifySlot }: Setup) {
	const clock = createManualClock(0);
	const limit = { total: 1_000, remaining, reset_after: 60 * 60_000, max_concurrency: maxConcurrency };
	const manager = { fetchGatewayInformation: async () => ({ url: "", shards: 1, session_start_limit: limit }) };
	const identifyThrottler = createIdentifyThrottler({
		clock,
		logger: pino({ level: "silent" }),
		random: () => 0,
		takeSharedIdentifySlot,
	});
	const throttler = await identifyThrottler.build(manager as unknown as Parameters<typeof identifyThrottler.build>[0]);
	const started: string[] = [];
	const start = async (shard: number, signal = new AbortController().signal): Promise<void> => {
		await throttler.waitForIdentify(shard, signal);
		started.push(`${shard} at ${clock.nowMs()}`);
	};
	return { clock, limit, identifyThrottler, started, start };
}

/** A coordinator with these answers in turn; an error means that it is unreachable. */
function answers(...given: readonly (number | Error)[]): Setup {
	const left = [...given];
	return {
		async takeSharedIdentifySlot() {
			const next = left.shift() ?? 0;
			if (next instanceof Error) throw next;
			return next;
		},
	};
}
const away = new Error("away");

test.each<[string, Setup, number, readonly string[], number]>([
	[
		"with the same remainder one after the other",
		{ maxConcurrency: 2 },
		3,
		["0 at 0", "1 at 0", `2 at ${WINDOW_MS}`],
		1,
	],
	["after the slots that other processes use", answers(700, 300, 0), 1, ["0 at 1000"], 2],
	["not while the coordinator is unreachable", answers(away, away, away, 0), 1, ["0 at 3000"], 3],
])("shards start their sessions %s", async (_when, given, shards, expected, waits) => {
	const { clock, started, start, identifyThrottler } = await setup(given);
	for (let shard = 0; shard < shards; shard++) void start(shard);
	await clock.advance(4 * WINDOW_MS);
	expect(started).toStrictEqual(expected);
	expect(identifyThrottler.waits()).toBe(waits);
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
