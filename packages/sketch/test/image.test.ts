import { createCanvas, loadImage } from "@napi-rs/canvas";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { FINISHES, SUBJECTS, type SubjectName } from "../src/parse-prompt.ts";
import { createScenePainter, createStage } from "../src/scene-painter.ts";
import { render } from "../src/render.ts";
import type { SketchFile } from "../src/request.ts";

const SIZE = { width: 128, height: 72 };
const ignoreProgress = (): void => undefined;

const draw = (prompt: string, seed = 1, input?: Uint8Array, mask?: Uint8Array): Promise<SketchFile> =>
	render({ kind: "image", prompt, seed, ...SIZE, inputs: input ? [input] : [], mask }, ignoreProgress);

/** Returns the mean red, green and blue of a grid of cells, without detail. */
async function cellsOf({ bytes }: Pick<SketchFile, "bytes">, columns = 16, rows = 9): Promise<readonly number[]> {
	const pen = createCanvas(columns, rows).getContext("2d");
	pen.imageSmoothingQuality = "high";
	pen.drawImage(await loadImage(Buffer.from(bytes)), 0, 0, columns, rows);
	return [...pen.getImageData(0, 0, columns, rows).data].filter((_, at) => at % 4 !== 3);
}

/** The root mean square of the differences between the cells, 0 to 255. Noise of a few levels in every pixel stays below 1. */
async function distance(one: Pick<SketchFile, "bytes">, other: Pick<SketchFile, "bytes">): Promise<number> {
	const [a, b] = [await cellsOf(one), await cellsOf(other)];
	return Math.sqrt(a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0) / a.length);
}

/** Returns the cells in which a scene with the subject differs visibly from the same scene without it. */
async function findCellsOf(subject: SubjectName): Promise<readonly boolean[]> {
	const cells = async (subjects: readonly SubjectName[]) => {
		const stage = createStage(`a ${subject} in a meadow at noon`, 1, SIZE, false);
		const painter = createScenePainter({ ...stage, parsed: { ...stage.parsed, subjects } });
		return await cellsOf({ bytes: await painter.paint(0).encode("png") }, 64, 36);
	};
	const [withSubject, without] = [await cells([subject]), await cells([])];
	const isChanged = (at: number): boolean => Math.abs((withSubject[at] ?? 0) - (without[at] ?? 0)) > 24;
	return Array.from({ length: withSubject.length / 3 }, (_, cell) =>
		[0, 1, 2].some((band) => isChanged(3 * cell + band)),
	);
}

describe("an image", () => {
	test("has the same bytes for the same prompt and seed, and another composition for another seed", async () => {
		const [first, second, other] = [await draw("a quiet sea"), await draw("a quiet sea"), await draw("a quiet sea", 2)];
		expect(Buffer.from(first.bytes).equals(Buffer.from(second.bytes))).toBe(true);
		expect(await distance(first, other)).toBeGreaterThan(8);
	});

	test("has the requested size", async () => {
		const file = await render({ kind: "image", prompt: "a city", seed: 1, width: 90, height: 210 }, ignoreProgress);
		const image = await loadImage(Buffer.from(file.bytes));
		expect([image.width, image.height, file.width, file.height]).toStrictEqual([90, 210, 90, 210]);
	});

	test.each([
		["a boat on the sea", "a boat on the sea at night"],
		["a meadow at noon", "a meadow at noon in fog"],
		["mountains at noon", "mountains at sunset"],
		["a city at night", "a city at noon"],
		["green swirls", "red swirls"],
		["space", "a meadow"],
		["hello", "goodbye"],
	])("of %s does not look like one of %s", async (one, other) => {
		expect(await distance(await draw(one), await draw(other))).toBeGreaterThan(8);
	});

	test("looks different with each finish", async () => {
		const stage = createStage("a meadow at noon", 1, SIZE, false);
		const images = await Promise.all(
			FINISHES.map(async (finish) => {
				const painter = createScenePainter({ ...stage, parsed: { ...stage.parsed, finish } });
				return { bytes: await painter.paint(0).encode("png") };
			}),
		);
		for (const [at, one] of images.entries())
			for (const other of images.slice(at + 1)) expect(await distance(one, other)).toBeGreaterThan(4);
	});

	test("shows each subject, by a shape of its own", async () => {
		const shapes = await Promise.all(SUBJECTS.map(findCellsOf));
		const shares = shapes.map((shape) => shape.filter(Boolean).length / shape.length);
		expect(Math.min(...shares)).toBeGreaterThan(0.015);
		expect(Math.max(...shares)).toBeLessThan(0.1);
		for (const [at, one] of shapes.entries())
			for (const other of shapes.slice(at + 1)) {
				const differing = one.filter((isShown, cell) => isShown !== other[cell]).length;
				const covered = one.filter((isShown, cell) => isShown || other[cell]).length;
				expect(differing / covered).toBeGreaterThan(0.15);
			}
	});
});

