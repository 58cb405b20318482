import { isTooShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

const CHUNKS_MAX = 200;
/** The chunk's name and length, and the codec. */
const CHUNK_HEAD_BYTES = 34;
/** Integers, floats, A-law and µ-law. */
const CODEC_SIGNATURES = new Set([1, 3, 6, 7]);
const EXTENSIBLE = 0xfffe;
/** Encoders that do not know the length write 0, or a number from here on. */
const UNKNOWN_BYTES_FROM = 0x7ff00000;

export async function verifyWav({ startOffset, to, read }: AudioFile): Promise<IntegrityVerdict> {
	let codec: number | undefined;
	let at = startOffset + 12;
	for (let chunks = 0; chunks < CHUNKS_MAX && at < to; chunks++) {
		const head = await read(at, CHUNK_HEAD_BYTES);
		if (head.byteLength < 8) break;
		const name = head.toString("latin1", 0, 4);
		const declaredBytes = head.readUInt32LE(4);
		at += 8;
		if (name === "fmt ") codec = codecOf(head);
		if (name === "data") {
			if (at === to || codec === undefined) return "damaged";
			const isDeclared = declaredBytes > 0 && declaredBytes < UNKNOWN_BYTES_FROM;
			if (isDeclared && isTooShort(to - at, declaredBytes)) return "damaged";
			return CODEC_SIGNATURES.has(codec) ? "intact" : "undecided";
		}
		at += declaredBytes + (declaredBytes % 2);
	}
	return codec === undefined ? "damaged" : "undecided";
}

function codecOf(chunk: Buffer): number | undefined {
	if (chunk.byteLength < CHUNK_HEAD_BYTES) return undefined;
	const codec = chunk.readUInt16LE(8);
	return codec === EXTENSIBLE ? chunk.readUInt16LE(32) : codec;
}
