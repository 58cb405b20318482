import { expect, test } from "vitest";
import { uploadWhileDownloading } from "../src/upload-while-downloading.ts";

const PNG = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d49484452000000040000000408060000", "hex"),
	Buffer.alloc(60_000, 7),
]);
const FTYP = Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1");

/** Downloads a file in chunks, and returns what was downloaded and uploaded. */
async function setup(file: Buffer, { chunkBytes = 1000, breaksAt = Number.POSITIVE_INFINITY } = {}) {
	const started: string[] = [];
	const sent: Uint8Array[] = [];
	let isAborted = false;
	async function* downloadedChunks() {
		for (let at = 0; at < file.byteLength; at += chunkBytes) {
			if (at >= breaksAt) throw new Error("connection closed");
			yield file.subarray(at, at + chunkBytes);
		}
	}
	const upload = { write: (bytes: Uint8Array) => void sent.push(bytes), abort: () => void (isAborted = true) };
	const downloaded: Uint8Array[] = [];
	const run = async (): Promise<void> => {
		const content = uploadWhileDownloading(downloadedChunks(), (contentType, extension) => {
			started.push(`${contentType} ${extension}`);
			return upload;
		});
		for await (const chunk of content) downloaded.push(chunk);
	};
	const failure = await run().catch((error: unknown) => error);
	return { started, failure, downloaded: Buffer.concat(downloaded), sent: Buffer.concat(sent), isAborted };
}

test("an image is uploaded during its download, each byte once and in order", async () => {
	const { started, downloaded, sent, isAborted } = await setup(PNG);
	expect(started).toStrictEqual(["image/png png"]);
	expect(downloaded.equals(PNG)).toBe(true);
	expect(sent.equals(PNG)).toBe(true);
	expect(isAborted).toBe(false);
});

test("a file shorter than the detection window is detected from all its bytes", async () => {
	const short = PNG.subarray(0, 200);
	const { started, sent } = await setup(short, { chunkBytes: 7 });
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
	const { started, downloaded, sent } = await setup(file);
	expect(started).toStrictEqual([]);
	expect(downloaded.equals(file)).toBe(true);
	expect(sent).toHaveLength(0);
});

test("an upload is aborted if its download is interrupted", async () => {
	const { failure, isAborted } = await setup(PNG, { breaksAt: 50_000 });
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
