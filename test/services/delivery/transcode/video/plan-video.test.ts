import { expect, test } from "vitest";
import { nextBitrate, planVideo } from "../../../../../src/services/delivery/transcode/video/plan-video.ts";

const MIB = 1024 * 1024;
const HD = { width: 1920, height: 1080, framesPerSecond: 30, durationS: 10 };

test("with bits enough every pixel and every frame is kept", () => {
	expect(planVideo(HD, 10 * MIB)).toMatchObject({ width: 1920, height: 1080, framesPerSecondMax: 30 });
});

test("the rate is what the bytes allow", () => {
	expect(planVideo(HD, 10 * MIB)?.videoBitsPerSecond).toBe(Math.floor((10 * MIB * 8) / 10));
});

test("frames above 30 a second go before pixels do", () => {
	const fast = { ...HD, width: 1280, height: 720, framesPerSecond: 60 };
	expect(planVideo(fast, 1 * MIB)).toMatchObject({ width: 1280, height: 720, framesPerSecondMax: 30 });
});

test("the fewer bits there are, the fewer pixels; the shape stays, and sides are even", () => {
	const sizes = [4, 2, 1, 0.5, 0.25].map((mib) => planVideo({ ...HD, durationS: 60 }, mib * MIB));
	const heights = sizes.map((plan) => plan?.height ?? 0);
	expect(heights).toStrictEqual(heights.toSorted((one, other) => other - one));
	for (const plan of sizes) {
		if (!plan) throw new Error("nothing planned");
		expect((plan.width % 2) + (plan.height % 2)).toBe(0);
		expect(plan.width / plan.height).toBeCloseTo(16 / 9, 1);
	}
});

test("4K becomes a size that every phone decodes, upright or not, and no video is enlarged", () => {
	expect(planVideo({ ...HD, width: 3840, height: 2160 }, 100 * MIB)).toMatchObject({ width: 1920, height: 1080 });
	expect(planVideo({ ...HD, width: 2160, height: 3840 }, 100 * MIB)).toMatchObject({ width: 1080, height: 1920 });
	expect(planVideo({ ...HD, width: 200, height: 100 }, 100 * MIB)).toMatchObject({ width: 200, height: 100 });
});

test("if even the smallest size needs more bits, there is no plan", () => {
	expect(planVideo({ ...HD, durationS: 3600 }, 100_000)).toBeUndefined();
});

test("a rate that missed is corrected by as much, and never by more than four times", () => {
	expect(nextBitrate(undefined, { bitsPerSecond: 1_000_000, videoBytes: 200 }, 100)).toBe(500_000);
	expect(nextBitrate({ bitsPerSecond: 1_000_000, videoBytes: 10 }, undefined, 100)).toBe(4_000_000);
});

test("between a rate that was too low and one that was too high lies the next", () => {
	const low = { bitsPerSecond: 1000, videoBytes: 80 };
	const high = { bitsPerSecond: 2000, videoBytes: 120 };
	expect(nextBitrate(low, high, 100)).toBe(1500);
	expect(nextBitrate(low, high, 200)).toBe(1900);
});
