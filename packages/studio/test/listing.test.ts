/** Lists, batches, and the task of an idempotency key, which are our choice. */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

const VIDEO = { mediaType: "video", model: "fake-video", prompt: "a lighthouse" };

interface Page {
	readonly ids: readonly string[];
	readonly nextCursor: string | null;
}

async function setupList(options: Parameters<typeof setup>[0] = {}) {
	const studio = await setup({ credits: 10_000, ...options });
	/** Creates tasks a second apart, oldest first. */
	async function submitInOrder(count: number, body: unknown = REQUEST): Promise<string[]> {
		const ids: string[] = [];
		for (let index = 0; index < count; index++) {
			ids.push((await studio.completeTask(body)).taskId);
			await studio.clock.advance(1000);
		}
		return ids;
	}
	async function page(query = ""): Promise<Page> {
		const { status, body } = await studio.call("GET", `/api/v1/tasks${query}`);
		expect({ status, code: body.code }).toStrictEqual({ status: 200, code: 0 });
		return pageOf(body.data);
	}
	async function pages(query: string): Promise<string[]> {
		const ids: string[] = [];
		for (let cursor: string | null = ""; cursor !== null;) {
			const next: Page = await page(`${query}${cursor && `&cursor=${cursor}`}`);
			ids.push(...next.ids);
			cursor = next.nextCursor;
		}
		return ids;
	}
	return { ...studio, submitInOrder, page, pages };
}

function pageOf(data: Record<string, unknown>): Page {
	const tasks = data["tasks"] as { taskId: string }[];
	return { ids: tasks.map(({ taskId }) => taskId), nextCursor: data["nextCursor"] as string | null };
}

describe("a list", () => {
	test("shows the account's tasks as a read does, newest first", async () => {
		const { submitInOrder, call, readTask } = await setupList();
		const [first = "", second = ""] = await submitInOrder(2);
		const { body } = await call("GET", "/api/v1/tasks");
		expect(body.data).toStrictEqual({ tasks: [await readTask(second), await readTask(first)], nextCursor: null });
	});

	test("is empty for an account without tasks, and never shows another's", async () => {
		const { submitInOrder, studio, call } = await setupList();
		await submitInOrder(1);
		for (const account of ["rival", "acm", "acme.x"]) {
			const { key } = await studio.createKey({ account, name: "spy" });
			const { body } = await call("GET", "/api/v1/tasks", { key });
			expect(body.data).toStrictEqual({ tasks: [], nextCursor: null });
		}
	});

	test("has 20 tasks per page by default, and every task once", async () => {
		const { submitInOrder, page, pages } = await setupList();
		const ids = (await submitInOrder(25)).toReversed();
		expect((await page()).ids).toStrictEqual(ids.slice(0, 20));
		expect(await pages("?limit=20")).toStrictEqual(ids);
		expect(await pages("?limit=1")).toStrictEqual(ids);
	});

	test("with exactly one page of tasks has no next page", async () => {
		const { submitInOrder, page } = await setupList();
		await submitInOrder(3);
		expect((await page("?limit=3")).nextCursor).toBeNull();
		expect((await page("?limit=2")).nextCursor).not.toBeNull();
	});

	test("repeats and omits no task when tasks are added between pages", async () => {
		const { submitInOrder, page } = await setupList();
		const ids = (await submitInOrder(4)).toReversed();
		const first = await page("?limit=2");
		await submitInOrder(3);
		const second = await page(`?limit=2&cursor=${first.nextCursor}`);
		expect([...first.ids, ...second.ids]).toStrictEqual(ids);
	});

	test("shows tasks of the same millisecond once each", async () => {
		const { submitTask, awaitEnd, pages } = await setupList();
		const ids = await Promise.all(Array.from({ length: 5 }, () => submitTask()));
		await Promise.all(ids.map(awaitEnd));
		const found = await pages("?limit=2");
		expect(found.toSorted()).toStrictEqual(ids.toSorted());
	});

	test("can be filtered by state, media type and model", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: false }] });
		const { submitInOrder, page } = await setupList({ engine });
		const [failed] = await submitInOrder(1);
		const [image] = await submitInOrder(1);
		const [video] = await submitInOrder(1, VIDEO);
		expect((await page("?status=failed")).ids).toStrictEqual([failed]);
		expect((await page("?mediaType=video")).ids).toStrictEqual([video]);
		expect((await page("?model=fake-image&status=success")).ids).toStrictEqual([image]);
		expect((await page("?model=nobody")).ids).toStrictEqual([]);
		expect((await page("?status=canceled")).ids).toStrictEqual([]);
	});

	test("reads only the tasks of the page from the store", async () => {
		const store = await openStore("memory:");
		const read: string[] = [];
		const watched: Store = { ...store, get: (key) => (read.push(key), store.get(key)) };
		const { submitInOrder, page } = await setupList({ store: watched });
		await submitInOrder(30);
		const first = await page("?limit=5");
		read.length = 0;
		await page(`?limit=5&cursor=${first.nextCursor}`);
		expect(read.filter((key) => key.startsWith("studio-task:"))).toHaveLength(5);
	});

	test("does not follow a cursor into another account", async () => {
		const { submitInOrder, page, studio, call } = await setupList();
		await submitInOrder(2);
		const { nextCursor } = await page("?limit=1");
		const { key } = await studio.createKey({ account: "rival", name: "spy" });
		const reply = await call("GET", `/api/v1/tasks?cursor=${nextCursor}`, { key });
		expect(reply.body.data).toStrictEqual({ tasks: [], nextCursor: null });
	});
});

