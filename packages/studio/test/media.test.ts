import { readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatByExtension, detectMedia } from "../src/media-format.ts";
import { createFakeEngine, fakeImage, fakePng } from "../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { pathOf, setup, sha256 } from "../testing/studio-setup.ts";

const IMAGE = fakePng("0123456789");
const NAME = `${sha256(IMAGE)}.png`;

async function setupWithImage() {
	const engine = createFakeEngine({ script: [{ kind: "succeed", outputs: [{ ...fakeImage(), bytes: IMAGE }] }] });
	const studio = await setup({ engine, mediaDir: join(await createTempFolder(), "media") });
	const record = await studio.completeTask();
	const get = (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "POST" = "GET") =>
		studio.app.inject({ method, url: path, headers });
	return { ...studio, record, get, link: pathOf(record.outputs[0]?.url ?? "") };
}

describe("the result of a task", () => {
	test("is a file of the studio, named by its hash, with its type", async () => {
		const { record } = await setupWithImage();
		expect(record.outputs).toStrictEqual([
			{
				index: 0,
				type: "image",
				url: expect.stringMatching(`^http://studio\\.test/media/${NAME}\\?expires=\\d+&signature=[\\w-]{43}$`),
				urlExpiresAt: expect.any(String),
				contentType: "image/png",
				sizeBytes: IMAGE.byteLength,
				sha256: sha256(IMAGE),
				width: 1024,
				height: 1024,
				durationSeconds: null,
				seed: 7,
				expired: false,
			},
		]);
	});

	test("is served unchanged, without a key, and cacheable while its link is valid", async () => {
		const { get, link } = await setupWithImage();
		const reply = await get(link);
		expect(reply.statusCode).toBe(200);
		expect(reply.rawPayload).toStrictEqual(Buffer.from(IMAGE));
		expect(reply.headers).toMatchObject({
			"content-type": "image/png",
			"content-length": String(IMAGE.byteLength),
			"accept-ranges": "bytes",
			"cache-control": expect.stringMatching(/^public, max-age=\d{5}, immutable$/),
			"x-content-type-options": "nosniff",
			"content-security-policy": "default-src 'none'; sandbox",
		});
	});

	test("is served in ranges, and a range beyond its end is 416 / 41600, not cacheable", async () => {
		const { get, link } = await setupWithImage();
		const part = await get(link, { range: "bytes=8-11" });
		expect([part.statusCode, part.headers["content-range"]]).toStrictEqual([206, `bytes 8-11/${IMAGE.byteLength}`]);
		expect(part.rawPayload).toStrictEqual(IMAGE.subarray(8, 12));
		const beyond = await get(link, { range: `bytes=${IMAGE.byteLength}-` });
		expect([beyond.statusCode, beyond.json()]).toMatchObject([416, { code: 41600 }]);
		expect(beyond.headers).toMatchObject({
			"cache-control": "no-store",
			"content-range": `bytes */${IMAGE.byteLength}`,
		});
	});

	test.each([
		["that is no JSON", { "content-type": "application/json" }],
		["of an unknown type", { "content-type": "application/x-odd" }],
		["that is empty although its type is JSON", { "content-type": "application/json", "content-length": "0" }],
	])("is not found by a POST with a body %s: 404 / 40400", async (_what, headers) => {
		const { app, link, readLog } = await setupWithImage();
		const payload = "content-length" in headers ? "" : "{";
		for (const url of [link, "/media/nothing"]) {
			const reply = await app.inject({ method: "POST", url, headers, payload });
			expect([reply.statusCode, reply.json()]).toMatchObject([404, { code: 40400 }]);
		}
		expect(readLog()).not.toContain("file not served");
	});

	test("that cannot be read from disk is 500 / 50000, not cacheable, and logged", async () => {
		const { get, link, mediaDir, readLog } = await setupWithImage();
		await rm(join(mediaDir, NAME));
		await symlink(NAME, join(mediaDir, NAME));
		const reply = await get(link);
		expect([reply.statusCode, reply.json()]).toMatchObject([500, { code: 50000 }]);
		expect(reply.headers).toMatchObject({ "cache-control": "no-store" });
		expect(readLog()).toContain("file not served");
	});

	test("is stored once per content, without temporary files", async () => {
		const same = { ...fakeImage(), bytes: IMAGE };
		const engine = createFakeEngine({
			script: [
				{ kind: "succeed", outputs: [same, same] },
				{ kind: "succeed", outputs: [same] },
			],
		});
		const { completeTask, mediaDir } = await setup({ engine });
		expect((await completeTask()).outputs).toHaveLength(2);
		await completeTask();
		expect(await readdir(mediaDir)).toStrictEqual([NAME]);
	});
});

