import { describe, expect, test } from "vitest";
import { modelError, openFal } from "../../testing/servers/fal.ts";
import { modelEntry, REQUEST, setupEngine } from "./engine-setup.ts";

const MODEL = modelEntry({
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "16:9"] },
		seed: { type: "integer", minimum: 0, maximum: 99 },
	},
	modelSettings: {
		model: "fal-ai/flux/dev",
		input: { num_images: 1 },
		fields: {
			aspect_ratio: { field: "image_size", values: { "1:1": "square_hd", "16:9": "landscape_16_9" } },
			seed: "seed",
		},
	},
});

async function open() {
	const server = await openFal();
	return { server, ...(await setupEngine({ kind: "fal", url: server.url, secret: "fal-key", model: MODEL })) };
}

const image = (url?: string) => ({ images: [url === undefined ? {} : { url }] });

describe("fal", () => {
	test("generates an image with the chosen options, for its price", async () => {
		const { server, completeTask, readBalance } = await open();
		expect(await completeTask({ ...REQUEST, options: { aspect_ratio: "16:9", seed: 3 } })).toMatchObject({
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
		["a rejected prompt", modelError(422, "content_policy_violation"), "content_policy", 1],
		["a rejected image", modelError(422, "image_too_large"), "invalid_input", 1],
		["no output", modelError(422, "no_media_generated"), "no_output", 3],
		["a failure", modelError(500, "internal_server_error"), "upstream_error", 3],
		["a failure of another service", modelError(400, "downstream_service_error"), "upstream_error", 3],
		["a censored output", { json: { ...image("/files/1.png"), has_nsfw_concepts: [true] } }, "content_policy", 1],
		["an output without a URL", { json: image() }, "no_output", 1],
		["a file in a private network", { json: image("http://127.0.0.1:1/files/1.png") }, "upstream_error", 1],
	])("fails a task that ends with %s", async (_end, result, code, attempt) => {
		const { server, completeTask, readLog } = await open();
		server.result = result;
		const task = await completeTask(REQUEST);
		expect(task).toMatchObject({ status: "failed", attempt, error: { code } });
		expect(JSON.stringify(task) + readLog()).not.toContain("secret prompt");
		expect(server.jobs).toHaveLength(attempt);
	});

	test("that rejects a submit for its content has rejected the request", async () => {
		const { server, completeTask } = await open();
		server.plan("POST", "/fal-ai/", modelError(422, "content_policy_violation"));
		expect(await completeTask(REQUEST)).toMatchObject({ error: { code: "content_policy" } });
	});

	test("reports the position in fal's queue, which fal counts from 0", async () => {
		const { server, submitTask, advanceUntilShown } = await open();
		server.next = () => {};
		const record = await advanceUntilShown(await submitTask(REQUEST), { queuePosition: 3 });
		expect(record.status).toBe("processing");
	});
});
