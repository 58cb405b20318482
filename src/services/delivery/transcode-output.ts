import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import type { MessageRef } from "../../i18n/messages.ts";
import type { MediaKind } from "./transcode/transcode-job.ts";
import type { Transcoded, Transcoder } from "./transcode/transcoder.ts";
import type { MediaFile } from "./media-file.ts";
import type { Draft, Drafts } from "./result-store.ts";

/** Discord's bound for one message. */
export const FILES_MAX = 10;
const MIB = 1024 * 1024;

/** Where the whole of a file is kept that is shown in part: beside what is shown. */
export function wholeIndexOf(index: number): number {
	return FILES_MAX + index;
}

/** Where a file is kept that has been fetched, and waits to be fitted. */
export function fetchedIndexOf(index: number): number {
	return 2 * FILES_MAX + index;
}

interface Fitting {
	readonly taskId: string;
	readonly index: number;
	readonly path: string;
	readonly sizeBytes: number;
	readonly bytesMax: number;
	readonly expected?: MediaKind;
	/** It is the whole of what is shown in part, and kept as that already. */
	readonly isKept?: boolean;
	/** Another file of the same result has been fitted. */
	readonly isUnderWay?: boolean;
}

export interface TranscodeContext {
	readonly logger: Logger;
	readonly signal: AbortSignal;
}

/** A file without a name, which its place among the others gives it, but for its ending. */
export interface DraftedFile extends Omit<MediaFile, "name"> {
	readonly ending: string;
	/** What has to be kept of it; nothing where it is the file that came. */
	readonly made: readonly Draft[];
}

/** Makes one file fit; what was made of it is not kept yet. Throws a `UserError` where that cannot be done. */
export async function transcodeOutput(
	{ transcoder, drafts }: { readonly transcoder: Transcoder; readonly drafts: Drafts },
	{ taskId, index, path, sizeBytes, bytesMax, expected, isKept = false, isUnderWay = false }: Fitting,
	{ logger, signal }: TranscodeContext,
): Promise<DraftedFile> {
	await using fitted = await transcoder.fit(
		{ path, sizeBytes, bytesMax, isUnderWay, ...(expected && { expected }) },
		logger,
		signal,
	);
	const { contentType, ending, pixels } = fitted;
	const shown = { contentType, ending, ...(pixels !== undefined && { pixels }) };
	if (fitted.kind === "asItIs") return { ...shown, sizeBytes, made: [] };
	const made = [await drafts.add(index, createReadStream(fitted.path))];
	if (fitted.kind === "preview" && !isKept) made.push(await drafts.add(wholeIndexOf(index), createReadStream(path)));
	const note = noteOf(fitted, taskId, sizeBytes);
	return { ...shown, sizeBytes: fitted.sizeBytes, made, ...(note && { note }) };
}

function noteOf(
	fitted: Exclude<Transcoded, { kind: "asItIs" }>,
	taskId: string,
	wholeBytes: number,
): MessageRef | undefined {
	const { kind, changes } = fitted;
	if (kind === "preview") return { key: "resultPreview", params: { changes, sizeMiB: inMiB(wholeBytes), taskId } };
	return changes.length > 0 ? { key: "resultFitted", params: { changes } } : undefined;
}

function inMiB(bytes: number): number {
	return Math.ceil((bytes / MIB) * 10) / 10;
}
