import type { RemoteOutput } from "@atelier/media-protocol/remote-task";
import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import { DownloadRejectedError, DownloadTooLargeError, type Download } from "@atelier/common/download";
import type { Transcoder } from "@atelier/media-files/transcoder";
import { UnusableFileError } from "@atelier/media-files/unusable-file";
import type { MediaKind } from "@atelier/media-files/media-kind";
import { transcodeOutput, type DraftedFile, type TranscodeContext } from "./transcode-output.ts";
import { TranscodeQueueFullError } from "@atelier/media-files/worker-pool";
import type { FairSemaphore } from "./fair-semaphore.ts";
import type { MediaFile } from "./media-file.ts";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { StreamedFile, Upload } from "./reply-client.ts";
import { uploadWhileDownloading } from "@atelier/media-files/upload-while-downloading";
import { unusableFileMessage } from "./transcode-messages.ts";
import { fetchedIndexOf, FILES_MAX, fullSizeIndexOf, type Draft, type ResultStore } from "./result-store.ts";

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
}

/**
 * Downloads the files of a result, transcodes them to the limits, and stores them. Leaves out files of another media type, such
 * as the cover of a song. Throws a `UserError` for an unusable result, also if no file has the requested type;
 * `DownloadFailedError` if a retry may work; and `TranscodeQueueFullError` if the transcoder is busy: the downloaded files
 * then stay for the next attempt. After other errors, the files that this attempt downloaded and has not stored are discarded.
 */
export async function downloadResult(
	deps: DownloadDeps,
	result: ResultDownload,
	context: TranscodeContext,
): Promise<readonly MediaFile[]> {
	const { results } = deps;
	const { taskId, outputs } = result;
	await using disposables = new AsyncDisposableStack();
	const downloaded: DownloadedFile[] = [];
	const removeEarlierDownloads = async (): Promise<void> => {
		for (const { index, draft } of downloaded) if (!draft) await results.remove(taskId, fetchedIndexOf(index));
	};
	try {
		for (const index of outputs.slice(0, FILES_MAX).keys())
			downloaded.push(await downloadOne(deps, disposables, result, index, context));
		const transcoded = await transcodeAll(deps, disposables, result, downloaded, context);
		const files = await storeAll(results, taskId, transcoded);
		await removeEarlierDownloads();
		return files;
	} catch (error) {
		if (error instanceof UserError) await removeEarlierDownloads();
		if (error instanceof TranscodeQueueFullError)
			for (const { index, draft } of downloaded) await draft?.store(fetchedIndexOf(index));
		throw error;
	}
}

interface DownloadedFile {
	/** The index among the outputs of the service. */
	readonly index: number;
	readonly path: string;
	readonly sizeBytes: number;
	/** Absent if an earlier attempt downloaded the file, and stored it under `fetchedIndexOf(index)`. */
	readonly draft?: Draft;
}

async function downloadOne(
	{ results, download, downloadSemaphore }: DownloadDeps,
	disposables: AsyncDisposableStack,
	result: ResultDownload,
	index: number,
	{ signal }: TranscodeContext,
): Promise<DownloadedFile> {
	const { taskId, guildId, outputs } = result;
	const fetched = await results.locate(taskId, fetchedIndexOf(index));
	if (fetched) return { index, path: fetched.path, sizeBytes: fetched.sizeBytes };
	const url = outputs[index]?.url ?? "";
	const release = await downloadSemaphore.acquire(1, guildId, signal);
	// Only the single file of a result can be uploaded before the message is known.
	const content = outputs.length === 1 ? downloadAndUpload(download, result, url, signal) : download(url, signal);
	try {
		const draft = disposables.use(await results.draft(taskId, index, content));
		return { index, path: draft.path, sizeBytes: draft.sizeBytes, draft };
	} catch (error) {
		throw toUserError(error);
	} finally {
		release();
	}
}

