import type { Logger } from "pino";
import { readImageSize, type ImageSize } from "@atelier/common/image-size";
import type { MediaKind } from "../media-kind.ts";
import type { TranscodeChange, TranscodeJob, TranscodeReply, TranscodedFile, WorkerLimits } from "./worker-messages.ts";
import { UnusableFileError } from "../unusable-file.ts";
import type { TranscodeWorkerPool } from "./worker-pool.ts";
import { TranscodeFailedError } from "./worker-process.ts";
import type { TempDir } from "../temp-dir.ts";
import { readHeadAndTail } from "../detection/image-header.ts";
import { detectType, type DetectedMedia } from "../detection/detect-type.ts";
import { extensionOf } from "../detection/embeddable-types.ts";

export type { TranscodeChange };

/** A file on disk of any origin and type. */
interface TranscodeInput {
	readonly path: string;
	readonly sizeBytes: number;
	readonly bytesMax: number;
	/** Files of another kind are rejected. */
	readonly expected?: MediaKind;
}

/** The file to send. Disposal removes a transcoded file; the original stays. */
export type Transcoded = AsyncDisposable &
	TranscodedOutput & {
		/** The size of an image, if its header declares it. */
		readonly imageSize?: ImageSize;
	};

type TranscodedOutput =
	/** Only the original exists. `notTranscoded`: this machine has too little memory to transcode it. */
	| { readonly kind: "unchanged" | "notTranscoded"; readonly contentType: string; readonly extension: string }
	/** `preview`: a frame or the beginning, because the whole file does not fit, took too long, or needs more memory. */
	| ({ readonly kind: "transcoded" | "preview" } & TranscodedFile);

export type Transcoder = ReturnType<typeof createTranscoder>;

interface TranscoderDeps {
	readonly workerPool: TranscodeWorkerPool;
	readonly tempDir: TempDir;
	/** The threads of one job. */
	readonly threads: number;
}

/** One file with everything that its jobs need. */
interface Source extends TranscodeInput {
	readonly mediaKind: MediaKind;
	readonly contentType: string;
	/** The folder for the output. */
	readonly folder: string;
	readonly logger: Logger;
	readonly signal: AbortSignal;
}

const TRANSCODE_TIMEOUT_MS = 8 * 60_000;
const PREVIEW_TIMEOUT_MS = 60_000;
const LEAST_MEMORY: WorkerLimits = { threads: 1, memory: "least" };

/**
 * The result of up to two jobs. A job that exceeds its own limit of time or memory (`overLimit`) has a file that is too large: it
 * may have a preview. A job for which this machine has no memory (`killed`) is not the file's fault: it is retried once with the
 * least memory, and if the retry crashes or is killed too, the result is `notEnoughMemory`.
 */
type TranscodeAttempt = TranscodeReply | { readonly kind: "notEnoughMemory" };

/**
 * Transcodes any media file to one that Discord accepts and displays. The resulting file has at most `bytesMax` bytes, with one
 * exception: an original that is `notTranscoded` may be larger, and Discord may not display it.
 */
