import { describe, expect, test } from "vitest";
import { modelError, openFal } from "../../testing/servers/fal.ts";
import { modelEntry, REQUEST, setupEngines } from "./engine-setup.ts";

const MODEL = modelEntry({
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "16:9"] },
		seed: { type: "integer", minimum: 0, maximum: 99 },
	},
	engines: [
		{
			engine: "fal",
			model: "fal-ai/flux/dev",
			input: { num_images: 1 },
			fields: {
				aspect_ratio: { field: "image_size", values: { "1:1": "square_hd", "16:9": "landscape_16_9" } },
				seed: "seed",
			},
		},
	],
});
const REQUEST_WITH_OPTIONS = { ...REQUEST, options: { aspect_ratio: "16:9", seed: 3 } };

async function open() {
	const server = await openFal();
	const fal = { kind: "fal", url: server.url, secret: { env: "FAL_KEY" } };
	return {
		...(await setupEngines({ file: { engines: { fal }, models: [MODEL] }, env: { FAL_KEY: "fal-key" } })),
		server,
	};
}

describe("fal", () => {
	test("generates an image with the chosen options, for its price", async () => {
		const { server, submitTask, advanceUntilEnded, readBalance } = await open();
		expect(await advanceUntilEnded(await submitTask(REQUEST_WITH_OPTIONS))).toMatchObject({
			status: "success",
			outputs: [{ type: "image", contentType: "image/png", width: 1, height: 1, seed: 99 }],
			credits: { charged: 4, reserved: 0 },
		});
		expect(server.jobs.map(({ model, input }) => [model, input])).toStrictEqual([
			["fal-ai/flux/dev", { num_images: 1, prompt: "a lighthouse", image_size: "landscape_16_9", seed: 3 }],
		]);
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test.each([
		["content_policy_violation", 422, "content_policy", 1],
		["image_too_large", 422, "invalid_input", 1],
		["no_media_generated", 422, "no_output", 3],
		["internal_server_error", 500, "upstream_error", 3],
		["downstream_service_error", 400, "upstream_error", 3],
	])("that ends with the error %s fails the task with a code of the studio", async (type, status, code, attempt) => {
		const { server, submitTask, advanceUntilEnded, readLog } = await open();
		server.result = modelError(status, type);
		const task = await advanceUntilEnded(await submitTask(REQUEST));
		expect(task).toMatchObject({ status: "failed", attempt, error: { code } });
		expect(JSON.stringify(task) + readLog()).not.toContain("secret prompt");
		expect(server.jobs).toHaveLength(attempt);
	});

	test("that rejects a submit for its content has rejected the request", async () => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.plan("POST", "/fal-ai/", modelError(422, "content_policy_violation"));
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ error: { code: "content_policy" } });
	});

	test.each([
		["censors the output", { images: [{ url: "/files/1.png" }], has_nsfw_concepts: [true] }, "content_policy"],
		["returns no URL", { images: [{}] }, "no_output"],
	])("that %s has no output", async (_description, json, code) => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.result = { json };
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ error: { code } });
	});

	test("fails the task without a retry if its file is in a private network", async () => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.result = { json: { images: [{ url: "http://127.0.0.1:1/files/1.png" }] } };
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ status: "failed", attempt: 1 });
	});

	test("reports the position in fal's queue, which fal counts from 0", async () => {
		const { submitTask, advanceUntil, readTask, server } = await open();
		server.next = () => {};
		const id = await submitTask(REQUEST);
		const record = await advanceUntil(
			() => readTask(id),
			({ queuePosition }) => queuePosition !== null,
		);
		expect(record).toMatchObject({ status: "processing", queuePosition: 3 });
	});
});
