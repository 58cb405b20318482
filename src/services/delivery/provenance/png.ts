import { crc32, inflateSync } from "node:zlib";
import { addToXmp, hasSourceType, xmpOf, type MediaMark } from "./xmp.ts";
import { insertAt, UNSUPPORTED, type MarkPlan, type PartReader } from "./mark-edits.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const CHUNK_FRAME_BYTES = 12;
const HEADER_END = SIGNATURE_BYTES + CHUNK_FRAME_BYTES + 13;
const KEYWORD = "XML:com.adobe.xmp";
const XMP_BYTES_MAX = 1024 * 1024;

/** Reads the chunks before the image data: readers ignore XMP after it, and C2PA manifests precede it. */
export async function planPng(file: PartReader, mark: MediaMark): Promise<MarkPlan> {
	for (let at = SIGNATURE_BYTES; ;) {
		const frame = await file.read(at, 8);
		const lengthBytes = frame.readUInt32BE(0);
		const type = frame.toString("latin1", 4, 8);
		switch (type) {
			case "IDAT":
			case "IEND":
				return { kind: "mark", edits: [insertAt(HEADER_END, chunkOf(xmpOf(mark)))] };
			case "caBX":
				return { kind: "keep", found: "c2pa" };
			case "iTXt":
			case "zTXt": {
				if (lengthBytes > XMP_BYTES_MAX) break;
				const xmp = xmpIn(type, await file.read(at + 8, lengthBytes));
				if (xmp === undefined) break;
				if (hasSourceType(xmp)) return { kind: "keep", found: "iptc" };
				const merged = addToXmp(xmp, mark);
				if (merged === undefined) return UNSUPPORTED;
				const edit = { at, removeBytes: lengthBytes + CHUNK_FRAME_BYTES, insert: chunkOf(merged) };
				return { kind: "mark", edits: [edit] };
			}
		}
		at += lengthBytes + CHUNK_FRAME_BYTES;
	}
}

/** Returns the XMP of a text chunk; `undefined` for other texts. */
function xmpIn(type: "iTXt" | "zTXt", data: Buffer): string | undefined {
	if (!data.toString("latin1").startsWith(`${KEYWORD}\0`)) return undefined;
	if (type === "zTXt") return inflate(data.subarray(KEYWORD.length + 2));
	const isCompressed = data[KEYWORD.length + 1] === 1;
	const language = data.indexOf(0, KEYWORD.length + 3);
	const translated = data.indexOf(0, language + 1);
	const text = data.subarray(translated + 1);
	return isCompressed ? inflate(text) : text.toString();
}

function inflate(bytes: Buffer): string {
	return inflateSync(bytes, { maxOutputLength: XMP_BYTES_MAX }).toString();
}

function chunkOf(xmp: string): Buffer {
	// Not compressed, without language and translated keyword.
	const body = Buffer.from(`iTXt${KEYWORD}\0\0\0\0\0${xmp}`);
	const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(body.byteLength - 4);
	checksum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, checksum]);
}
