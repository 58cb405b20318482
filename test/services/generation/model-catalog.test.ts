import { expect, test } from "vitest";
import { pino } from "pino";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createModelCatalog } from "../../../src/services/generation/model-catalog.ts";
import { setup, successBody } from "./service-setup.ts";

const model = { id: "a", name: "A", mediaType: "image", scenes: ["text-to-image"], price: { credits: 1 } };

test("the known models stay while a proxy responds instead of the service; a service that lists none has none", async () => {
	const answer = { status: 0, body: "" };
	const { media } = await setup((_request, response) => response.writeHead(answer.status).end(answer.body));
	const logger = pino({ level: "silent" });
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