describe("a failed submit", () => {
	test("because of a crash is listed at most once, and exactly once after a retry", async () => {
		for (const writes of [0, 1, 2, 3]) {
			const memory = await openStore("memory:");
			const store = createCrashingStore(memory);
			const before = await setup({ store });
			store.arm(writes);
			const headers = { "idempotency-key": "1" };
			await before.submit(REQUEST, headers);
			await before.clock.advance(1000);
			const after = await setupList({ store: memory, clock: before.clock, credits: 0 });
			const survivors = (await after.page()).ids;
			const taskId = await after.submitTask(REQUEST, headers);
			expect((await after.page()).ids).toStrictEqual([taskId]);
			expect(survivors.length === 0 || survivors[0] === taskId).toBe(true);
		}
	});
});

describe("the task of an idempotency key", () => {
	test("is an empty list for an unused key and for a key of another account", async () => {
		const { submitTask, page, studio, call } = await setupList();
		await submitTask(REQUEST, { "idempotency-key": "order-1" });
		expect((await page("?idempotencyKey=order-2")).ids).toStrictEqual([]);
		const { key } = await studio.createKey({ account: "rival", name: "spy" });
		const reply = await call("GET", "/api/v1/tasks?idempotencyKey=order-1", { key });
		expect(reply).toMatchObject({ status: 200, body: { data: { tasks: [] } } });
	});

	test("is found while its submit is running", async () => {
		const { submit, page, store } = await setupList();
		const write = store.compareAndSetAll.bind(store);
		const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		store.compareAndSetAll = async (...changes) => {
			started.resolve();
			await gate.promise;
			return await write(...changes);
		};
		const submitting = submit(REQUEST, { "idempotency-key": "order-1" });
		await started.promise;
		const finding = page("?idempotencyKey=order-1");
		gate.resolve();
		const found = await finding;
		expect(found.ids).toStrictEqual([(await submitting).body.data["taskId"]]);
	});

	test("is found although crashes have used earlier ids of the key", async () => {
		const memory = await openStore("memory:");
		const store = createCrashingStore(memory);
		const headers = { "idempotency-key": "order-1" };
		const before = await setup({ store });
		// Only a key with a cap needs a second step, before which a crash may happen.
		const cap = { credits: 100, per: "ever" } as const;
		const { key } = await before.studio.createKey({ account: "acme", name: "capped", cap });
		store.arm(1);
		await before.call("POST", "/api/v1/generate", { body: REQUEST, headers, key });
		expect(await Array.fromAsync(memory.scan("studio-open:"))).toHaveLength(1);
		const after = await setupList({ store: memory, clock: before.clock, credits: 100 });
		expect((await after.page("?idempotencyKey=order-1")).ids).toStrictEqual([]);
		const taskId = await after.submitTask(REQUEST, headers);
		expect((await after.page("?idempotencyKey=order-1")).ids).toStrictEqual([taskId]);
	});
});

describe("a batch", () => {
	test("reads many tasks at once in the requested order, each once, without missing and foreign ones", async () => {
		const { submitInOrder, studio, call, readTask } = await setupList();
		const [first = "", second = ""] = await submitInOrder(2);
		const { key } = await studio.createKey({ account: "rival", name: "spy", grantCredits: 10 });
		const theirs = (await call("POST", "/api/v1/generate", { body: REQUEST, key })).body.data["taskId"];
		const taskIds = [second, "task_0", theirs, first, second, "../studio-key:"];
		const { status, body } = await call("POST", "/api/v1/tasks/query", { body: { taskIds } });
		expect(status).toBe(200);
		expect(body.data).toStrictEqual({ tasks: [await readTask(second), await readTask(first)], nextCursor: null });
	});

	test("accepts a hundred ids, and none", async () => {
		const { call } = await setup();
		for (const length of [0, 100]) {
			const body = { taskIds: Array.from({ length }, () => "task_1") };
			expect((await call("POST", "/api/v1/tasks/query", { body })).status).toBe(200);
		}
	});
});
