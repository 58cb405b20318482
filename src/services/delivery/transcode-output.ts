import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import type { MessageRef } from "../../i18n/message-ref.ts";
import type { MediaKind, TranscodeChange } from "./transcode/transcode-job.ts";
import type { Transcoded, Transcoder } from "./transcode/transcoder.ts";
import type { MediaFile } from "./media-file.ts";
import { applyPlan, provenanceOf, UNSUPPORTED } from "./provenance/mark-edits.ts";
import { planMarkOfFile } from "./provenance/plan-mark.ts";
import { bytesOfMark, type MediaMark } from "./provenance/xmp.ts";
import type { Draft, Drafts } from "./result-store.ts";

/** Discord's maximum for one message. */
export const FILES_MAX = 10;
const MIB = 1024 * 1024;

/** Returns the index in the result store of the full-size file whose preview is shown under `index`. */
export function fullSizeIndexOf(index: number): number {
	return FILES_MAX + index;
}

/** Returns the index in the result store of the downloaded output `index` while it waits for its transcode. */
export function fetchedIndexOf(index: number): number {
	return 2 * FILES_MAX + index;
}

interface OutputToTranscode {
	readonly taskId: string;
	readonly index: number;
	readonly path: string;
	readonly sizeBytes: number;
	readonly bytesMax: number;
	readonly expected?: MediaKind;
	/** True if the input is a stored full-size file, of which only the preview is new. */
	readonly isFullSizeStored?: boolean;
	/** True if an earlier file of the same result was transcoded. */
	readonly hasTranscodedSibling?: boolean;
	/** `undefined` if files get no mark. */
	readonly mark: MediaMark | undefined;
}

export interface TranscodeContext {
	readonly logger: Logger;
	readonly signal: AbortSignal;
}

/** A file that is ready to be stored. Its name follows from its final index. */
export interface DraftedFile extends Omit<MediaFile, "name"> {
	readonly extension: string;
	/** The file, and the full-size file if the first is a preview; empty if the downloaded file is stored unchanged. */
	readonly drafts: readonly Draft[];
}

/**
 * Transcodes one output of the service to the limit and adds its mark, without storing it yet. Throws a `UserError` if that is
 * impossible.
 */
export async function transcodeOutput(
	{ transcoder, drafts }: { readonly transcoder: Transcoder; readonly drafts: Drafts },
	{
		taskId,
		index,
		path,
		sizeBytes,
		bytesMax,
		expected,
		isFullSizeStored = false,
		hasTranscodedSibling = false,
		mark,
	}: OutputToTranscode,
	{ logger, signal }: TranscodeContext,
): Promise<DraftedFile> {
	const unmarkedBytesMax = mark ? Math.max(1, bytesMax - bytesOfMark(mark)) : bytesMax;
	await using transcoded = await transcoder.transcode(
		{
			path,
			sizeBytes,
			bytesMax: unmarkedBytesMax,
			hasTranscodedSibling,
			...(expected && { expected }),
		},
		logger,
		signal,
	);
	const { contentType, extension, pixels } = transcoded;
	const type = { contentType, extension, ...(pixels !== undefined && { pixels }) };
	const transcodedPath = "path" in transcoded ? transcoded.path : path;
	const notConverted = transcoded.kind === "notConverted" && describeNotConverted(sizeBytes, unmarkedBytesMax);
	const plan = mark && (await planMarkOfFile(contentType, transcodedPath, mark));
	const provenance = plan && { provenance: provenanceOf(plan) };
	if (!("path" in transcoded) && plan?.kind !== "mark")
		return { ...type, ...provenance, ...notConverted, sizeBytes, drafts: [] };
	const draft = await drafts.add(index, applyPlan(createReadStream(transcodedPath), plan ?? UNSUPPORTED));
	const ownDrafts = [draft];
	if (transcoded.kind === "preview" && !isFullSizeStored) {
		const fullSizePlan = mark ? await planMarkOfFile(contentType, path, mark) : UNSUPPORTED;
		ownDrafts.push(await drafts.add(fullSizeIndexOf(index), applyPlan(createReadStream(path), fullSizePlan)));
	}
	const note = "path" in transcoded ? noteOf(transcoded, taskId, sizeBytes) : undefined;
	return {
		...type,
		...provenance,
		...notConverted,
		sizeBytes: draft.sizeBytes,
		drafts: ownDrafts,
		...(note && { note }),
	};
}

/** An original that exceeds the limit is not delivered. One that fits is, with a note: Discord may not play it. */
function describeNotConverted(sizeBytes: number, bytesMax: number): Pick<DraftedFile, "isNotConverted" | "note"> {
	return sizeBytes > bytesMax ? { isNotConverted: true } : { note: { key: "result.originalDelivered" } };
}

/** Returns the note about a transcoded file; `undefined` if the member notices no change. */
function noteOf(
	transcoded: Extract<Transcoded, { path: string }>,
	taskId: string,
	fullSizeBytes: number,
): MessageRef | undefined {
	const { kind } = transcoded;
	const changes = transcoded.changes.map(formatChange);
	if (kind === "preview") return { key: "result.preview", params: { changes, sizeMiB: inMiB(fullSizeBytes), taskId } };
	return changes.length > 0 ? { key: "result.fitted", params: { changes } } : undefined;
}

/** Returns the message about one change. */
function formatChange(change: TranscodeChange): MessageRef {
	switch (change.kind) {
		case "compressed":
			return { key: "change.compressed" };
		case "smaller":
			return { key: "change.smaller", params: { width: change.width, height: change.height } };
		case "fewerFrames":
			return { key: "change.fewerFrames", params: { framesPerSecond: change.framesPerSecond } };
		case "still":
			return { key: "change.still" };
		case "standardColors":
			return { key: change.faithful ? "change.standardColors" : "change.palerColors" };
		case "frame":
			return { key: "change.frame" };
		case "beginning":
			return { key: "change.beginning", params: { seconds: change.seconds } };
	}
}

function inMiB(bytes: number): number {
	return Math.ceil((bytes / MIB) * 10) / 10;
}
