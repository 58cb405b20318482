import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import type { MediaKind } from "@atelier/media-files/media-kind";
import type { Transcoder } from "@atelier/media-files/transcoder";
import type { MediaFile } from "./media-file.ts";
import { bytesOfMark, markFile, type ProvenanceMark } from "@atelier/media-files/mark-file";
import type { StagedFile, ResultStore } from "./result-store.ts";
import { noteOfTranscoded } from "./transcode-messages.ts";

interface FileToPrepare {
	readonly taskId: string;
	readonly path: string;
	readonly sizeBytes: number;
	readonly bytesMax: number;
	readonly expected?: MediaKind;
	/** True if the input is kept as the full-size file of any new file; absent to keep only that of a preview. */
	readonly keepsFullSize?: boolean;
	/** `undefined` if files get no mark. */
	readonly mark: ProvenanceMark | undefined;
}

export interface PrepareContext {
	readonly logger: Logger;
	readonly signal: AbortSignal;
}

/** A transcoded and marked file that is ready to be stored. Its name follows from its final index. */
export interface PreparedFile extends Omit<MediaFile, "name"> {
	readonly extension: string;
	/** The new file; absent if the source needs no change. */
	readonly staged?: StagedFile;
	/** The source with its mark, if it is kept. */
	readonly fullSizeStaged?: StagedFile;
}

interface PrepareDeps {
	readonly results: Pick<ResultStore, "stage">;
	readonly transcoder: Transcoder;
	/** Owns the staged files. */
	readonly disposables: AsyncDisposableStack;
}

/**
 * Transcodes one file of a result to the limit and adds its mark, without storing it yet. Throws an `UnusableFileError` if that
 * is impossible. A file that only this machine cannot convert stays as it is (`describeNotConverted`).
 */
export async function prepareFile(
	{ results, transcoder, disposables }: PrepareDeps,
	{ taskId, path, sizeBytes, bytesMax, expected, keepsFullSize, mark }: FileToPrepare,
	{ logger, signal }: PrepareContext,
): Promise<PreparedFile> {
	const unmarkedBytesMax = mark ? Math.max(1, bytesMax - bytesOfMark(mark)) : bytesMax;
	await using transcoded = await transcoder.transcode(
		{
			path,
			sizeBytes,
			bytesMax: unmarkedBytesMax,
			...(expected && { expected }),
		},
		logger,
		signal,
	);
	const { contentType, extension, imageSize } = transcoded;
	const type = { contentType, extension, ...(imageSize && { imageSize }) };
	const transcodedPath = "path" in transcoded ? transcoded.path : path;
	const notConverted = transcoded.kind === "notTranscoded" && describeNotConverted(sizeBytes, unmarkedBytesMax);
	const marked = mark && (await markFile(transcodedPath, mark));
	const provenance = marked && { provenance: marked.provenance };
	if (!("path" in transcoded) && !marked?.isChanged) return { ...type, ...provenance, ...notConverted, sizeBytes };
	const stage = async (content: AsyncIterable<Uint8Array>): Promise<StagedFile> =>
		disposables.use(await results.stage(taskId, content));
	const staged = await stage(marked?.read() ?? createReadStream(transcodedPath));
	const fullSizeStaged =
		(keepsFullSize ?? transcoded.kind === "preview") && (await stage(await readMarked(path, mark)));
	const note = "path" in transcoded ? noteOfTranscoded(transcoded, sizeBytes) : undefined;
	return {
		...type,
		...provenance,
		...notConverted,
		sizeBytes: staged.sizeBytes,
		staged,
		...(fullSizeStaged && { fullSizeStaged }),
		...(note && { note }),
	};
}

async function readMarked(path: string, mark: ProvenanceMark | undefined): Promise<AsyncIterable<Uint8Array>> {
	return mark ? (await markFile(path, mark)).read() : createReadStream(path);
}

/** An original that exceeds the limit is not delivered. One that fits is, with a note: Discord may not play it. */
function describeNotConverted(sizeBytes: number, bytesMax: number): Pick<PreparedFile, "isNotConverted" | "note"> {
	return sizeBytes > bytesMax ? { isNotConverted: true } : { note: { kind: "original" } };
}
