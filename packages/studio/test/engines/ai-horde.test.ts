import { describe, expect, test } from "vitest";
import { fakePng } from "../../testing/fake-engine.ts";
import { generation, openAiHorde } from "../../testing/servers/ai-horde.ts";
import { detectMedia } from "../../src/media-format.ts";
import { modelEntry, REQUEST, setupEngines } from "./engine-setup.ts";

const contentTypeOf = async (base64: unknown) =>
	(await detectMedia(Buffer.from(String(base64), "base64")))?.contentType;

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
	engines: [
		{
			engine: "horde",
			models: ["stable_diffusion"],
			input: { params: { steps: 25, n: 1 } },
			fields: { aspect_ratio: { sets: SIZES } },
		},
	],
});

async function open() {
	const server = await openAiHorde();
	const horde = { kind: "ai-horde", url: server.url, contact: "me@example.com" };
	return { ...(await setupEngines({ file: { engines: { horde }, models: [MODEL] } })), server };
}

describe("AI Horde", () => {
	test("reports the position in the horde's queue", async () => {
		const { server, submitTask, advanceUntil, readTask } = await open();
		server.next = () => {};
		const id = await submitTask(REQUEST);
		const record = await advanceUntil(
			() => readTask(id),
			({ queuePosition }) => queuePosition !== null,
		);
		expect(record).toMatchObject({ status: "processing", queuePosition: 3 });
		server.next = ({ state }) => void (state.queue_position = 0);
		await advanceUntil(
			() => readTask(id),
			({ queuePosition }) => queuePosition === null,
		);
	});

	test("generates an image without an account", async () => {
		const { server, submitTask, advanceUntilEnded, readBalance } = await open();
		const options = { aspect_ratio: "16:9", negative_prompt: "fog", seed: 42 };
		expect(await advanceUntilEnded(await submitTask({ ...REQUEST, options }))).toMatchObject({
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
		expect(server.requests[0]?.headers).toMatchObject({
			apikey: "0000000000",
			"client-agent": "Atelier:1:me@example.com",
		});
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("accepts an image in base64", async () => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.generations = [generation({ img: Buffer.from(fakePng("inline")).toString("base64") })];
		expect((await advanceUntilEnded(await submitTask(REQUEST))).status).toBe("success");
	});

	test("receives an input image as WebP, and a mask for inpainting", async () => {
		const { server, submitTask, advanceUntilEnded, upload } = await open();
		const image_input = [await upload(fakePng("start"))];
		const plain = await submitTask({ ...REQUEST, scene: "image-to-image", options: { image_input } });
		expect((await advanceUntilEnded(plain)).status).toBe("success");
		const masked = await submitTask({
			...REQUEST,
			options: { image_input, mask_image: [await upload(fakePng("mask"))] },
		});
		expect((await advanceUntilEnded(masked)).status).toBe("success");
		const [first, second] = server.jobs.map(({ request }) => request);
		expect(first).toMatchObject({ source_processing: "img2img", params: { denoising_strength: 0.6 } });
		expect(await contentTypeOf(first?.["source_image"])).toBe("image/webp");
		expect(second).toMatchObject({ source_processing: "inpainting" });
		expect(await contentTypeOf(second?.["source_mask"])).toBe("image/webp");
	});

	test("derives progress from the remaining time", async () => {
		const { server, submitTask, advanceUntil, readTask } = await open();
		server.next = (requested) => void (requested.state.wait_time = 8);
		const id = await submitTask(REQUEST);
		const record = await advanceUntil(
			() => readTask(id),
			({ progress }) => Number(progress) > 0,
		);
		expect(record.status).toBe("processing");
	});

	test.each([
		[400, "CorruptPrompt", "content_policy"],
		[400, "TooManySteps", "invalid_input"],
	])("is not retried after it rejects a request with %i %s", async (status, rc, code) => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.plan("POST", "/generate/async", { status, json: { message: "a lighthouse is bad", rc } });
		const task = await advanceUntilEnded(await submitTask(REQUEST));
		expect(task).toMatchObject({ status: "failed", attempt: 1, error: { code, retryable: false } });
		expect(JSON.stringify(task["error"])).not.toContain("lighthouse");
	});

	test("is unavailable after 403 KudosUpfront, and the operator is informed", async () => {
		const { server, submitTask, advanceUntilEnded, readEngineLog } = await open();
		const rejection = { status: 403, json: { message: "no", rc: "KudosUpfront" } };
		server.plan("POST", "/generate/async", rejection, rejection, rejection);
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ error: { code: "engine_unavailable" } });
		expect(readEngineLog()).toContain('"code":"KudosUpfront"');
	});

	test("has its request canceled if no worker can run it", async () => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.next = (requested) => void (requested.state.is_possible = false);
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({
			status: "failed",
			attempt: 1,
			error: { code: "engine_unavailable" },
		});
		expect(server.canceled).toHaveLength(1);
	});

	test("is retried after all its workers failed", async () => {
		const { server, submitTask, advanceUntilEnded } = await open();
		const completed = server.next;
		server.next = (requested) => {
			requested.state.faulted = true;
			server.next = completed;
		};
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ status: "success", attempt: 2 });
	});

	test("has rejected the request if it censors the output", async () => {
		const { server, submitTask, advanceUntilEnded } = await open();
		server.generations = [generation({ img: `${server.url}/file/1.webp`, censored: true })];
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({
			status: "failed",
			error: { code: "content_policy" },
		});
	});
});

test("the engine file rejects sizes that the horde does not support", async () => {
	const [engine] = MODEL.engines;
	const fields = { aspect_ratio: { sets: { "1:1": { "params.width": 500 }, "16:9": {} } } };
	const file = {
		engines: { horde: { kind: "ai-horde" } },
		models: [{ ...MODEL, engines: [{ ...engine, fields }] }],
	};
	await expect(setupEngines({ file })).rejects.toThrow("in steps of 64, not 500");
});
