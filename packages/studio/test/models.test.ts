import { describe, expect, test } from "vitest";
import { priceVersionOf, taskPriceOf } from "../src/price.ts";
import { createFakeEngine, fakeImageModel, type Script } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

describe("GET /api/v1/models", () => {
	test("shows every model with its scenes, options, price, typical seconds and health", async () => {
		const { call } = await setup();
		const { body } = await call("GET", "/api/v1/models");
		const models = body.data["models"] as unknown[];
		expect(models).toHaveLength(3);
		expect(models[0]).toStrictEqual({ ...fakeImageModel, health: "up" });
	});

	test("shows a model that several engines serve once", async () => {
		const { call } = await setup({ engines: [createFakeEngine({ name: "a" }), createFakeEngine({ name: "b" })] });
		expect((await call("GET", "/api/v1/models")).body.data["models"]).toHaveLength(3);
	});
});

describe("the health of a model", () => {
	const FAILURE: Script = { kind: "fail", retryable: true };

	test("is degraded after a failure of its engine, and down after three in a row, for a minute", async () => {
		expect(await (await healthAfter([FAILURE])).health()).toBe("degraded");
		const { health, clock } = await healthAfter([FAILURE, FAILURE, FAILURE]);
		expect(await health()).toBe("down");
		await clock.advance(60_000);
		expect(await health()).toBe("degraded");
	});

	test("is up again after a success", async () => {
		expect(await (await healthAfter([FAILURE, FAILURE, FAILURE, { kind: "succeed" }])).health()).toBe("up");
	});

	test("is not affected by rejected requests", async () => {
		const rejection: Script = { kind: "fail", code: "content_policy", retryable: false };
		expect(await (await healthAfter([rejection, rejection, rejection])).health()).toBe("up");
	});
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

async function healthAfter(script: readonly Script[]) {
	const { completeTask, call, clock } = await setup({
		engine: createFakeEngine({ script }),
		limits: { attemptsMax: 1 },
	});
	for (let run = 0; run < script.length; run++) await completeTask(REQUEST);
	const health = async () => {
		const { models } = (await call("GET", "/api/v1/models?mediaType=image")).body.data as {
			models: { health: string }[];
		};
		return models[0]?.health;
	};
	return { health, clock };
}
