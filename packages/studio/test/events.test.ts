/** `GET /api/v1/task/{taskId}/events`: the changes of a task, which are our choice. */
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
		let received = "";
		const streamEnd = (async () => {
			for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>)
				received += Buffer.from(chunk).toString();
		})();
		streamEnd.catch(() => {});
		const records = (): { status: string; progress: number; queuePosition: number | null }[] =>
			received.split("\n\n").flatMap((event) => {
				const [, json] = /^event: task\ndata: (.*)$/.exec(event) ?? [];
				return json === undefined
					? []
					: (JSON.parse(json) as { status: string; progress: number; queuePosition: number | null });
			});
		const receives = (count: number): Promise<unknown> => until(records, ({ length }) => length >= count);
		return { response, records, receives, streamEnd, received: () => received, leave: () => leaving.abort() };
	}
	return { ...studio, engine, listen };
}

describe("a subscriber", () => {
	test("receives the task at once, after every change, and at its end", async () => {
		const { submitTask, awaitStatus, engine, listen, clock, readTask } = await setupEvents();
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const { response, records, receives, streamEnd } = await listen(taskId);
		expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
		expect(response.headers.get("cache-control")).toBe("no-store");
		await receives(1);
		await clock.advance(1000);
		engine.runs[0]?.report(40);
		await receives(2);
		await clock.advance(1000);
		engine.runs[0]?.finish();
		await streamEnd;
		const received = records();
		expect(new Set(received.map(({ status, progress }) => `${status} ${progress}`))).toStrictEqual(
			new Set(["processing 0", "processing 40", "success 100"]),
		);
		expect(received.at(-1)).toStrictEqual(await readTask(taskId));
	});

	test("receives changes of the position in the engine's queue", async () => {
		const { submitTask, awaitStatus, engine, listen, clock } = await setupEvents();
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const { records, receives } = await listen(taskId);
		await receives(1);
		for (const position of [3, 2]) {
			await clock.advance(1000);
			engine.runs[0]?.report(0, position);
			await expect.poll(() => records().at(-1)?.queuePosition).toBe(position);
		}
	});

	test("of an ended task receives one event", async () => {
		const { completeTask, listen } = await setupEvents({ engine: createFakeEngine() });
		const record = await completeTask();
		const { records, streamEnd } = await listen(record.taskId);
		await streamEnd;
		expect(records()).toStrictEqual([record]);
	});

	test("receives heartbeats between changes", async () => {
		const { submitTask, awaitStatus, listen, clock } = await setupEvents();
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const { receives, received } = await listen(taskId);
		await receives(1);
		await clock.advance(16_000);
		await expect.poll(received).toContain(": heartbeat\n\n");
	});

	test("receives at most four changes a second, and always the last one", async () => {
		const { submitTask, awaitStatus, engine, listen, clock } = await setupEvents();
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const listener = await listen(taskId);
		await listener.receives(1);
		for (let percent = 1; percent <= 90; percent++) engine.runs[0]?.report(percent);
		await clock.advance(250);
		await until(listener.records, (received) => received.at(-1)?.progress === 90);
		// The first record, and at most two more within 250 ms.
		expect(listener.records().length).toBeLessThanOrEqual(3);
	});
});

describe("subscribers", () => {
	test("above the limit get 429 until one leaves", async () => {
		const { submitTask, awaitStatus, listen } = await setupEvents({ limits: { streamsPerAccountMax: 2 } });
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const [first] = [await listen(taskId), await listen(taskId)];
		const third = await listen(taskId);
		await third.streamEnd;
		expect(third.response.status).toBe(429);
		expect(third.response.headers.get("retry-after")).toBe("5");
		expect(JSON.parse(third.received())).toMatchObject({ code: 42903 });
		first.leave();
		await expect.poll(async () => (await listen(taskId)).response.status).toBe(200);
	});

	test("do not block a stop of the studio", async () => {
		const { submitTask, awaitStatus, listen, studio } = await setupEvents();
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const { receives, streamEnd, records } = await listen(taskId);
		await receives(1);
		await studio.stop();
		await streamEnd;
		expect(records()).toHaveLength(1);
	});
});
