import { expect, onTestFinished, test } from "vitest";
import { giveMemoryBack } from "../src/give-memory-back.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const MIB = 1024 * 1024;
const ROUND_MS = 5_000;

function setup({ residentMiB }: { residentMiB: number }) {
	const clock = createManualClock();
	const process = { residentMiB, processorMs: 0, collections: 0 };
	const stop = giveMemoryBack({
		clock,
		collect() {
			process.collections += 1;
			process.residentMiB = 130;
		},
		residentBytes: () => process.residentMiB * MIB,
		processorMs: () => process.processorMs,
	});
	onTestFinished(stop);
	return { process, stop, rounds: (count: number) => clock.advance(count * ROUND_MS) };
}

test("what a start leaves is given back in the first quiet moment, once", async () => {
	const { process, rounds } = setup({ residentMiB: 155 });
	await rounds(10);
	expect(process).toMatchObject({ collections: 1, residentMiB: 130 });
});

test("a process at work is not kept from it", async () => {
	const { process, rounds } = setup({ residentMiB: 155 });
	process.processorMs += 101;
	await rounds(1);
	expect(process.collections).toBe(0);
	await rounds(1);
	expect(process.collections).toBe(1);
});

test("what a burst has left is given back, and a little is not worth it", async () => {
	const { process, rounds } = setup({ residentMiB: 155 });
	await rounds(1);
	process.residentMiB = 162;
	await rounds(10);
	expect(process.collections).toBe(1);
	process.residentMiB = 163;
	await rounds(10);
	expect(process).toMatchObject({ collections: 2, residentMiB: 130 });
});

test("what is given back a moment later counts", async () => {
	const { process, rounds } = setup({ residentMiB: 155 });
	await rounds(1);
	process.residentMiB = 110;
	await rounds(1);
	process.residentMiB = 143;
	await rounds(1);
	expect(process.collections).toBe(2);
});

test("nothing is collected after the end", async () => {
	const { process, stop, rounds } = setup({ residentMiB: 155 });
	await stop();
	await rounds(10);
	expect(process.collections).toBe(0);
});
