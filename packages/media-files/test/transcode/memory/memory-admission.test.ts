import { expect, test } from "vitest";
import { createMemoryAdmission, type AdmittedJob } from "../../../src/transcode/memory/memory-admission.ts";
import type { MediaSize } from "../../../src/transcode/worker-messages.ts";

const MIB = 1024 * 1024;
const LARGE: MediaSize = { kind: "video", width: 3840, height: 2160, frameBytes: 12 * MIB };
const SMALL: MediaSize = { kind: "audio" };
const noMemoryUsedYet = async (): Promise<number> => 0;
const WANTED = { threads: 2, memory: "normal" } as const;

function setup(availableMib: number) {
	const admission = createMemoryAdmission({
		workersMax: 3,
		availableBytes: async () => availableMib * MIB,
		workerBytesMax: 2048 * MIB,
	});
	const log: string[] = [];
	const enter = (): Promise<AdmittedJob> => admission.enter(new AbortController().signal);
	const start = async (name: string, job: AdmittedJob, size: MediaSize): Promise<void> => {
		const { memory } = await job.admit(size, WANTED, noMemoryUsedYet);
		log.push(`${name} ${memory}`);
	};
	return { enter, start, log };
}

test("two large jobs run together if there is memory for both", async () => {
	const { enter, start, log } = setup(8000);
	await start("first", await enter(), LARGE);
	await start("second", await enter(), LARGE);
	expect(log).toStrictEqual(["first normal", "second normal"]);
});

/** Waits until pending promises have settled. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a small job does not overtake a large one that waits", async () => {
	const { enter, start, log } = setup(800);
	const first = await enter();
	await start("first", first, LARGE);
	const second = await enter();
	void start("second", second, LARGE);
	const third = enter().then((job) => start("third", job, SMALL));
	await settle();
	expect(log).toStrictEqual(["first normal"]);
	first[Symbol.dispose]();
	await third;
	expect(log).toStrictEqual(["first normal", "second normal", "third normal"]);
});
