import type { RemoteOutput } from "@atelier/media-protocol/remote-task";
import type { MediaType } from "@atelier/media-protocol/model";
import type { MessageRef } from "../../i18n/message-ref.ts";
import { UserError } from "../user-error.ts";
import { DownloadRefusedError, DownloadTooLargeError, type Download } from "@atelier/common/download";
import { WrongMediumError, type Transcoder } from "./transcode/transcoder.ts";
import type { MediaKind } from "./transcode/transcode-job.ts";
import {
	transcodeOutput,
	fetchedIndexOf,
	FILES_MAX,
	fullSizeIndexOf,
	type DraftedFile,
	type TranscodeContext,
} from "./transcode-output.ts";
import { TranscodeQueueFullError } from "./transcode/worker-pool.ts";
import type { MediaFile } from "./media-file.ts";
import type { MediaMark } from "./provenance/xmp.ts";
import type { StreamedFile, Upload } from "./reply-client.ts";
import { streamUpload } from "./streaming-upload.ts";
import { openDrafts, type Draft, type Drafts, type ResultStore } from "./result-store.ts";

/** Discord's limit for one request, minus the multipart overhead. */
const MESSAGE_BYTES_MAX = 24 * 1024 * 1024;
const MIB = 1024 * 1024;
const EXPECTED_KINDS: Readonly<Record<MediaType, MediaKind>> = { image: "image", video: "video", music: "audio" };

interface CollectDeps {
	readonly results: ResultStore;
	readonly download: Download;
	readonly transcoder: Transcoder;
}

interface Collection {
	readonly taskId: string;
	/** The requested media type. */
	readonly mediaType: MediaType;
	readonly outputs: readonly RemoteOutput[];
	/** The limit per file where it will be shown. */
	readonly bytesMax: number;
	/** True if an earlier attempt may have stored files that it could not transcode yet. */
	readonly isFetched: boolean;
	readonly startUpload: (file: StreamedFile) => Upload | undefined;
	/** `undefined` if files are passed on as they are. */
	readonly mark: MediaMark | undefined;
}

/**
 * Downloads a result, detects its types, transcodes it to the limits, and stores it. Only then is it charged. Files of
 * another media type, such as covers, are left out; a result without a file of the right type is an error. Throws a
 * `UserError` for an unusable result, `DownloadFailedError` if a retry may work, and `TranscodeQueueFullError` if the
 * transcoder is busy: downloaded files then stay for the next attempt. After other errors no file stays on the disk.
 */
export async function downloadResult(
	deps: CollectDeps,
	collection: Collection,
	context: TranscodeContext,
): Promise<readonly MediaFile[]> {
	const { results } = deps;
	const { taskId, outputs } = collection;
	await using drafts = openDrafts(results, taskId);
	const arrived: DownloadedFile[] = [];
	const forgetFetched = async (): Promise<void> => {
		for (const { index, draft } of arrived) if (!draft) await results.remove(taskId, fetchedIndexOf(index));
	};
	try {
		for (const index of outputs.slice(0, FILES_MAX).keys())
			arrived.push(await fetchOne(deps, drafts, collection, index, context));
		const files = await transcodeAll(deps, drafts, collection, arrived, context);
		await forgetFetched();
		return files;
	} catch (error) {
		if (error instanceof UserError) await forgetFetched();
		if (error instanceof TranscodeQueueFullError)
			for (const { index, draft } of arrived) await draft?.store(fetchedIndexOf(index));
		throw error;
	}
}

interface DownloadedFile {
	readonly index: number;
	readonly path: string;
	readonly sizeBytes: number;
	/** Absent if an earlier attempt downloaded the file. */
	readonly draft?: Draft;
}

async function fetchOne(
	{ results, download }: CollectDeps,
	drafts: Drafts,
	collection: Collection,
	index: number,
	{ signal }: TranscodeContext,
): Promise<DownloadedFile> {
	const { taskId, outputs, isFetched } = collection;
	const fetched = isFetched ? await results.locate(taskId, fetchedIndexOf(index)) : undefined;
	if (fetched) return { index, path: fetched.path, sizeBytes: fetched.sizeBytes };
	const url = outputs[index]?.url ?? "";
	// Only the single file of a result can be uploaded before the message is known.
	const content = outputs.length === 1 ? downloadAndUpload(download, collection, url, signal) : download(url, signal);
	const draft = await drafts.add(index, content).catch((error: unknown) => {
		throw toUserError(error);
	});
	return { index, path: draft.path, sizeBytes: draft.sizeBytes, draft };
}

