import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { registerHealth } from "../../src/http/health.ts";
import { openMemoryStore } from "@atelier/store/testing/memory-store";

test("many requests for the readiness write to the store once a second", async () => {
	const clock = createManualClock();
	const store = openMemoryStore();
	let writes = 0;
	const compareAndSet: typeof store.compareAndSet = (...args) => {
		writes += 1;
		return store.compareAndSet(...args);
	};
	const app = fastify();
	onTestFinished(() => app.close());
	registerHealth(app, {
		store: { ...store, compareAndSet },
		clock,
		stopping: new AbortController().signal,
		checks: {},
	});
	const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await app.inject("/readyz")).statusCode));
	expect(new Set(statuses)).toEqual(new Set([200]));
	expect(writes).toBe(1);
	await clock.advance(1_000);
	expect((await app.inject("/readyz")).statusCode).toBe(200);
	expect(writes).toBe(2);
});
