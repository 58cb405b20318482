import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { isAnimated } from "../../src/detection/animation.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { encodeMedia } from "@atelier/common/testing/encode-media";

const SIDE = 8;

/** Frames are stacked vertically, as sharp expects; each has its own colors, because equal ones would be merged. */
function frames(count: number): Sharp {
	const pixels = Buffer.alloc(SIDE * SIDE * count * 3);
	for (let at = 0; at < pixels.byteLength; at++) pixels[at] = (at * 7 + Math.floor(at / (SIDE * SIDE * 3)) * 90) % 256;
	return sharp(pixels, { raw: { width: SIDE, height: SIDE * count, channels: 3, pageHeight: SIDE } });
}

async function fileOf(bytes: Buffer): Promise<string> {
	const path = join(await createTempFolder(), "image");
	await writeFile(path, bytes);
	return path;
}

test.each([1, 2, 3])("a GIF or WebP with %i frames is animated only if there are several", async (count) => {
	const gif = await frames(count).gif().toBuffer();
	const webp = await frames(count).webp().toBuffer();
	expect(await isAnimated(await fileOf(gif), "image/gif")).toBe(count > 1);
	expect(await isAnimated(await fileOf(webp), "image/webp")).toBe(count > 1);
});

test("a GIF that is truncated in its first frame has no second one", async () => {
	const gif = await frames(3).gif().toBuffer();
	const second = gif.indexOf(Buffer.from([0, 0x21, 0xf9, 4]), gif.indexOf(0x2c));
	expect(await isAnimated(await fileOf(gif.subarray(0, second)), "image/gif")).toBe(false);
});

test("an animated PNG is classified as animated", async () => {
	const path = join(await createTempFolder(), "image");
	const video = { source: "testsrc2=s=16x16:r=5:d=1", filter: "format=rgb24", encoder: "apng" };
	encodeMedia(path, { format: "apng", video });
	expect(await isAnimated(path, "image/apng")).toBe(true);
});

test("a JPEG is never animated", async () => {
	expect(await isAnimated(await fileOf(await frames(1).jpeg().toBuffer()), "image/jpeg")).toBe(false);
});
