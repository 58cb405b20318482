import { expect, test } from "vitest";
import { pino } from "pino";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createModelCatalog } from "../../../src/services/generation/model-catalog.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import { FakeMediaApi } from "../../fakes/fake-media-api.ts";
import { setup, successBody } from "./service-setup.ts";

const logger = pino({ level: "silent" });
const model = { id: "a", name: "A", mediaType: "image", scenes: ["text-to-image"], price: { credits: 1 } };

test("the known models stay while a proxy responds instead of the service; a service that lists none has none", async () => {
	const answer = { status: 0, body: "" };
	const { media } = await setup((_request, response) => response.writeHead(answer.status).end(answer.body));
	const catalog = createModelCatalog({ media, clock: createManualClock(), logger, configuredModels: [] });
	const idsAfter = async (status: number, body: string): Promise<readonly string[]> => {
		Object.assign(answer, { status, body });
		await catalog.refresh();
		return catalog.known("image").map(({ id }) => id);
	};
	expect(await idsAfter(200, successBody({ models: [model] }))).toStrictEqual(["a"]);
	for (const status of [404, 405, 501]) expect(await idsAfter(status, "<html>")).toStrictEqual(["a"]);
	expect(await idsAfter(200, successBody({}))).toStrictEqual(["a"]);
	expect(await idsAfter(200, successBody({ models: [] }))).toStrictEqual([]);
});

test("known models are read again after a minute, without a wait", async () => {
	let [id, requests] = ["a", 0];
	const media = new FakeMediaApi();
	media.models = async () => {
		requests++;
		return { models: [modelSchema.parse({ ...model, id })], invalidCount: 0 };
	};
	const clock = createManualClock();
	const catalog = createModelCatalog({ media, clock, logger, configuredModels: [] });
	const knownIds = (): readonly string[] => catalog.known("image").map((each) => each.id);
	await catalog.refresh();
	id = "b";
	await clock.advance(60_000);
	expect([knownIds(), requests]).toStrictEqual([["a"], 1]);
	await clock.advance(1);
	expect([knownIds(), requests]).toStrictEqual([["a"], 2]);
	// Joins the running request.
	await catalog.refresh();
	expect([knownIds(), requests]).toStrictEqual([["b"], 2]);
});
