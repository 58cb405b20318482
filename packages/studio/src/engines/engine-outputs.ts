import { DownloadFailedError, type Download } from "@atelier/common/download";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import sharp from "sharp";
import type { MediaType } from "@atelier/media-protocol/model";
import { detectMedia } from "../media-format.ts";
import { EngineError, type EngineOutput } from "./engine.ts";
import { noOutputError } from "./job-errors.ts";

/** Files beyond this number are not downloaded. */
const FILES_MAX = 16;
/** The files of a job are in memory together. */
const FILES_BYTES_MAX = 128 * 1024 * 1024;

export interface RemoteFile {
	readonly url: string;
	readonly seed?: number | null;
}

const OUTPUT_TYPES = { image: "image", video: "video", music: "audio" } as const satisfies Record<MediaType, string>;

interface OutputFile {
	readonly bytes: Uint8Array;
	readonly seed?: number | null;
}

/**
 * Describes a file as an output. Reads type and size from its bytes and ignores the declared ones. `undefined` if it is
 * not of the requested media type, or an image that cannot be read.
 */
async function describeOutput({ bytes, seed = null }: OutputFile, mediaType: MediaType) {
	const kind = await detectMedia(bytes);
	if (!kind || kind.type !== OUTPUT_TYPES[mediaType]) return undefined;
	const { type } = kind;
	const measures = type === "image" ? await measureImage(bytes) : await measureRecording(bytes);
	return measures && { type, bytes, seed, ...measures };
}

/** Describes the files of the requested media type. Rejects with an `EngineError` if there is none. */
async function describeOutputs(files: readonly OutputFile[], mediaType: MediaType): Promise<readonly EngineOutput[]> {
	const outputs = await Promise.all(files.map((file) => describeOutput(file, mediaType)));
	const matching = outputs.filter((output) => output !== undefined);
	if (matching.length > 0) return matching;
	if (files.length === 0) throw noOutputError();
	throw new EngineError("no_output", `the engine returned no readable ${OUTPUT_TYPES[mediaType]} file`, {
		retryable: true,
	});
}

/** Downloads and describes the files of a job. Rejects with an `EngineError`. */
export async function collectFiles(
	files: readonly RemoteFile[],
	{ download, mediaType }: { readonly download: Download; readonly mediaType: MediaType },
	signal: AbortSignal,
): Promise<readonly EngineOutput[]> {
	return await readOutputs(files, mediaType, async ({ url, seed = null }) => {
		return { bytes: await readDownload(download(url, signal), signal), seed };
	});
}

/** Reads and describes the files of a job, one after the other. Rejects with an `EngineError` if they are too large together. */
export async function readOutputs<File>(
	files: readonly File[],
	mediaType: MediaType,
	read: (file: File) => Promise<OutputFile>,
): Promise<readonly EngineOutput[]> {
	const found: OutputFile[] = [];
	let totalBytes = 0;
	for (const file of files.slice(0, FILES_MAX)) {
		const output = await read(file);
		totalBytes += output.bytes.length;
		// They would be as large again, and the retry may be billed.
		if (totalBytes > FILES_BYTES_MAX)
			throw new EngineError("upstream_error", "the engine's files are too large", { retryable: false });
		found.push(output);
	}
	return await describeOutputs(found, mediaType);
}

async function readDownload(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
	try {
		return Buffer.concat(await Array.fromAsync(chunks));
	} catch (error) {
		signal.throwIfAborted();
		// A forbidden or too large file would fail again, and the retry may be billed.
		const retryable = error instanceof DownloadFailedError;
		throw new EngineError("upstream_error", "the engine's file cannot be downloaded", { retryable, cause: error });
	}
}

type Measures = Pick<EngineOutput, "width" | "height" | "durationSeconds">;

const NO_MEASURES: Measures = { width: null, height: null, durationSeconds: null };

async function measureImage(bytes: Uint8Array): Promise<Measures | undefined> {
	try {
		const { width, height } = await sharp(bytes).metadata();
		return { ...NO_MEASURES, width, height };
	} catch {
		return undefined;
	}
}

/** Measures a video or audio file. One that cannot be parsed is kept without measures. */
async function measureRecording(bytes: Uint8Array): Promise<Measures> {
	const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
	try {
		const videoTrack = await input.getPrimaryVideoTrack();
		const seconds = await input.computeDuration();
		return {
			width: videoTrack?.displayWidth ?? null,
			height: videoTrack?.displayHeight ?? null,
			durationSeconds: seconds > 0 ? Math.round(seconds * 1000) / 1000 : null,
		};
	} catch {
		return NO_MEASURES;
	} finally {
		input.dispose();
	}
}
