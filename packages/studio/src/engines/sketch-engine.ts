import { createSketch, SketchInputError, type Sketch, type SketchFile, type SketchRequest } from "@atelier/sketch";
import { z } from "zod";
import { takesInputMedia } from "./catalog-model.ts";
import { EngineError, type Engine, type EngineInputs, type EngineOutput, type EngineTask } from "./engine.ts";
import { concurrency, type EngineKind } from "./engine-kind.ts";
import { SEED_MAX, seedOf } from "./seed.ts";
import { IMAGE_LONG_SIDES, SKETCH_MODELS, VIDEO_SHORT_SIDES } from "./sketch-models.ts";

const OUTPUT_TYPES = { "image/png": "image", "video/mp4": "video", "audio/mpeg": "audio" } as const;

/** The built-in engine: procedural images, videos and music from `@atelier/sketch`. */
export function createSketchEngine(sketch: Sketch = createSketch()): Engine {
	return {
		name: "sketch",
		models: () => SKETCH_MODELS,
		async run(task, signal, report) {
			const seed = seedOf(task);
			const count = numberOption(task, "n") ?? 1;
			const inputs = await task.readInputs();
			const outputs: EngineOutput[] = [];
			for (let index = 0; index < count; index++) {
				const outputSeed = (seed + index) % (SEED_MAX + 1);
				const onProgress = (percent: number): void => report(Math.round((100 * index + percent) / count));
				const request = requestOf(task, inputs, outputSeed);
				const file = await sketch.render(request, { signal, onProgress }).catch((error: unknown) => {
					signal.throwIfAborted();
					throw toEngineError(error);
				});
				outputs.push(outputOf(file, request.kind === "upscale" ? null : outputSeed));
			}
			report(100);
			return outputs;
		},
		close: () => sketch.close(),
	};
}

function outputOf({ bytes, contentType, width, height, seconds }: SketchFile, seed: number | null): EngineOutput {
	return { type: OUTPUT_TYPES[contentType], bytes, width, height, durationSeconds: seconds, seed };
}

function toEngineError(cause: unknown): EngineError {
	if (cause instanceof SketchInputError) return invalidInputError(cause.message, cause);
	return new EngineError("upstream_error", "rendering failed", { retryable: true, cause });
}

function invalidInputError(message: string, cause?: unknown): EngineError {
	return new EngineError("invalid_input", message, { retryable: false, cause });
}

function requestOf(task: EngineTask, { images, mask }: EngineInputs, seed: number): SketchRequest {
	const { prompt, model } = task;
	const seconds = numberOption(task, "duration");
	const aspect = textOption(task, "aspect_ratio") ?? "16:9";
	const [input] = images;
	if (takesInputMedia(task.scene) && !input) throw invalidInputError(`${task.scene} needs an image in image_input`);
	switch (model) {
		case "sketch":
			return {
				kind: "image",
				prompt,
				seed,
				...sizeOf(aspect, { longSide: IMAGE_LONG_SIDES[textOption(task, "resolution") ?? ""] ?? 1024 }),
				inputs: images,
				mask,
			};
		case "sketch-motion": {
			const size = sizeOf(aspect, { shortSide: VIDEO_SHORT_SIDES[textOption(task, "resolution") ?? ""] ?? 720 });
			return { kind: "video", prompt, seed, ...size, seconds: seconds ?? 5, inputs: images };
		}
		case "sketch-tune":
			return { kind: "music", prompt, seed, seconds: seconds ?? 20 };
		case "sketch-enlarge":
			return { kind: "upscale", input: input ?? new Uint8Array() };
		default:
			throw invalidInputError(`the sketch engine has no model ${model}`);
	}
}

function numberOption({ options }: EngineTask, name: string): number | undefined {
	const value = options[name];
	return typeof value === "number" ? value : undefined;
}

function textOption({ options }: EngineTask, name: string): string | undefined {
	const value = options[name];
	return typeof value === "string" ? value : undefined;
}

/** Returns the size in this ratio, with even sides. */
function sizeOf(aspect: string, given: { readonly longSide: number } | { readonly shortSide: number }) {
	const [across, down] = aspect.split(":").map(Number);
	if (!across || !down) throw invalidInputError(`no such aspect ratio: ${aspect}`);
	const scale =
		"longSide" in given ? given.longSide / Math.max(across, down) : given.shortSide / Math.min(across, down);
	const [width, height] = [across, down].map((side) => Math.round((side * scale) / 2) * 2) as [number, number];
	return { width, height };
}

const settings = z.strictObject({ concurrency });

/** The built-in engine as an entry of the engine file. */
export const sketchKind: EngineKind<z.infer<typeof settings>, never> = {
	kind: "sketch",
	settings,
	modelSettings: z.never({ error: "expected another engine: sketch serves its own models only" }),
	builtInModels: SKETCH_MODELS,
	async open({ name, settings: { concurrency: configuredConcurrency } }) {
		const engine = createSketchEngine();
		return { ...engine, name, ...(configuredConcurrency !== undefined && { concurrency: configuredConcurrency }) };
	},
};
