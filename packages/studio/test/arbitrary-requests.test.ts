/** Arbitrary requests: never a fault of the studio, and never a task or a charge after a rejection. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fakeImageModel, fakeVideoModel } from "../testing/fake-engine.ts";
import { anyText } from "@atelier/common/testing/any-text";
import { setup } from "../testing/studio-setup.ts";

const RUNS = { numRuns: 300 };

/** Usually the given arbitrary, sometimes any JSON. */
const mostly = (...right: readonly fc.JsonValue[]): fc.Arbitrary<fc.JsonValue> =>
	fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: fc.jsonValue() });

const optionNames = Object.keys({ ...fakeImageModel.options, ...fakeVideoModel.options });
const options = fc.dictionary(
	fc.oneof(fc.constantFrom(...optionNames, "__proto__", "constructor"), fc.string()),
	fc.oneof(mostly("1:1", "1k", "5s", 5, null), fc.array(fc.webUrl())),
	{ maxKeys: 3 },
);

const nearlyRight = fc.record({
	mediaType: mostly("image", "image", "video", "music"),
	model: mostly("fake-image", "fake-image", "fake-video", "__proto__"),
	prompt: fc.oneof({ weight: 3, arbitrary: anyText() }, { weight: 1, arbitrary: fc.jsonValue() }),
	scene: mostly("text-to-image", "image-to-image", null, null),
	options: fc.oneof({ weight: 3, arbitrary: options }, { weight: 1, arbitrary: mostly(null, {}) }),
});

const right = fc.record({
	mediaType: fc.constant("image"),
	model: fc.constant("fake-image"),
	prompt: anyText().map((text) => `a fox ${text}`),
	options: fc.record({ aspect_ratio: fc.constantFrom("1:1", "16:9"), resolution: fc.constantFrom("1K", "2k") }),
});

describe("a submit", () => {
	test("of any JSON is accepted or rejected with 4xx; only accepted ones create a task and cost credits", async () => {
		const { call, balance, store } = await setup({ credits: 1_000_000 });
		const taken = new Set<unknown>();
		await fc.assert(
			fc.asyncProperty(fc.oneof(fc.jsonValue({ maxDepth: 6 }), nearlyRight, right), async (body) => {
				const reply = await call("POST", "/api/v1/generate", { body });
				if (reply.status === 200) taken.add(reply.body.data["taskId"]);
				expect(reply.status === 200 || (reply.status >= 400 && reply.status < 500)).toBe(true);
				expect(reply.body.code).toBe(reply.status === 200 ? 0 : Math.max(reply.body.code, 40000));
			}),
			RUNS,
		);
		const tasks = await Array.fromAsync(
			store.scan<{ taskId: string; request: { priceCredits: number } }>("studio-task:"),
		);
		expect(new Set(tasks.map(({ value }) => value.taskId))).toStrictEqual(taken);
		expect(taken.size).toBeGreaterThan(10);
		const owed = tasks.reduce((sum, { value }) => sum + value.request.priceCredits, 0);
		const { availableCredits } = await balance();
		expect(1_000_000 - availableCredits).toBe(owed);
	});

	test("of any bytes with any headers never returns a 5xx", async () => {
		const { call, store } = await setup();
		const text = fc.string({ unit: "binary-ascii" }).map((each) => each.replaceAll(/[^\x20-\x7e]/g, ""));
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), text, text, async (bytes, type, idempotencyKey) => {
				const headers = { "content-type": type, "idempotency-key": idempotencyKey };
				const { status } = await call("POST", "/api/v1/generate", { payload: Buffer.from(bytes), headers });
				expect(status >= 400 && status < 500).toBe(true);
			}),
			RUNS,
		);
		expect(await Array.fromAsync(store.scan("studio-task:"))).toStrictEqual([]);
	});
});

test("any JSON to any operation with any query never returns a 5xx; a rejected request creates no task", async () => {
	const { call, operations, store } = await setup({ credits: 0 });
	const operation = fc.constantFrom(...(await operations()));
	const id = fc.oneof(fc.constant(`task_${"0".repeat(32)}`), fc.webPath());
	await fc.assert(
		fc.asyncProperty(
			operation,
			id,
			fc.webQueryParameters(),
			fc.jsonValue(),
			async ({ method, path }, taskId, query, body) => {
				const url = `${path.replace("{taskId}", taskId)}?${query}`;
				const { status } = await call(method, url, method === "POST" ? { body } : {});
				expect(status).toBeLessThan(500);
			},
		),
		RUNS,
	);
	expect(await Array.fromAsync(store.scan("studio-task:"))).toStrictEqual([]);
});

test("a read of any path and any query never returns a 5xx", async () => {
	const { call } = await setup();
	await fc.assert(
		fc.asyncProperty(fc.webPath(), fc.webQueryParameters(), async (path, query) => {
			const { status } = await call("GET", `/api/v1/task/${path}?${query}`);
			expect(status >= 400 && status < 500).toBe(true);
		}),
		RUNS,
	);
});
