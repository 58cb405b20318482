import { endsWithFrame, containsFrames, mpegFrameAt } from "./mpeg-frames.ts";
import { isTooShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

/** Samples the file in windows. Each has room for a run of the longest frames after a partial one. */
const WINDOWS = 8;
const WINDOW_BYTES = 16 * 1024;
/** Encoders declare the length in the first frame, within these bytes of its header. */
const LENGTH_AT_MAX = 64;

export async function verifyMp3({ startOffset: start, to, read }: AudioFile): Promise<IntegrityVerdict> {
	const from = start + leadingZeros(await read(start, WINDOW_BYTES));
	const bytes = Math.min(WINDOW_BYTES, to - from);
	if (bytes <= 0) return "damaged";
	const head = await read(from, bytes);
	const first = mpegFrameAt(head, 0);
	if (first !== undefined && first.bytes === undefined) return "undecided";

	const windows = await Promise.all(
		Array.from({ length: WINDOWS }, (_, index) =>
			read(from + Math.floor(((to - from - bytes) * index) / (WINDOWS - 1)), bytes),
		),
	);
	const windowsWithFrames = windows.filter(containsFrames).length;
	if (windowsWithFrames < WINDOWS / 2) return "damaged";
	// A file that is cut at a frame boundary is an intentional excerpt, even if its header declares the original length.
	if (isTooShort(to, declaredBytes(head)) && !endsWithFrame(windows.at(-1) ?? head)) return "damaged";
	return windowsWithFrames === WINDOWS && (first === undefined || first.layer === 3) ? "intact" : "undecided";
}

function leadingZeros(buffer: Buffer): number {
	const zeros = buffer.findIndex((byte) => byte !== 0);
	return zeros < 0 ? buffer.byteLength : zeros;
}

/** 0 without a declared length. */
function declaredBytes(head: Buffer): number {
	const firstFrameStart = head.subarray(0, LENGTH_AT_MAX);
	const xingAt = Math.max(firstFrameStart.indexOf("Xing"), firstFrameStart.indexOf("Info"));
	if (xingAt >= 0 && xingAt + 16 <= head.byteLength) {
		const flags = head.readUInt32BE(xingAt + 4);
		const bytesAt = xingAt + 8 + (flags & 1) * 4;
		return (flags & 2) === 0 ? 0 : head.readUInt32BE(bytesAt);
	}
	const vbriAt = firstFrameStart.indexOf("VBRI");
	return vbriAt >= 0 && vbriAt + 14 <= head.byteLength ? head.readUInt32BE(vbriAt + 10) : 0;
}
