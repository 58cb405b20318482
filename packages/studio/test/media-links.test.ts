/** Links to files: signed, limited in time, and renewed by every read. They are our choice. */
import { describe, expect, test } from "vitest";
import { openAnother, pathOf, REQUEST, setup } from "../testing/studio-setup.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
type Studio = Awaited<ReturnType<typeof setup>>;

function outputOf(record: unknown): { url: string; urlExpiresAt: string } {
	const [output] = (record as { outputs: { url: string; urlExpiresAt: string }[] }).outputs;
	return output ?? { url: "", urlExpiresAt: "" };
}

async function fetched({ app }: Studio, url: string) {
	const { statusCode, json } = await app.inject(pathOf(url));
	return { status: statusCode, code: statusCode === 200 ? 0 : json<{ code: number }>().code };
}

describe("a link to a file", () => {
	test("is valid for a day, and afterwards the record has a new one", async () => {
		const studio = await setup();
		const { taskId, outputs } = await studio.completeTask();
		const { url } = outputOf({ outputs });
		await studio.clock.jump(DAY_MS - 1000);
		expect(await fetched(studio, url)).toStrictEqual({ status: 200, code: 0 });
		// The expiry is rounded up to a full hour.
		await studio.clock.jump(HOUR_MS + 1000);
		expect(await fetched(studio, url)).toStrictEqual({ status: 410, code: 41000 });
		const next = outputOf(await studio.readTask(taskId));
		expect(Date.parse(next.urlExpiresAt)).toBeGreaterThanOrEqual(studio.clock.nowMs() + DAY_MS);
		await studio.clock.jump(DAY_MS - 1000);
		expect((await fetched(studio, next.url)).status).toBe(200);
	});

	test("stays the same for a while, which allows clients to cache the file", async () => {
		const { completeTask, readTask, clock } = await setup();
		await clock.advance(1000);
		const record = await completeTask();
		await clock.advance(1000);
		expect(outputOf(await readTask(record.taskId)).url).toBe(outputOf(record).url);
	});

	test.each([
		["no signature", (url: string) => url.split("?", 1)[0] ?? ""],
		["another end", (url: string) => url.replace(/expires=(\d)/, "expires=9$1")],
		["another signature", (url: string) => url.replace(/signature=.{8}/, "signature=AAAAAAAA")],
		["a short signature", (url: string) => url.slice(0, -1)],
		["two signatures", (url: string) => `${url}&signature=x`],
		["another file", (url: string) => url.replace(/media\/.{8}/, "media/00000000")],
	])("with %s is treated like a missing file", async (_what, change) => {
		const studio = await setup();
		const { url } = outputOf(await studio.completeTask());
		expect(await fetched(studio, change(url))).toStrictEqual({ status: 404, code: 40400 });
	});

	test("is valid after a restart and in another process on the same store, also as input and with another origin", async () => {
		const before = await setup();
		const { url } = outputOf(await before.completeTask());
		const after = await openAnother(before, { origin: () => "http://127.0.0.1:8082" });
		expect((await fetched(after, url)).status).toBe(200);
		const body = { ...REQUEST, options: { image_input: [url] } };
		expect(await after.completeTask(body)).toMatchObject({ status: "success" });
		const forged = url.replace(/signature=.{8}/, "signature=AAAAAAAA");
		expect((await after.submit({ ...REQUEST, options: { image_input: [forged] } })).status).toBe(400);
	});
});
