import { REST } from "discord.js";
import { array, assert, constant, integer, oneof, property } from "fast-check";
import { expect, test } from "vitest";
import { takeGcraSlot, gcraRate } from "../../../src/discord/cluster/gcra.ts";
import { createGlobalRateLimit, withGlobalRateLimit } from "../../../src/discord/cluster/global-rate-limit.ts";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";

/** Returns the times at which requests with these arrival times may be sent. */
function sendTimesOf(perSecond: number, arrivalsMs: readonly number[]): readonly number[] {
	const rate = gcraRate(perSecond);
	let nextSlotAtMs = 0;
	return arrivalsMs.map((nowMs) => {
		const slot = takeGcraSlot(nextSlotAtMs, nowMs, rate);
		({ nextSlotAtMs } = slot);
		return nowMs + slot.waitMs;
	});
}

test("no second has more requests than the limit, whenever they arrive", () => {
	const gaps = array(oneof(constant(0), integer({ min: 0, max: 400 })), { minLength: 60, maxLength: 300 });
	const check = property(integer({ min: 1, max: 60 }), gaps, (perSecond, gapsMs) => {
		let nowMs = 1_000;
		const sendTimes = sendTimesOf(
			perSecond,
			gapsMs.map((gapMs) => (nowMs += gapMs)),
		);
		const spans = sendTimes.slice(perSecond).map((sentAtMs, index) => sentAtMs - (sendTimes[index] ?? Number.NaN));
		// The millisecond allows for rounding.
		expect(Math.min(Number.POSITIVE_INFINITY, ...spans)).toBeGreaterThan(1000 - 1);
	});
	expect(() => assert(check, { numRuns: 300 })).not.toThrow();
});

test.each([
	["single requests", [1_000, 2_000, 3_000]],
	["a few at once", [1_000, 1_000, 1_000]],
])("%s do not wait", (_what, arrivalsMs) => {
	expect(sendTimesOf(50, arrivalsMs)).toStrictEqual(arrivalsMs);
});

test("all clients of a process share the limit, and requests without the bot token are exempt", async () => {
	let taken = 0;
	const rest = {
		api: await openHttpServer((_request, response) => response.writeHead(204).end()),
		...withGlobalRateLimit(async () => void taken++),
	};
	const clients = [new REST(rest), new REST(rest)] as const;
	await Promise.all(clients.map((client) => client.setToken("token").get("/users/@me")));
	expect(taken).toBe(2);
	const edits = Array.from({ length: 60 }, (_, n) =>
		clients[0].patch(`/webhooks/1/token-${n}/messages/@original`, { auth: false }),
	);
	await Promise.all(edits);
	expect(taken).toBe(2);
});

/** Sends this many requests at once. Returns the number of those that may be sent after each time. */
async function sentAfter(
	{
		requestsPerSecond = 50,
		take,
		count = 1,
	}: { requestsPerSecond?: number; take: () => Promise<number | undefined>; count?: number },
	timesMs: readonly number[],
) {
	const clock = createManualClock(0);
	const waitForGlobalLimit = createGlobalRateLimit({
		requestsPerSecond,
		clock,
		takeSharedRequestSlot: take,
		share: () => 1 / 4,
	});
	let sent = 0;
	for (let n = 0; n < count; n++) void waitForGlobalLimit().then(() => sent++);
	const counts: number[] = [];
	for (const timeMs of timesMs) {
		await clock.advance(timeMs - clock.nowMs());
		counts.push(sent);
	}
	return counts;
}

test("while the coordinator is unreachable, a process uses its share of the limit", async () => {
	// A quarter of 40 requests a second is 10. One of them is kept for bursts, so the even schedule allows nine a second.
	expect(
		await sentAfter({ requestsPerSecond: 40, take: () => Promise.reject(new Error("away")), count: 100 }, [999, 9_999]),
	).toStrictEqual([9, 90]);
});

test("a request whose wait would be too long asks for a slot again after a second", async () => {
	const answers = [undefined, 500];
	expect(await sentAfter({ take: async () => answers.shift() }, [1_499, 1_500])).toStrictEqual([0, 1]);
});
