import { readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatByExtension, detectMedia } from "../src/media-format.ts";
import { createFakeEngine, fakeImage, fakePng } from "../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAnother, pathOf, setup, sha256 } from "../testing/studio-setup.ts";

const IMAGE = fakePng("0123456789");
const NAME = `${sha256(IMAGE)}.png`;

async function setupWithImage() {
	const engine = createFakeEngine({ script: [{ kind: "succeed", outputs: [{ ...fakeImage(), bytes: IMAGE }] }] });
	const studio = await setup({ engine, mediaDir: join(await createTempFolder(), "media") });
	const record = await studio.completeTask();
	const get = (url: string, headers: Record<string, string> = {}) => studio.app.inject({ url, headers });
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
		const script = [[same, same], [same]].map((outputs) => ({ kind: "succeed", outputs }) as const);
		const engine = createFakeEngine({ script });
		const { completeTask, mediaDir } = await setup({ engine });
		expect((await completeTask()).outputs).toHaveLength(2);
		await completeTask();
		expect(await readdir(mediaDir)).toStrictEqual([NAME]);
	});
});

test("incomplete files of a crash are removed at the next start, once no process can still be writing them", async () => {
	const first = await setup();
	const { mediaDir } = first;
	await first.studio.stop();
	const [old, young] = [`.${"0".repeat(24)}.tmp`, `.${"1".repeat(24)}.tmp`];
	for (const name of [old, young, NAME, "notes.txt"]) await writeFile(join(mediaDir, name), IMAGE);
	const writtenAtMs = Date.UTC(2026, 0, 1);
	await utimes(join(mediaDir, old), new Date(writtenAtMs), new Date(writtenAtMs));
	await utimes(join(mediaDir, young), new Date(writtenAtMs + 3_600_000), new Date(writtenAtMs + 3_600_000));
	// A dangling link is listed and cannot be read, like a file that another studio of the folder renames in between.
	const renamed = `.${"2".repeat(24)}.tmp`;
	await symlink(join(mediaDir, "renamed"), join(mediaDir, renamed));
	await openAnother(first, { clock: createManualClock(writtenAtMs + 3_600_001) });
	expect((await readdir(mediaDir)).toSorted()).toStrictEqual([young, renamed, NAME, "notes.txt"].toSorted());
});

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
])("no other path is served: %s is 404", async (path) => {
	const { get, mediaDir, link } = await setupWithImage();
	await writeFile(join(mediaDir, NAME.replace(".png", ".html")), "<script>");
	await writeFile(join(mediaDir, "..", "secret.png"), IMAGE);
	const reply = await get(path + new URL(link, "http://studio.test").search);
	expect(reply.headers["cache-control"]).toBe("no-store");
	expect([reply.statusCode, reply.json<{ code: number }>().code]).toStrictEqual([404, 40400]);
});

/** The formats that the library calls differently, and those that are no media. */
test.each([
	["image/png", fakePng()],
	["video/mp4", "\0\0\0\x20ftypM4V "],
	["audio/mp4", "\0\0\0\x20ftypM4A "],
	["audio/mpeg", "ID3\x04"],
	["audio/ogg", `OggS${"\0".repeat(24)}OpusHead`],
	[undefined, ""],
	[undefined, "<svg xmlns="],
	[undefined, "<html>"],
	[undefined, "%PDF-1.7"],
])("the type %s is read from the bytes", async (contentType, content) => {
	const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
	const format = await detectMedia(bytes);
	expect(format?.contentType).toBe(contentType);
	expect(formatByExtension(format?.extension ?? "")).toStrictEqual(format);
});
