/** `POST /api/v1/uploads`: input media without a URL. It is our choice. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFakeEngine, fakePng } from "../testing/fake-engine.ts";
import { pathOf, REQUEST, setup, sha256, until, type SetupOptions } from "../testing/studio-setup.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom"), Buffer.alloc(200)]);

async function setupUploads(options: SetupOptions = {}) {
	const studio = await setup(options);
	function upload(bytes: Uint8Array, { name = "file", type = "application/octet-stream", key = studio.key } = {}) {
		const head = `--edge\r\ncontent-disposition: form-data; name="${name}"; filename="../../x.html"\r\ncontent-type: ${type}\r\n\r\n`;
		const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--edge--\r\n")]);
		const headers = { "content-type": "multipart/form-data; boundary=edge" };
		return studio.call("POST", "/api/v1/uploads", { payload, headers, key });
	}
	return { ...studio, upload };
}

describe("an upload", () => {
	test("is kept for a day, with its detected type", async () => {
		const { upload, clock, app } = await setupUploads();
		const png = fakePng("mine");
		const { status, body } = await upload(png, { type: "text/html" });
		expect(status).toBe(200);
		expect(body.data).toStrictEqual({
			url: expect.stringContaining(`http://studio.test/media/${sha256(png)}.png?`),
			type: "image",
			contentType: "image/png",
			sizeBytes: png.byteLength,
			sha256: sha256(png),
			expiresAt: new Date(clock.nowMs() + DAY_MS).toISOString(),
		});
		const served = await app.inject(pathOf(String(body.data["url"])));
		expect(served.headers["content-type"]).toBe("image/png");
		expect(served.rawPayload).toStrictEqual(png);
	});

	test("is accepted as input even if no origin is allowed", async () => {
		const engine = createFakeEngine();
		const { upload, completeTask } = await setupUploads({ engine });
		const png = fakePng("mine");
		const { url } = (await upload(png)).body.data;
		expect(await completeTask({ ...REQUEST, options: { image_input: [url] } })).toMatchObject({
			status: "success",
			scene: "image-to-image",
		});
		expect(engine.runs[0]?.task.inputs).toStrictEqual([png]);
	});

	test("that has expired is removed and no longer accepted as input", async () => {
		const { upload, submit, clock, mediaDir } = await setupUploads();
		const { url } = (await upload(fakePng("mine"))).body.data;
		await clock.advance(DAY_MS + HOUR_MS);
		await until(async () => (await readdir(mediaDir)).length === 0);
		expect(await submit({ ...REQUEST, options: { image_input: [url] } })).toMatchObject({
			status: 400,
			body: { code: 40005, details: [{ field: "options.image_input" }] },
		});
	});

	test("that is removed while its task waits fails the task, which is free", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
		const { upload, submitTask, awaitEnd, awaitStatus, mediaDir } = await setupUploads({ engine });
		await awaitStatus(await submitTask(), "processing");
		const { url } = (await upload(fakePng("mine"))).body.data;
		const waiting = await submitTask({ ...REQUEST, options: { image_input: [url] } });
		for (const name of await readdir(mediaDir)) await rm(join(mediaDir, name));
		engine.runs[0]?.finish();
		expect(await awaitEnd(waiting)).toMatchObject({
			status: "failed",
			error: { code: "invalid_input", message: "the input media has expired" },
			credits: { charged: 0 },
		});
	});

	test("of a video is accepted, but is no input image", async () => {
		const { upload, completeTask } = await setupUploads();
		const { body } = await upload(MP4);
		expect(body.data).toMatchObject({ type: "video", contentType: "video/mp4" });
		const record = await completeTask({ ...REQUEST, options: { image_input: [body.data["url"]] } });
		expect(record).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
	});
});

describe("rejected uploads", () => {
	test.each([
		["nothing", new Uint8Array()],
		["a page", Buffer.from("<html><script>alert(1)</script>")],
		["an image that engines cannot start from", Buffer.from("\0\0\0\x20ftypavif")],
		["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
	])("an upload of %s is 415 / 41500, for any content type", async (_name, bytes) => {
		const { upload, store } = await setupUploads();
		expect(await upload(bytes, { type: "image/png" })).toMatchObject({ status: 415, body: { code: 41500 } });
		expect(await Array.fromAsync(store.scan("studio-file:"))).toStrictEqual([]);
	});

	test("a file above the limit of its type is 413 / 41300", async () => {
		const limits = { inputBytesMax: 150, uploadBytesMax: 300 };
		const { upload } = await setupUploads({ limits });
		expect((await upload(fakePng())).status).toBe(200);
		expect(await upload(fakePng("x".repeat(100)))).toMatchObject({ status: 413, body: { code: 41300 } });
		expect((await upload(MP4)).status).toBe(200);
		expect(await upload(Buffer.concat([MP4, MP4]))).toMatchObject({ status: 413, body: { code: 41300 } });
	});
});