const halfDarkImage = async (): Promise<Buffer> => {
	const canvas = createCanvas(320, 180);
	const pen = canvas.getContext("2d");
	pen.fillStyle = "white";
	pen.fillRect(0, 0, 320, 180);
	pen.fillStyle = "rgb(20,20,20)";
	pen.fillRect(0, 0, 160, 180);
	return await canvas.encode("png");
};

describe("an input image", () => {
	test("keeps its light and dark areas, in the colors of the prompt", async () => {
		const [red, blue] = [await draw("red", 1, await halfDarkImage()), await draw("blue", 1, await halfDarkImage())];
		const cells = await cellsOf(red, 2, 1);
		const brightness = [0, 3].map((at) => cells.slice(at, at + 3).reduce((sum, value) => sum + value, 0));
		expect(brightness[1]).toBeGreaterThan((brightness[0] ?? 0) + 200);
		expect(await distance(red, blue)).toBeGreaterThan(8);
	});

	test("is unchanged where the mask is black", async () => {
		const image = await halfDarkImage();
		// The mask is black on the left.
		const file = await draw("red", 1, image, image);
		const [left, right] = [await cellsOf(file, 2, 1), await cellsOf(await draw("red", 1, image), 2, 1)];
		for (const value of left.slice(0, 3)) expect(Math.abs(value - 20)).toBeLessThan(24);
		for (const [at, value] of left.slice(3).entries()) expect(Math.abs(value - (right[at + 3] ?? 0))).toBeLessThan(40);
	});

	test("accepts a mask of the size of its upright image, also behind much metadata", async () => {
		const photo = await sharp(await halfDarkImage())
			.rotate(90)
			.withMetadata({ orientation: 6 })
			.jpeg()
			.toBuffer();
		const comment = Buffer.alloc(0xffff + 2);
		comment.writeUInt32BE(0xfffeffff);
		const comments = Array.from({ length: 5 }, () => comment);
		const image = Buffer.concat([photo.subarray(0, 2), ...comments, photo.subarray(2)]);
		expect((await draw("red", 1, image, await halfDarkImage())).contentType).toBe("image/png");
	});

	test("with a mask of another size is rejected, as is a mask for several images", async () => {
		const image = await halfDarkImage();
		const small = await createCanvas(10, 10).encode("png");
		await expect(draw("red", 1, image, small)).rejects.toThrow("the mask has 10 x 10 pixels, and the image 320 x 180");
		const several = { kind: "image", prompt: "red", seed: 1, ...SIZE, inputs: [image, image], mask: image } as const;
		await expect(render(several, ignoreProgress)).rejects.toThrow("a mask needs a single image");
	});

	test("is placed beside others, up to ten", async () => {
		const image = await halfDarkImage();
		for (const count of [2, 3, 10]) {
			const inputs = Array.from({ length: count }, () => image);
			const file = await render({ kind: "image", prompt: "red", seed: 1, ...SIZE, inputs }, ignoreProgress);
			expect(await distance(file, await draw("red", 1, image))).toBeGreaterThan(8);
		}
	});

	test("is upscaled to twice its size", async () => {
		const file = await render({ kind: "upscale", input: await halfDarkImage() }, ignoreProgress);
		const image = await loadImage(Buffer.from(file.bytes));
		expect([image.width, image.height, file.width, file.height]).toStrictEqual([640, 360, 640, 360]);
	});

	test("that is too large, damaged or not an image is rejected", async () => {
		const hugeDimensions = Buffer.from(await halfDarkImage());
		hugeDimensions.writeUInt32BE(8001, 16);
		hugeDimensions.writeUInt32BE(5000, 20);
		const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>`);
		for (const input of [hugeDimensions, svg, (await halfDarkImage()).subarray(0, 60), new Uint8Array(40)]) {
			await expect(draw("x", 1, input)).rejects.toMatchObject({ name: "SketchInputError" });
			await expect(render({ kind: "upscale", input }, ignoreProgress)).rejects.toMatchObject({
				name: "SketchInputError",
			});
		}
	});
});
