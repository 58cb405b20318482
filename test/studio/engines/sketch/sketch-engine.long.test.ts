import { Worker } from "node:worker_threads";
import sharp from "sharp";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Engine, EngineTask } from "../../../../src/studio/engines/engine.ts";
import { createRenderPool, type RenderPool } from "../../../../src/studio/engines/sketch/render-pool.ts";
import type { RenderJob } from "../../../../src/studio/engines/sketch/render-job.ts";
import { createEngineOn, createSketchEngine } from "../../../../src/studio/engines/sketch/sketch-engine.ts";
import { createManualClock } from "../../../fakes/manual-clock.ts";
import { createMemoryMemo } from "../../../fakes/memory-memo.ts";

const never = new AbortController().signal;

function taskOf(change: Partial<EngineTask> = {}): EngineTask {
	return {
		taskId: "task-1",
		attempt: 1,
		memo: createMemoryMemo(),
		model: "sketch",
		scene: "text-to-image",
		prompt: "a quiet sea",
		options: {},
		inputs: [],
		...change,
	};
}

/** A pool that answers at once and remembers what it was asked. */
function setup(): { engine: Engine; jobs: RenderJob[]; clock: ReturnType<typeof createManualClock> } {
	const jobs: RenderJob[] = [];
	const pool: RenderPool = {
		async run(job, _signal, report) {
			jobs.push(job);
			report(60);
			return new Uint8Array([1]);
		},
		close: async () => undefined,
	};
	const clock = createManualClock();
	return { engine: createEngineOn(pool, clock), jobs, clock };
}

describe("orders", () => {
	test("a seed that is given is used and told", async () => {
		const { engine, jobs } = setup();
		const [output] = await engine.run(taskOf({ options: { seed: 42 } }), never, () => undefined);
		expect([jobs[0]?.seed, output?.seed]).toStrictEqual([42, 42]);
	});

	test("without one, the task's id decides, so that a second attempt makes the same file", async () => {
		const { engine, jobs } = setup();
		for (const taskId of ["a", "a", "b"]) await engine.run(taskOf({ taskId }), never, () => undefined);
		expect(jobs[0]?.seed).toBe(jobs[1]?.seed);
		expect(jobs[0]?.seed).not.toBe(jobs[2]?.seed);
		expect(jobs[0]?.seed).toBeLessThan(2 ** 31);
	});

	test("several pictures have the seeds that follow, and each its part of the progress", async () => {
		const { engine, jobs } = setup();
		const told: number[] = [];
		const options = { seed: 2 ** 31 - 2, n: 3 };
		const outputs = await engine.run(taskOf({ options }), never, (percent) => void told.push(percent));
		const seeds = [2 ** 31 - 2, 2 ** 31 - 1, 0];
		expect([jobs.map(({ seed }) => seed), outputs.map(({ seed }) => seed)]).toStrictEqual([seeds, seeds]);
		expect(told).toStrictEqual([20, 53, 87, 100]);
	});

	test("a picture is enlarged twice, turned as its camera says, up to what it may have", async () => {
		const { engine } = setup();
		const enlarge = async (input: Uint8Array) =>
			await engine.run(taskOf({ model: "sketch-enlarge", scene: "upscale", inputs: [input] }), never, () => undefined);
		const plain = sharp({ create: { width: 30, height: 20, channels: 3, background: "red" } });
		const [turned] = await enlarge(await plain.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer());
		expect(turned).toMatchObject({ contentType: "image/png", width: 40, height: 60, seed: null });
		const bytes = turned?.bytes ?? new Uint8Array();
		expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 40, height: 60 });
		const large = sharp({ create: { width: 2501, height: 1000, channels: 3, background: "red" } });
		for (const input of [await large.png().toBuffer(), Buffer.from("no picture")]) {
			await expect(enlarge(input)).rejects.toMatchObject({ code: "invalid_input", retryable: false });
		}
	});

	test("image-to-image without a picture is refused for good", async () => {
		const { engine } = setup();
		const task = taskOf({ scene: "image-to-image" });
		await expect(engine.run(task, never, () => undefined)).rejects.toMatchObject({
			code: "invalid_input",
			retryable: false,
		});
	});

	test("a model that it does not have is refused for good", async () => {
		const { engine } = setup();
		const task = taskOf({ model: "other" });
		await expect(engine.run(task, never, () => undefined)).rejects.toMatchObject({
			code: "invalid_input",
			retryable: false,
		});
	});

	test("a video has its size and its seconds", async () => {
		const { engine } = setup();
		const options = { aspect_ratio: "9:16", resolution: "480p", duration: 4 };
		const [output] = await engine.run(taskOf({ model: "sketch-motion", options }), never, () => undefined);
		expect(output).toMatchObject({
			type: "video",
			contentType: "video/mp4",
			width: 480,
			height: 854,
			durationSeconds: 4,
		});
	});

	test("music takes lyrics and has no size", async () => {
		const { engine, jobs } = setup();
		const task = taskOf({ model: "sketch-tune", options: { duration: 9, lyrics: "la la", instrumental: true } });
		const [output] = await engine.run(task, never, () => undefined);
		expect(jobs[0]).toMatchObject({ kind: "tune", durationSeconds: 9, lyrics: "la la", instrumental: true });
		expect(output).toMatchObject({ type: "audio", contentType: "audio/mpeg", width: null, durationSeconds: 9 });
	});
});

