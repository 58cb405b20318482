import { expect, test } from "vitest";
import { createByteSemaphore } from "../../../src/services/delivery/byte-semaphore.ts";

const notAborted = new AbortController().signal;

/** Runs all pending promise callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("uploads share the bytes, and waiting ones are served in order", async () => {
	const semaphore = createByteSemaphore(10);
	const started: string[] = [];
	const start = async (name: string, bytes: number): Promise<() => void> => {
		const release = await semaphore.acquire(bytes, notAborted);
		started.push(name);
		return release;
	};
	const first = await start("first", 6);
	const second = start("second", 6);
	const third = start("third", 1);
	await settle();
	expect(started).toStrictEqual(["first"]);
	first();
	await Promise.all([second, third]);
	expect(started).toStrictEqual(["first", "second", "third"]);
});

test("a request above the capacity runs alone", async () => {
	const semaphore = createByteSemaphore(10);
	const small = await semaphore.acquire(1, notAborted);
	let isLargeAcquired = false;
	const large = semaphore.acquire(100, notAborted).then((release) => {
		isLargeAcquired = true;
		return release;
	});
	await settle();
	expect(isLargeAcquired).toBe(false);
	small();
	(await large)();
	(await semaphore.acquire(10, notAborted))();
});

test("a message without bytes never waits", async () => {
	const semaphore = createByteSemaphore(10);
	const first = await semaphore.acquire(6, notAborted);
	const second = semaphore.acquire(6, notAborted);
	const nothing = await semaphore.acquire(0, notAborted);
	expect(nothing).not.toThrow();
	first();
	(await second)();
});

test("releasing twice releases once", async () => {
	const semaphore = createByteSemaphore(10);
	const one = await semaphore.acquire(5, notAborted);
	await semaphore.acquire(5, notAborted);
	one();
	one();
	const stop = new AbortController();
	const tooMuch = semaphore.acquire(6, stop.signal);
	stop.abort(new Error("stopping"));
	await expect(tooMuch).rejects.toThrow("stopping");
});

test("an aborted wait lets the next ones continue", async () => {
	const semaphore = createByteSemaphore(10);
	const first = await semaphore.acquire(5, notAborted);
	const stop = new AbortController();
	const second = semaphore.acquire(10, stop.signal);
	const third = semaphore.acquire(5, notAborted);
	stop.abort(new Error("stopping"));
	await expect(second).rejects.toThrow("stopping");
	await third;
	first();
	await expect(semaphore.acquire(1, stop.signal)).rejects.toThrow("stopping");
});

test("an optional request uses free bytes, and never waits", async () => {
	const semaphore = createByteSemaphore(10);
	const release = semaphore.tryAcquire(6);
	expect(release).toBeDefined();
	expect(semaphore.tryAcquire(5)).toBeUndefined();
	const waiting = semaphore.acquire(8, notAborted);
	// It does not overtake a waiting request either.
	expect(semaphore.tryAcquire(1)).toBeUndefined();
	release?.();
	(await waiting)();
	expect(semaphore.tryAcquire(10)).toBeDefined();
});
