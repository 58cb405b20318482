import { planOfXmp, XMP_BYTES_MAX, xmpOf, type ProvenanceMark } from "./xmp.ts";
import { insertAt, UNSUPPORTED, type MarkPlan, type PartReader } from "./file-edits.ts";

/** Of the tag. Its size is in the last four bytes. */
const HEADER_BYTES = 10;
const FRAME_HEAD_BYTES = 10;
const XMP_OWNER = "XMP\0";
const MANIFEST_TYPES = ["application/x-c2pa-manifest-store", "application/c2pa"];
/** Enough for the content type at the start of a `GEOB` frame. */
const TYPE_BYTES_MAX = 64;
/** The version of a new tag: ID3v2.4. */
const NEW_TAG_VERSION = 4;

/** Plans the mark of an MP3 from the frames of its ID3v2 tag. A file without a tag gets one. */
export async function planMp3(file: PartReader, mark: ProvenanceMark): Promise<MarkPlan> {
	const header = await file.read(0, HEADER_BYTES);
	if (header.toString("latin1", 0, 3) !== "ID3") {
		const frame = frameOf(xmpOf(mark), NEW_TAG_VERSION);
		return { kind: "mark", edits: [insertAt(0, tagHeader(frame.byteLength), frame)] };
	}
	const version = header.readUInt8(3);
	// Other versions and flags change the layout of the frames.
	if ((version !== 3 && version !== 4) || header[5] !== 0) return UNSUPPORTED;
	const tagBytes = fromSynchsafe(header.readUInt32BE(6));
	const endAt = HEADER_BYTES + tagBytes;
	let planByXmp: MarkPlan | undefined;
	for (let at = HEADER_BYTES; at + FRAME_HEAD_BYTES <= endAt;) {
		const head = await file.read(at, FRAME_HEAD_BYTES);
		const id = head.toString("latin1", 0, 4);
		const isPadding = head[0] === 0;
		if (isPadding) break;
		const lengthBytes = version === 4 ? fromSynchsafe(head.readUInt32BE(4)) : head.readUInt32BE(4);
		const dataAt = at + FRAME_HEAD_BYTES;
		if (dataAt + lengthBytes > endAt) return UNSUPPORTED;
		if (id === "GEOB") {
			const start = (await file.read(dataAt, Math.min(lengthBytes, TYPE_BYTES_MAX))).toString("latin1", 1);
			if (MANIFEST_TYPES.some((type) => start.startsWith(`${type}\0`))) return { kind: "keep", found: "c2pa" };
		}
		if (id === "PRIV" && lengthBytes <= XMP_BYTES_MAX) {
			const data = await file.read(dataAt, lengthBytes);
			if (data.toString("latin1", 0, XMP_OWNER.length) === XMP_OWNER) {
				const xmp = data.toString("utf8", XMP_OWNER.length);
				const before = { at, removeBytes: FRAME_HEAD_BYTES + lengthBytes };
				planByXmp ??= planOfXmp(xmp, mark, (extended) => {
					const insert = frameOf(extended, version);
					return [sizeEdit(tagBytes + insert.byteLength - before.removeBytes), { ...before, insert }];
				});
			}
		}
		at = dataAt + lengthBytes;
	}
	if (planByXmp) return planByXmp;
	const frame = frameOf(xmpOf(mark), version);
	return { kind: "mark", edits: [sizeEdit(tagBytes + frame.byteLength), insertAt(HEADER_BYTES, frame)] };
}

function tagHeader(tagBytes: number): Buffer {
	const header = Buffer.from([...Buffer.from("ID3"), NEW_TAG_VERSION, 0, 0, 0, 0, 0, 0]);
	header.writeUInt32BE(toSynchsafe(tagBytes), 6);
	return header;
}

/** Replaces the size in the header of the tag. */
function sizeEdit(tagBytes: number) {
	const insert = Buffer.alloc(4);
	insert.writeUInt32BE(toSynchsafe(tagBytes));
	return { at: 6, removeBytes: 4, insert };
}

/** Returns a `PRIV` frame with an XMP packet. Only version 4 has synchsafe sizes of frames. */
function frameOf(xmp: string, version: number): Buffer {
	const body = Buffer.from(XMP_OWNER + xmp);
	const head = Buffer.alloc(FRAME_HEAD_BYTES);
	head.write("PRIV", "latin1");
	head.writeUInt32BE(version === 4 ? toSynchsafe(body.byteLength) : body.byteLength, 4);
	return Buffer.concat([head, body]);
}

/** A synchsafe size uses seven bits of each byte, so that no byte looks like the start of audio. */
function toSynchsafe(size: number): number {
	return (size & 0x7f) | ((size & 0x3f80) << 1) | ((size & 0x1fc000) << 2) | ((size & 0xfe00000) << 3);
}

function fromSynchsafe(size: number): number {
	return (size & 0x7f) | ((size >>> 1) & 0x3f80) | ((size >>> 2) & 0x1fc000) | ((size >>> 3) & 0xfe00000);
}
