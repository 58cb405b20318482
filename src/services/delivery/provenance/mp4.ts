import { hasSourceType, xmpOf, type MediaMark } from "./xmp.ts";
import { hasBytesAt, insertAt, UNSUPPORTED, type MarkPlan, type PartReader, type TailMark } from "./mark-edits.ts";

const XMP_ID = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const C2PA_ID = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
const BOX_HEAD_BYTES = 8;
const XMP_BYTES_MAX = 1024 * 1024;

/** The starts of boxes that already say where a file comes from. */
const SIGNATURES: readonly Buffer[] = [XMP_ID, C2PA_ID].map((id) => Buffer.concat([Buffer.from("uuid"), id]));

/** Reads the top-level boxes. The mark is the last one, so that no offset in the file changes. */
export async function planMp4(file: PartReader, mark: MediaMark): Promise<MarkPlan> {
	let at = 0;
	while (await hasBytesAt(file, at, BOX_HEAD_BYTES)) {
		const { type, lengthBytes, headBytes } = await boxAt(file, at);
		// A box without an end takes all that follows.
		if (lengthBytes < headBytes) return UNSUPPORTED;
		if (type === "uuid") {
			const id = await file.read(at + headBytes, 16);
			if (id.equals(C2PA_ID)) return { kind: "keep", found: "c2pa" };
			if (id.equals(XMP_ID)) {
				const xmpBytes = Math.min(lengthBytes - headBytes - 16, XMP_BYTES_MAX);
				const xmp = await file.read(at + headBytes + 16, xmpBytes);
				// A longer packet would move the media data.
				return hasSourceType(xmp.toString()) ? { kind: "keep", found: "iptc" } : UNSUPPORTED;
			}
		}
		at += lengthBytes;
		// The last box is cut off.
		if (!(await hasBytesAt(file, at - 1, 1))) return UNSUPPORTED;
	}
	return { kind: "mark", edits: [insertAt(at, boxOf(mark))] };
}

/** The mark of a file that is still downloaded. `undefined` if its head already has one. */
export function mp4Tail(head: Buffer, mark: MediaMark): TailMark | undefined {
	if (SIGNATURES.some((signature) => head.includes(signature))) return undefined;
	return { insert: boxOf(mark), signatures: SIGNATURES };
}

function boxOf(mark: MediaMark): Buffer {
	const xmp = Buffer.from(xmpOf(mark));
	const head = Buffer.alloc(BOX_HEAD_BYTES);
	head.writeUInt32BE(BOX_HEAD_BYTES + XMP_ID.byteLength + xmp.byteLength);
	head.write("uuid", 4, "latin1");
	return Buffer.concat([head, XMP_ID, xmp]);
}

async function boxAt(file: PartReader, at: number) {
	const head = await file.read(at, BOX_HEAD_BYTES);
	const type = head.toString("latin1", 4, 8);
	const declaredBytes = head.readUInt32BE(0);
	if (declaredBytes !== 1) return { type, lengthBytes: declaredBytes, headBytes: BOX_HEAD_BYTES };
	const large = await file.read(at + BOX_HEAD_BYTES, 8);
	return { type, lengthBytes: Number(large.readBigUInt64BE(0)), headBytes: BOX_HEAD_BYTES + 8 };
}
