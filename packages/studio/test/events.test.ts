/** `GET /api/v1/task/{taskId}/events`: the changes of a task. All of it is our choice. */
import { fastify } from "fastify";
import { describe, expect, test } from "vitest";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { setup, until, type SetupOptions } from "../testing/studio-setup.ts";

async function setupEvents(options: SetupOptions = {}) {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const studio = await setup({ engine, app: fastify({ forceCloseConnections: true }), ...options });
	await studio.app.listen({ host: "127.0.0.1", port: 0 });
	const address = studio.app.server.address();
	const port = typeof address === "object" ? address?.port : undefined;

	/** Subscribes and records the events. */
	async function listen(taskId: string, key = studio.key) {
		const leaving = new AbortController();
		const response = await fetch(`http://127.0.0.1:${port}/api/v1/task/${taskId}/events`, {
			headers: { authorization: `Bearer ${key}` },
			signal: leaving.signal,
		});
		let heard = "";
		const over = (async () => {
			for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>)
				heard += Buffer.from(chunk).toString();
		})();
		over.catch(() => {});
		const records = (): { status: string; progress: number; queuePosition: number | null }[] =>
			heard.split("\n\n").flatMap((event) => {
				const [, json] = /^event: task\ndata: (.*)$/.exec(event) ?? [];
				return json === undefined
					? []
					: (JSON.parse(json) as { status: string; progress: number; queuePosition: number | null });
			});
		const hears = (count: number): Promise<unknown> => until(records, ({ length }) => length >= count);
		return { response, records, hears, over, heard: () => heard, leave: () => leaving.abort() };
	}
	return { ...studio, engine, listen };
}

describe("a subscriber", () => {
	test("receives the task at once, after every change, and at its end", async () => {
		const { submitted, when, engine, listen, clock, task } = await setupEvents();
		const taskId = await submitted();
		await when(taskId, "processing");
		const { response, records, hears, over } = await listen(taskId);
		expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
		expect(response.headers.get("cache-control")).toBe("no-store");
		await hears(1);
		await clock.advance(1000);
		engine.runs[0]?.report(40);
		await hears(2);
		await clock.advance(1000);
		engine.runs[0]?.finish();
		await over;
		const heard = records();
		expect(new Set(heard.map(({ status, progress }) => `${status} ${progress}`))).toStrictEqual(
			new Set(["processing 0", "processing 40", "success 100"]),
		);
		expect(heard.at(-1)).toStrictEqual(await task(taskId));
	});

	test("receives changes of the position in the engine's queue", async () => {
		const { submitted, when, engine, listen, clock } = await setupEvents();
		const taskId = await submitted();
		await when(taskId, "processing");
		const { records, hears } = await listen(taskId);
		await hears(1);
		for (const position of [3, 2]) {
			await clock.advance(1000);
			engine.runs[0]?.report(0, position);
			await expect.poll(() => records().at(-1)?.queuePosition).toBe(position);
		}
	});

	test("of an ended task receives one event", async () => {
		const { made, listen } = await setupEvents({ engine: createFakeEngine() });
		const record = await made();
		const { records, over } = await listen(String(record["taskId"]));
		await over;
		expect(records()).toStrictEqual([record]);
	});

	test("receives heartbeats between changes", async () => {
		const { submitted, when, listen, clock } = await setupEvents();
		const taskId = await submitted();
		await when(taskId, "processing");
		const { hears, heard } = await listen(taskId);
		await hears(1);
		await clock.advance(16_000);
		await expect.poll(heard).toContain(": still there\n\n");
	});

	test("receives at most four changes a second, and always the last one", async () => {
		const { submitted, when, engine, listen, clock } = await setupEvents();
		const taskId = await submitted();
		await when(taskId, "processing");
		const listener = await listen(taskId);
		await listener.hears(1);
		for (let percent = 1; percent <= 90; percent++) engine.runs[0]?.report(percent);
		await clock.advance(250);
		await until(listener.records, (heard) => heard.at(-1)?.progress === 90);
		expect(listener.records().length).toBeLessThanOrEqual(3);
	});

	test("of a missing or foreign task gets 404 in the envelope", async () => {
		const { submitted, studio, listen } = await setupEvents();
		const taskId = await submitted();
		const { key } = await studio.createKey({ account: "rival", name: "spy" });
		const { response, heard, over } = await listen(taskId, key);
		await over;
		expect(response.status).toBe(404);
		expect(JSON.parse(heard())).toMatchObject({ code: 40400, data: null });
	});
});

describe("subscribers", () => {
	test("above the limit get 429 until one leaves", async () => {
		const { submitted, when, listen } = await setupEvents({ limits: { streamsPerAccountMax: 2 } });
		const taskId = await submitted();
		await when(taskId, "processing");
		const [first] = [await listen(taskId), await listen(taskId)];
		const third = await listen(taskId);
		await third.over;
		expect(third.response.status).toBe(429);
		expect(third.response.headers.get("retry-after")).toBe("5");
		expect(JSON.parse(third.heard())).toMatchObject({ code: 42903 });
		first.leave();
		await expect.poll(async () => (await listen(taskId)).response.status).toBe(200);
	});

	test("do not block a stop of the studio", async () => {
		const { submitted, when, listen, studio } = await setupEvents();
		const taskId = await submitted();
		await when(taskId, "processing");
		const { hears, over, records } = await listen(taskId);
		await hears(1);
		await studio.stop();
		await over;
		expect(records()).toHaveLength(1);
	});
});
