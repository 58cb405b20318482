import { endsWithFrame, holdsFrames, mpegFrameAt } from "./mpeg-frames.ts";
import { fallsShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

/** Samples the file in windows. Each has room for a run of the longest frames after a partial one. */
const WINDOWS = 8;
const WINDOW_BYTES = 16 * 1024;
/** Encoders declare the length in the first frame, within these bytes of its header. */
const LENGTH_AT_MAX = 64;

export async function verifyMp3({ from: start, to, read }: AudioFile): Promise<IntegrityVerdict> {
	const from = start + leadingZeros(await read(start, WINDOW_BYTES));
	const bytes = Math.min(WINDOW_BYTES, to - from);
	if (bytes <= 0) return "broken";
	const head = await read(from, bytes);
	const first = mpegFrameAt(head, 0);
	if (first !== undefined && first.bytes === undefined) return "unsure";

	const windows = await Promise.all(
		Array.from({ length: WINDOWS }, (_, index) =>
			read(from + Math.floor(((to - from - bytes) * index) / (WINDOWS - 1)), bytes),
		),
	);
	const audible = windows.filter(holdsFrames).length;
	if (audible < WINDOWS / 2) return "broken";
	// A file that is cut at a frame boundary is an intentional excerpt, even if its header declares the original length.
	if (fallsShort(to, saidBytes(head)) && !endsWithFrame(windows.at(-1) ?? head)) return "broken";
	return audible === WINDOWS && (first === undefined || first.layer === 3) ? "whole" : "unsure";
}

function leadingZeros(buffer: Buffer): number {
	const zeros = buffer.findIndex((byte) => byte !== 0);
	return zeros < 0 ? buffer.byteLength : zeros;
}

/** 0 without a declared length. */
function saidBytes(head: Buffer): number {
	const near = head.subarray(0, LENGTH_AT_MAX);
	const lame = Math.max(near.indexOf("Xing"), near.indexOf("Info"));
	if (lame >= 0 && lame + 16 <= head.byteLength) {
		const flags = head.readUInt32BE(lame + 4);
		const bytesAt = lame + 8 + (flags & 1) * 4;
		return (flags & 2) === 0 ? 0 : head.readUInt32BE(bytesAt);
	}
	const fraunhofer = near.indexOf("VBRI");
	return fraunhofer >= 0 && fraunhofer + 14 <= head.byteLength ? head.readUInt32BE(fraunhofer + 10) : 0;
}