function downloadAndUpload(download: Download, result: ResultDownload, url: string, signal: AbortSignal) {
	const { taskId, bytesMax, startUpload, mark } = result;
	let sizeBytes = Number.POSITIVE_INFINITY;
	const content = download(url, signal, (declaredBytes) => (sizeBytes = declaredBytes));
	const start = (contentType: string, extension: string, addedBytes: number): Upload | undefined => {
		const uploadedBytes = sizeBytes + addedBytes;
		if (uploadedBytes > Math.min(bytesMax, MESSAGE_BYTES_MAX)) return undefined;
		return startUpload({ name: fileNameOf(taskId, extension), contentType, sizeBytes: uploadedBytes });
	};
	return uploadWhileDownloading(content, start, mark);
}

function fileNameOf(taskId: string, extension: string, suffix = ""): string {
	return `atelier-${taskId.slice(-6)}${suffix}.${extension}`;
}

interface TranscodedDownload {
	readonly source: DownloadedFile;
	readonly file: DraftedFile;
}

/**
 * Transcodes the files, and leaves out those of another media type. Returns the others in the order of the outputs. Throws
 * a `UserError` for an unusable file, and if no file has the requested type.
 */
async function transcodeAll(
	{ results, transcoder }: DownloadDeps,
	disposables: AsyncDisposableStack,
	{ taskId, mediaType, bytesMax, mark }: ResultDownload,
	downloaded: readonly DownloadedFile[],
	context: TranscodeContext,
): Promise<readonly TranscodedDownload[]> {
	const expected = EXPECTED_KINDS[mediaType];
	const transcoded: TranscodedDownload[] = [];
	let wrongTypeError: UserError | undefined;
	let leftBytes = MESSAGE_BYTES_MAX;
	// Smallest first: what a small file leaves of its share goes to larger ones, so only the largest have to shrink.
	const bySize = downloaded.toSorted((one, other) => one.sizeBytes - other.sizeBytes);
	for (const [position, source] of bySize.entries()) {
		const { index, path, sizeBytes } = source;
		const shareBytes = Math.floor(leftBytes / (bySize.length - position));
		const limits = { bytesMax: Math.min(bytesMax, shareBytes), expected, mark };
		const hasTranscodedSibling = transcoded.some(({ file }) => file.drafts.length > 0);
		const input = { taskId, index, path, sizeBytes, hasTranscodedSibling, ...limits };
		try {
			const file = await transcodeOutput({ results, transcoder, disposables }, input, context);
			transcoded.push({ source, file });
			if (!file.isNotConverted) leftBytes -= file.sizeBytes;
		} catch (error) {
			if (!(error instanceof UnusableFileError)) throw error;
			const { why } = error;
			const userError = new UserError(unusableFileMessage(why, input), { cause: error });
			if (why.kind !== "wrongMediaType") throw userError;
			wrongTypeError = userError;
			const { found, contentType } = why;
			context.logger.warn({ output: index + 1, found, contentType, sizeBytes }, "output of the wrong media type");
		}
	}
	if (transcoded.length === 0 && wrongTypeError) throw wrongTypeError;
	return transcoded.toSorted((one, other) => one.source.index - other.source.index);
}

/**
 * Stores the files under their final indexes, in order: a file that moves to a lower index never replaces one that is still
 * needed. Removes none on failure, because another process may have stored the same result.
 */
async function storeAll(
	results: ResultStore,
	taskId: string,
	transcoded: readonly TranscodedDownload[],
): Promise<readonly MediaFile[]> {
	const files: MediaFile[] = [];
	for (const [position, { source, file }] of transcoded.entries()) {
		await storeFile(results, taskId, source, file, position);
		const { extension, drafts: _stored, ...described } = file;
		const suffix = transcoded.length > 1 ? `-${position + 1}` : "";
		files.push({ name: fileNameOf(taskId, extension, suffix), ...described });
	}
	return files;
}

async function storeFile(
	results: ResultStore,
	taskId: string,
	{ index, draft }: DownloadedFile,
	{ drafts }: DraftedFile,
	position: number,
): Promise<void> {
	const [transcoded, fullSize] = drafts;
	if (transcoded) await transcoded.store(position);
	else if (draft) await draft.store(position);
	else await results.move(taskId, fetchedIndexOf(index), position);
	await fullSize?.store(fullSizeIndexOf(position));
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
