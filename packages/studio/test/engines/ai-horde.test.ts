import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fakePng } from "../../testing/fake-engine.ts";
import { generation, openAiHorde, type FakeAiHorde } from "../../testing/servers/ai-horde.ts";
import { modelEntry, REQUEST, setupEngine } from "./engine-setup.ts";

const metadataOf = (base64: unknown) => sharp(Buffer.from(String(base64), "base64")).metadata();

const SIZES = {
	"1:1": { "params.width": 512, "params.height": 512 },
	"16:9": { "params.width": 768, "params.height": 448 },
};
const MODEL = modelEntry({
	scenes: ["text-to-image", "image-to-image"],
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "16:9"] },
		negative_prompt: { type: "string", maxLength: 500 },
		seed: { type: "integer", minimum: 0, maximum: 1_000_000 },
		image_input: { type: "array" },
		mask_image: { type: "array" },
	},
	modelSettings: {
		models: ["stable_diffusion"],
		input: { params: { steps: 25, n: 1 } },
		fields: { aspect_ratio: { sets: SIZES } },
	},
});

async function open() {
	const server = await openAiHorde();
	const settings = { contact: "me@example.com" };
	return { server, ...(await setupEngine({ kind: "ai-horde", url: server.url, settings, model: MODEL })) };
}

describe("AI Horde", () => {
	test("reports the position in the horde's queue, and derives progress from the remaining time", async () => {
		const { server, submitTask, advanceUntilShown } = await open();
		server.next = () => {};
		const id = await submitTask(REQUEST);
		expect((await advanceUntilShown(id, { queuePosition: 3 })).status).toBe("processing");
		server.next = ({ state }) => void Object.assign(state, { queue_position: 0, wait_time: 8 });
		const record = await advanceUntilShown(id, { queuePosition: null });
		expect(record.status).toBe("processing");
		expect(record["progress"]).toBeGreaterThan(0);
	});

	test("generates an image without an account", async () => {
		const { server, completeTask, readBalance } = await open();
		const options = { aspect_ratio: "16:9", negative_prompt: "fog", seed: 42 };
		expect(await completeTask({ ...REQUEST, options })).toMatchObject({
			status: "success",
			outputs: [{ type: "image", contentType: "image/png", width: 1, height: 1, seed: 1312 }],
			credits: { charged: 4, reserved: 0 },
		});
		expect(server.jobs.map(({ request }) => request)).toStrictEqual([
			{
				prompt: "a lighthouse ### fog",
				params: { steps: 25, n: 1, width: 768, height: 448, seed: "42" },
				models: ["stable_diffusion"],
				nsfw: false,
				censor_nsfw: true,
				r2: true,
				shared: false,
			},
		]);
		const headers = { apikey: "0000000000", "client-agent": "Atelier:1:me@example.com" };
		expect(server.requests[0]).toMatchObject({ headers });
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("accepts an image in base64", async () => {
		const { server, completeTask } = await open();
		server.generations = [generation({ img: Buffer.from(fakePng("inline")).toString("base64") })];
		expect((await completeTask(REQUEST)).status).toBe("success");
	});

	test("receives an input image upright as WebP, and a mask for inpainting", async () => {
		const { server, completeTask, upload } = await open();
		const photo = sharp({ create: { width: 8, height: 4, channels: 3, background: "#777777" } });
		const image_input = [await upload(await photo.withMetadata({ orientation: 6 }).jpeg().toBuffer())];
		const mask_image = [await upload(fakePng("mask"))];
		await completeTask({ ...REQUEST, scene: "image-to-image", options: { image_input } });
		await completeTask({ ...REQUEST, options: { image_input, mask_image } });
		const [first, second] = server.jobs.map(({ request }) => request);
		expect(first).toMatchObject({ source_processing: "img2img", params: { denoising_strength: 0.6 } });
		expect(await metadataOf(first?.["source_image"])).toMatchObject({ format: "webp", width: 4, height: 8 });
		expect(second).toMatchObject({ source_processing: "inpainting" });
		expect(await metadataOf(second?.["source_mask"])).toMatchObject({ format: "webp" });
	});

	test.each([
		[400, "CorruptPrompt", "content_policy"],
		[400, "TooManySteps", "invalid_input"],
	])("is not retried after it rejects a request with %i %s", async (status, rc, code) => {
		const { server, completeTask } = await open();
		server.plan("POST", "/generate/async", { status, json: { message: "a lighthouse is bad", rc } });
		const task = await completeTask(REQUEST);
		expect(task).toMatchObject({ status: "failed", attempt: 1, error: { code, retryable: false } });
		expect(JSON.stringify(task["error"])).not.toContain("lighthouse");
	});

	test("is unavailable after 403 KudosUpfront, and the operator is informed", async () => {
		const { server, completeTask, readEngineLog } = await open();
		const rejection = { status: 403, json: { message: "no", rc: "KudosUpfront" } };
		server.plan("POST", "/generate/async", rejection, rejection, rejection);
		expect(await completeTask(REQUEST)).toMatchObject({ error: { code: "engine_unavailable" } });
		expect(readEngineLog()).toContain('"code":"KudosUpfront"');
	});

	type Change = (server: FakeAiHorde) => void;
	test.each<[string, Change, object, number]>([
		[
			"no worker can run it",
			(server) => (server.next = ({ state }) => void (state.is_possible = false)),
			{ attempt: 1, error: { code: "engine_unavailable" } },
			1,
		],
		[
			"all its workers fail",
			(server) => (server.next = ({ state }) => void (state.faulted = true)),
			{ attempt: 3, error: { code: "upstream_error" } },
			0,
		],
		[
			"the horde censors the output",
			(server) => (server.generations = [generation({ img: `${server.url}/file/1.webp`, censored: true })]),
			{ attempt: 1, error: { code: "content_policy" } },
			0,
		],
	])("fails a task if %s", async (_why, change, failure, cancels) => {
		const { server, completeTask } = await open();
		change(server);
		expect(await completeTask(REQUEST)).toMatchObject({ status: "failed", ...failure });
		expect(server.canceled).toHaveLength(cancels);
	});
});

test("the engine file rejects sizes that the horde does not support", async () => {
	const sets = { "1:1": { "params.width": 500 }, "16:9": {} };
	const model = { ...MODEL, engines: [{ ...MODEL.engines[0], fields: { aspect_ratio: { sets } } }] };
	const opening = setupEngine({ kind: "ai-horde", url: "http://127.0.0.1:1", model });
	await expect(opening).rejects.toThrow("in steps of 64, not 500");
});
