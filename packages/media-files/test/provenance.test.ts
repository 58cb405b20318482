import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createReadStream } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { applyPlan, provenanceOf } from "../src/provenance/file-edits.ts";
import { planMarkOfFile } from "../src/provenance/plan-file-edits.ts";
import { bytesOfMark, xmpOf, type ProvenanceMark } from "../src/provenance/xmp.ts";
import { downloadWithUpload } from "./download-with-upload.ts";

const MARK: ProvenanceMark = {
	sourceType: "trainedAlgorithmicMedia",
	modelName: 'Model <1> & "two"',
	botName: "Atelier",
};
const SOURCE_TYPE = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const XMP_ID = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const C2PA_ID = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
const PIXELS = sharp({ create: { width: 5, height: 3, channels: 4, background: { r: 1, g: 200, b: 3, alpha: 0.5 } } });
const OTHER_XMP =
	'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>a</dc:format></rdf:Description></rdf:RDF></x:xmpmeta>';

/** The end of the first chunk of a PNG. */
const PNG_HEADER_END = 33;

/** Marks a file, with reads of seven bytes. */
async function marked(contentType: string, bytes: Uint8Array, mark = MARK) {
	const path = join(await createTempFolder(), "file");
	await writeFile(path, bytes);
	const plan = await planMarkOfFile(contentType, path, mark);
	const content = createReadStream(path, { highWaterMark: 7 });
	return { plan, bytes: Buffer.concat(await Array.fromAsync(applyPlan(content, plan))) };
}

const pixelsOf = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
/** An image that is larger than the head that an upload reads first. */
const noise = () => sharp(randomBytes(300 * 200 * 3), { raw: { width: 300, height: 200, channels: 3 } });
const u32 = (value: number): Buffer => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
};
const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
	const body = Buffer.concat(parts);
	return Buffer.concat([u32(body.byteLength + 8), Buffer.from(type), body]);
};
const pngChunk = (type: string, data: Uint8Array): Buffer => {
	const body = Buffer.concat([Buffer.from(type), data]);
	return Buffer.concat([u32(data.byteLength), body, u32(crc32(body))]);
};
const insertAt = (bytes: Uint8Array, at: number, insert: Uint8Array): Buffer =>
	Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at)]);

const withXmp = () => PIXELS.clone().withXmp(OTHER_XMP);
const withExif = () => PIXELS.clone().withExif({ IFD0: { Artist: "A" } });
const png = () => PIXELS.clone().png().toBuffer();
const jpeg = () => PIXELS.clone().jpeg().toBuffer();
const webp = (options = {}) => PIXELS.clone().webp(options).toBuffer();
const opaqueWebp = () => PIXELS.clone().removeAlpha().webp().toBuffer();
const pngWith = (chunk: Uint8Array) => async () => insertAt(await png(), PNG_HEADER_END, chunk);
const jpegWith = (segment: Uint8Array) => async () => insertAt(await jpeg(), 2, segment);
/** A chunk of a PNG with XMP: its flags, and its text. */
const xmpChunk = (flags: string, text: Uint8Array) =>
	pngChunk("iTXt", Buffer.concat([Buffer.from(`XML:com.adobe.xmp\0${flags}\0\0\0`), text]));
