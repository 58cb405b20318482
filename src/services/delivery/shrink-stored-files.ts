import { prepareFile, type PrepareContext, type PreparedFile } from "./prepare-file.ts";
import type { Transcoder } from "@atelier/media-files/transcoder";
import { UnusableFileError } from "@atelier/media-files/unusable-file";
import type { MediaFile } from "./media-file.ts";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { ResultStore } from "./result-store.ts";

interface StoredFilesToShrink {
	readonly taskId: string;
	readonly files: readonly MediaFile[];
	readonly bytesMax: number;
	readonly mark: ProvenanceMark | undefined;
}

/**
 * Transcodes the files of a stored result that exceed a lower limit, and keeps their full-size files. After a crash, a call with the
 * same arguments has the same result. Resolves to `undefined` if that is impossible; the result then stays as it was.
 */
export async function shrinkStoredFiles(
	{ results, transcoder }: { readonly results: ResultStore; readonly transcoder: Transcoder },
	{ taskId, files, bytesMax, mark }: StoredFilesToShrink,
	context: PrepareContext,
): Promise<readonly MediaFile[] | undefined> {
	await using disposables = new AsyncDisposableStack();
	const preparedFiles: (PreparedFile | undefined)[] = [];
	try {
		for (const [index, file] of files.entries()) {
			const source = await results.locateFullSize(taskId, index);
			if (file.sizeBytes <= bytesMax || !source) {
				preparedFiles.push(undefined);
				continue;
			}
			const { path, sizeBytes, hasPreview } = source;
			const input = { taskId, path, sizeBytes, bytesMax, keepsFullSize: !hasPreview, mark };
			const prepared = await prepareFile({ results, transcoder, disposables }, input, context);
			if (prepared.isNotConverted) return undefined;
			preparedFiles.push(prepared);
		}
	} catch (error) {
		if (error instanceof UnusableFileError) return undefined;
		throw error;
	}
	const newFiles: MediaFile[] = [];
	for (const [index, file] of files.entries()) newFiles.push(await replaceFile(file, index, preparedFiles[index]));
	return newFiles;
}

/** Stores the new content of a file, if it has any. */
async function replaceFile(file: MediaFile, index: number, prepared: PreparedFile | undefined): Promise<MediaFile> {
	if (!prepared) return file;
	const { extension, staged, fullSizeStaged, ...described } = prepared;
	// First the full-size file: the new file replaces the stored source.
	await fullSizeStaged?.storeFullSize(index);
	await staged?.store(index);
	return { ...described, name: file.name.replace(/\.\w+$/, `.${extension}`) };
}
