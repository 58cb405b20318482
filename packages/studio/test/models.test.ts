import { describe, expect, test } from "vitest";
import { priceOf, priceVersionOf } from "../src/price.ts";
import { createFakeEngine, fakeImageModel, fakeVideoModel, type Script } from "../testing/fake-engine.ts";
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

	test.each([
		[flat, {}, 4],
		[flat, { resolution: "2K" }, 8],
		[flat, { resolution: "constructor" }, 4],
		[flat, { n: 3 }, 12],
		[flat, { duration: 30 }, 4],
		[fakeVideoModel.price, { duration: 5, resolution: "480p" }, 15],
		// 22.5, rounded up.
		[fakeVideoModel.price, { duration: 5, resolution: "720p" }, 23],
		// In floating point, 10 × 1.1 is slightly more than 11.
		[{ ...flat, credits: 10 }, { resolution: "4K" }, 11],
		[{ ...flat, credits: 0.1 }, {}, 1],
		[{ ...flat, credits: 0 }, {}, 1],
	])("%j with %j is %i", (price, options, credits) => {
		expect(priceOf(price, options)).toBe(credits);
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
