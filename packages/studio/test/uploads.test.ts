/** `POST /api/v1/uploads`: input media without a URL. It is our choice. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createFakeEngine, fakePng, HANG } from "../testing/fake-engine.ts";
import { pathOf, REQUEST, setup, sha256, until } from "../testing/studio-setup.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("an upload", () => {
	test("is kept for a day, with its detected type", async () => {
		const { upload, clock, app } = await setup();
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

	test("that has expired is removed and no longer accepted as input", async () => {
		const { upload, submit, clock, mediaDir } = await setup();
		const { url } = (await upload(fakePng("mine"))).body.data;
		await clock.advance(DAY_MS + HOUR_MS);
		await until(async () => (await readdir(mediaDir)).length === 0);
		expect(await submit({ ...REQUEST, options: { image_input: [url] } })).toMatchObject({
			status: 400,
			body: { code: 40005, details: [{ field: "options.image_input" }] },
		});
	});

	test("that cannot be read fails the task, and says nothing about the engine", async () => {
		const { upload, completeTask, mediaDir, readHealth } = await setup({ limits: { attemptsMax: 1 } });
		const { url } = (await upload(fakePng("mine"))).body.data;
		for (const name of await readdir(mediaDir)) {
			await rm(join(mediaDir, name));
			await mkdir(join(mediaDir, name));
		}
		expect(await completeTask({ ...REQUEST, options: { image_input: [url] } })).toMatchObject({
			status: "failed",
			error: { code: "upstream_error", message: "the input media cannot be read" },
		});
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
	});

	test("that is removed while its task waits fails the task, which is free", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [HANG] });
		const { upload, submitTask, awaitEnd, mediaDir, startTask } = await setup({ engine });
		await startTask();
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
});

describe("rejected uploads", () => {
	test("an upload of another file than an image that engines accept is 415 / 41500, for any content type", async () => {
		const { upload, store } = await setup();
		for (const content of ["", "<html><script>alert(1)</script>", "\0\0\0\x20ftypavif", "\0\0\0\x18ftypisom", "<svg"]) {
			const reply = await upload(Buffer.from(content), { type: "image/png" });
			expect(reply).toMatchObject({ status: 415, body: { code: 41500 } });
		}
		expect(await Array.fromAsync(store.scan("studio-file:"))).toStrictEqual([]);
	});

	test("a file above the limit is 413 / 41300", async () => {
		const { upload } = await setup({ limits: { inputBytesMax: 150 } });
		expect((await upload(fakePng())).status).toBe(200);
		expect(await upload(fakePng("x".repeat(100)))).toMatchObject({ status: 413, body: { code: 41300 } });
	});

	test("a file beyond what its account may store in a day is 429 / 42900; other accounts are not affected", async () => {
		const bytes = fakePng();
		const uploadBytesPerAccountMax = 2 * bytes.byteLength;
		const { upload, createKey, store } = await setup({ limits: { uploadBytesPerAccountMax } });
		expect((await upload(bytes)).status).toBe(200);
		for (let tries = 0; tries < 2; tries++) {
			const reply = await upload(fakePng("larger"));
			expect(reply).toMatchObject({ status: 429, body: { code: 42900 }, headers: { "retry-after": "86400" } });
		}
		expect((await upload(bytes)).status).toBe(200);
		expect(await Array.fromAsync(store.scan("studio-file:"))).toHaveLength(2);
		const key = await createKey("other", 0);
		expect((await upload(bytes, { key })).status).toBe(200);
	});

	test("a slow upload is 408 / 40800; until then it takes one place of its account, and none of another account", async () => {
		const limits = { uploadTimeoutMs: 60_000, uploadsAtOncePerAccountMax: 1 };
		const { app, key, createKey, upload, clock } = await setup({ limits });
		await app.listen({ port: 0, host: "127.0.0.1" });
		const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
		const started = new Promise((resolve) => app.server.once("request", resolve));
		socket.write(
			`POST /api/v1/uploads HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: multipart/form-data; boundary=edge\r\ncontent-length: 1000\r\n\r\n--edge`,
		);
		const response = text(socket);
		await started;
		await until(async () => (await upload(fakePng())).status === 429);
		const other = { key: await createKey("other", 0) };
		expect((await upload(fakePng(), other)).status).toBe(200);
		await clock.advance(60_000);
		expect(await response).toMatch(/^HTTP\/1\.1 408 [^]*"code":40800/);
		expect((await upload(fakePng())).status).toBe(200);
	});
});
