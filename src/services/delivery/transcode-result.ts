import { transcodeOutput, type TranscodeContext } from "./transcode-output.ts";
import type { Transcoder } from "@atelier/media-files/transcoder";
import { UnusableFileError } from "@atelier/media-files/unusable-file";
import type { MediaFile } from "./media-file.ts";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import { fullSizeIndexOf, type Draft, type ResultStore } from "./result-store.ts";

interface ResultToTranscode {
	readonly taskId: string;
	readonly files: readonly MediaFile[];
	/** 0 if Discord accepts no files at all. */
	readonly bytesMax: number;
	readonly mark: ProvenanceMark | undefined;
}

/**
 * Transcodes the files of a stored result that exceed a lower limit. Resolves to `undefined` if that is impossible; the result
 * then stays as it was. Throws `TranscodeQueueFullError` if the transcoder is busy.
 */
export async function transcodeResult(
	{ results, transcoder }: { readonly results: ResultStore; readonly transcoder: Transcoder },
	{ taskId, files, bytesMax, mark }: ResultToTranscode,
	context: TranscodeContext,
): Promise<readonly MediaFile[] | undefined> {
	if (bytesMax === 0) return undefined;
	await using disposables = new AsyncDisposableStack();
	const newFiles: MediaFile[] = [];
	const newDrafts: Draft[] = [];
	try {
		for (const [index, file] of files.entries()) {
			// A preview is generated again from the full-size file.
			const fullSize = await results.locate(taskId, fullSizeIndexOf(index));
			const source = fullSize ?? (await results.locate(taskId, index));
			if (file.sizeBytes <= bytesMax || !source) {
				newFiles.push(file);
				continue;
			}
			const { path, sizeBytes } = source;
			const hasTranscodedSibling = newDrafts.length > 0;
			const output = {
				taskId,
				index,
				path,
				sizeBytes,
				bytesMax,
				isFullSizeStored: fullSize !== undefined,
				hasTranscodedSibling,
				mark,
			};
			const {
				extension,
				drafts: draftsOfFile,
				...rest
			} = await transcodeOutput({ results, transcoder, disposables }, output, context);
			if (rest.isNotConverted) return undefined;
			newDrafts.push(...draftsOfFile);
			newFiles.push({ ...rest, name: file.name.replace(/\.\w+$/, `.${extension}`) });
		}
	} catch (error) {
		if (error instanceof UnusableFileError) return undefined;
		throw error;
	}
	for (const draft of newDrafts) await draft.store();
	return newFiles;
}
