import { expect, test } from "vitest";
import { createByteSemaphore } from "../../../src/services/delivery/byte-semaphore.ts";

const never = new AbortController().signal;

/** Runs everything that only waits for its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("uploads share the bytes, and waiting ones are served in order", async () => {
	const budget = createByteSemaphore(10);
	const started: string[] = [];
	const start = async (name: string, bytes: number): Promise<() => void> => {
		const giveBack = await budget.take(bytes, never);
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
	const small = await budget.take(1, never);
	let isLargeUnderWay = false;
	const large = budget.take(100, never).then((giveBack) => {
		isLargeUnderWay = true;
		return giveBack;
	});
	await settle();
	expect(isLargeUnderWay).toBe(false);
	small();
	(await large)();
	(await budget.take(10, never))();
});

test("a message without bytes never waits", async () => {
	const budget = createByteSemaphore(10);
	const first = await budget.take(6, never);
	const second = budget.take(6, never);
	const nothing = await budget.take(0, never);
	expect(nothing).not.toThrow();
	first();
	(await second)();
});

test("releasing twice releases once", async () => {
	const budget = createByteSemaphore(10);
	const one = await budget.take(5, never);
	await budget.take(5, never);
	one();
	one();
	const stop = new AbortController();
	const tooMuch = budget.take(6, stop.signal);
	stop.abort(new Error("stopping"));
	await expect(tooMuch).rejects.toThrow("stopping");
});

test("an aborted wait lets the next ones continue", async () => {
	const budget = createByteSemaphore(10);
	const first = await budget.take(5, never);
	const stop = new AbortController();
	const second = budget.take(10, stop.signal);
	const third = budget.take(5, never);
	stop.abort(new Error("stopping"));
	await expect(second).rejects.toThrow("stopping");
	await third;
	first();
	await expect(budget.take(1, stop.signal)).rejects.toThrow("stopping");
});

test("an optional request uses free bytes, and never waits", async () => {
	const budget = createByteSemaphore(10);
	const giveBack = budget.takeNow(6);
	expect(giveBack).toBeDefined();
	expect(budget.takeNow(5)).toBeUndefined();
	const waiting = budget.take(8, never);
	// It does not overtake a waiting request either.
	expect(budget.takeNow(1)).toBeUndefined();
	giveBack?.();
	(await waiting)();
	expect(budget.takeNow(10)).toBeDefined();
});
