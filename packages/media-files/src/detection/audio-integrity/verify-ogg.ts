import type { IntegrityVerdict, AudioFile } from "./audio-file.ts";

const PAGE_HEAD_BYTES = 27;
/** A page has a table with the size of each segment, one byte each, and then the segments. */
const SEGMENTS_MAX = 255;
const SEGMENT_BYTES_MAX = 255;
const PAGE_BYTES_MAX = PAGE_HEAD_BYTES + SEGMENTS_MAX + SEGMENTS_MAX * SEGMENT_BYTES_MAX;
/** The first bytes of the first packet, for the codecs that Discord's clients play. */
const CODEC_SIGNATURES = ["OpusHead", "\x01vorbis", "\x7fFLAC"];
const CODEC_BYTES = 8;
/** A flag in the header of a page. */
const END_OF_STREAM = 4;

export async function verifyOgg({ startOffset, endOffset, read }: AudioFile): Promise<IntegrityVerdict> {
	const tailFrom = Math.max(startOffset, endOffset - 2 * PAGE_BYTES_MAX);
	const tail = await read(tailFrom, endOffset - tailFrom);
	const last = lastPage(tail);
	if (last === undefined || last.endOffset > tail.byteLength) return "damaged";
	// A recorded live stream never sets the end-of-stream flag; it must still end at a page boundary.
	if (!last.endsStream && last.endOffset < tail.byteLength) return "damaged";
	if (last.granulePosition === 0n) return "undecided";
	const head = await read(startOffset, PAGE_HEAD_BYTES + SEGMENTS_MAX + CODEC_BYTES);
	const packetAt = PAGE_HEAD_BYTES + (head[PAGE_HEAD_BYTES - 1] ?? 0);
	const packet = head.toString("latin1", packetAt, packetAt + CODEC_BYTES);
	return CODEC_SIGNATURES.some((codec) => packet.startsWith(codec)) ? "intact" : "undecided";
}

interface Page {
	readonly endsStream: boolean;
	/** The position of the audio at the end of the page, in the codec's unit. Zero in a file that declares no length. */
	readonly granulePosition: bigint;
	/** Offset of the end of the page, which may be beyond the buffer. */
	readonly endOffset: number;
}

/** Returns the last page that begins in the buffer; `undefined` without one. */
function lastPage(buffer: Buffer): Page | undefined {
	const at = buffer.lastIndexOf("OggS");
	if (at < 0) return undefined;
	const bodyAt = at + PAGE_HEAD_BYTES + (buffer[at + PAGE_HEAD_BYTES - 1] ?? 0);
	if (bodyAt > buffer.byteLength) return undefined;
	const bodyBytes = buffer.subarray(at + PAGE_HEAD_BYTES, bodyAt).reduce((sum, bytes) => sum + bytes, 0);
	return {
		endsStream: (buffer.readUInt8(at + 5) & END_OF_STREAM) !== 0,
		granulePosition: buffer.readBigUInt64LE(at + 6),
		endOffset: bodyAt + bodyBytes,
	};
}
