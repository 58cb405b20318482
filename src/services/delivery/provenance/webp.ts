import { addToXmp, hasSourceType, xmpOf, type MediaMark } from "./xmp.ts";
import { insertAt, UNSUPPORTED, type Edit, type MarkPlan, type PartReader } from "./mark-edits.ts";

const HEADER_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const XMP_FLAG = 0x04;
const ALPHA_FLAG = 0x10;
const XMP_BYTES_MAX = 1024 * 1024;

/** Reads every chunk: metadata follows the image. */
export async function planWebp(file: PartReader, mark: MediaMark): Promise<MarkPlan> {
	const header = await file.read(0, HEADER_BYTES);
	const riffBytes = header.readUInt32LE(4);
	const endAt = CHUNK_HEAD_BYTES + riffBytes;
	const first = (await file.read(HEADER_BYTES, 4)).toString("latin1");
	for (let at = HEADER_BYTES; at + CHUNK_HEAD_BYTES <= endAt;) {
		const head = await file.read(at, CHUNK_HEAD_BYTES);
		const type = head.toString("latin1", 0, 4);
		const lengthBytes = head.readUInt32LE(4);
		const nextAt = at + CHUNK_HEAD_BYTES + padded(lengthBytes);
		if (type === "C2PA") return { kind: "keep", found: "c2pa" };
		if (type === "XMP ") {
			if (lengthBytes > XMP_BYTES_MAX) return UNSUPPORTED;
			const xmp = (await file.read(at + CHUNK_HEAD_BYTES, lengthBytes)).toString();
			if (hasSourceType(xmp)) return { kind: "keep", found: "iptc" };
			const merged = addToXmp(xmp, mark);
			if (merged === undefined) return UNSUPPORTED;
			return markWith(riffBytes, [{ at, removeBytes: nextAt - at, insert: chunkOf(merged) }]);
		}
		at = nextAt;
	}
	// Fails for a file that is shorter than its header says.
	await file.read(endAt - 1, 1);
	const extension = await extendedHeader(file, first);
	return extension ? markWith(riffBytes, [extension, insertAt(endAt, chunkOf(xmpOf(mark)))]) : UNSUPPORTED;
}

/** Adds the new size of the whole file to the edits. */
function markWith(riffBytes: number, edits: readonly Edit[]): MarkPlan {
	const addedBytes = edits.reduce((sum, { insert, removeBytes }) => sum + insert.byteLength - removeBytes, 0);
	const size = Buffer.alloc(4);
	size.writeUInt32LE(riffBytes + addedBytes);
	return { kind: "mark", edits: [{ at: 4, removeBytes: 4, insert: size }, ...edits] };
}

/** Announces XMP in the extended header, which simple files get. `undefined` for an unknown kind of image. */
async function extendedHeader(file: PartReader, first: string): Promise<Edit | undefined> {
	if (first === "VP8X") {
		const flags = await file.read(HEADER_BYTES + CHUNK_HEAD_BYTES, 1);
		const insert = Buffer.from([flags.readUInt8(0) | XMP_FLAG]);
		return { at: HEADER_BYTES + CHUNK_HEAD_BYTES, removeBytes: 1, insert };
	}
	const dataAt = HEADER_BYTES + CHUNK_HEAD_BYTES;
	if (first === "VP8 ") {
		const data = await file.read(dataAt, 10);
		return headerOf(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff, false);
	}
	if (first === "VP8L") {
		const bits = (await file.read(dataAt, 5)).readUInt32LE(1);
		return headerOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, ((bits >>> 28) & 1) === 1);
	}
	return undefined;
}

function headerOf(width: number, height: number, hasAlpha: boolean): Edit {
	const data = Buffer.alloc(10);
	data.writeUInt8(XMP_FLAG | (hasAlpha ? ALPHA_FLAG : 0), 0);
	data.writeUIntLE(width - 1, 4, 3);
	data.writeUIntLE(height - 1, 7, 3);
	return insertAt(HEADER_BYTES, chunkHead("VP8X", data.byteLength), data);
}

function chunkOf(xmp: string): Buffer {
	const body = Buffer.from(xmp);
	return Buffer.concat([
		chunkHead("XMP ", body.byteLength),
		body,
		Buffer.alloc(padded(body.byteLength) - body.byteLength),
	]);
}

function chunkHead(type: string, lengthBytes: number): Buffer {
	const head = Buffer.alloc(CHUNK_HEAD_BYTES);
	head.write(type, "latin1");
	head.writeUInt32LE(lengthBytes, 4);
	return head;
}

/** Chunks have an even length. */
function padded(lengthBytes: number): number {
	return lengthBytes + (lengthBytes % 2);
}
