import { isTooShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

/** `RIFF`, the length of the file, `WAVE`. */
const RIFF_HEAD_BYTES = 12;
const CHUNKS_MAX = 200;
/** The chunk's name and length, and the codec. */
const CHUNK_HEAD_BYTES = 34;
/** Codecs that every client plays: integers, floats, A-law and µ-law. */
const PLAYABLE_CODECS = new Set([1, 3, 6, 7]);
/** The codec is in a later field. */
const EXTENSIBLE = 0xfffe;
/** Encoders that do not know the length write 0, or a number from here on. */
const UNKNOWN_BYTES_FROM = 0x7ff00000;

export async function verifyWav({ startOffset, endOffset, read }: AudioFile): Promise<IntegrityVerdict> {
	let codec: number | undefined;
	let at = startOffset + RIFF_HEAD_BYTES;
	for (let chunks = 0; chunks < CHUNKS_MAX && at < endOffset; chunks++) {
		const head = await read(at, CHUNK_HEAD_BYTES);
		if (head.byteLength < 8) break;
		const name = head.toString("latin1", 0, 4);
		const declaredBytes = head.readUInt32LE(4);
		at += 8;
		if (name === "fmt ") codec = codecOf(head);
		if (name === "data") {
			if (at === endOffset || codec === undefined) return "damaged";
			const isDeclared = declaredBytes > 0 && declaredBytes < UNKNOWN_BYTES_FROM;
			if (isDeclared && isTooShort(endOffset - at, declaredBytes)) return "damaged";
			return PLAYABLE_CODECS.has(codec) ? "intact" : "undecided";
		}
		// Chunks begin at even offsets.
		at += declaredBytes + (declaredBytes % 2);
	}
	return codec === undefined ? "damaged" : "undecided";
}

/** Returns the codec of a `fmt ` chunk; `undefined` if the chunk is truncated. */
function codecOf(chunk: Buffer): number | undefined {
	if (chunk.byteLength < CHUNK_HEAD_BYTES) return undefined;
	const codec = chunk.readUInt16LE(8);
	return codec === EXTENSIBLE ? chunk.readUInt16LE(32) : codec;
}
