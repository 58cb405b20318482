import { planOfXmp, XMP_BYTES_MAX, xmpOf, type ProvenanceMark } from "./xmp.ts";
import { addedBytesOf, insertAt, UNSUPPORTED, type Edit, type MarkPlan, type PartReader } from "./file-edits.ts";

const HEADER_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** Flags of the extended header, the `VP8X` chunk. */
const XMP_FLAG = 0x04;
const ALPHA_FLAG = 0x10;
/** Sides of lossy and lossless images have 14 bits. */
const SIDE_MASK = 0x3fff;

/** Plans the mark of a WebP from all its chunks, because metadata follows the image. */
export async function planWebp(file: PartReader, mark: ProvenanceMark): Promise<MarkPlan> {
	const header = await file.read(0, HEADER_BYTES);
	const riffBytes = header.readUInt32LE(4);
	const endAt = CHUNK_HEAD_BYTES + riffBytes;
	const firstType = (await file.read(HEADER_BYTES, 4)).toString("latin1");
	let planByXmp: MarkPlan | undefined;
	for (let at = HEADER_BYTES; at + CHUNK_HEAD_BYTES <= endAt;) {
		const head = await file.read(at, CHUNK_HEAD_BYTES);
		const type = head.toString("latin1", 0, 4);
		const lengthBytes = head.readUInt32LE(4);
		const nextAt = at + CHUNK_HEAD_BYTES + padded(lengthBytes);
		if (type === "C2PA") return { kind: "keep", found: "c2pa" };
		if (type === "XMP ") {
			const xmp = (await file.read(at + CHUNK_HEAD_BYTES, Math.min(lengthBytes, XMP_BYTES_MAX))).toString();
			const chunk = { at, removeBytes: nextAt - at };
			planByXmp ??=
				lengthBytes > XMP_BYTES_MAX
					? UNSUPPORTED
					: planOfXmp(xmp, mark, (extended) => withSize(riffBytes, [{ ...chunk, insert: chunkOf(extended) }]));
		}
		at = nextAt;
	}
	// Throws for a file that is shorter than its header says.
	await file.read(endAt - 1, 1);
	if (planByXmp) return planByXmp;
	const extension = await extendedHeader(file, firstType);
	if (!extension) return UNSUPPORTED;
	return { kind: "mark", edits: withSize(riffBytes, [extension, insertAt(endAt, chunkOf(xmpOf(mark)))]) };
}

/** Adds the new size of the whole file to the edits. */
function withSize(riffBytes: number, edits: readonly Edit[]): readonly Edit[] {
	const size = Buffer.alloc(4);
	size.writeUInt32LE(riffBytes + addedBytesOf({ kind: "mark", edits }));
	return [{ at: 4, removeBytes: 4, insert: size }, ...edits];
}

/**
 * Announces XMP in the extended header. An image without such a header gets one. Resolves to `undefined` for an unknown kind of
 * image.
 */
async function extendedHeader(file: PartReader, firstType: string): Promise<Edit | undefined> {
	if (firstType === "VP8X") {
		const flags = await file.read(HEADER_BYTES + CHUNK_HEAD_BYTES, 1);
		const insert = Buffer.from([flags.readUInt8(0) | XMP_FLAG]);
		return { at: HEADER_BYTES + CHUNK_HEAD_BYTES, removeBytes: 1, insert };
	}
	const dataAt = HEADER_BYTES + CHUNK_HEAD_BYTES;
	if (firstType === "VP8 ") {
		const data = await file.read(dataAt, 10);
		return headerOf(data.readUInt16LE(6) & SIDE_MASK, data.readUInt16LE(8) & SIDE_MASK, false);
	}
	if (firstType === "VP8L") {
		const bits = (await file.read(dataAt, 5)).readUInt32LE(1);
		return headerOf((bits & SIDE_MASK) + 1, ((bits >>> 14) & SIDE_MASK) + 1, ((bits >>> 28) & 1) === 1);
	}
	return undefined;
}

/** Inserts an extended header. */
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

/** Returns the length of a chunk with its padding: chunks begin at even offsets. */
function padded(lengthBytes: number): number {
	return lengthBytes + (lengthBytes % 2);
}
