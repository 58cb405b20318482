/** Rate limits of keys, which are our choice. */
import { describe, expect, test } from "vitest";
import { createFakeEngine, HANG } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

// Much longer than the test, so that no window ends during it.
const LIMITS = { rateWindowMs: 3_600_000, changesPerWindowMax: 2, readsPerWindowMax: 3 };

describe("a key", () => {
	test("sees its remaining requests in every response, and gets 429 / 42900 with Retry-After above its limit", async () => {
		const { submit, call, studio, store } = await setup({ limits: LIMITS });
		const [first, second, third] = [await submit(), await submit({}), await submit()];
		expect(first.headers).toMatchObject({ "x-ratelimit-limit": "2", "x-ratelimit-remaining": "1" });
		expect(second).toMatchObject({ status: 400, headers: { "x-ratelimit-remaining": "0" } });
		expect(Number(second.headers["x-ratelimit-reset"])).toBeGreaterThan(3000);
		expect(third).toMatchObject({ status: 429, body: { code: 42900 }, headers: { "x-ratelimit-remaining": "0" } });
		expect(third.headers["retry-after"]).toBe(third.headers["x-ratelimit-reset"]);
		expect(await Array.fromAsync(store.scan("studio-task:"))).toHaveLength(1);
		// Reads have their own limit, and another key has its own counters.
		const codes: number[] = [];
		for (let count = 0; count < 4; count++) codes.push((await call("GET", "/api/v1/models")).body.code);
		expect(codes).toStrictEqual([0, 0, 0, 42900]);
		const { key } = await studio.keys.create({ account: "acme", name: "second" });
		expect((await call("GET", "/api/v1/models", { key })).status).toBe(200);
		expect((await call("POST", "/api/v1/generate", { body: REQUEST, key })).status).toBe(200);
	});

	test("of an unlimited account has no limit of requests and of open tasks", async () => {
		const engine = createFakeEngine({ script: [HANG, HANG, HANG] });
		const limits = { ...LIMITS, openTasksPerAccountMax: 1 };
		const { submit, readBalance } = await setup({ engine, limits, unlimitedAccounts: ["acme"] });
		for (let count = 0; count < 3; count++) expect((await submit()).headers["x-ratelimit-limit"]).toBeUndefined();
		expect(await readBalance()).toMatchObject({ heldCredits: 12 });
	});
});
