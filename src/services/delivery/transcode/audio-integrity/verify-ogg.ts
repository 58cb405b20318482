import type { IntegrityVerdict, AudioFile } from "./audio-file.ts";

const PAGE_HEAD_BYTES = 27;
const SEGMENTS_MAX = 255;
const PAGE_BYTES_MAX = PAGE_HEAD_BYTES + SEGMENTS_MAX + SEGMENTS_MAX * 255;
/** The first bytes of the first packet. */
const PLAYED_CODECS = ["OpusHead", "\x01vorbis", "\x7fFLAC"];
const CODEC_BYTES = 8;

export async function verifyOgg({ from, to, read }: AudioFile): Promise<IntegrityVerdict> {
	const tailFrom = Math.max(from, to - 2 * PAGE_BYTES_MAX);
	const tail = await read(tailFrom, to - tailFrom);
	const last = lastPage(tail);
	if (last === undefined || last.until > tail.byteLength) return "broken";
	// A recorded live stream has no last page, but consists of complete pages.
	if (!last.endsStream && last.until < tail.byteLength) return "broken";
	if (last.reached === 0n) return "unsure";
	const head = await read(from, PAGE_HEAD_BYTES + SEGMENTS_MAX + CODEC_BYTES);
	const packetAt = PAGE_HEAD_BYTES + (head[PAGE_HEAD_BYTES - 1] ?? 0);
	const packet = head.toString("latin1", packetAt, packetAt + CODEC_BYTES);
	return PLAYED_CODECS.some((codec) => packet.startsWith(codec)) ? "whole" : "unsure";
}

interface Page {
	readonly endsStream: boolean;
	/** The position of the audio at the end of the page, in the codec's unit. */
	readonly reached: bigint;
	/** Offset of the end of the page, which may be beyond the buffer. */
	readonly until: number;
}

function lastPage(buffer: Buffer): Page | undefined {
	const at = buffer.lastIndexOf("OggS");
	if (at < 0) return undefined;
	const bodyAt = at + PAGE_HEAD_BYTES + (buffer[at + PAGE_HEAD_BYTES - 1] ?? 0);
	if (bodyAt > buffer.byteLength) return undefined;
	const bodyBytes = buffer.subarray(at + PAGE_HEAD_BYTES, bodyAt).reduce((sum, bytes) => sum + bytes, 0);
	return {
		endsStream: (buffer.readUInt8(at + 5) & 4) !== 0,
		reached: buffer.readBigUInt64LE(at + 6),
		until: bodyAt + bodyBytes,
	};
}
