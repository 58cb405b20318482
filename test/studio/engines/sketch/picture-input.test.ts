import { createCanvas, loadImage, type Canvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { imageSizeOf } from "../../../../src/studio/engines/sketch/image-size.ts";
import { render, type Composers } from "../../../../src/studio/engines/sketch/render.ts";

const silence: Composers = {
	composeTune: () => ({ sampleRate: 44_100, left: new Float32Array(0), right: new Float32Array(0) }),
	composeAmbience: () => ({ sampleRate: 44_100, left: new Float32Array(0), right: new Float32Array(0) }),
};

function halves(width: number, height: number): Canvas {
	const canvas = createCanvas(width, height);
	const pen = canvas.getContext("2d");
	pen.fillStyle = "white";
	pen.fillRect(0, 0, width, height);
	pen.fillStyle = "rgb(20,20,20)";
	pen.fillRect(0, 0, width / 2, height);
	return canvas;
}

function repaint(input: Uint8Array, prompt = "a clear day"): Promise<Uint8Array> {
	const size = { width: 128, height: 72 };
	return render({ kind: "picture", prompt, seed: 2, size, input }, silence, {
		signal: new AbortController().signal,
		report: () => undefined,
	});
}

describe("the size of a picture is read from its header", () => {
	test.each(["png", "jpeg", "webp", "gif"] as const)("%s", async (format) => {
		const canvas = halves(62, 34);
		const bytes =
			format === "png"
				? await canvas.encode("png")
				: format === "gif"
					? await canvas.encode("gif")
					: await canvas.encode(format, 90);
		expect(imageSizeOf(bytes)).toStrictEqual({ width: 62, height: 34 });
	});

	test("what is not a picture has none", () => {
		expect(
			imageSizeOf(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>`)),
		).toBeUndefined();
		expect(imageSizeOf(new Uint8Array(3))).toBeUndefined();
		expect(imageSizeOf(Buffer.from("ffd8ffe0ffff".padEnd(80, "0"), "hex"))).toBeUndefined();
	});
});

test("a picture of more than 40 megapixels is refused before it is decoded", async () => {
	const bomb = Buffer.from(await halves(8, 8).encode("png"));
	bomb.writeUInt32BE(8001, 16);
	bomb.writeUInt32BE(5000, 20);
	await expect(repaint(bomb)).rejects.toMatchObject({ name: "EngineError", code: "invalid_input", retryable: false });
});

test.each([
	[
		"markup",
		Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>`),
	],
	["a broken file", Buffer.from("89504e470d0a1a0a0000000d4948445200000010000000100806000000", "hex")],
])("%s is refused for good", async (_name, bytes) => {
	const padded = Buffer.concat([bytes, Buffer.alloc(40)]);
	await expect(repaint(padded)).rejects.toMatchObject({ code: "invalid_input", retryable: false });
});

test("the repainted picture keeps what was light and what was dark", async () => {
	const image = await loadImage(Buffer.from(await repaint(await halves(320, 180).encode("png"))));
	expect([image.width, image.height]).toStrictEqual([128, 72]);
	const canvas = createCanvas(128, 72);
	const pen = canvas.getContext("2d");
	pen.drawImage(image, 0, 0);
	const brightness = (x: number): number =>
		pen
			.getImageData(x, 30, 1, 1)
			.data.slice(0, 3)
			.reduce((sum, value) => sum + value, 0);
	expect(brightness(30)).toBeLessThan(brightness(98) - 200);
});

test("the prompt decides the weather over it", async () => {
	const input = await halves(320, 180).encode("png");
	expect(Buffer.from(await repaint(input, "snow")).equals(Buffer.from(await repaint(input, "rain")))).toBe(false);
});
