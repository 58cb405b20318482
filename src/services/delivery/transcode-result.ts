import { UserError } from "../user-error.ts";
import { transcodeOutput, fullSizeIndexOf, type TranscodeContext } from "./transcode-output.ts";
import type { Transcoder } from "./transcode/transcoder.ts";
import type { MediaFile } from "./media-file.ts";
import type { MediaMark } from "./provenance/xmp.ts";
import { openDrafts, type Draft, type ResultStore } from "./result-store.ts";

interface TranscodeResultInput {
	readonly taskId: string;
	readonly files: readonly MediaFile[];
	readonly bytesMax: number;
	readonly mark: MediaMark | undefined;
}

/**
 * Transcodes a stored result to lower limits. Resolves to `undefined` if that is impossible; the result then stays as it was.
 * Throws `TranscodeQueueFullError` if the transcoder is busy.
 */
export async function transcodeResult(
	{ results, transcoder }: { readonly results: ResultStore; readonly transcoder: Transcoder },
	{ taskId, files, bytesMax, mark }: TranscodeResultInput,
	context: TranscodeContext,
): Promise<readonly MediaFile[] | undefined> {
	if (bytesMax === 0) return undefined;
	await using drafts = openDrafts(results, taskId);
	const smaller: MediaFile[] = [];
	const newDrafts: Draft[] = [];
	try {
		for (const [index, file] of files.entries()) {
			// A preview is generated again from the full-size file, and keeps its note.
			const fullSize = await results.locate(taskId, fullSizeIndexOf(index));
			const source = file.sizeBytes > bytesMax ? (fullSize ?? (await results.locate(taskId, index))) : undefined;
			if (source === undefined) {
				smaller.push(file);
				continue;
			}
			const { path, sizeBytes } = source;
			const hasTranscodedSibling = newDrafts.length > 0;
			const input = {
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
			} = await transcodeOutput({ transcoder, drafts }, input, context);
			if (rest.isNotConverted) return undefined;
			newDrafts.push(...draftsOfFile);
			smaller.push({ ...rest, name: file.name.replace(/\.\w+$/, `.${extension}`) });
		}
	} catch (error) {
		if (error instanceof UserError) return undefined;
		throw error;
	}
	for (const draft of newDrafts) await draft.store();
	return smaller;
}