function downloadAndUpload(download: Download, collection: Collection, url: string, signal: AbortSignal) {
	const { taskId, bytesMax, startUpload, mark } = collection;
	let sizeBytes = Number.POSITIVE_INFINITY;
	const content = download(url, signal, (saidBytes) => (sizeBytes = saidBytes));
	const start = (contentType: string, extension: string, addedBytes: number): Upload | undefined => {
		const uploadedBytes = sizeBytes + addedBytes;
		if (uploadedBytes > Math.min(bytesMax, MESSAGE_BYTES_MAX)) return undefined;
		return startUpload({ name: nameOf(taskId, extension), contentType, sizeBytes: uploadedBytes });
	};
	return streamUpload(content, start, mark);
}

function nameOf(taskId: string, extension: string, number = ""): string {
	return `atelier-${taskId.slice(-6)}${number}.${extension}`;
}

async function transcodeAll(
	deps: CollectDeps,
	drafts: Drafts,
	{ taskId, mediaType, bytesMax, mark }: Collection,
	arrived: readonly DownloadedFile[],
	context: TranscodeContext,
): Promise<readonly MediaFile[]> {
	const { results, transcoder } = deps;
	const expected = EXPECTED_KINDS[mediaType];
	const transcoded: { readonly source: DownloadedFile; readonly file: DraftedFile }[] = [];
	let wrongMediumError: WrongMediumError | undefined;
	let leftBytes = MESSAGE_BYTES_MAX;
	// Smallest first: the rest of its share goes to larger files, so that the largest shrinks most.
	const bySize = arrived.toSorted((one, other) => one.sizeBytes - other.sizeBytes);
	for (const [position, source] of bySize.entries()) {
		const { index, path, sizeBytes } = source;
		const shareBytes = Math.floor(leftBytes / (bySize.length - position));
		const hasTranscodedSibling = transcoded.some(({ file }) => file.made.length > 0);
		const fitting = {
			taskId,
			index,
			path,
			sizeBytes,
			bytesMax: Math.min(bytesMax, shareBytes),
			expected,
			hasTranscodedSibling,
			mark,
		};
		try {
			const file = await transcodeOutput({ transcoder, drafts }, fitting, context);
			transcoded.push({ source, file });
			leftBytes -= file.sizeBytes;
		} catch (error) {
			if (!(error instanceof WrongMediumError)) throw error;
			wrongMediumError = error;
			const { found, contentType } = error;
			context.logger.warn({ output: index + 1, found, contentType, sizeBytes }, "output of the wrong medium");
		}
	}
	if (transcoded.length === 0 && wrongMediumError) throw wrongMediumError;
	const inOrder = transcoded.toSorted((one, other) => one.source.index - other.source.index);
	// Stores the files last, and removes none on failure: another process may have stored the same result. In order, so
	// that a file that moves up never replaces one that is still needed.
	for (const [position, { source, file }] of inOrder.entries())
		await storeFile(results, taskId, source, file, position);
	return inOrder.map(({ file: { extension, contentType, sizeBytes, pixels, provenance, note } }, position) => {
		const name = nameOf(taskId, extension, inOrder.length > 1 ? `-${position + 1}` : "");
		return {
			name,
			contentType,
			sizeBytes,
			...(pixels !== undefined && { pixels }),
			...(provenance && { provenance }),
			...(note && { note }),
		};
	});
}

async function storeFile(
	results: ResultStore,
	taskId: string,
	{ index, draft }: DownloadedFile,
	{ made }: DraftedFile,
	position: number,
): Promise<void> {
	const [shown, whole] = made;
	if (shown) await shown.store(position);
	else if (draft) await draft.store(position);
	else await results.move(taskId, fetchedIndexOf(index), position);
	await whole?.store(fullSizeIndexOf(position));
}

/** Converts permanent download errors into messages for the member. */
function toUserError(error: unknown): unknown {
	if (error instanceof DownloadTooLargeError) {
		return errorWithCause(error, {
			key: "service.resultTooLargeToFetch",
			params: { limitMiB: Math.floor(error.limitBytes / MIB) },
		});
	}
	if (error instanceof DownloadRefusedError) return errorWithCause(error, { key: "service.resultOutOfBounds" });
	return error;
}

function errorWithCause(cause: unknown, ref: MessageRef): UserError {
	return Object.assign(new UserError(ref), { cause });
}