test("incomplete files of a crash are removed at the next start, once no process can still be writing them", async () => {
	const first = await setup();
	const { store, mediaDir } = first;
	await first.studio.stop();
	const [old, young] = [`.${"0".repeat(24)}.tmp`, `.${"1".repeat(24)}.tmp`];
	for (const name of [old, young, NAME, "notes.txt"]) await writeFile(join(mediaDir, name), IMAGE);
	const writtenAtMs = Date.UTC(2026, 0, 1);
	await utimes(join(mediaDir, old), new Date(writtenAtMs), new Date(writtenAtMs));
	await utimes(join(mediaDir, young), new Date(writtenAtMs + 3_600_000), new Date(writtenAtMs + 3_600_000));
	await setup({ store, mediaDir, clock: createManualClock(writtenAtMs + 3_600_001), credits: 0 });
	expect((await readdir(mediaDir)).toSorted()).toStrictEqual([young, NAME, "notes.txt"].toSorted());
});

test("a studio starts while another studio of its folder renames a temporary file", async () => {
	const { studio, store, mediaDir } = await setup();
	await studio.stop();
	// A dangling link is listed and cannot be read, like a file that is renamed in between.
	await symlink(join(mediaDir, "renamed"), join(mediaDir, `.${"2".repeat(24)}.tmp`));
	await expect(setup({ store, mediaDir, credits: 0 })).resolves.toBeDefined();
});

describe("no other path is served", () => {
	test.each([
		"/media",
		"/media/",
		"/media/x.png",
		"/media/..%2fsecret.png",
		`/media/${"0".repeat(64)}.png`,
		`/media/${NAME}/`,
		`/media/${NAME.replace(".png", ".html")}`,
		`/media/${NAME.replace(".png", ".svg")}`,
		`/media/${NAME.replace(".png", "")}`,
		`/media/${NAME.toUpperCase()}`,
	])("%s is 404", async (path) => {
		const { get, mediaDir, link } = await setupWithImage();
		await writeFile(join(mediaDir, NAME.replace(".png", ".html")), "<script>");
		await writeFile(join(mediaDir, "..", "secret.png"), IMAGE);
		const reply = await get(path + new URL(link, "http://studio.test").search);
		expect(reply.headers["cache-control"]).toBe("no-store");
		expect([reply.statusCode, reply.json<{ code: number }>().code]).toStrictEqual([404, 40400]);
	});
});

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const ftyp = (brand: string): Buffer => latin(`\0\0\0\x20ftyp${brand}`);
const ebml = (docType: string): Buffer =>
	Buffer.concat([
		latin("\x1a\x45\xdf\xa3"),
		Buffer.from([0x83 + docType.length, 0x42, 0x82, 0x80 + docType.length]),
		latin(docType),
	]);

describe("the type of a file is read from its bytes", () => {
	test.each([
		["image/png", fakePng()],
		["image/jpeg", latin("\xff\xd8\xff\xe0")],
		["image/avif", ftyp("avif")],
		["video/mp4", ftyp("isom")],
		["video/mp4", ftyp("M4V ")],
		["video/webm", ebml("webm")],
		["audio/mp4", ftyp("M4A ")],
		["audio/mpeg", latin("ID3\x04")],
		["audio/mpeg", latin("\xff\xfb\x90")],
		["audio/ogg", Buffer.concat([latin("OggS"), Buffer.alloc(24), latin("OpusHead")])],
		["audio/ogg", Buffer.concat([latin("OggS"), Buffer.alloc(24), latin("\x01vorbis\0")])],
	])("%s", async (contentType, bytes) => {
		const kind = await detectMedia(bytes);
		expect(kind?.contentType).toBe(contentType);
		expect(formatByExtension(kind?.extension ?? "")).toStrictEqual(kind);
	});

	test.each(["", "<svg xmlns=", "<html>", "MZ", "%PDF-1.7", "#!/bin/sh", "RIFF", "\x89PNG"])(
		"%j is not media",
		async (text) => {
			expect(await detectMedia(latin(text))).toBeUndefined();
		},
	);

	test("a view into a larger buffer is read from the offset of the view", async () => {
		const view = Buffer.concat([Buffer.from("MZMZ"), fakePng()]).subarray(4);
		expect((await detectMedia(view))?.extension).toBe("png");
	});
});
