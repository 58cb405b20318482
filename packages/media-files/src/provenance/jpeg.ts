import { planOfXmp, xmpOf, type ProvenanceMark } from "./xmp.ts";
import { insertAt, UNSUPPORTED, type MarkPlan, type PartReader } from "./file-edits.ts";

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP11 = 0xeb;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const SEGMENT_BYTES_MAX = 0xffff;
const XMP_HEADER = "http://ns.adobe.com/xap/1.0/\0";
const EXIF_HEADER = "Exif\0";

/** Plans the mark of a JPEG from the segments before the image data. */
export async function planJpeg(file: PartReader, mark: ProvenanceMark): Promise<MarkPlan> {
	/** The end of the leading JFIF and Exif segments, which readers expect first. */
	let insertionAt = 2;
	let planByXmp: MarkPlan | undefined;
	for (let at = 2; ;) {
		const head = await file.read(at, 4);
		if (head[0] !== 0xff) return UNSUPPORTED;
		const marker = head.readUInt8(1);
		const isFillByte = marker === 0xff;
		if (isFillByte) {
			at++;
			continue;
		}
		if (marker === START_OF_SCAN || marker === END_OF_IMAGE) {
			if (planByXmp) return planByXmp;
			const segment = segmentOf(xmpOf(mark));
			return segment ? { kind: "mark", edits: [insertAt(insertionAt, segment)] } : UNSUPPORTED;
		}
		// The length includes its own two bytes, but not the marker.
		const lengthBytes = head.readUInt16BE(2);
		if (lengthBytes < 2) return UNSUPPORTED;
		const data = await file.read(at + 4, lengthBytes - 2);
		const endAt = at + 2 + lengthBytes;
		// A JUMBF box, which contains a manifest.
		if (marker === APP11 && data.toString("latin1", 0, 2) === "JP") return { kind: "keep", found: "c2pa" };
		if (marker === APP1 && data.toString("latin1", 0, XMP_HEADER.length) === XMP_HEADER) {
			const xmp = data.toString("utf8", XMP_HEADER.length);
			const segment = { at, removeBytes: endAt - at };
			planByXmp ??= planOfXmp(xmp, mark, (extended) => {
				const insert = segmentOf(extended);
				return insert && [{ ...segment, insert }];
			});
		}
		const isLeading =
			marker === APP0 || (marker === APP1 && data.toString("latin1", 0, EXIF_HEADER.length) === EXIF_HEADER);
		if (isLeading && insertionAt === at) insertionAt = endAt;
		at = endAt;
	}
}

/** Returns the segment for an XMP packet; `undefined` if the packet is too long for one segment. */
function segmentOf(xmp: string): Buffer | undefined {
	const body = Buffer.from(XMP_HEADER + xmp);
	if (body.byteLength + 2 > SEGMENT_BYTES_MAX) return undefined;
	const head = Buffer.from([0xff, APP1, 0, 0]);
	head.writeUInt16BE(body.byteLength + 2, 2);
	return Buffer.concat([head, body]);
}
