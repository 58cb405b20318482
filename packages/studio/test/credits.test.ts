/** Quotes and balances, which the specification leaves open. */
import { describe, expect, test } from "vitest";
import { createFakeEngine, fakeImage, fakeImageModel, HANG } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

const VIDEO = { mediaType: "video", model: "fake-video", prompt: "x", options: { duration: "7s", resolution: "720P" } };

describe("a quote", () => {
	test.each([
		[REQUEST, 4, { credits: 4, resolutionFactor: 1, outputs: 1 }],
		[{ ...REQUEST, options: { resolution: "2k", nonsense: 1 } }, 8, { credits: 4, resolutionFactor: 2 }],
		// 3 × 1.5 × 7, rounded up.
		[VIDEO, 32, { credits: 3, resolutionFactor: 1.5, seconds: 7, outputs: 1 }],
	])("of %j is %i credits, like the later charge", async (body, costCredits, breakdown) => {
		const { call, completeTask } = await setup();
		const quote = (await call("POST", "/api/v1/credits/quote", { body })).body.data;
		const record = await completeTask(body);
		const { priceVersion, warnings } = quote;
		expect(quote).toMatchObject({ costCredits, breakdown });
		expect(record).toMatchObject({ costCredits, credits: { charged: costCredits }, priceVersion, warnings });
	});

	test("of several outputs covers each; missing outputs are free", async () => {
		const n = { type: "integer", description: "Many.", minimum: 1, maximum: 4 } as const;
		const model = { ...fakeImageModel, options: { ...fakeImageModel.options, n } };
		const script = [{ kind: "succeed", outputs: [fakeImage("1"), fakeImage("2"), fakeImage("3")] }] as const;
		const { call, completeTask, readBalance } = await setup({ engine: createFakeEngine({ models: [model], script }) });
		const body = { ...REQUEST, options: { n: 4 } };
		const quote = (await call("POST", "/api/v1/credits/quote", { body })).body.data;
		expect(quote).toMatchObject({ costCredits: 16, breakdown: { outputs: 4 } });
		const record = await completeTask(body);
		expect(record).toMatchObject({ costCredits: 12, credits: { reserved: 0, charged: 12, refunded: 4 } });
		await expect.poll(readBalance).toMatchObject({ postedCredits: 88, heldCredits: 0 });
	});

	test("reserves no credits, creates no task, and needs no balance", async () => {
		const { call, readBalance, store } = await setup({ credits: 0 });
		expect((await call("POST", "/api/v1/credits/quote", { body: REQUEST })).status).toBe(200);
		expect(await readBalance()).toMatchObject({ postedCredits: 0, heldCredits: 0 });
		expect(await Array.fromAsync(store.scan("studio-task:"))).toStrictEqual([]);
	});

	test.each([{}, [], { ...REQUEST, model: "unknown" }, { ...REQUEST, options: { aspect_ratio: "7" } }])(
		"of %j is rejected like its submit",
		async (body) => {
			const { call, submit } = await setup();
			const quoted = await call("POST", "/api/v1/credits/quote", { body });
			const submitted = await submit(body);
			expect({ ...quoted.body, requestId: "" }).toStrictEqual({ ...submitted.body, requestId: "" });
			expect(quoted.status).toBe(400);
		},
	);
});

describe("the balance", () => {
	test("shows what is available and what is reserved in the account of the key", async () => {
		const { createKey, call, startTask, cancelTask } = await setup({ engine: createFakeEngine({ script: [HANG] }) });
		const readBalance = async (): Promise<unknown> => (await call("GET", "/api/v1/credits")).body.data;
		expect(await readBalance()).toStrictEqual({ available: 100, reserved: 0, expiring: [], cap: null });
		const taskId = await startTask();
		expect(await readBalance()).toStrictEqual({ available: 96, reserved: 4, expiring: [], cap: null });
		const key = await createKey("rival", 7);
		expect((await call("GET", "/api/v1/credits", { key })).body.data).toMatchObject({ available: 7, reserved: 0 });
		await cancelTask(taskId);
		await expect.poll(readBalance).toStrictEqual({ available: 100, reserved: 0, expiring: [], cap: null });
	});

	test("shows which credits expire when", async () => {
		const { call, ledger, clock } = await setup();
		const expiresAtMs = clock.nowMs() + 60_000;
		await ledger.grant("studio:acme", "grant:1", 5, { by: "operator", reason: "a gift" }, { expiresAtMs });
		const expiring = [{ credits: 5, expiresAt: new Date(expiresAtMs).toISOString() }];
		expect((await call("GET", "/api/v1/credits")).body.data).toMatchObject({ available: 105, reserved: 0, expiring });
	});
});
