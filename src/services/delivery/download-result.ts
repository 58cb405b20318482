import type { RemoteOutput } from "@atelier/media-protocol/remote-task";
import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import {
	DownloadFailedError,
	DownloadRejectedError,
	DownloadTooLargeError,
	type Download,
} from "@atelier/common/download";
import type { Transcoder } from "@atelier/media-files/transcoder";
import { UnusableFileError } from "@atelier/media-files/unusable-file";
import type { MediaKind } from "@atelier/media-files/media-kind";
import { prepareFile, type PrepareContext, type PreparedFile } from "./prepare-file.ts";
import type { FairSemaphore } from "./fair-semaphore.ts";
import type { MediaFile } from "./media-file.ts";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { StreamedFile, Upload } from "./reply-client.ts";
import { uploadWhileDownloading } from "@atelier/media-files/upload-while-downloading";
import { unusableFileMessage } from "./transcode-messages.ts";
import { FILES_MAX, type StagedFile, type ResultStore } from "./result-store.ts";

/** Discord's limit of 25 MiB for one request, with room for the multipart headers. */
const MESSAGE_BYTES_MAX = 24 * 1024 * 1024;
const MIB = 1024 * 1024;
const EXPECTED_KINDS: Readonly<Record<MediaType, MediaKind>> = { image: "image", video: "video", music: "audio" };

interface DownloadDeps {
	readonly results: ResultStore;
	readonly download: Download;
	/** Limits concurrent downloads. Each takes one unit. */
	readonly downloadSemaphore: FairSemaphore;
	readonly transcoder: Transcoder;
}

interface ResultDownload {
	readonly taskId: string;
	/** The server of the task: downloads are fair between servers. */
	readonly guildId: string;
	/** The requested media type. */
	readonly mediaType: MediaType;
	readonly outputs: readonly RemoteOutput[];
	/** Discord's limit per file in the channel of the reply. */
	readonly bytesMax: number;
	/** Starts an upload to the reply during the download, as in `ReplyClient`. */
	readonly startUpload: (file: StreamedFile) => Upload | undefined;
	/** `undefined` if files get no mark. */
	readonly mark: ProvenanceMark | undefined;
	/** Returns whether the file of a failed download is left out if another one is usable. Otherwise, the whole result is tried again. */
	readonly mayLeaveOut: (error: DownloadFailedError) => boolean;
}

/** The files of a stored result. */
interface StoredResult {
	readonly files: readonly MediaFile[];
	/** The seed of the first file. */
	readonly seed: number | null;
	/** Number of outputs that could not be downloaded or used; without those of another media type. */
	readonly unusableCount: number;
}

/** A file of the service, which is not prepared yet. */
interface DownloadedFile {
	/** The position among the outputs of the service. */
	readonly position: number;
	readonly staged: StagedFile;
}

/** Too many files wait for a transcode, so the result was not downloaded. Retry later. */
export class TranscodeQueueFullError extends Error {
	override readonly name = "TranscodeQueueFullError";
}

/**
 * Downloads the files of a result, prepares them for Discord, and stores them. All files are staged until the whole result is
 * prepared: a failed attempt stores nothing, and the next one downloads again. Leaves out files that are unusable or of another media
 * type, such as the cover of a song.
 *
 * Throws a `UserError` if no file is left; `DownloadFailedError` if a retry may work; and `TranscodeQueueFullError` if too many files
 * wait for a transcode.
 */
export async function downloadAndStoreResult(
	deps: DownloadDeps,
	result: ResultDownload,
	context: PrepareContext,
): Promise<StoredResult> {
	await using disposables = new AsyncDisposableStack();
	const { downloads, errors } = await downloadAll(deps, disposables, result, context);
	const { prepared, unusableCount } = await prepareDownloads(deps, disposables, result, downloads, context, errors);
	const seed = result.outputs[prepared[0]?.position ?? 0]?.seed ?? null;
	return { files: await storeAll(result.taskId, prepared), seed, unusableCount };
}

/** Downloads the outputs that fit in one message, one after the other. Leaves out those that cannot be downloaded. */
async function downloadAll(
	deps: DownloadDeps,
	disposables: AsyncDisposableStack,
	result: ResultDownload,
	{ signal, logger }: PrepareContext,
): Promise<{ readonly downloads: readonly DownloadedFile[]; readonly errors: readonly unknown[] }> {
	const { results, downloadSemaphore } = deps;
	const { taskId, guildId, outputs, mayLeaveOut } = result;
	const downloads: DownloadedFile[] = [];
	const errors: unknown[] = [];
	for (const [position, { url }] of outputs.slice(0, FILES_MAX).entries()) {
		const release = await downloadSemaphore.acquire(1, guildId, signal);
		// Only the single file of a result can be uploaded before the message is known.
		const content =
			outputs.length === 1
				? downloadAndUpload(deps, result, url, signal)
				: downloadUnlessQueueFull(deps, result, url, signal);
		try {
			downloads.push({ position, staged: disposables.use(await results.stage(taskId, content)) });
		} catch (cause) {
			const error = toUserError(cause);
			const isLeftOut = error instanceof UserError || (error instanceof DownloadFailedError && mayLeaveOut(error));
			if (!isLeftOut) throw error;
			errors.push(error);
			logger.warn({ output: position + 1, err: cause }, "output not downloaded");
		} finally {
			release();
		}
	}
	return { downloads, errors };
}

