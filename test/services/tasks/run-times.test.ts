import { describe, expect, test } from "vitest";
import { createKeyvStore } from "../../../src/services/store/keyv-store.ts";
import { createMemoryStorage } from "../../../src/services/store/memory-storage.ts";
import type { Store } from "../../../src/services/store/store.ts";
import { StoreUnavailable } from "../../../src/services/store/store-errors.ts";
import { createRunTimes, type RunTimes } from "../../../src/services/tasks/run-times.ts";
import { createManualClock } from "../../fakes/manual-clock.ts";
import { silent } from "./polling-setup.ts";

const prior = { medianMs: 30_000, medianLogSd: 1 };
const KIND = "model: 1|2K|10s";
const SECOND_MS = 1_000;

function setup() {
	const storage = createMemoryStorage();
	const clock = createManualClock();
	let writes = 0;
	const counted = (store: Store): Store => ({
		...store,
		compareAndSet: (...write) => {
			writes++;
			return store.compareAndSet(...write);
		},
	});
	const boot = (store: Store = createKeyvStore(storage)): RunTimes =>
		createRunTimes({ store: counted(store), clock, logger: silent });
	const keys = async (): Promise<string[]> => (await Array.fromAsync(storage.scan(""))).map(({ key }) => key);
	return { storage, clock, boot, keys, writes: () => writes };
}

function record(runTimes: RunTimes, count: number, ms: number): void {
	for (let n = 0; n < count; n++) runTimes.record(KIND, "whole", { lowerMs: ms + n, upperMs: ms + n });
}

const seen = (runTimes: RunTimes): number => runTimes.estimate(KIND, "whole", prior).observations;

describe("what was learned", () => {
	test("is there for the next process", async () => {
		const { boot } = setup();
		const first = boot();
		record(first, 20, 12_000);
		first.record(KIND, "running", { lowerMs: 5, upperMs: null });
		await first.stop();
		const second = boot();
		await second.load();
		expect(second.estimate(KIND, "whole", prior)).toMatchObject({ observations: seen(first) });
		expect(Math.exp(second.estimate(KIND, "whole", prior).logMean)).toBeCloseTo(12_000, -3);
		expect(second.estimate(KIND, "running", prior).observations).toBe(1);
		expect(second.estimate(KIND, "queued", prior).observations).toBe(0);
	});

	test("is written once a minute, however much happens, and not at all where nothing does", async () => {
		const { boot, clock, writes } = setup();
		const runTimes = boot();
		for (let second = 0; second < 600; second++) {
			record(runTimes, 2, 12_000);
			await clock.advance(SECOND_MS);
		}
		expect(writes()).toBeLessThanOrEqual(10);
		expect(writes()).toBeGreaterThanOrEqual(8);
		await runTimes.stop();
		const quiet = boot();
		await quiet.load();
		const before = writes();
		await quiet.stop();
		expect(writes()).toBe(before);
	});

	test("by several processes comes together, each thing once", async () => {
		const { boot, clock } = setup();
		const [one, other] = [boot(), boot()];
		record(one, 5, 12_000);
		record(other, 5, 20_000);
		await clock.advance(61 * SECOND_MS);
		record(one, 1, 13_000);
		record(other, 1, 21_000);
		await clock.advance(0);
		await one.stop();
		await other.stop();
		await one.stop();
		const third = boot();
		await third.load();
		const twelve = boot();
		record(twelve, 12, 15_000);
		expect(seen(third)).toBeCloseTo(seen(twelve), 6);
	});

	test("of a damaged document is learned anew, and the document is replaced", async () => {
		const { storage, boot, keys } = setup();
		const first = boot();
		record(first, 20, 12_000);
		await first.stop();
		const [key = ""] = await keys();
		for (const text of ["{ not json", '{"value":{"kind":"x","whole":"?"}}', '{"value":null}']) {
			await storage.set(key, text);
			const next = boot();
			await next.load();
			expect(seen(next)).toBe(0);
			record(next, 3, 12_000);
			await next.stop();
			const healed = boot();
			await healed.load();
			expect(seen(healed)).toBeCloseTo(seen(next), 6);
		}
	});

	test("is kept in memory while the store is away, and written when it is back", async () => {
		const { storage, boot, clock } = setup();
		const store = createKeyvStore(storage);
		let isAway = true;
		const stumbling: Store = {
			...store,
			compareAndSet: async (...write) => {
				if (isAway) throw new StoreUnavailable("away");
				return await store.compareAndSet(...write);
			},
		};
		const runTimes = boot(stumbling);
		record(runTimes, 10, 12_000);
		await clock.advance(61 * SECOND_MS);
		record(runTimes, 1, 12_000);
		await clock.advance(61 * SECOND_MS);
		isAway = false;
		record(runTimes, 1, 12_000);
		await clock.advance(SECOND_MS);
		const next = boot();
		await next.load();
		expect(seen(next)).toBeCloseTo(seen(runTimes), 6);
	});

	test("of what is no longer made is forgotten, so that kinds do not pile up", async () => {
		const { boot, keys } = setup();
		const runTimes = boot();
		for (let n = 0; n < 600; n++) runTimes.record(`model-${n}`, "whole", { lowerMs: 1, upperMs: 2 });
		await runTimes.stop();
		expect(await keys()).toHaveLength(500);
	});
});
