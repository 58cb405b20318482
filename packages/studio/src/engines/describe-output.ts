import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import sharp from "sharp";
import { detectMedia } from "../media-type.ts";
import { EngineError, type EngineOutput, type MediaType } from "./engine.ts";

const OUTPUT_TYPES = { image: "image", video: "video", music: "audio" } as const satisfies Record<MediaType, string>;

/**
 * Describes a file as an output: type and size are read from its bytes, whatever the service declares. `undefined` if
 * it is not of the requested media type.
 */
export async function describeOutput(
	bytes: Uint8Array,
	mediaType: MediaType,
	seed: number | null,
): Promise<EngineOutput | undefined> {
	const kind = await detectMedia(bytes);
	if (!kind || kind.type !== OUTPUT_TYPES[mediaType]) return undefined;
	const { type, contentType } = kind;
	const measures = type === "image" ? await measureImage(bytes) : await measureTrack(bytes);
	return { type, bytes, contentType, seed, ...measures };
}

/** Describes the files of the requested media type; a job without any has no output. */
export async function describeOutputs(
	files: readonly Uint8Array[],
	mediaType: MediaType,
	seed: number | null,
): Promise<readonly EngineOutput[]> {
	const outputs = await Promise.all(files.map((bytes) => describeOutput(bytes, mediaType, seed)));
	const fitting = outputs.filter((output) => output !== undefined);
	if (fitting.length > 0) return fitting;
	const message = files.length === 0 ? "the engine made nothing" : `the engine made no ${OUTPUT_TYPES[mediaType]} file`;
	throw new EngineError("no_output", message, { retryable: true });
}

type Measures = Pick<EngineOutput, "width" | "height" | "durationSeconds">;

const UNKNOWN: Measures = { width: null, height: null, durationSeconds: null };

async function measureImage(bytes: Uint8Array): Promise<Measures> {
	try {
		const { width, height } = await sharp(bytes).metadata();
		return { ...UNKNOWN, width, height };
	} catch (error) {
		throw new EngineError("no_output", "the engine made an image that cannot be read", {
			retryable: true,
			cause: error,
		});
	}
}

/** A file without a declared duration is kept. */
async function measureTrack(bytes: Uint8Array): Promise<Measures> {
	const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
	try {
		const track = await input.getPrimaryVideoTrack();
		const seconds = await input.computeDuration();
		return {
			width: track?.displayWidth ?? null,
			height: track?.displayHeight ?? null,
			durationSeconds: seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null,
		};
	} catch {
		return UNKNOWN;
	} finally {
		input.dispose();
	}
}
