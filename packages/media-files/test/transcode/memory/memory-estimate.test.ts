import { describe, expect, test } from "vitest";
import { estimateBytes, limitsThatFit } from "../../../src/transcode/memory/memory-estimate.ts";
import type { MediaSize, WorkerLimits } from "../../../src/transcode/worker-messages.ts";

const MIB = 1024 * 1024;

/** A video in 4:2:0 with one or two bytes per sample. */
const video = (width: number, height: number, sampleBytes = 1): MediaSize => ({
	kind: "video",
	width,
	height,
	frameBytes: width * height * 1.5 * sampleBytes,
});
const HD = video(1920, 1080);
const UHD = video(3840, 2160);
const UHD_10_BIT = video(3840, 2160, 2);
const NORMAL: WorkerLimits = { threads: 1, memory: "normal" };
const LOW: WorkerLimits = { threads: 1, memory: "low" };
const LEAST: WorkerLimits = { threads: 1, memory: "least" };

test.each<[string, MediaSize, WorkerLimits, number]>([
	["H.264 1080p", HD, NORMAL, 345],
	["H.264 1080p", HD, { ...NORMAL, threads: 2 }, 403],
	["H.264 1080p", HD, { ...NORMAL, threads: 8 }, 556],
	["H.264 4K", UHD, NORMAL, 405],
	["H.264 4K", UHD, { ...NORMAL, threads: 8 }, 719],
	["HEVC 10 bit 4K", UHD_10_BIT, NORMAL, 506],
	["HEVC 10 bit 4K", UHD_10_BIT, { ...NORMAL, threads: 8 }, 889],
	["AV1 10 bit 4K", UHD_10_BIT, { ...NORMAL, threads: 2 }, 734],
	["AV1 10 bit 4K", UHD_10_BIT, LEAST, 286],
	["H.264 1080p", HD, LOW, 191],
	["H.264 4K", UHD, LOW, 242],
	["HEVC 10 bit 4K", UHD_10_BIT, LOW, 340],
	["H.264 4K", UHD, LEAST, 148],
	["a check of an animated WebP", { kind: "image", pixels: 60_000_000, isOnlyChecked: true }, NORMAL, 263],
	["PNG of 20 megapixels", { kind: "image", pixels: 20_000_000 }, NORMAL, 868],
])(
	"the estimate is above the measured memory, and below 1.5 times the measured memory plus 128 MiB %s (case %#)",
	(_name, size, limits, measuredMib) => {
		const estimatedMib = estimateBytes(size, limits) / MIB;
		expect(estimatedMib).toBeGreaterThan(measuredMib);
		expect(estimatedMib).toBeLessThan(measuredMib * 1.5 + 128);
	},
);

describe("a job starts with the limits that fit", () => {
	const wanted: WorkerLimits = { threads: 4, memory: "normal" };
	test.each<[number, boolean, WorkerLimits | undefined]>([
		[2000, true, wanted],
		[2000, false, wanted],
		[600, false, undefined],
		[600, true, { threads: 2, memory: "normal" }],
		[400, true, { threads: 1, memory: "low" }],
		[300, true, LEAST],
		[0, true, LEAST],
		[0, false, undefined],
	])("a 4K video with %d MiB free, without other jobs: %s", (freeMib, isAlone, limits) => {
		expect(limitsThatFit(UHD, wanted, { freeBytes: freeMib * MIB, isAlone })).toStrictEqual(limits);
	});

	test("a retry with the least memory starts alone without free memory", () => {
		expect(limitsThatFit(UHD, LEAST, { freeBytes: 0, isAlone: true })).toStrictEqual(LEAST);
	});
});
