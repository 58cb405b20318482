import { expect, test } from "vitest";
import { nextBitrate, planVideo } from "../../../src/transcode/video/plan-video.ts";

const MIB = 1024 * 1024;
const HD = { width: 1920, height: 1080, framesPerSecond: 30, durationS: 10 };

test.each<[string, Partial<typeof HD>, number, object]>([
	[
		"with enough bits every pixel and every frame is kept",
		{},
		10,
		{ width: 1920, height: 1080, framesPerSecondMax: 30 },
	],
	[
		"frames above 30 a second are dropped before pixels",
		{ width: 1280, height: 720, framesPerSecond: 60 },
		1,
		{ width: 1280, height: 720, framesPerSecondMax: 30 },
	],
	["every phone decodes the plan for 4K", { width: 3840, height: 2160 }, 100, { width: 1920, height: 1080 }],
	[
		"every phone decodes the plan for 4K in portrait",
		{ width: 2160, height: 3840 },
		100,
		{ width: 1080, height: 1920 },
	],
	["no video is enlarged", { width: 200, height: 100 }, 100, { width: 200, height: 100 }],
])("%s", (_case, shape, mib, plan) => {
	expect(planVideo({ ...HD, ...shape }, mib * MIB)).toMatchObject(plan);
});

test("without enough bits for the smallest size there is no plan", () => {
	expect(planVideo({ ...HD, durationS: 3600 }, 100_000)).toBeUndefined();
});

test("fewer bits mean fewer pixels; the aspect ratio stays, and sides are even", () => {
	const sizes = [4, 2, 1, 0.5, 0.25].map((mib) => planVideo({ ...HD, durationS: 60 }, mib * MIB));
	const heights = sizes.map((plan) => plan?.height ?? 0);
	expect(heights).toStrictEqual(heights.toSorted((one, other) => other - one));
	for (const plan of sizes) {
		if (!plan) throw new Error("nothing planned");
		expect((plan.width % 2) + (plan.height % 2)).toBe(0);
		expect(plan.width / plan.height).toBeCloseTo(16 / 9, 1);
	}
});

/** An encoding at this bit rate, and its size. */
const rate = (bitsPerSecond: number, videoBytes: number) => ({ bitsPerSecond, videoBytes });

test.each([
	["is corrected by the error", undefined, rate(1_000_000, 200), 100, 500_000],
	["is at most four times the one that was too low", rate(1_000_000, 10), undefined, 100, 4_000_000],
	["is between one that was too low and one that was too high", rate(1000, 80), rate(2000, 120), 100, 1500],
	["is at most nine tenths of the way to one that was too high", rate(1000, 80), rate(2000, 120), 200, 1900],
])("the next bit rate %s", (_case, low, high, bytesMax, expected) => {
	expect(nextBitrate(low, high, bytesMax)).toBe(expected);
});
