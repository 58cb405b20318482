import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { openRedisCoordinator } from "../../../src/discord/cluster/redis-coordinator.ts";
import { gcraRate } from "../../../src/discord/cluster/gcra.ts";
import { startRedisServer, type RedisServer } from "@atelier/store/testing/redis-server-for-test";

async function join({ url }: RedisServer) {
	const coordinator = await openRedisCoordinator(url, { clock: systemClock, logger: pino({ level: "silent" }) });
	onTestFinished(() => coordinator.close());
	return coordinator;
}

describe.skipIf(!startRedisServer.isPossible)("processes on one Redis", () => {
	test("share interactions, session starts and requests, know their number, and report that Redis is gone", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const [one, other] = [await join(server), await join(server)];
		expect(other.processes()).toBe(2);

		const ids = Array.from({ length: 100 }, (_, n) => String(n));
		const asked = await Promise.all(ids.map((id) => Promise.all([one.claimShared(id), other.claimShared(id)])));
		expect(asked.map((answers) => answers.filter(Boolean).length)).toStrictEqual(ids.map(() => 1));

		expect(await one.takeSharedIdentifySlot(0)).toBe(0);
		expect(await other.takeSharedIdentifySlot(0)).toBeGreaterThan(0);
		expect(await other.takeSharedIdentifySlot(1)).toBe(0);

		const rate = gcraRate(2);
		const beforeMs = performance.now();
		const waits = await Promise.all(
			Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : other).takeSharedRequestSlot(rate, 60_000)),
		);
		const tookMs = performance.now() - beforeMs;
		const lastMs = Math.max(...waits.map((waitMs) => waitMs ?? 0));
		expect(waits.filter((waitMs) => waitMs === 0)).not.toHaveLength(0);
		expect(lastMs + tookMs).toBeGreaterThanOrEqual(39 * rate.intervalMs - rate.burstMs);
		expect(await one.takeSharedRequestSlot(rate, 10)).toBeUndefined();

		await other.close();
		await server.kill();
		await expect(one.takeSharedRequestSlot(rate, 10)).rejects.toThrow("Redis");
	});
});
