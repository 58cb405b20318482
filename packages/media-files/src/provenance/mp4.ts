import { planOfXmp, XMP_BYTES_MAX, xmpOf, type ProvenanceMark } from "./xmp.ts";
import { hasBytesAt, insertAt, UNSUPPORTED, type MarkPlan, type PartReader } from "./file-edits.ts";

/** The ids of `uuid` boxes with XMP and with a manifest. */
const XMP_ID = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const C2PA_ID = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
const BOX_ID_BYTES = 16;
/** The size of a box and its type. */
const BOX_HEAD_BYTES = 8;
/** With a length of 64 bits. */
const LARGE_BOX_HEAD_BYTES = 16;

/** The types and ids of boxes that already say where a file comes from. */
const SIGNATURES: readonly Buffer[] = [XMP_ID, C2PA_ID].map((id) => Buffer.concat([Buffer.from("uuid"), id]));

/** Plans the mark of an MP4 from its top-level boxes. The mark becomes the last box, so that no offset in the file changes. */
export async function planMp4(file: PartReader, mark: ProvenanceMark): Promise<MarkPlan> {
	let at = 0;
	let planByXmp: MarkPlan | undefined;
	while (await hasBytesAt(file, at, BOX_HEAD_BYTES)) {
		const { type, lengthBytes, headBytes } = await boxAt(file, at);
		// The length 0 means "until the end of the file", so that no box can follow.
		if (lengthBytes < headBytes) return UNSUPPORTED;
		if (type === "uuid") {
			const id = await file.read(at + headBytes, BOX_ID_BYTES);
			if (id.equals(C2PA_ID)) return { kind: "keep", found: "c2pa" };
			if (id.equals(XMP_ID)) {
				const xmpBytes = Math.min(lengthBytes - headBytes - BOX_ID_BYTES, XMP_BYTES_MAX);
				const xmp = await file.read(at + headBytes + BOX_ID_BYTES, xmpBytes);
				// A longer packet would move the media data.
				planByXmp ??= planOfXmp(xmp.toString(), mark, () => undefined);
			}
		}
		at += lengthBytes;
		// The box is truncated.
		if (!(await hasBytesAt(file, at - 1, 1))) return UNSUPPORTED;
	}
	return planByXmp ?? { kind: "mark", edits: [insertAt(at, boxOf(mark))] };
}

/**
 * Plans the mark of a file of which only the head is downloaded. Returns `undefined` if the head already has one, or has a box to the
 * end of the file.
 */
export function planMp4OfHead(head: Buffer, mark: ProvenanceMark): MarkPlan | undefined {
	if (SIGNATURES.some((signature) => head.includes(signature))) return undefined;
	for (let at = 0; at + LARGE_BOX_HEAD_BYTES <= head.byteLength;) {
		const { lengthBytes, headBytes } = parseBoxHead(head.subarray(at));
		if (lengthBytes < headBytes) return undefined;
		at += lengthBytes;
	}
	return { kind: "mark", edits: [insertAt(Number.POSITIVE_INFINITY, boxOf(mark))], conflicts: SIGNATURES };
}

function boxOf(mark: ProvenanceMark): Buffer {
	const xmp = Buffer.from(xmpOf(mark));
	const head = Buffer.alloc(BOX_HEAD_BYTES);
	head.writeUInt32BE(BOX_HEAD_BYTES + XMP_ID.byteLength + xmp.byteLength);
	head.write("uuid", 4, "latin1");
	return Buffer.concat([head, XMP_ID, xmp]);
}

async function boxAt(file: PartReader, at: number): Promise<BoxHead> {
	const isLarge = (await file.read(at, BOX_HEAD_BYTES)).readUInt32BE(0) === 1;
	return parseBoxHead(await file.read(at, isLarge ? LARGE_BOX_HEAD_BYTES : BOX_HEAD_BYTES));
}

interface BoxHead {
	readonly type: string;
	readonly lengthBytes: number;
	readonly headBytes: number;
}

function parseBoxHead(head: Buffer): BoxHead {
	const type = head.toString("latin1", 4, 8);
	const declaredBytes = head.readUInt32BE(0);
	// The length 1 announces a length of 64 bits after the type.
	return declaredBytes === 1
		? { type, lengthBytes: Number(head.readBigUInt64BE(BOX_HEAD_BYTES)), headBytes: LARGE_BOX_HEAD_BYTES }
		: { type, lengthBytes: declaredBytes, headBytes: BOX_HEAD_BYTES };
}
