import { describe, expect, test } from "vitest";
import { pino } from "pino";
import { createModelCatalog } from "../../../src/services/generation/model-catalog.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import { successBody, request, setup } from "./service-setup.ts";

const { signal } = new AbortController();
const model = { id: "a", name: "A", mediaType: "image", scenes: ["text-to-image"], price: { credits: 1 } };

/** Starts a service that responds with `answer`, or with a success and `padding` if its status is 200. */
async function setupService(first: { status?: number; body?: string; headers?: Record<string, string> } = {}) {
	const answer = { status: 502, body: "<html>", headers: {}, padding: "", ...first };
	const client = await setup(({ url }, response) => {
		const data = url === "/api/v1/models" ? { models: [model] } : { taskId: "t", status: "running" };
		const body = answer.status === 200 ? successBody(data) + answer.padding : answer.body;
		response.writeHead(answer.status, answer.headers).end(body);
	});
	const read = (): Promise<unknown> => client.media.read("t", request, signal).catch((error: unknown) => error);
	const readTimes = async (count: number): Promise<void> => {
		for (let reads = 0; reads < count; reads++) await read();
	};
	const recover = (padding = ""): void => void Object.assign(answer, { status: 200, padding });
	return { ...client, answer, read, readTimes, recover };
}

/** Starts a service, and opens the circuit with five failed calls. */
async function setupServiceDown(first: Parameters<typeof setupService>[0] = {}) {
	const fixture = await setupService(first);
	await fixture.readTimes(5);
	return fixture;
}

describe("a service that failed five times in a row", () => {
	test("is down: it gets no requests until a pause is over, then one as a probe, and after its success all", async () => {
		const { media, clock, logs, requests, recover, read } = await setupServiceDown();
		const downAtMs = clock.nowMs();
		const reason = "GET /api/v1/task/{taskId}: answered 502";
		const health = { state: "down", sinceMs: downAtMs, retryAtMs: downAtMs + 2000, reason };
		expect(media.health()).toStrictEqual(health);
		expect(logs().match(/media service down/g)).toHaveLength(1);
		await clock.advance(500);
		const suppressed = { name: "MediaUnavailableError", kind: "known_down", isSuppressed: true };
		await expect(media.submit(request, "1", signal)).rejects.toMatchObject({ ...suppressed, retryAfterMs: 1500 });
		expect(requests).toHaveLength(5);
		await clock.advance(1500);
		recover();
		expect(await Promise.all([read(), read()])).toMatchObject([
			{ state: "open" },
			{ ...suppressed, retryAfterMs: 1000 },
		]);
		expect(media.health()).toStrictEqual({ state: "up" });
		// The end of the pause is forgotten.
		await clock.jump(-20_000);
		expect(await read()).toMatchObject({ state: "open" });
	});

	test("is up again once it answers a probe, even with more bytes than the bot reads", async () => {
		const { media, clock, recover } = await setupServiceDown();
		await clock.advance(2000);
		recover(" ".repeat(1024 * 1024));
		await expect(media.submit(request, "1", signal)).rejects.toThrow("more than 1 MiB");
		expect(media.health()).toStrictEqual({ state: "up" });
	});

	test("is paused longer each time, up to half a minute, and logged once", async () => {
		const { media, clock, read, logs } = await setupServiceDown();
		const pauses: number[] = [];
		for (let round = 0; round < 6; round++) {
			const health = media.health();
			const pauseMs = health.state === "down" ? health.retryAtMs - clock.nowMs() : 0;
			pauses.push(pauseMs);
			await clock.advance(pauseMs);
			await read();
		}
		expect(pauses).toStrictEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
		expect(logs().match(/media service down/g)).toHaveLength(1);
	});

	test("is paused as usual if it sends a longer Retry-After, and is reported as asking to wait", async () => {
		const { media } = await setupServiceDown({ status: 503, headers: { "retry-after": "60" } });
		const error = { kind: "asked_to_wait", retryAfterMs: 2000 };
		await expect(media.submit(request, "1", signal)).rejects.toMatchObject(error);
	});
});

test.each([520, 521, 522, 524, 527])(
	"a proxy that answers %i five times opens the circuit, also with a code",
	async (status) => {
		const { media } = await setupServiceDown({ status, body: `{"code":${status}}` });
		expect(media.health()).toMatchObject({ state: "down" });
	},
);

describe("the circuit breaker stays closed", () => {
	test.each([
		["rejects requests", 400, "<html>"],
		["limits the rate", 429, "<html>"],
		["does not know the task", 404, "<html>"],
		["explains the error in its envelope: a bad task does not block others", 500, '{"code":50000}'],
	])("when the service %s many times in a row", async (_what, status, body) => {
		const { media, readTimes } = await setupService({ status, body });
		await readTimes(20);
		expect(media.health()).toStrictEqual({ state: "up" });
	});

	test("when some calls succeed: failing images do not block videos", async () => {
		const { media, answer, read } = await setupService();
		for (let round = 0; round < 20; round++) {
			answer.status = round % 4 === 3 ? 200 : 502;
			await read();
		}
		expect(media.health()).toStrictEqual({ state: "up" });
	});
});

test("an aborted probe leaves the circuit breaker open", async () => {
	const stop = new AbortController();
	let requests = 0;
	const { media, clock } = await setup((_request, response) => {
		if (++requests > 5) stop.abort(new Error("stopping"));
		else response.writeHead(502).end();
	});
	for (let reads = 0; reads < 5; reads++) await media.read("t", request, signal).catch(() => {});
	await clock.advance(2000);
	await expect(media.read("t", request, stop.signal)).rejects.toThrow("stopping");
	expect(media.health()).toMatchObject({ state: "down" });
});

describe("while the service is down, a command is denied before anything is spent", () => {
	const denied = expect.objectContaining({ messageDescriptor: { key: "service.down" } });
	const logger = pino({ level: "silent" });

	test("until a free model listing finds that it is back", async () => {
		const { media, clock, requests, recover } = await setupServiceDown();
		const catalog = createModelCatalog({ media, clock, logger, configuredModels: [] });
		await expect(catalog.list("image")).rejects.toThrow(denied);
		expect(requests).toHaveLength(5);
		await clock.advance(2000);
		await expect(catalog.list("image")).rejects.toThrow(denied);
		expect(requests).toHaveLength(6);
		await clock.advance(4000);
		recover();
		expect(await catalog.list("image")).toMatchObject([{ id: "a" }]);
	});

	test("with a configured model catalog, until the pause is over: the submit is then the probe", async () => {
		const { media, clock } = await setupServiceDown();
		const catalog = createModelCatalog({ media, clock, logger, configuredModels: [modelSchema.parse(model)] });
		await expect(catalog.list("image")).rejects.toThrow(denied);
		await clock.advance(2000);
		expect(await catalog.list("image")).toMatchObject([{ id: "a" }]);
	});
});