/** A segment of a JPEG with XMP. */
const xmpSegment = (text: string, sizeBytes = text.length) => {
	const xmp = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text.padEnd(sizeBytes)}`);
	return Buffer.concat([Buffer.from([0xff, 0xe1, (xmp.byteLength + 2) >> 8, (xmp.byteLength + 2) & 0xff]), xmp]);
};

const pngManifest = pngChunk("caBX", Buffer.from("jumb"));
const jpegManifest = Buffer.from("ffeb00084a5000010000", "hex");
const webpWithManifest = (original: Buffer): Buffer => {
	const bytes = Buffer.concat([original, Buffer.from("C2PA\x04\0\0\0jumb", "latin1")]);
	bytes.writeUInt32LE(bytes.byteLength - 8, 4);
	return bytes;
};

const synchsafe = (size: number): Buffer => Buffer.from([0, 0, size >> 7, size & 0x7f]);
const longMp4 = (...more: readonly Buffer[]) =>
	Buffer.concat([box("ftyp", Buffer.from("mp42")), box("moov"), box("mdat", Buffer.alloc(50_000, 3)), ...more]);

/** The header of an MP3 frame, and some bytes. */
const AUDIO = Buffer.concat([Buffer.from("fffb9064", "hex"), Buffer.alloc(100, 1)]);
const tagOf = (version: number, ...frames: readonly Buffer[]): Buffer => {
	const body = Buffer.concat([...frames, Buffer.alloc(20)]);
	return Buffer.concat([Buffer.from("ID3"), Buffer.from([version, 0, 0]), synchsafe(body.byteLength), body]);
};
const frame = (id: string, data: Buffer): Buffer =>
	Buffer.concat([Buffer.from(id), synchsafe(data.byteLength), Buffer.alloc(2), data]);

describe("an image", () => {
	test.each<[string, string, () => Promise<Buffer>]>([
		["PNG", "image/png", png],
		["JPEG", "image/jpeg", jpeg],
		["JPEG with Exif", "image/jpeg", () => withExif().jpeg().toBuffer()],
		["simple WebP", "image/webp", opaqueWebp],
		["lossless WebP", "image/webp", () => webp({ lossless: true })],
		["extended WebP", "image/webp", () => webp({ quality: 50 })],
		["PNG with other XMP", "image/png", () => withXmp().png().toBuffer()],
		["JPEG with other XMP", "image/jpeg", () => withXmp().jpeg().toBuffer()],
		["WebP with other XMP", "image/webp", () => withXmp().webp().toBuffer()],
	])("gets its mark and keeps its pixels and metadata: %s", async (_what, contentType, make) => {
		const original = await make();
		const { plan, bytes } = await marked(contentType, original);
		expect(provenanceOf(plan)).toBe("iptc");
		expect(bytes.byteLength - original.byteLength).toBeLessThanOrEqual(bytesOfMark(MARK));
		// Readers expect Exif first.
		expect(bytes.indexOf("Exif\0")).toBeLessThan(bytes.indexOf(SOURCE_TYPE));
		expect((await pixelsOf(bytes)).equals(await pixelsOf(original))).toBe(true);
		const [before, now] = [await sharp(original).metadata(), await sharp(bytes).metadata()];
		expect(now).toMatchObject({ width: 5, height: 3, hasAlpha: before.hasAlpha });
		expect(now.exif).toStrictEqual(before.exif);
		const xmp = now.xmp?.toString() ?? "";
		expect(xmp).toContain(`>${SOURCE_TYPE}<`);
		expect(xmp).toContain('<Iptc4xmpExt:AISystemUsed>Model &lt;1&gt; &amp; "two"<');
		expect(xmp.split("<dc:format>a</dc:format>")).toHaveLength(before.xmp ? 2 : 1);
		expect((await marked(contentType, bytes)).plan).toStrictEqual({ kind: "keep", found: "iptc" });
	});

	test("whose XMP is compressed keeps it", async () => {
		const { bytes } = await marked("image/png", await pngWith(xmpChunk("\x01", deflateSync(OTHER_XMP)))());
		const xmp = (await sharp(bytes).metadata()).xmp?.toString();
		expect(xmp).toContain("<dc:format>a</dc:format>");
		expect(xmp).toContain(SOURCE_TYPE);
	});

	test("names its prompt only if it is in the mark, and never its control characters", async () => {
		const { bytes } = await marked("image/png", await png(), { ...MARK, prompt: "a <boat>\u0000\uD800 & ]]>" });
		const xmp = (await sharp(bytes).metadata()).xmp?.toString() ?? "";
		expect(xmp).toContain("AIPromptInformation>a &lt;boat&gt;\uFFFD &amp; ]]&gt;<");
		expect(xmpOf(MARK)).not.toContain("AIPromptInformation");
	});

	test.each<[string, string, () => Promise<Buffer>]>([
		["PNG", "image/png", pngWith(pngManifest)],
		["PNG after XMP", "image/png", pngWith(Buffer.concat([xmpChunk("\0", Buffer.from(OTHER_XMP)), pngManifest]))],
		["JPEG", "image/jpeg", jpegWith(jpegManifest)],
		["JPEG after XMP", "image/jpeg", jpegWith(Buffer.concat([xmpSegment(OTHER_XMP), jpegManifest]))],
		["WebP", "image/webp", async () => webpWithManifest(await webp())],
		["WebP after XMP", "image/webp", async () => webpWithManifest(await withXmp().webp().toBuffer())],
	])("with a manifest is passed on unchanged: %s", async (_what, contentType, make) => {
		const original = await make();
		const { plan, bytes } = await marked(contentType, original);
		expect(provenanceOf(plan)).toBe("c2pa");
		expect(bytes.equals(original)).toBe(true);
	});
});

describe("a video or a song", () => {
	test.each([
		["video/mp4", "a.mp4"],
		["audio/mp4", "a.m4a"],
	])("gets its mark after its last box: %s", async (contentType, name) => {
		const original = Buffer.from(smallMediaFile(name));
		const { plan, bytes } = await marked(contentType, original);
		expect(provenanceOf(plan)).toBe("iptc");
		expect(bytes.subarray(0, original.byteLength).equals(original)).toBe(true);
		const added = bytes.subarray(original.byteLength);
		expect(added.readUInt32BE(0)).toBe(added.byteLength);
		expect(added.subarray(8, 24).equals(XMP_ID)).toBe(true);
		expect(added.toString()).toContain(SOURCE_TYPE);
		expect((await marked(contentType, bytes)).plan).toStrictEqual({ kind: "keep", found: "iptc" });
	});

	test.each([
		["without a tag", AUDIO],
		["with a tag of version 3", Buffer.concat([tagOf(3, frame("TIT2", Buffer.from("\0A"))), AUDIO])],
		["with a tag of version 4", Buffer.concat([tagOf(4, frame("TIT2", Buffer.from("\0A"))), AUDIO])],
		["with other XMP", Buffer.concat([tagOf(4, frame("PRIV", Buffer.from(`XMP\0${OTHER_XMP}`))), AUDIO])],
	])("as MP3 gets its mark in its tag: %s", async (what, original) => {
		const { plan, bytes } = await marked("audio/mpeg", original);
		expect(provenanceOf(plan)).toBe("iptc");
		const sizeBytes = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + bytes.readUInt8(at), 0);
		expect(bytes.subarray(10 + sizeBytes).equals(AUDIO)).toBe(true);
		expect(bytes.toString()).toContain(`PRIV`);
		expect(bytes.toString()).toContain(SOURCE_TYPE);
		expect(bytes.includes("TIT2")).toBe(what.startsWith("with a tag"));
		expect((await marked("audio/mpeg", bytes)).plan).toStrictEqual({ kind: "keep", found: "iptc" });
	});

	const manifest = Buffer.from("\0application/x-c2pa-manifest-store\0\0c2pa\0jumb");
	const mp4Manifest = box("uuid", C2PA_ID, Buffer.from("jumb"));
	const mp4Xmp = box("uuid", XMP_ID, Buffer.from(OTHER_XMP));
	const mp3Xmp = frame("PRIV", Buffer.from(`XMP\0${OTHER_XMP}`));
	test.each<[string, string, Buffer]>([
		["MP4", "video/mp4", Buffer.concat([box("ftyp"), mp4Manifest, box("mdat")])],
		["MP4 after XMP", "video/mp4", Buffer.concat([box("ftyp"), mp4Xmp, mp4Manifest, box("mdat")])],
		["MP3", "audio/mpeg", Buffer.concat([tagOf(4, frame("GEOB", manifest)), AUDIO])],
		["MP3 after XMP", "audio/mpeg", Buffer.concat([tagOf(4, mp3Xmp, frame("GEOB", manifest)), AUDIO])],
	])("with a manifest is passed on unchanged: %s", async (_what, contentType, file) => {
		expect((await marked(contentType, file)).plan).toStrictEqual({ kind: "keep", found: "c2pa" });
	});
});

test.each<[string, string, () => Promise<Uint8Array> | Uint8Array]>([
	["an empty file", "image/png", () => Buffer.alloc(0)],
	["a PNG that is cut off", "image/png", async () => (await png()).subarray(0, 40)],
	["a PNG with a chunk of four gigabytes", "image/png", pngWith(Buffer.from("ffffffff74455874", "hex"))],
	["a PNG with XMP that cannot be decompressed", "image/png", pngWith(xmpChunk("\x01", Buffer.from("garbage")))],
	["a PNG with XMP that is no packet", "image/png", pngWith(xmpChunk("\0", Buffer.from("<html>")))],
	["a JPEG with XMP that is no packet", "image/jpeg", jpegWith(xmpSegment("<html>"))],
	["a JPEG with a segment without a length", "image/jpeg", jpegWith(Buffer.from("ffe10000", "hex"))],
	["a WebP that is shorter than it says", "image/webp", async () => (await webp()).subarray(0, 30)],
	[
		"an MP4 with an endless box",
		"video/mp4",
		() => Buffer.concat([box("ftyp"), Buffer.from("\0\0\0\0mdat"), Buffer.alloc(9)]),
	],
	["an MP4 that is cut off", "video/mp4", () => smallMediaFile("a.mp4").subarray(0, 2_000)],
	["a WAV", "audio/wav", () => smallMediaFile("a.wav")],
])("a damaged or unknown file is passed on unchanged: %s", async (_what, contentType, make) => {
	const original = Buffer.from(await make());
	const { plan, bytes } = await marked(contentType, original);
	expect(provenanceOf(plan)).toBe("none");
	expect(bytes.equals(original)).toBe(true);
});

describe("during its upload", () => {
	test.each<[string, string, () => Promise<Uint8Array> | Uint8Array]>([
		["small PNG", "image/png", png],
		["PNG", "image/png", () => noise().png().toBuffer()],
		["PNG with a mark", "image/png", async () => (await marked("image/png", await noise().png().toBuffer())).bytes],
		["JPEG", "image/jpeg", () => noise().jpeg().toBuffer()],
		["MP4", "video/mp4", () => longMp4()],
	])("a file gets the same mark as on the disk: %s", async (_what, contentType, make) => {
		const original = await make();
		const { sent, downloaded, addedBytes, isAborted } = await downloadWithUpload(original, { mark: MARK });
		const { bytes } = await marked(contentType, original);
		expect(downloaded.equals(bytes)).toBe(true);
		expect(sent.equals(bytes)).toBe(true);
		expect(original.byteLength + addedBytes).toBe(sent.byteLength);
		expect(isAborted).toBe(false);
	});

	test("the upload of an MP4 with a manifest after its head is aborted, and the file stays as it is", async () => {
		const original = longMp4(box("uuid", C2PA_ID, Buffer.from("jumb")));
		for (const chunkBytes of [5_000, 50_013, 1]) {
			const { downloaded, isAborted } = await downloadWithUpload(original, { mark: MARK, chunkBytes });
			expect(downloaded.equals(original)).toBe(true);
			expect(isAborted).toBe(true);
		}
	});

	const endlessBox = Buffer.concat([u32(0), Buffer.from("mdat"), Buffer.alloc(50_000)]);
	test.each<[string, () => Promise<Buffer>]>([
		[
			"an MP4 whose last box reaches to its end, because no box can follow",
			async () => Buffer.concat([box("ftyp", Buffer.from("mp42")), box("moov"), endlessBox]),
		],
		["an image whose metadata does not fit in its head", jpegWith(xmpSegment(OTHER_XMP, 60_000))],
	])("%s is not uploaded early", async (_what, make) => {
		const original = await make();
		const { sent, downloaded } = await downloadWithUpload(original, { mark: MARK });
		expect(sent.byteLength).toBe(0);
		expect(downloaded.equals(original)).toBe(true);
	});
});
