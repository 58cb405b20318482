import { SketchInputError, type Sketch, type SketchRequest } from "@atelier/sketch";
import { describe, expect, test } from "vitest";
import type { Engine, EngineTask } from "../../src/engines/engine.ts";
import { createSketchEngine } from "../../src/engines/sketch-engine.ts";

const never = new AbortController().signal;

function taskOf(change: Partial<EngineTask> = {}): EngineTask {
	return {
		taskId: "task-1",
		attempt: 1,
		checkpoint: { read: async () => undefined, write: async () => {} },
		model: "sketch",
		scene: "text-to-image",
		prompt: "a quiet sea",
		options: {},
		readInputs: async () => ({ images: [] }),
		...change,
	};
}

/** A sketch that responds at once and records its requests. */
function setup(fault?: Error): {
	engine: Engine;
	requests: SketchRequest[];
} {
	const requests: SketchRequest[] = [];
	const sketch: Sketch = {
		async render(request, options) {
			requests.push(request);
			options?.onProgress?.(60);
			if (fault) throw fault;
			return { bytes: new Uint8Array([1]), contentType: "image/png", width: 1, height: 1, seconds: null };
		},
		close: async () => undefined,
	};
	return { engine: createSketchEngine(sketch), requests };
}

describe("requests", () => {
	test("a given seed is used and shown; the default depends on the task id", async () => {
		const { engine, requests } = setup();
		const [output] = await engine.run(taskOf({ options: { seed: 42 } }), never, () => undefined);
		expect([requests[0], output]).toMatchObject([{ seed: 42 }, { seed: 42 }]);
		const seeds = await Promise.all(
			["a", "a", "b"].map(async (taskId) => (await engine.run(taskOf({ taskId }), never, () => undefined))[0]?.seed),
		);
		expect(seeds[0]).toBe(seeds[1]);
		expect(seeds[0]).not.toBe(seeds[2]);
	});

	test("several images use consecutive seeds, and share the progress", async () => {
		const { engine } = setup();
		const reported: number[] = [];
		const options = { seed: 2 ** 31 - 2, n: 3 };
		const outputs = await engine.run(taskOf({ options }), never, (percent) => void reported.push(percent));
		// The highest seed is followed by 0.
		expect(outputs.map(({ seed }) => seed)).toStrictEqual([2 ** 31 - 2, 2 ** 31 - 1, 0]);
		// Each image reports 60 % once: 60, 160 and 260 of 300.
		expect(reported).toStrictEqual([20, 53, 87, 100]);
	});

	test.each([
		["sketch", { aspect_ratio: "3:4", resolution: "2K" }, { kind: "image", width: 1536, height: 2048 }],
		[
			"sketch-motion",
			{ aspect_ratio: "9:16", resolution: "480p", duration: 4 },
			{ kind: "video", width: 480, height: 854, seconds: 4 },
		],
		["sketch-tune", { duration: 9, lyrics: "la", instrumental: true }, { kind: "music", seconds: 9 }],
	])("%s is rendered with its options", async (model, options, expected) => {
		const { engine, requests } = setup();
		await engine.run(taskOf({ model, options }), never, () => undefined);
		expect(requests[0]).toMatchObject(expected);
	});

	test.each([
		["a scene that needs an image without one", taskOf({ scene: "image-to-image" }), undefined],
		["a model that it does not have", taskOf({ model: "other" }), undefined],
		["an input that cannot be used", taskOf(), new SketchInputError("damaged")],
	])("%s is rejected permanently", async (_name, task, fault) => {
		const run = setup(fault).engine.run(task, never, () => undefined);
		await expect(run).rejects.toMatchObject({ name: "EngineError", code: "invalid_input", retryable: false });
	});

	test("an unexpected error, such as a crashed worker thread, is retryable", async () => {
		const run = setup(new Error("crashed")).engine.run(taskOf(), never, () => undefined);
		await expect(run).rejects.toMatchObject({ code: "upstream_error", retryable: true });
	});
});
