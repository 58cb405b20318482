import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import type { TranscodeChange, Transcoded } from "@atelier/media-files/transcoder";
import type { UnusableReason } from "@atelier/media-files/unusable-file";
import type { FileNote } from "./media-file.ts";
import type { ResultLink } from "./result-links.ts";

const MIB = 1024 * 1024;
const MEDIA_TYPES_OF = { image: "image", video: "video", audio: "music" } as const;

/** Returns the note about a transcoded file; `undefined` if the member notices no change. */
export function noteOfTranscoded(
	{ kind, changes }: Extract<Transcoded, { path: string }>,
	fullSizeBytes: number,
): FileNote | undefined {
	if (kind === "preview") return { kind, changes, fullSizeMiB: inMiB(fullSizeBytes) };
	return changes.length > 0 ? { kind: "fitted", changes } : undefined;
}

/** Returns the message of a note. `link`: to the full-size file, if there is one. */
export function noteMessage(note: FileNote, taskId: string, link: ResultLink | undefined): MessageDescriptor {
	switch (note.kind) {
		case "original":
			return { key: "result.originalDelivered" };
		case "fitted":
			return { key: "result.fitted", params: { changes: note.changes.map(changeMessage) } };
		case "preview": {
			const params = { sizeMiB: note.fullSizeMiB, changes: note.changes.map(changeMessage) };
			return link
				? { key: "result.previewLinked", params: { ...params, ...link } }
				: { key: "result.preview", params: { ...params, taskId } };
		}
	}
}

/** Returns the message about one change. */
function changeMessage(change: TranscodeChange): MessageDescriptor {
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
			return { key: "change.standardColors" };
		case "frame":
			return { key: "change.frame" };
		case "beginning":
			return { key: "change.beginning", params: { seconds: change.seconds } };
	}
}

/** Returns the message about an output that cannot be delivered. */
export function unusableFileMessage(
	why: UnusableReason,
	{ sizeBytes, bytesMax }: { readonly sizeBytes: number; readonly bytesMax: number },
): MessageDescriptor {
	switch (why.kind) {
		case "wrongMediaType":
			return { key: "service.resultWrongMediaType", params: { mediaType: MEDIA_TYPES_OF[why.expected] } };
		case "damaged":
			return { key: "service.resultDamaged" };
		case "unknownType":
			return { key: "service.resultUnknownType" };
		case "tooManyPixels":
			return { key: "service.resultTooManyPixels", params: { megapixels: why.megapixels } };
		case "tooLarge":
			return { key: "service.resultTooLarge", params: { sizeMiB: inMiB(sizeBytes), limitMiB: inMiB(bytesMax) } };
	}
}

/** Returns the size in MiB, rounded up to one decimal. */
function inMiB(bytes: number): number {
	return Math.ceil((bytes / MIB) * 10) / 10;
}
