import { describe, expect, test } from "vitest";
import { priceVersionOf, taskPriceOf } from "../src/validate-request.ts";
import { createFakeEngine, FAILURE, fakeImageModel, PERMANENT_FAILURE } from "../testing/fake-engine.ts";
import { setup } from "../testing/studio-setup.ts";

test("GET /api/v1/models shows every model once, with its scenes, options, price, typical seconds and health", async () => {
	const { call } = await setup({ engines: [createFakeEngine({ name: "a" }), createFakeEngine({ name: "b" })] });
	const models = (await call("GET", "/api/v1/models")).body.data["models"] as unknown[];
	expect(models).toHaveLength(3);
	expect(models[0]).toStrictEqual({ ...fakeImageModel, health: "up" });
});

const rejection = { ...PERMANENT_FAILURE, code: "content_policy" } as const;
test.each([
	["degraded after a failure of its engine", [FAILURE], "degraded"],
	["down after three in a row", [FAILURE, FAILURE, FAILURE], "down"],
	["up again after a success", [FAILURE, FAILURE, FAILURE, { kind: "succeed" }], "up"],
	["not affected by rejected requests", [rejection, rejection, rejection], "up"],
] as const)("the health of a model is %s", async (_rule, script, health) => {
	const { completeTask, readHealth, clock } = await setup({
		engine: createFakeEngine({ script }),
		limits: { attemptsMax: 1 },
	});
	for (const _ of script) await completeTask();
	expect((await readHealth())[0]).toBe(health);
	await clock.advance(60_000);
	expect((await readHealth())[0]).toBe(health === "down" ? "degraded" : health);
});

describe("the price", () => {
	const flat = { credits: 4, per: "output", resolutionFactors: { "2K": 2, "4K": 1.1 } } as const;

	test("of a free model is 1", () => {
		expect(taskPriceOf({ ...flat, credits: 0 }, {})).toBe(1);
	});

	test("has a version that ignores the order of its factors and changes with its credits", () => {
		const reordered = { ...flat, resolutionFactors: { "4K": 1.1, "2K": 2 } };
		expect(priceVersionOf(reordered)).toBe(priceVersionOf(flat));
		expect(priceVersionOf({ ...flat, credits: 5 })).not.toBe(priceVersionOf(flat));
	});
});
