import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import type { MessageRef } from "../../i18n/messages.ts";
import type { MediaKind } from "./transcode/transcode-job.ts";
import type { Transcoded, Transcoder } from "./transcode/transcoder.ts";
import type { MediaFile } from "./media-file.ts";
import type { Draft, Drafts } from "./result-store.ts";

/** Discord's maximum for one message. */
export const FILES_MAX = 10;
const MIB = 1024 * 1024;

/** The index of a full-size file whose preview is shown. */
export function wholeIndexOf(index: number): number {
	return FILES_MAX + index;
}

/** The index of a downloaded file that waits for its transcode. */
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
	/** It is a full-size file that is already stored under its final index. */
	readonly isKept?: boolean;
	/** Another file of the same result was transcoded. */
	readonly isUnderWay?: boolean;
}

export interface TranscodeContext {
	readonly logger: Logger;
	readonly signal: AbortSignal;
}

/** A file without its name, which follows from its final index. */
export interface DraftedFile extends Omit<MediaFile, "name"> {
	readonly ending: string;
	/** New files to store; empty if the downloaded file is used unchanged. */
	readonly made: readonly Draft[];
}

/** Transcodes one file to the limits, without storing it yet. Throws a `UserError` if that is impossible. */
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
