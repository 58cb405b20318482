import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createSketch } from "../src/index.ts";

const image = { kind: "image", prompt: "a quiet sea", seed: 1, width: 128, height: 72 } as const;
const video = { kind: "video", prompt: "a quiet sea", seed: 1, width: 320, height: 180, seconds: 8 } as const;

describe("render threads", () => {
	const sketch = createSketch({ threads: 1 });
	afterAll(() => sketch.close());

	test("keep the event loop free, and report progress", async () => {
		const percents: number[] = [];
		let turns = 0;
		const timer = setInterval(() => (turns += 1), 5);
		const file = await sketch.render({ ...video, seconds: 2 }, { onProgress: (percent) => percents.push(percent) });
		clearInterval(timer);
		expect(file).toMatchObject({ contentType: "video/mp4", width: 320, height: 180, seconds: 2 });
		expect(turns).toBeGreaterThan(5);
		expect(percents).toStrictEqual(percents.toSorted((a, b) => a - b));
		expect(percents.length).toBeGreaterThan(10);
	});

	test("reject an aborted request, and take the next one", async () => {
		const controller = new AbortController();
		const options = { signal: controller.signal, onProgress: () => controller.abort(new Error("canceled")) };
		await expect(sketch.render(video, options)).rejects.toThrow("canceled");
		await expect(sketch.render(image)).resolves.toMatchObject({ contentType: "image/png" });
	});

	test("reject a request that was aborted in the queue, and finish the one before it", async () => {
		const controller = new AbortController();
		const first = sketch.render(image);
		const second = sketch.render(video, { signal: controller.signal });
		controller.abort(new Error("canceled"));
		await expect(second).rejects.toThrow("canceled");
		await expect(first).resolves.toMatchObject({ width: 128 });
	});

	test("report an unusable input", async () => {
		await expect(sketch.render({ ...image, inputs: [new Uint8Array(40)] })).rejects.toMatchObject({
			name: "SketchInputError",
		});
	});
});

test("a thread that crashes fails its own request and is replaced", async () => {
	const sketch = createSketch({ threads: 1, worker: new URL("./fakes/crashing-worker.ts", import.meta.url) });
	onTestFinished(() => sketch.close());
	await expect(sketch.render({ ...image, prompt: "crash" })).rejects.toThrow(/exit/i);
	await expect(sketch.render(image)).resolves.toMatchObject({ bytes: new Uint8Array([7]) });
});

test("closing rejects running and later requests", async () => {
	const sketch = createSketch({ threads: 1 });
	const outcome = sketch.render(video).catch((error: unknown) => error);
	await sketch.close();
	expect(await outcome).toMatchObject({ message: "sketch is closed" });
	await expect(sketch.render(image)).rejects.toThrow("sketch is closed");
});
