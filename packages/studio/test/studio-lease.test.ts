import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownProcessIdentity, type ProcessIdentity } from "../src/host/process-identity.ts";
import { acquireStudioLease } from "../src/host/studio-lease.ts";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const KEY = "studio-lease";
const logger = pino({ level: "silent" });

async function setup() {
	const [store, clock] = [await openStore("memory:"), createManualClock()];
	const lost: string[] = [];
	const onLost = (reason: string): void => void lost.push(reason);
	const acquire = async (identity?: ProcessIdentity) => {
		const lease = await acquireStudioLease({ store, clock, logger, newId: randomUUID, identity, onLost });
		onTestFinished(() => lease.release());
		return lease;
	};
	return { store, clock, lost, acquire };
}

test("a second studio on one store is rejected while the first one runs", async () => {
	const { clock, acquire, lost } = await setup();
	const lease = await acquire();
	const [[rejected]] = await Promise.all([Promise.allSettled([acquire()]), clock.advance(10_000)]);
	expect(String(rejected.status === "rejected" && rejected.reason)).toMatch(
		/another studio works on this store\. Stop it, or give both the same QUEUE_URL.*\n.*MEDIA_API_URL/,
	);
	await lease.release();
	await acquire();
	expect(lost).toStrictEqual([]);
});

const ownIdentity = (): ProcessIdentity => ownProcessIdentity() ?? { machine: "here", pid: process.pid };
/** The id of a process that has ended. */
const endedProcessId = (): number => spawnSync(process.execPath, ["--version"]).pid;

describe("after a crash", () => {
	test("the next studio starts at once if the previous process has ended on this machine", async () => {
		const { acquire, store } = await setup();
		await store.set(KEY, { studio: "dead", count: 7, identity: { ...ownIdentity(), pid: endedProcessId() } });
		await acquire(ownIdentity());
		expect((await store.get(KEY))?.value).toMatchObject({ count: 0, identity: ownIdentity() });
	});

	test.each([
		["has no process id", () => undefined],
		["has a process id of another machine", () => ({ machine: "elsewhere", pid: endedProcessId() })],
		["is of a running process", () => ({ ...ownIdentity(), pid: process.ppid })],
	])("the next studio waits for ten seconds without a renewal if the lease %s", async (_what, identityOf) => {
		const identity = identityOf();
		const { clock, acquire, store } = await setup();
		await store.set(KEY, { studio: "dead", count: 7, ...(identity && { identity }) });
		let isAcquired = false;
		const acquiring = acquire(ownIdentity()).then(() => (isAcquired = true));
		await clock.advance(9_999);
		expect(isAcquired).toBe(false);
		await clock.advance(1);
		await acquiring;
	});

	test.each([
		["at once", 0, () => ({ ...ownIdentity(), pid: endedProcessId() })],
		["after ten seconds", 10_000, () => undefined],
	])("of two studios that start %s, one is rejected", async (_when, waitMs, identityOf) => {
		const identity = identityOf();
		const { clock, acquire, store } = await setup();
		await store.set(KEY, { studio: "dead", count: 7, ...(identity && { identity }) });
		const acquiring = Promise.allSettled([acquire(ownIdentity()), acquire(ownIdentity())]);
		await clock.advance(waitMs);
		expect((await acquiring).map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
	});
});

test("a studio that was suspended until another took its lease stops, and does not disturb the other", async () => {
	const { clock, acquire, store, lost } = await setup();
	const lease = await acquire();
	expect(lease.isHeld()).toBe(true);
	const otherRecord = { studio: "other", count: 0 };
	await store.set(KEY, otherRecord);
	await clock.advance(2_000);
	expect(lost).toStrictEqual([expect.stringContaining("another studio has taken over the store")]);
	expect(lease.isHeld()).toBe(false);
	await lease.release();
	expect((await store.get(KEY))?.value).toStrictEqual(otherRecord);
});

test("a short outage of the store does not stop the studio", async () => {
	const { clock, acquire, store, lost } = await setup();
	await acquire();
	const compareAndSet = store.compareAndSet.bind(store);
	// The write succeeds, and its response is lost.
	store.compareAndSet = async (...given) => {
		await compareAndSet(...given);
		throw new Error("the store is away");
	};
	await clock.advance(2_000);
	store.compareAndSet = compareAndSet;
	await clock.advance(4_000);
	expect(lost).toStrictEqual([]);
	// One for each renewal, which is due every two seconds.
	expect((await store.get(KEY))?.value).toMatchObject({ count: 3 });
});
