import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFairSemaphore } from "../../../src/services/delivery/fair-semaphore.ts";

const SERVER = "1";
const notAborted = new AbortController().signal;

test("a request above the capacity runs alone", async () => {
	const semaphore = createFairSemaphore(10);
	const small = await semaphore.acquire(1, SERVER, notAborted);
	const large = semaphore.acquire(100, SERVER, notAborted);
	expect(await Promise.race([large, settle("waits")])).toBe("waits");
	small();
	(await large)();
	(await semaphore.acquire(10, SERVER, notAborted))();
});

test("an aborted wait lets the next ones continue", async () => {
	const semaphore = createFairSemaphore(10);
	const first = await semaphore.acquire(5, SERVER, notAborted);
	const stop = new AbortController();
	const second = semaphore.acquire(10, SERVER, stop.signal);
	const third = semaphore.acquire(5, SERVER, notAborted);
	stop.abort(new Error("stopping"));
	await expect(second).rejects.toThrow("stopping");
	await third;
	first();
	await expect(semaphore.acquire(1, SERVER, stop.signal)).rejects.toThrow("stopping");
});

test("an optional request uses free bytes, and never waits", async () => {
	const semaphore = createFairSemaphore(10);
	const release = semaphore.tryAcquire(6);
	expect(release).toBeDefined();
	expect(semaphore.tryAcquire(5)).toBeUndefined();
	const waiting = semaphore.acquire(8, SERVER, notAborted);
	// It does not overtake a waiting request either.
	expect(semaphore.tryAcquire(1)).toBeUndefined();
	release?.();
	(await waiting)();
	expect(semaphore.tryAcquire(10)).toBeDefined();
});

test("waiting servers take turns, and a server that waits alone uses everything", async () => {
	const semaphore = createFairSemaphore(4);
	const admitted: string[] = [];
	const releases = new Map<string, () => void>();
	const request = async (serverId: string, name: string): Promise<void> => {
		const release = await semaphore.acquire(2, serverId, notAborted);
		admitted.push(name);
		releases.set(name, release);
	};
	for (let number = 1; number <= 5; number++) void request("large", `large ${number}`);
	await settle();
	expect(admitted).toStrictEqual(["large 1", "large 2"]);
	for (const name of ["small 1", "small 2"]) void request("small", name);
	void request("other", "other 1");
	const rest = ["large 3", "small 1", "other 1", "large 4", "small 2", "large 5"];
	for (const [position, name] of ["large 1", "large 2", ...rest.slice(0, -2)].entries()) {
		releases.get(name)?.();
		await settle();
		expect(admitted.slice(2)).toStrictEqual(rest.slice(0, position + 1));
	}
});