describe("lingering", () => {
	test("a task takes as long as it was told to, and shows it", async () => {
		const { engine, clock } = setup();
		const seen: number[] = [];
		let finished = false;
		const run = engine
			.run(taskOf({ options: { linger: 10 } }), never, (percent) => seen.push(percent))
			.then(() => (finished = true));
		await clock.advance(5000);
		expect(finished).toBe(false);
		expect(seen.at(-1)).toBe(50);
		await clock.advance(5500);
		await run;
		expect(seen.at(-1)).toBe(100);
	});

	test("an abort ends it at once", async () => {
		const { engine } = setup();
		const controller = new AbortController();
		const run = engine.run(taskOf({ options: { linger: 60 } }), controller.signal, () => undefined);
		controller.abort(new Error("stop"));
		await expect(run).rejects.toThrow("stop");
	});
});

test("every default of the catalogue is one of its choices, and every resolution has its price", () => {
	for (const model of setup().engine.models()) {
		const choices = Object.values(model.options).flatMap((option) => ("enum" in option ? [option] : []));
		expect(choices.filter((option) => !option.enum.includes(option.default))).toStrictEqual([]);
		expect(model.description).toContain("Not AI");
		const priced = Object.keys(model.price.resolutionFactors);
		expect(priced.toSorted()).toStrictEqual(resolutionsOf(model.options["resolution"]).toSorted());
	}
});

function resolutionsOf(option: ReturnType<Engine["models"]>[number]["options"][string] | undefined): string[] {
	return option?.type === "string" && "enum" in option ? [...option.enum] : [];
}

describe("threads", () => {
	const engine = createSketchEngine({ workers: 1 });
	afterAll(() => engine.close());

	test("a picture is painted on another thread, and two attempts give the same file", async () => {
		const [first] = await engine.run(taskOf(), never, () => undefined);
		const [second] = await engine.run(taskOf(), never, () => undefined);
		expect(first).toMatchObject({ type: "image", contentType: "image/png", width: 1024, height: 576 });
		expect(Buffer.from(first?.bytes ?? []).equals(Buffer.from(second?.bytes ?? []))).toBe(true);
	});

	test("an abort rejects promptly, and the thread is there for the next task", async () => {
		const controller = new AbortController();
		const film = taskOf({ model: "sketch-motion", options: { resolution: "480p", duration: 12 } });
		const run = engine.run(film, controller.signal, () => controller.abort(new Error("changed my mind")));
		await expect(run).rejects.toThrow("changed my mind");
		await expect(engine.run(taskOf(), never, () => undefined)).resolves.toHaveLength(1);
	});

	test("a task that waits for a thread can be aborted before it has one", async () => {
		const controller = new AbortController();
		const first = engine.run(taskOf(), never, () => undefined);
		const second = engine.run(taskOf(), controller.signal, () => undefined);
		controller.abort(new Error("too long"));
		await expect(second).rejects.toThrow("too long");
		await expect(first).resolves.toHaveLength(1);
	});

	test("a refusal inside the thread keeps its code", async () => {
		const task = taskOf({ scene: "image-to-image", inputs: [Buffer.from("not a picture at all, but long enough")] });
		await expect(engine.run(task, never, () => undefined)).rejects.toMatchObject({
			code: "invalid_input",
			retryable: false,
		});
	});
});

/** Dies at its first job, then is replaced by one that answers. */
function dyingPool(): { pool: RenderPool; started: () => number } {
	let started = 0;
	const code = [
		`throw new Error("out of paint")`,
		`const { parentPort } = require("node:worker_threads");
		parentPort.on("message", (m) => m.kind === "leave" ? parentPort.close() : parentPort.postMessage({ kind: "done", ticket: m.ticket, bytes: new Uint8Array([7]) }))`,
	];
	const pool = createRenderPool({
		workers: 1,
		startWorker: () => new Worker(code[started++] ?? code[1] ?? "", { eval: true }),
	});
	onTestFinished(() => pool.close());
	return { pool, started: () => started };
}

describe("a thread that dies", () => {
	const job: RenderJob = { kind: "tune", prompt: "x", seed: 1, durationSeconds: 5, lyrics: "", instrumental: true };

	test("fails its task so that it is tried again", async () => {
		const { pool } = dyingPool();
		await expect(pool.run(job, never, () => undefined)).rejects.toMatchObject({
			code: "upstream_error",
			retryable: true,
		});
	});

	test("is replaced for the next one", async () => {
		const { pool, started } = dyingPool();
		const first = pool.run(job, never, () => undefined);
		const second = pool.run(job, never, () => undefined);
		await expect(first).rejects.toThrow("crashed");
		await expect(second).resolves.toStrictEqual(new Uint8Array([7]));
		expect(started()).toBe(2);
	});
});

test("closing fails what is under way so that it can be tried again", async () => {
	const engine = createSketchEngine({ workers: 1 });
	const film = engine.run(taskOf({ model: "sketch-motion", options: { resolution: "480p" } }), never, () => undefined);
	const [outcome] = await Promise.all([film.catch((error: unknown) => error), engine.close()]);
	expect(outcome).toMatchObject({ code: "upstream_error", retryable: true });
	await expect(engine.run(taskOf(), never, () => undefined)).rejects.toMatchObject({ retryable: true });
});