/**
 * Streams a file. Throws a `TranscodeQueueFullError` as soon as it is known to be too large for Discord, if too many files wait for a
 * transcode: further waiting files would fill the disk, and waiting runs would delay other tasks.
 */
async function* downloadUnlessQueueFull(
	{ download, transcoder }: DownloadDeps,
	{ bytesMax }: ResultDownload,
	url: string,
	signal: AbortSignal,
	onSize?: (sizeBytes: number) => void,
): AsyncGenerator<Uint8Array> {
	let knownBytes = 0;
	let receivedBytes = 0;
	let hasQueueRoom = false;
	const content = download(url, signal, (declaredBytes) => {
		knownBytes = declaredBytes;
		onSize?.(declaredBytes);
	});
	for await (const chunk of content) {
		receivedBytes += chunk.byteLength;
		knownBytes = Math.max(knownBytes, receivedBytes);
		if (!hasQueueRoom && knownBytes > bytesMax) {
			if (transcoder.isQueueFull()) throw new TranscodeQueueFullError("too many files wait for a transcode");
			hasQueueRoom = true;
		}
		yield chunk;
	}
}

function downloadAndUpload(deps: DownloadDeps, result: ResultDownload, url: string, signal: AbortSignal) {
	const { taskId, bytesMax, startUpload, mark } = result;
	let sizeBytes = Number.POSITIVE_INFINITY;
	const content = downloadUnlessQueueFull(deps, result, url, signal, (declaredBytes) => (sizeBytes = declaredBytes));
	const start = (contentType: string, extension: string, addedBytes: number): Upload | undefined => {
		const uploadedBytes = sizeBytes + addedBytes;
		if (uploadedBytes > Math.min(bytesMax, MESSAGE_BYTES_MAX)) return undefined;
		return startUpload({ name: fileNameOf(taskId, extension), contentType, sizeBytes: uploadedBytes });
	};
	return uploadWhileDownloading(content, start, mark);
}

function fileNameOf(taskId: string, extension: string, suffix = ""): string {
	return `atelier-${taskId}${suffix}.${extension}`;
}

interface PreparedDownload extends DownloadedFile {
	readonly file: PreparedFile;
}

/**
 * Prepares the files, and leaves out unusable ones. Returns the others in the order of the outputs. If none is left, throws the error of
 * a download that a retry may mend; otherwise that of an unusable file; otherwise that of a file of another media type.
 */
async function prepareDownloads(
	{ results, transcoder }: DownloadDeps,
	disposables: AsyncDisposableStack,
	{ taskId, mediaType, bytesMax, mark }: ResultDownload,
	downloads: readonly DownloadedFile[],
	context: PrepareContext,
	downloadErrors: readonly unknown[],
): Promise<{ readonly prepared: readonly PreparedDownload[]; readonly unusableCount: number }> {
	const expected = EXPECTED_KINDS[mediaType];
	const prepared: PreparedDownload[] = [];
	const errors = [...downloadErrors];
	let wrongMediaType: UserError | undefined;
	let leftBytes = MESSAGE_BYTES_MAX;
	let leftFiles = downloads.length;
	// Smallest first: what a small file leaves of its share goes to larger ones, so only the largest have to shrink.
	const bySize = downloads.toSorted((one, other) => one.staged.sizeBytes - other.staged.sizeBytes);
	for (const download of bySize) {
		const { path, sizeBytes } = download.staged;
		const limits = { bytesMax: Math.min(bytesMax, Math.floor(leftBytes / leftFiles--)), expected, mark };
		const input = { taskId, path, sizeBytes, ...limits };
		try {
			const file = await prepareFile({ results, transcoder, disposables }, input, context);
			prepared.push({ ...download, file });
			if (!file.isNotConverted) leftBytes -= file.sizeBytes;
		} catch (error) {
			if (!(error instanceof UnusableFileError)) throw error;
			const { why } = error;
			const userError = new UserError(unusableFileMessage(why, input), { cause: error });
			if (why.kind === "wrongMediaType") wrongMediaType = userError;
			else errors.push(userError);
			context.logger.warn({ output: download.position + 1, why, sizeBytes }, "output unusable");
		}
	}
	if (prepared.length === 0)
		throw errors.find((error) => error instanceof DownloadFailedError) ?? errors.at(-1) ?? wrongMediaType;
	const inOrder = prepared.toSorted((one, other) => one.position - other.position);
	return { prepared: inOrder, unusableCount: errors.length };
}

/** Stores the files in their order. Removes none on failure, because another process may have stored the same result. */
async function storeAll(taskId: string, prepared: readonly PreparedDownload[]): Promise<readonly MediaFile[]> {
	const files: MediaFile[] = [];
	for (const [index, { staged: downloaded, file }] of prepared.entries()) {
		const { extension, staged = downloaded, fullSizeStaged, ...described } = file;
		await fullSizeStaged?.storeFullSize(index);
		await staged.store(index);
		const suffix = prepared.length > 1 ? `-${index + 1}` : "";
		files.push({ name: fileNameOf(taskId, extension, suffix), ...described });
	}
	return files;
}

/** Returns the `UserError` for a permanent download error, and every other error unchanged. */
function toUserError(error: unknown): unknown {
	if (error instanceof DownloadTooLargeError) {
		const params = { limitMiB: Math.floor(error.limitBytes / MIB) };
		return new UserError({ key: "service.resultTooLargeToFetch", params }, { cause: error });
	}
	if (!(error instanceof DownloadRejectedError)) return error;
	return new UserError({ key: "service.resultOutOfBounds" }, { cause: error });
}
