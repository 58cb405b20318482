import { describe, expect, test } from "vitest";
import { pino } from "pino";
import { createModelCatalog } from "../../../src/services/generation/model-catalog.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import { successBody, request, setup } from "./service-setup.ts";

const { signal } = new AbortController();
const model = { id: "a", name: "A", mediaType: "image", scenes: ["text-to-image"], price: { credits: 1 } };

/** Starts a service that responds with `state.status`, and counts requests. */
async function setupService() {
	const state = { status: 502, requests: 0, padding: "" };
	const client = await setup(({ url }, response) => {
		state.requests++;
		const data = url === "/api/v1/models" ? { models: [model] } : { taskId: "t", status: "running" };
		response.writeHead(state.status).end((state.status === 200 ? successBody(data) : "<html>") + state.padding);
	});
	const read = (): Promise<unknown> => client.media.read("t", request, signal).catch((error: unknown) => error);
	return { ...client, state, read };
}

/** Starts a service, and opens the circuit with five failed calls. */
async function setupServiceDown() {
	const fixture = await setupService();
	for (let reads = 0; reads < 5; reads++) await fixture.read();
	return fixture;
}

describe("a service that failed five times in a row", () => {
	test("is reported as down, with the start of the outage and the time of the next attempt", async () => {
		const { media, clock, logs } = await setupServiceDown();
		expect(media.health()).toStrictEqual({
			state: "down",
			sinceMs: clock.nowMs(),
			retryAtMs: clock.nowMs() + 2000,
			reason: "GET /api/v1/task/{taskId}: answered 502",
		});
		expect(logs().match(/media service down/g)).toHaveLength(1);
	});

	test("gets no requests: a submit fails at once, with the time of the next attempt", async () => {
		const { media, clock, state } = await setupServiceDown();
		await clock.advance(500);
		await expect(media.submit(request, "1", signal)).rejects.toMatchObject({
			name: "MediaUnavailableError",
			kind: "known_down",
			isSuppressed: true,
			retryAfterMs: 1500,
		});
		expect(state.requests).toBe(5);
	});

	test("gets one request as a probe after the pause, while others fail without being sent", async () => {
		const { media, clock, state, read } = await setupServiceDown();
		await clock.advance(2000);
		state.status = 200;
		const [first, second] = await Promise.all([read(), read()]);
		expect(first).toMatchObject({ state: "open" });
		expect(second).toMatchObject({ kind: "known_down", isSuppressed: true, retryAfterMs: 1000 });
		expect(media.health()).toStrictEqual({ state: "up" });
		expect(await read()).toMatchObject({ state: "open" });
	});

	test("is up again once it answers a probe, even with more bytes than the bot reads", async () => {
		const { media, clock, state } = await setupServiceDown();
		await clock.advance(2000);
		Object.assign(state, { status: 200, padding: " ".repeat(1024 * 1024) });
		await expect(media.submit(request, "1", signal)).rejects.toThrow("more than 1 MiB");
		expect(media.health()).toStrictEqual({ state: "up" });
	});

	test("gets all requests after its recovery, also if the clock is set back", async () => {
		const { clock, state, read } = await setupServiceDown();
		await clock.advance(2000);
		state.status = 200;
		await read();
		await clock.jump(-20_000);
		expect(await read()).toMatchObject({ state: "open" });
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
		const { media } = await setup((_request, response) => response.writeHead(503, { "retry-after": "60" }).end());
		for (let reads = 0; reads < 5; reads++) await media.read("t", request, signal).catch(() => {});
		await expect(media.submit(request, "1", signal)).rejects.toMatchObject({
			kind: "asked_to_wait",
			retryAfterMs: 2000,
		});
	});
});

test.each([520, 521, 522, 524, 527])(
	"a proxy that answers %i five times opens the circuit, also with a code",
	async (status) => {
		const { media } = await setup((_request, response) => response.writeHead(status).end(`{"code":${status}}`));
		for (let reads = 0; reads < 5; reads++) await media.read("t", request, signal).catch(() => {});
		expect(media.health()).toMatchObject({ state: "down" });
	},
);

describe("the circuit breaker stays closed", () => {
	test.each([
		["when the service rejects requests", 400],
		["when the service limits the rate", 429],
		["when the service does not know the task", 404],
	])("%s many times in a row", async (_what, status) => {
		const { media, state, read } = await setupService();
		state.status = status;
		for (let reads = 0; reads < 20; reads++) await read();
		expect(media.health()).toStrictEqual({ state: "up" });
	});

	test("when the service explains the error in its envelope: a bad task does not block others", async () => {
		const { media } = await setup((_request, response) => response.writeHead(500).end('{"code":50000}'));
		for (let reads = 0; reads < 20; reads++) await media.read("t", request, signal).catch(() => {});
		expect(media.health()).toStrictEqual({ state: "up" });
	});

	test("when some calls succeed: failing images do not block videos", async () => {
		const { media, state, read } = await setupService();
		for (let round = 0; round < 20; round++) {
			state.status = round % 4 === 3 ? 200 : 502;
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
		const { media, clock, state } = await setupServiceDown();
		const catalog = createModelCatalog({ media, clock, logger, configuredModels: [] });
		await expect(catalog.list("image")).rejects.toThrow(denied);
		expect(state.requests).toBe(5);
		await clock.advance(2000);
		await expect(catalog.list("image")).rejects.toThrow(denied);
		expect(state.requests).toBe(6);
		await clock.advance(4000);
		state.status = 200;
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
