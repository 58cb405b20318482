import { crc32, deflateSync } from "node:zlib";
import { orAborted } from "@atelier/common/or-aborted";
import type { CatalogModel } from "../src/engines/catalog-model.ts";
import {
	EngineError,
	type Engine,
	type EngineInputs,
	type EngineOutput,
	type EngineTask,
	type FailureCode,
	type ReportProgress,
} from "../src/engines/engine.ts";

/** The behavior of the next run. */
export type Script =
	| { readonly kind: "succeed"; readonly outputs?: readonly EngineOutput[] }
	| { readonly kind: "fail"; readonly code?: FailureCode; readonly retryable: boolean }
	| { readonly kind: "crash" }
	/** Runs until the test ends it with `finish` or the studio aborts it. */
	| { readonly kind: "hang" }
	/** Runs until the test ends it with `finish`. Ignores the abort signal. */
	| { readonly kind: "hangDespiteAbort" };

export const HANG = { kind: "hang" } as const satisfies Script;
/** A failure that another attempt may avoid. */
export const FAILURE = { kind: "fail", retryable: true } as const satisfies Script;
export const PERMANENT_FAILURE = { kind: "fail", retryable: false } as const satisfies Script;

interface FakeRun {
	readonly task: EngineTask;
	readonly inputs: EngineInputs;
	readonly signal: AbortSignal;
	readonly report: ReportProgress;
	/** Ends a hanging run. */
	readonly finish: (outputs?: readonly EngineOutput[]) => void;
}

/** An engine under the test's control. Runs follow `script` in order; when it is used up, they succeed. */
export interface FakeEngine extends Engine {
	readonly runs: FakeRun[];
	readonly script: Script[];
	/** Runs of other processes whose cancellation was requested. */
	readonly canceledRuns: EngineTask[];
}

/** A PNG of one pixel with a distinguishing text. */
export function fakePng(text = ""): Uint8Array {
	const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		pngChunk("IHDR", header),
		pngChunk("tEXt", Buffer.from(`Comment\0${text}`)),
		pngChunk("IDAT", deflateSync(Buffer.from([0, 128]))),
		pngChunk("IEND", Buffer.alloc(0)),
	]);
}

function pngChunk(type: string, content: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type), content]);
	const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(content.byteLength);
	checksum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, checksum]);
}

/** An image as an engine reports it. Its reported size is not that of the file. */
export function fakeImage(text = ""): EngineOutput {
	return {
		type: "image",
		bytes: fakePng(text),
		width: 1024,
		height: 1024,
		durationSeconds: null,
		seed: 7,
	};
}

/** A real file of the model's media type. */
async function fakeOutput(mediaType: CatalogModel["mediaType"], text: string): Promise<EngineOutput> {
	if (mediaType === "image") return fakeImage(text);
	// Loaded on demand, because it loads encoders.
	const { smallMediaFile } = await import("@atelier/common/testing/small-media-file");
	const shared = { ...fakeImage(), durationSeconds: 1 };
	return mediaType === "video"
		? { ...shared, type: "video", bytes: smallMediaFile("a.mp4") }
		: { ...shared, type: "audio", bytes: smallMediaFile("a.wav"), width: null, height: null };
}

export const fakeImageModel: CatalogModel = {
	id: "fake-image",
	name: "Fake image",
	description: "Images that are not worth looking at.",
	mediaType: "image",
	scenes: ["text-to-image", "image-to-image"],
	options: {
		aspect_ratio: { type: "string", description: "Shape.", enum: ["1:1", "16:9"], default: "1:1" },
		resolution: { type: "string", description: "Size.", enum: ["1K", "2K"], default: "1K" },
		seed: { type: "integer", description: "Seed.", minimum: 0, maximum: 1000 },
		image_input: {
			type: "array",
			description: "Images to start from.",
			items: { type: "string", format: "uri" },
			maxItems: 2,
		},
	},
	price: { credits: 4, per: "output", resolutionFactors: { "1K": 1, "2K": 2 } },
	typicalSeconds: 10,
};

export const fakeVideoModel: CatalogModel = {
	id: "fake-video",
	name: "Fake video",
	description: "Videos of a test card.",
	mediaType: "video",
	scenes: ["text-to-video"],
	options: {
		duration: { type: "integer", description: "Seconds.", minimum: 1, maximum: 10, default: 5 },
		resolution: { type: "string", description: "Size.", enum: ["480p", "720p"], default: "480p" },
	},
	price: { credits: 3, per: "second", resolutionFactors: { "480p": 1, "720p": 1.5 } },
	typicalSeconds: 20,
};

export const fakeMusicModel: CatalogModel = {
	id: "fake-music",
	name: "Fake music",
	description: "Songs without a sound.",
	mediaType: "music",
	scenes: ["text-to-music"],
	options: {
		lyrics: { type: "string", description: "Words to sing.", maxLength: 100 },
		instrumental: { type: "boolean", description: "Without a voice.", default: false },
	},
	price: { credits: 5, per: "output", resolutionFactors: {} },
	typicalSeconds: 15,
};

export function createFakeEngine(
	options: {
		name?: string;
		concurrency?: number;
		models?: readonly CatalogModel[];
		script?: readonly Script[];
		/** Writes a checkpoint at the start of each run. */
		writesCheckpoints?: boolean;
		/** Cancels no job of another process until it is aborted. */
		hangsOnCancel?: boolean;
	} = {},
): FakeEngine {
	const runs: FakeRun[] = [];
	const canceledRuns: EngineTask[] = [];
	const script: Script[] = [...(options.script ?? [])];
	const models = options.models ?? [fakeImageModel, fakeVideoModel, fakeMusicModel];

	return {
		name: options.name ?? "fake",
		...(options.concurrency !== undefined && { concurrency: options.concurrency }),
		runs,
		script,
		canceledRuns,
		async cancelJob(task, signal) {
			canceledRuns.push(task);
			if (options.hangsOnCancel) await orAborted(new Promise(() => {}), signal);
		},
		models: () => models,
		async run(task, signal, report) {
			if (options.writesCheckpoints) {
				await task.checkpoint.read();
				await task.checkpoint.write({ job: task.taskId });
			}
			const inputs = await task.readInputs();
			const finished = Promise.withResolvers<readonly EngineOutput[]>();
			const mediaType = models.find(({ id }) => id === task.model)?.mediaType ?? "image";
			const completed = [await fakeOutput(mediaType, task.taskId)];
			runs.push({ task, inputs, signal, report, finish: (outputs) => finished.resolve(outputs ?? completed) });
			const step = script.shift() ?? { kind: "succeed" };
			switch (step.kind) {
				case "succeed":
					return step.outputs ?? completed;
				case "crash":
					throw new TypeError("secret detail of the engine");
				case "fail":
					throw new EngineError(step.code ?? "upstream_error", "the fake engine was told to fail", step);
				case "hang":
					signal.addEventListener("abort", () => finished.reject(signal.reason), { once: true });
					return await finished.promise;
				case "hangDespiteAbort":
					return await finished.promise;
			}
		},
		async close() {},
	};
}
