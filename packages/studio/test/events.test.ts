/** `GET /api/v1/task/{taskId}/events`: the changes of a task, which are our choice. */
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { advanceUntil } from "@atelier/common/testing/manual-clock";
import { setupRunning, until, type SetupOptions } from "../testing/studio-setup.ts";

/** A studio on a socket, with a running task. */
async function setupEvents(options: SetupOptions = {}) {
	const studio = await setupRunning({ app: fastify({ forceCloseConnections: true }), ...options });
	const origin = await studio.app.listen({ host: "127.0.0.1", port: 0 });

	/** Subscribes and records the events. */
	async function listen() {
		const leaving = new AbortController();
		const headers = { authorization: `Bearer ${studio.key}` };
		const response = await fetch(`${origin}/api/v1/task/${studio.taskId}/events`, { headers, signal: leaving.signal });
		let received = "";
		const streamEnd = (async () => {
			for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>)
				received += Buffer.from(chunk).toString();
		})();
		streamEnd.catch(() => {});
		const events = (): readonly string[] => received.split("\n\n").slice(0, -1);
		await until(() => received !== "");
		return { response, events, streamEnd, received: () => received, leave: () => leaving.abort() };
	}
	return { ...studio, listen };
}

const eventOf = (task: object): string => `event: task\ndata: ${JSON.stringify(task)}`;

test("a stream has the task at once, after each change and at its end, and heartbeats in between", async () => {
	const { taskId, engine, listen, clock, readTask, awaitStatus } = await setupEvents();
	const { response, events, streamEnd } = await listen();
	expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
	expect(response.headers.get("cache-control")).toBe("no-store");
	const expected = [eventOf(await readTask(taskId))];
	engine.runs[0]?.report(40, 3);
	await until(async () => (await readTask(taskId))["progress"] === 40);
	expected.push(eventOf(await readTask(taskId)));
	for (const count of [2, 3]) await advanceUntil(clock, () => events().length === count, { stepMs: 1000 });
	expected.push(": heartbeat");
	engine.runs[0]?.finish();
	expected.push(eventOf(await awaitStatus(taskId, "success")));
	await clock.advance(1000);
	await streamEnd;
	expect(events()).toStrictEqual(expected);
});

test("streams above the limit get 429 until one leaves", async () => {
	const { listen, clock } = await setupEvents({ limits: { streamsPerAccountMax: 2 } });
	const [first] = [await listen(), await listen()];
	const third = await listen();
	expect(third.response.status).toBe(429);
	expect(third.response.headers.get("retry-after")).toBe("5");
	expect(JSON.parse(third.received())).toMatchObject({ code: 42903 });
	first.leave();
	await advanceUntil(clock, async () => (await listen()).response.status === 200, { stepMs: 1000 });
});

test.each(["a revoked key", "a stop of the studio"])("%s ends the stream", async (reason) => {
	const { listen, clock, studio } = await setupEvents();
	const { events, streamEnd } = await listen();
	if (reason === "a stop of the studio") await studio.stop();
	else {
		for await (const { id } of studio.keys.list()) await studio.keys.revoke(id);
		await clock.advance(1000);
	}
	await streamEnd;
	expect(events()).toHaveLength(1);
});
