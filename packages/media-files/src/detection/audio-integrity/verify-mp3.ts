import { endsWithFrame, containsFrames, frameBytesAt } from "./mpeg-frames.ts";
import { isTooShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

/** Samples the file in windows. Each has room for a run of the longest frames after a partial one. */
const WINDOWS = 8;
const WINDOW_BYTES = 16 * 1024;
/** Encoders declare the length in the first frame, within these bytes of its header. */
const LENGTH_AT_MAX = 64;

export async function verifyMp3({ startOffset, endOffset, read }: AudioFile): Promise<IntegrityVerdict> {
	const audioAt = startOffset + leadingZeros(await read(startOffset, WINDOW_BYTES));
	const windowBytes = Math.min(WINDOW_BYTES, endOffset - audioAt);
	if (windowBytes <= 0) return "damaged";
	const head = await read(audioAt, windowBytes);
	const isFreeFormat = frameBytesAt(head, 0) === 0;
	if (isFreeFormat) return "undecided";

	const windows = await Promise.all(
		Array.from({ length: WINDOWS }, (_, index) =>
			read(audioAt + Math.floor(((endOffset - audioAt - windowBytes) * index) / (WINDOWS - 1)), windowBytes),
		),
	);
	const windowsWithFrames = windows.filter(containsFrames).length;
	if (windowsWithFrames < WINDOWS / 2) return "damaged";
	// A file that is cut at a frame boundary is an intentional excerpt, even if its header declares the original length.
	if (isTooShort(endOffset, declaredBytes(head)) && !endsWithFrame(windows.at(-1) ?? head)) return "damaged";
	return windowsWithFrames === WINDOWS ? "intact" : "undecided";
}

function leadingZeros(buffer: Buffer): number {
	const zeros = buffer.findIndex((byte) => byte !== 0);
	return zeros < 0 ? buffer.byteLength : zeros;
}

/** Returns the length of the file that its first frame declares, in a header of Xing; 0 without one. */
function declaredBytes(head: Buffer): number {
	const firstFrameStart = head.subarray(0, LENGTH_AT_MAX);
	const xingAt = Math.max(firstFrameStart.indexOf("Xing"), firstFrameStart.indexOf("Info"));
	if (xingAt < 0 || xingAt + 16 > head.byteLength) return 0;
	const flags = head.readUInt32BE(xingAt + 4);
	const [hasFrameCount, hasByteCount] = [(flags & 1) !== 0, (flags & 2) !== 0];
	return hasByteCount ? head.readUInt32BE(xingAt + 8 + (hasFrameCount ? 4 : 0)) : 0;
}
