import { crc32, inflateSync } from "node:zlib";
import { planOfXmp, XMP_BYTES_MAX, xmpOf, type ProvenanceMark } from "./xmp.ts";
import { insertAt, type MarkPlan, type PartReader } from "./file-edits.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const CHUNK_FRAME_BYTES = 12;
/** The first chunk, `IHDR`, has 13 bytes of data. */
const HEADER_END = SIGNATURE_BYTES + CHUNK_FRAME_BYTES + 13;
const KEYWORD = "XML:com.adobe.xmp";

/** Plans the mark of a PNG from the chunks before the image data: readers ignore XMP after it, and manifests precede it. */
export async function planPng(file: PartReader, mark: ProvenanceMark): Promise<MarkPlan> {
	let planByXmp: MarkPlan | undefined;
	for (let at = SIGNATURE_BYTES; ;) {
		const frame = await file.read(at, 8);
		const lengthBytes = frame.readUInt32BE(0);
		const type = frame.toString("latin1", 4, 8);
		switch (type) {
			case "IDAT":
			case "IEND":
				return planByXmp ?? { kind: "mark", edits: [insertAt(HEADER_END, chunkOf(xmpOf(mark)))] };
			case "caBX":
				return { kind: "keep", found: "c2pa" };
			case "iTXt":
			case "zTXt": {
				if (lengthBytes > XMP_BYTES_MAX) break;
				const xmp = xmpIn(type, await file.read(at + 8, lengthBytes));
				if (xmp === undefined) break;
				const chunk = { at, removeBytes: lengthBytes + CHUNK_FRAME_BYTES };
				planByXmp ??= planOfXmp(xmp, mark, (extended) => [{ ...chunk, insert: chunkOf(extended) }]);
			}
		}
		at += lengthBytes + CHUNK_FRAME_BYTES;
	}
}

/** Returns the XMP of a text chunk; `undefined` for other texts. */
function xmpIn(type: "iTXt" | "zTXt", data: Buffer): string | undefined {
	if (!data.toString("latin1").startsWith(`${KEYWORD}\0`)) return undefined;
	// After the keyword and its zero: the compression method.
	if (type === "zTXt") return inflate(data.subarray(KEYWORD.length + 2));
	// After the keyword and its zero: a compression flag and method, the language and the translated keyword.
	const isCompressed = data[KEYWORD.length + 1] === 1;
	const languageEnd = data.indexOf(0, KEYWORD.length + 3);
	const translationEnd = data.indexOf(0, languageEnd + 1);
	const text = data.subarray(translationEnd + 1);
	return isCompressed ? inflate(text) : text.toString();
}

function inflate(bytes: Buffer): string {
	return inflateSync(bytes, { maxOutputLength: XMP_BYTES_MAX }).toString();
}

function chunkOf(xmp: string): Buffer {
	// Not compressed, without a language and a translated keyword.
	const body = Buffer.from(`iTXt${KEYWORD}\0\0\0\0\0${xmp}`);
	const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(body.byteLength - 4);
	checksum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, checksum]);
}
