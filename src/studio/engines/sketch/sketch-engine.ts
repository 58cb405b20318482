import { Worker } from "node:worker_threads";
import { availableParallelism } from "node:os";
import { systemClock, type Clock } from "../../../clock.ts";
import { EngineError, type Engine, type EngineOutput, type EngineTask } from "../engine.ts";
import { enlarge } from "./enlarge.ts";
import type { ImageSize } from "./image-size.ts";
import { IMAGE_LONG_SIDES, SKETCH_MODELS, VIDEO_SHORT_SIDES } from "./models.ts";
import { createRandom } from "./random.ts";
import type { RenderJob } from "./render-job.ts";
import { createRenderPool, type RenderPool } from "./render-pool.ts";

const SEED_MAX = 2 ** 31 - 1;
/** How often a lingering task says how far it is. */
const LINGER_STEP_MS = 500;

/** The built-in engine: procedural pictures, films and tunes, made on this machine's own threads. */
export function createSketchEngine({ workers, clock = systemClock }: { workers?: number; clock?: Clock } = {}): Engine {
	const pool = createRenderPool({
		// One core is left to the rest of the process.
		workers: workers ?? Math.max(1, availableParallelism() - 1),
		startWorker: () => new Worker(new URL("./render-worker.ts", import.meta.url)),
	});
	return createEngineOn(pool, clock);
}

/** The engine on a given pool, so that tests can give it one of their own. */
export function createEngineOn(pool: RenderPool, clock: Clock): Engine {
	return {
		name: "sketch",
		models: () => SKETCH_MODELS,
		async run(task, signal, report) {
			if (task.model === "sketch-enlarge") return [await enlarge(task.inputs[0])];
			const startedMs = clock.nowMs();
			const seed = seedOf(task);
			const count = numberOption(task, "n") ?? 1;
			const lingerMs = (numberOption(task, "linger") ?? 0) * 1000;
			// While a task lingers, time passes more slowly than work.
			const shown = (percent: number): number =>
				lingerMs === 0 ? percent : Math.min(percent, (100 * (clock.nowMs() - startedMs)) / lingerMs);
			const made: EngineOutput[] = [];
			for (let nth = 0; nth < count; nth++) {
				const itsSeed = (seed + nth) % (SEED_MAX + 1);
				const { job, output } = orderOf(task, itsSeed);
				const reported = (percent: number): void => report(Math.round(shown((100 * nth + percent) / count)));
				made.push({ ...output, bytes: await pool.run(job, signal, reported), seed: itsSeed });
			}
			for (let leftMs = lingerMs; ;) {
				leftMs = startedMs + lingerMs - clock.nowMs();
				if (leftMs <= 0) break;
				report(Math.round(shown(99)));
				await clock.sleep(Math.min(leftMs, LINGER_STEP_MS), signal);
			}
			report(100);
			return made;
		},
		close: () => pool.close(),
	};
}

/** Taken from the task's id when none is given: a task that is tried again after a crash gives the same file. */
function seedOf(task: EngineTask): number {
	return numberOption(task, "seed") ?? createRandom("seed", task.taskId).integer(0, SEED_MAX);
}

function orderOf(task: EngineTask, seed: number): { job: RenderJob; output: Omit<EngineOutput, "bytes" | "seed"> } {
	const { prompt } = task;
	const durationSeconds = numberOption(task, "duration");
	switch (task.model) {
		case "sketch": {
			const size = imageSize(textOption(task, "aspect_ratio") ?? "16:9", textOption(task, "resolution") ?? "1K");
			return {
				job: { kind: "picture", prompt, seed, size, input: inputOf(task, "image-to-image") },
				output: { type: "image", contentType: "image/png", ...size, durationSeconds: null },
			};
		}
		case "sketch-motion": {
			const size = videoSize(textOption(task, "aspect_ratio") ?? "16:9", textOption(task, "resolution") ?? "720p");
			const seconds = durationSeconds ?? 5;
			return {
				job: { kind: "film", prompt, seed, size, durationSeconds: seconds, input: inputOf(task, "image-to-video") },
				output: { type: "video", contentType: "video/mp4", ...size, durationSeconds: seconds },
			};
		}
		case "sketch-tune": {
			const seconds = durationSeconds ?? 20;
			const lyrics = textOption(task, "lyrics") ?? "";
			const instrumental = task.options["instrumental"] === true;
			return {
				job: { kind: "tune", prompt, seed, durationSeconds: seconds, lyrics, instrumental },
				output: { type: "audio", contentType: "audio/mpeg", width: null, height: null, durationSeconds: seconds },
			};
		}
		default:
			throw new EngineError("invalid_input", `the sketch engine has no model ${task.model}`, { retryable: false });
	}
}

/** The picture to start from; the scene says whether there must be one. */
function inputOf(task: EngineTask, sceneWithInput: string): Uint8Array | null {
	const input = task.inputs[0] ?? null;
	if (task.scene === sceneWithInput && input === null) {
		throw new EngineError("invalid_input", `${sceneWithInput} needs a picture in image_input`, { retryable: false });
	}
	return input;
}

function numberOption(task: EngineTask, name: string): number | undefined {
	const value = task.options[name];
	return typeof value === "number" ? value : undefined;
}

function textOption(task: EngineTask, name: string): string | undefined {
	const value = task.options[name];
	return typeof value === "string" ? value : undefined;
}

const toEven = (length: number): number => Math.round(length / 2) * 2;

export function imageSize(aspect: string, resolution: string): ImageSize {
	const long = IMAGE_LONG_SIDES[resolution] ?? 1024;
	const [across, down] = ratioOf(aspect);
	return across >= down
		? { width: long, height: toEven((long * down) / across) }
		: { width: toEven((long * across) / down), height: long };
}

export function videoSize(aspect: string, resolution: string): ImageSize {
	const short = VIDEO_SHORT_SIDES[resolution] ?? 720;
	const [across, down] = ratioOf(aspect);
	return across >= down
		? { width: toEven((short * across) / down), height: short }
		: { width: short, height: toEven((short * down) / across) };
}

function ratioOf(aspect: string): readonly [across: number, down: number] {
	const [across, down] = aspect.split(":").map(Number);
	if (!across || !down) throw new EngineError("invalid_input", `no such aspect ratio: ${aspect}`, { retryable: false });
	return [across, down];
}
