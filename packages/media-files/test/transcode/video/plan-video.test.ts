import { expect, test } from "vitest";
import { nextBitrate, planVideo } from "../../../src/transcode/video/plan-video.ts";

const MIB = 1024 * 1024;
const HD = { width: 1920, height: 1080, framesPerSecond: 30, durationS: 10 };

test("with enough bits every pixel and every frame is kept", () => {
	expect(planVideo(HD, 10 * MIB)).toMatchObject({ width: 1920, height: 1080, framesPerSecondMax: 30 });
});

test("frames above 30 a second are dropped before pixels", () => {
	const fast = { ...HD, width: 1280, height: 720, framesPerSecond: 60 };
	expect(planVideo(fast, 1 * MIB)).toMatchObject({ width: 1280, height: 720, framesPerSecondMax: 30 });
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

test("4K is reduced to a size that every phone decodes, in both orientations, and no video is enlarged", () => {
	expect(planVideo({ ...HD, width: 3840, height: 2160 }, 100 * MIB)).toMatchObject({ width: 1920, height: 1080 });
	expect(planVideo({ ...HD, width: 2160, height: 3840 }, 100 * MIB)).toMatchObject({ width: 1080, height: 1920 });
	expect(planVideo({ ...HD, width: 200, height: 100 }, 100 * MIB)).toMatchObject({ width: 200, height: 100 });
});

test("without enough bits for the smallest size there is no plan", () => {
	expect(planVideo({ ...HD, durationS: 3600 }, 100_000)).toBeUndefined();
});

test("the next bit rate is corrected by the error, and at most by a factor of four", () => {
	expect(nextBitrate(undefined, { bitsPerSecond: 1_000_000, videoBytes: 200 }, 100)).toBe(500_000);
	expect(nextBitrate({ bitsPerSecond: 1_000_000, videoBytes: 10 }, undefined, 100)).toBe(4_000_000);
});

test("the next bit rate is between one that was too low and one that was too high", () => {
	const low = { bitsPerSecond: 1000, videoBytes: 80 };
	const high = { bitsPerSecond: 2000, videoBytes: 120 };
	expect(nextBitrate(low, high, 100)).toBe(1500);
	// At most nine tenths of the way to the rate that was too high.
	expect(nextBitrate(low, high, 200)).toBe(1900);
});
