import { readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createMediaStore } from "../src/media-store.ts";
import { formatByExtension, detectMedia } from "../src/media-format.ts";
import { createFakeEngine, fakeImage, fakePng } from "../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAnother, pathOf, REQUEST, setup, sha256 } from "../testing/studio-setup.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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

const withPath = (path: string) => (link: string) => path + new URL(link, "http://studio.test").search;
test.each([
	...[
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
	].map((path) => [path, withPath(path)] as const),
	["no signature", (link: string) => link.split("?", 1)[0] ?? ""],
	["another end", (link: string) => link.replace(/expires=(\d)/, "expires=9$1")],
	["another signature", (link: string) => link.replace(/signature=.{8}/, "signature=AAAAAAAA")],
	["a short signature", (link: string) => link.slice(0, -1)],
	["two signatures", (link: string) => `${link}&signature=x`],
] as const)("no other link is served: %s is 404", async (_change, change) => {
	const { get, mediaDir, link } = await setupWithImage();
	await writeFile(join(mediaDir, NAME.replace(".png", ".html")), "<script>");
	await writeFile(join(mediaDir, "..", "secret.png"), IMAGE);
	const reply = await get(change(link));
	expect(reply.headers["cache-control"]).toBe("no-store");
	expect([reply.statusCode, reply.json()]).toMatchObject([404, { code: 40400 }]);
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

describe("a link to a file", () => {
	test("is valid for a day, and afterwards the record has a new one", async () => {
		const { get, link, record, readTask, clock } = await setupWithImage();
		await clock.jump(DAY_MS - 1000);
		expect((await get(link)).statusCode).toBe(200);
		// The expiry is rounded up to a full hour.
		await clock.jump(HOUR_MS + 1000);
		expect((await get(link)).json()).toMatchObject({ code: 41000 });
		const [next] = (await readTask(record.taskId)).outputs;
		expect(Date.parse(String(next?.["urlExpiresAt"]))).toBeGreaterThanOrEqual(clock.nowMs() + DAY_MS);
		await clock.jump(DAY_MS - 1000);
		expect((await get(pathOf(next?.url ?? ""))).statusCode).toBe(200);
	});

	test("stays the same for a while, which allows clients to cache the file", async () => {
		const { completeTask, readTask, clock } = await setup();
		await clock.advance(1000);
		const { taskId, outputs } = await completeTask();
		await clock.advance(1000);
		expect((await readTask(taskId)).outputs).toStrictEqual(outputs);
	});

	test("is valid after a restart and in another process on the same store, also as input and with another origin", async () => {
		const { link, record, ...before } = await setupWithImage();
		const after = await openAnother(before, { origin: () => "http://127.0.0.1:8082" });
		expect((await after.app.inject(link)).statusCode).toBe(200);
		const url = record.outputs[0]?.url ?? "";
		const body = { ...REQUEST, options: { image_input: [url] } };
		expect(await after.completeTask(body)).toMatchObject({ status: "success" });
		const forged = url.replace(/signature=.{8}/, "signature=AAAAAAAA");
		expect((await after.submit({ ...REQUEST, options: { image_input: [forged] } })).status).toBe(400);
	});
});

test("a file that one process releases and another one saves is kept", async () => {
	const [store, mediaDir, clock] = [await openStore("memory:"), await createTempFolder(), createManualClock()];
	const other = createMediaStore({ mediaDir, store, clock });
	let meanwhile: (() => Promise<unknown>) | undefined;
	const watched: Store = {
		...store,
		async *scan<T>(prefix: string) {
			const found = await Array.fromAsync(store.scan<T>(prefix));
			const happens = meanwhile;
			meanwhile = undefined;
			await happens?.();
			yield* found;
		},
	};
	const one = createMediaStore({ mediaDir, store: watched, clock });
	const bytes = fakePng("shared");
	const { file = "" } = (await one.save(bytes, "a")) ?? {};
	meanwhile = () => other.save(bytes, "b");
	await one.release(file, "a");
	expect(await other.read(file)).toStrictEqual(Buffer.from(bytes));
	await other.release(file, "b");
	expect(await other.read(file)).toBeUndefined();
});
