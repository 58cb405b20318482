import { expect, test } from "vitest";
import { uploadWhileDownloading } from "../src/upload-while-downloading.ts";
import { downloadWithUpload } from "./download-with-upload.ts";

const PNG = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d49484452000000040000000408060000", "hex"),
	Buffer.alloc(60_000, 7),
]);
const FTYP = Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1");

test("a file shorter than the detection window is detected from all its bytes", async () => {
	const short = PNG.subarray(0, 200);
	const { started, sent } = await downloadWithUpload(short, { chunkBytes: 7 });
	expect(started).toStrictEqual(["image/png png"]);
	expect(sent.equals(short)).toBe(true);
});

test.each([
	["no media", Buffer.from("<html>".repeat(1000))],
	["an image type that Discord does not display", Buffer.concat([Buffer.from("49492a00", "hex"), Buffer.alloc(6000)])],
	[
		"a video whose index is at its end",
		Buffer.concat([FTYP, Buffer.from("\0\0\0\x08free", "latin1"), Buffer.alloc(6000)]),
	],
	["nothing", Buffer.alloc(0)],
])("a file with %s is not uploaded early, but is downloaded completely", async (_what, file) => {
	const { started, downloaded, sent } = await downloadWithUpload(file);
	expect(started).toStrictEqual([]);
	expect(downloaded.equals(file)).toBe(true);
	expect(sent).toHaveLength(0);
});

test("an upload is aborted if its download is interrupted", async () => {
	const { failure, isAborted } = await downloadWithUpload(PNG, { breaksAt: 50_000 });
	expect(failure).toStrictEqual(new Error("connection closed"));
	expect(isAborted).toBe(true);
});

test("the download ends if its reader stops early", async () => {
	let isEnded = false;
	async function* endless() {
		try {
			for (;;) yield PNG;
		} finally {
			isEnded = true;
		}
	}
	for await (const chunk of uploadWhileDownloading(endless(), () => undefined)) if (chunk.byteLength > 0) break;
	expect(isEnded).toBe(true);
});
