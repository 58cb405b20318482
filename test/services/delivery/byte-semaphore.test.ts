import { expect, test } from "vitest";
import { createByteSemaphore } from "../../../src/services/delivery/byte-semaphore.ts";

const never = new AbortController().signal;

/** Runs everything that only waits for its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("uploads share the bytes, and waiting ones are served in order", async () => {
	const budget = createByteSemaphore(10);
	const started: string[] = [];
	const start = async (name: string, bytes: number): Promise<() => void> => {
		const giveBack = await budget.acquire(bytes, never);
		started.push(name);
		return giveBack;
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
	const budget = createByteSemaphore(10);
	const small = await budget.acquire(1, never);
	let isLargeUnderWay = false;
	const large = budget.acquire(100, never).then((giveBack) => {
		isLargeUnderWay = true;
		return giveBack;
	});
	await settle();
	expect(isLargeUnderWay).toBe(false);
	small();
	(await large)();
	(await budget.acquire(10, never))();
});

test("a message without bytes never waits", async () => {
	const budget = createByteSemaphore(10);
	const first = await budget.acquire(6, never);
	const second = budget.acquire(6, never);
	const nothing = await budget.acquire(0, never);
	expect(nothing).not.toThrow();
	first();
	(await second)();
});

test("releasing twice releases once", async () => {
	const budget = createByteSemaphore(10);
	const one = await budget.acquire(5, never);
	await budget.acquire(5, never);
	one();
	one();
	const stop = new AbortController();
	const tooMuch = budget.acquire(6, stop.signal);
	stop.abort(new Error("stopping"));
	await expect(tooMuch).rejects.toThrow("stopping");
});

test("an aborted wait lets the next ones continue", async () => {
	const budget = createByteSemaphore(10);
	const first = await budget.acquire(5, never);
	const stop = new AbortController();
	const second = budget.acquire(10, stop.signal);
	const third = budget.acquire(5, never);
	stop.abort(new Error("stopping"));
	await expect(second).rejects.toThrow("stopping");
	await third;
	first();
	await expect(budget.acquire(1, stop.signal)).rejects.toThrow("stopping");
});

test("an optional request uses free bytes, and never waits", async () => {
	const budget = createByteSemaphore(10);
	const giveBack = budget.tryAcquire(6);
	expect(giveBack).toBeDefined();
	expect(budget.tryAcquire(5)).toBeUndefined();
	const waiting = budget.acquire(8, never);
	// It does not overtake a waiting request either.
	expect(budget.tryAcquire(1)).toBeUndefined();
	giveBack?.();
	(await waiting)();
	expect(budget.tryAcquire(10)).toBeDefined();
});