export function createTranscoder({ workerPool, tempDir, threads }: TranscoderDeps) {
	const normalLimits: WorkerLimits = { threads, memory: "normal" };

	function run(action: TranscodeJob["action"], source: Source, limits: WorkerLimits): Promise<TranscodeReply> {
		const { mediaKind, contentType, path, folder, bytesMax, expected } = source;
		const job = { action, mediaKind, contentType, path, folder, bytesMax, ...limits, ...(expected && { expected }) };
		const timeoutMs = action === "transcode" ? TRANSCODE_TIMEOUT_MS : PREVIEW_TIMEOUT_MS;
		return workerPool.run(job, timeoutMs, source.signal);
	}

	/** Transcodes, and maps failures to results. */
	async function tryToTranscode(source: Source): Promise<TranscodeAttempt> {
		try {
			return await run("transcode", source, normalLimits);
		} catch (error) {
			if (!(error instanceof TranscodeFailedError)) throw error;
			source.logger.warn({ err: error, ...logFieldsOf(source) }, "file not transcoded");
			switch (error.failure) {
				case "overLimit":
					return { kind: "unusable", why: { kind: "tooLarge" } };
				case "crashed":
					return { kind: "unusable", why: { kind: "damaged" } };
				case "killed":
					return await tryWithLessMemory(source);
			}
		}
	}

	async function tryWithLessMemory(source: Source): Promise<TranscodeAttempt> {
		try {
			return await run("transcode", source, LEAST_MEMORY);
		} catch (error) {
			if (!(error instanceof TranscodeFailedError)) throw error;
			// A crash of the retry is attributed to memory too, because the first attempt was killed for lack of it.
			const { failure, signal: killedBy } = error;
			const logFields = { err: error, failure, killedBy, ...logFieldsOf(source) };
			source.logger.error(logFields, "file not transcoded with the least memory");
			return failure === "overLimit" ? { kind: "unusable", why: { kind: "tooLarge" } } : { kind: "notEnoughMemory" };
		}
	}

	/** Resolves to `undefined` if there is no preview, as of images, or if it fails. */
	async function tryPreview(source: Source, limits: WorkerLimits): Promise<TranscodedFile | undefined> {
		if (source.mediaKind === "image") return undefined;
		try {
			const reply = await run("preview", source, limits);
			return reply.kind === "transcoded" ? reply.file : undefined;
		} catch (error) {
			if (!(error instanceof TranscodeFailedError)) throw error;
			source.logger.warn({ err: error, ...logFieldsOf(source) }, "preview failed");
			return undefined;
		}
	}

	async function transcodeOrPreview(source: Source): Promise<TranscodedOutput> {
		const startedMs = performance.now();
		const reply = await tryToTranscode(source);
		const { contentType } = source;
		const original = { contentType, extension: extensionOf(contentType) ?? "bin" };
		switch (reply.kind) {
			case "unchanged":
				return { kind: "unchanged", ...original };
			case "transcoded": {
				const { sizeBytes: transcodedBytes, changes } = reply.file;
				const durationMs = Math.round(performance.now() - startedMs);
				source.logger.info(
					{ ...logFieldsOf(source), outputBytes: transcodedBytes, changes, durationMs },
					"file transcoded",
				);
				return { kind: "transcoded", ...requireFits(reply.file, source) };
			}
			case "unusable": {
				await assertReadable(source);
				const preview = reply.why.kind === "tooLarge" ? await tryPreview(source, normalLimits) : undefined;
				if (preview === undefined) throw new UnusableFileError(reply.why);
				return previewOf(preview, source);
			}
			case "notEnoughMemory": {
				const { expected, mediaKind: found } = source;
				// Without a worker, the file must not be passed on as something that it may not be.
				if (expected !== undefined && expected !== found)
					throw new UnusableFileError({ kind: "wrongMediaType", expected, found, contentType });
				// An original that fits is worth more than a preview.
				const preview = source.sizeBytes > source.bytesMax ? await tryPreview(source, LEAST_MEMORY) : undefined;
				return preview ? previewOf(preview, source) : { kind: "notTranscoded", ...original };
			}
		}
	}

	return {
		/** Returns whether so many files wait for a worker that the caller should add another one later. */
		isQueueFull: (): boolean => workerPool.isQueueFull(),
		/**
		 * Throws an `UnusableFileError` if the file is unusable or not of the expected kind. Rejects with the signal's reason when
		 * aborted. After a rejection, the work has ended and no file is left.
		 */
		async transcode(input: TranscodeInput, logger: Logger, signal: AbortSignal): Promise<Transcoded> {
			const { path, sizeBytes, bytesMax, expected } = input;
			const found = await detectType(path, sizeBytes);
			if (found.kind === "unusable") throw new UnusableFileError(found.why);
			const { contentType, mediaKind } = found;
			const isExpected = expected === undefined || expected === mediaKind;
			if (!isExpected && !mayTurnOutToBe(expected, found))
				throw new UnusableFileError({ kind: "wrongMediaType", expected, found: mediaKind, contentType });
			if (found.kind === "embeddable" && isExpected && sizeBytes <= bytesMax) {
				const { extension, imageSize } = found;
				const size = imageSize && { imageSize };
				return { kind: "unchanged", contentType, extension, ...size, [Symbol.asyncDispose]: removeNothing };
			}
			const folder = await tempDir.open();
			try {
				const source = { ...input, mediaKind, contentType, folder, logger, signal };
				const transcoded = await transcodeOrPreview(source);
				const output = "path" in transcoded ? transcoded : { path, sizeBytes };
				const imageSize = await imageSizeOf(output.path, transcoded.contentType, output.sizeBytes);
				return { ...transcoded, ...(imageSize && { imageSize }), [Symbol.asyncDispose]: () => tempDir.remove(folder) };
			} catch (error) {
				await tempDir.remove(folder);
				throw error;
			}
		},
	};
}

/** Returns whether a worker, which decodes the file, may find that a file of another kind is of the expected kind after all. */
function mayTurnOutToBe(expected: MediaKind, { kind, mediaKind }: DetectedMedia): boolean {
	// An animated image counts as a video.
	if (expected === "video") return mediaKind === "image";
	// The container of a video may hold audio alone.
	return expected === "audio" && mediaKind === "video" && kind === "undecided";
}

/** Throws the error of the disk if the file can no longer be read: then the failure of the job does not mean that it is damaged. */
async function assertReadable({ path, sizeBytes }: TranscodeInput): Promise<void> {
	await readHeadAndTail(path, sizeBytes);
}

async function imageSizeOf(path: string, contentType: string, sizeBytes: number): Promise<ImageSize | undefined> {
	if (!contentType.startsWith("image/")) return undefined;
	return readImageSize((await readHeadAndTail(path, sizeBytes)).head);
}

async function removeNothing(): Promise<void> {}

function logFieldsOf({ mediaKind, contentType, sizeBytes, bytesMax }: Source) {
	return { mediaKind, contentType, sizeBytes, bytesMax };
}

function previewOf(file: TranscodedFile, source: Source): TranscodedOutput {
	source.logger.info({ ...logFieldsOf(source), outputBytes: file.sizeBytes }, "preview created");
	return { kind: "preview", ...requireFits(file, source) };
}

/** Asserts that the worker kept the size limit. */
function requireFits(file: TranscodedFile, { bytesMax }: TranscodeInput): TranscodedFile {
	if (file.sizeBytes > bytesMax) throw new Error(`transcoded to ${file.sizeBytes} bytes, but ${bytesMax} were allowed`);
	return file;
}
