/** Lists and batches, which are our choice. */
import { expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createFakeEngine, PERMANENT_FAILURE } from "../testing/fake-engine.ts";
import { REQUEST, setup, type SetupOptions } from "../testing/studio-setup.ts";

const VIDEO = { mediaType: "video", model: "fake-video", prompt: "a lighthouse" };

async function setupList(options: SetupOptions = {}) {
	const studio = await setup({ credits: 10_000, ...options });
	/** Creates tasks a second apart. Resolves to their ids, newest first. */
	async function submitInOrder(count: number, body: unknown = REQUEST): Promise<string[]> {
		const ids: string[] = [];
		for (let index = 0; index < count; index++) {
			ids.unshift((await studio.completeTask(body)).taskId);
			await studio.clock.advance(1000);
		}
		return ids;
	}
	async function page(query: string) {
		const { body } = await studio.call("GET", `/api/v1/tasks?${query}`);
		const { tasks, nextCursor } = body.data as { tasks: { taskId: string }[]; nextCursor: string | null };
		return { ids: tasks.map(({ taskId }) => taskId), nextCursor };
	}
	async function pages(query: string, cursor = ""): Promise<readonly string[]> {
		const { ids, nextCursor } = await page(query + (cursor && `&cursor=${cursor}`));
		return nextCursor === null ? ids : [...ids, ...(await pages(query, nextCursor))];
	}
	return { ...studio, submitInOrder, page, pages };
}

test("a list shows the account's tasks as a read does, and never another's", async () => {
	const { submitInOrder, call, readTask, page, studio } = await setupList();
	const [newest = "", oldest = ""] = await submitInOrder(2);
	const { body } = await call("GET", "/api/v1/tasks");
	expect(body.data).toStrictEqual({ tasks: [await readTask(newest), await readTask(oldest)], nextCursor: null });
	const { nextCursor } = await page("limit=1");
	for (const account of ["rival", "acm", "acme.x"]) {
		const { key } = await studio.keys.create({ account, name: "spy" });
		for (const query of ["", `?cursor=${nextCursor}`]) {
			const foreign = await call("GET", `/api/v1/tasks${query}`, { key });
			expect(foreign.body.data).toStrictEqual({ tasks: [], nextCursor: null });
		}
	}
});

test("pages have 20 tasks by default, show every task once, and do not shift", async () => {
	const { submitInOrder, submitTask, page, pages, clock } = await setupList();
	const sameTime = await Promise.all(Array.from({ length: 5 }, () => submitTask()));
	expect((await pages("limit=2")).toSorted()).toStrictEqual(sameTime.toSorted());
	await clock.advance(1000);
	const older = await pages("");
	const ids = [...(await submitInOrder(20)), ...older];
	const first = await page("");
	expect(first.ids).toStrictEqual(ids.slice(0, 20));
	await submitInOrder(1);
	expect(await page(`cursor=${first.nextCursor}`)).toStrictEqual({ ids: ids.slice(20), nextCursor: null });
	expect((await page("limit=26")).nextCursor).toBeNull();
});

test("a list is filtered by state, media type and model", async () => {
	const engine = createFakeEngine({ script: [PERMANENT_FAILURE] });
	const { submitInOrder, pages } = await setupList({ engine });
	const [failed] = await submitInOrder(1);
	const [image] = await submitInOrder(1);
	const [video] = await submitInOrder(1, VIDEO);
	const expected = {
		"status=failed": [failed],
		"mediaType=video": [video],
		"model=fake-image&status=success": [image],
		"model=nobody": [],
		"status=success": [video, image],
	};
	for (const [query, ids] of Object.entries(expected)) expect(await pages(`${query}&limit=1`)).toStrictEqual(ids);
});

test("a batch has the requested order, each task once, and no missing or foreign ones", async () => {
	const { submitInOrder, createKey, call, readTask } = await setupList();
	const [newest = "", oldest = ""] = await submitInOrder(2);
	const key = await createKey("rival", 10);
	const theirs = (await call("POST", "/api/v1/generate", { body: REQUEST, key })).body.data["taskId"];
	const taskIds = [oldest, "task_0", theirs, newest, oldest, "../studio-key:"];
	const { body } = await call("POST", "/api/v1/tasks/query", { body: { taskIds } });
	expect(body.data).toStrictEqual({ tasks: [await readTask(oldest), await readTask(newest)], nextCursor: null });
});

test("an unreadable task or list entry is missing in lists and batches, and hides no other task", async () => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const { submitInOrder, pages, call, readLog } = await setupList({ store });
	const [newest, damaged, unlisted, oldest] = await submitInOrder(4);
	await storage.set(`studio-task:${damaged}`, "cut sho");
	for await (const { key } of store.scan("studio-list:")) {
		if (key.endsWith(`-${unlisted}`)) await storage.set(key, "cut sho");
	}
	for (const query of ["", "limit=1", "status=success"]) expect(await pages(query)).toStrictEqual([newest, oldest]);
	const { body } = await call("POST", "/api/v1/tasks/query", { body: { taskIds: [damaged, oldest] } });
	expect(body.data["tasks"]).toMatchObject([{ taskId: oldest }]);
	expect(readLog()).toContain(`studio-task:${damaged}`);
});
