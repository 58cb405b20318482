import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fakePng } from "../../testing/fake-engine.ts";
import { openAiError, openOpenAiImages } from "../../testing/servers/openai-images.ts";
import { takeDiskAway, until } from "../../testing/studio-setup.ts";
import { modelEntry, REQUEST, setupEngine } from "./engine-setup.ts";

const MODEL = modelEntry({
	scenes: ["text-to-image", "image-to-image"],
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "3:2"] },
		quality: { type: "string", enum: ["low", "high"] },
		n: { type: "integer", minimum: 1, maximum: 4, default: 1 },
		image_input: { type: "array", maxItems: 2 },
		mask_image: { type: "array" },
	},
	price: { credits: 5 },
	modelSettings: {
		model: "gpt-image-1",
		fields: {
			aspect_ratio: { field: "size", values: { "1:1": "1024x1024", "3:2": "1536x1024" } },
			quality: "quality",
		},
		input: { output_format: "png" },
	},
});
const PATH = "/v1/images/generations";

async function open(options: Parameters<typeof openOpenAiImages>[0] = {}, settings: object = {}) {
	const service = await openOpenAiImages(options);
	const engineSetup = { kind: "openai-images", url: service.url, secret: "sk-test-secret", settings, model: MODEL };
	return { service, engineSetup, ...(await setupEngine(engineSetup)) };
}

describe("a task on a service with OpenAI's images API", () => {
	test.each(["b64_json", "url"] as const)("reads its images from %s, for its price", async (answersWith) => {
		const { service, readBalance, completeTask } = await open({ answersWith });
		const options = { aspect_ratio: "3:2", quality: "high", n: 2 };
		const task = await completeTask({ ...REQUEST, options });
		expect(task).toMatchObject({ status: "success", costCredits: 10, attempt: 1 });
		expect(task.outputs).toMatchObject([{ contentType: "image/png", width: 1 }, { contentType: "image/png" }]);
		expect(service.billed.map(({ body }) => body)).toStrictEqual([
			{
				output_format: "png",
				quality: "high",
				model: "gpt-image-1",
				prompt: REQUEST.prompt,
				size: "1536x1024",
				n: 2,
			},
		]);
		expect(await readBalance()).toMatchObject({ postedCredits: 90, heldCredits: 0 });
	});

	test("edits its input images where the mask is white, which is transparent in the service's mask", async () => {
		const { service, upload, completeTask } = await open();
		const blackWhiteAndTransparent = Buffer.from([0, 255, 255, 255, 255, 0]);
		const mask = await sharp(blackWhiteAndTransparent, { raw: { width: 3, height: 1, channels: 2 } })
			.png()
			.toBuffer();
		const options = { image_input: [await upload(fakePng("start"))], mask_image: [await upload(mask)] };
		expect((await completeTask({ ...REQUEST, options })).status).toBe("success");
		const [edit] = service.billed;
		expect(edit?.path).toBe("/v1/images/edits");
		const sent = edit?.bytes ?? Buffer.alloc(0);
		expect(sent.includes(Buffer.from(fakePng("start")))).toBe(true);
		expect(sent.toString("latin1")).toContain('name="image"; filename="image-1.png"');
		const part = sent.subarray(sent.indexOf('name="mask"'));
		const { data } = await sharp(part.subarray(part.indexOf("\r\n\r\n") + 4))
			.raw()
			.toBuffer({ resolveWithObject: true });
		// The alpha of each pixel.
		expect([data[3], data[7], data[11]]).toEqual([255, 0, 255]);
	});

	test("is billed once although the disk is full when its images arrive", async () => {
		const { service, submitTask, mediaDir, readLog, advanceUntilEnded } = await open();
		const restoreDisk = await takeDiskAway(mediaDir);
		const taskId = await submitTask(REQUEST);
		await until(readLog, (text) => text.includes("result not saved"));
		await restoreDisk();
		expect(await advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(service.billed).toHaveLength(1);
	});

	test("is canceled at once, and is free", async () => {
		const { service, submitTask, cancelTask, awaitEnd, advanceUntil } = await open();
		service.plan("POST", PATH, "silence");
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => service.requests.length === 1);
		await cancelTask(taskId);
		expect((await awaitEnd(taskId)).status).toBe("canceled");
	});
});

describe("a service with OpenAI's images API in trouble", () => {
	test.each([
		["moderation_blocked", 400, { code: "content_policy", message: "the engine rejected the prompt" }],
		["content_policy_violation", 400, { code: "content_policy" }],
		["invalid_value", 400, { code: "invalid_input", message: "the engine rejected the request: invalid_value (size)" }],
	])("that rejects with %s gets no retry, and its text is not passed on", async (code, status, error) => {
		const { service, readLog, completeTask } = await open();
		service.plan("POST", PATH, { status, json: openAiError(code, "image_generation_user_error", "size") });
		const task = await completeTask(REQUEST);
		expect(task).toMatchObject({ status: "failed", attempt: 1, error });
		expect(JSON.stringify(task["error"])).not.toContain("lighthouse");
		expect(readLog()).not.toContain(REQUEST.prompt);
	});

	test.each([
		{ status: 429, headers: { "retry-after": "7" }, json: openAiError("rate_limit_exceeded") },
		{ status: 500, json: openAiError("server_error", "server_error") },
		{ status: 501 },
		{ status: 503 },
	])("that responds $status gets a retry", async (fault) => {
		const { service, completeTask } = await open();
		service.plan("POST", PATH, fault);
		expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 2 });
		expect(service.billed).toHaveLength(1);
	});

	test.each([
		["rejects the key", 401, "invalid_api_key"],
		["requires payment", 429, "insufficient_quota"],
		["has reached its limit", 400, "billing_hard_limit_reached"],
	])("that %s makes the engine unavailable, and tells only the operator why", async (_, status, code) => {
		const { service, completeTask, readHealth, readLog, readEngineLog } = await open();
		const fault = { status, json: openAiError(code) };
		service.plan("POST", PATH, fault, fault, fault);
		const message = "the engine is currently not available";
		expect(await completeTask(REQUEST)).toMatchObject({ error: { code: "engine_unavailable", message } });
		expect(await readHealth()).toStrictEqual(["down"]);
		expect(readEngineLog()).toContain(`"code":"${code}"`);
		expect(readEngineLog()).toContain("check its secret and its account");
		expect(readLog() + readEngineLog()).not.toContain("sk-test-secret");
	});

	test.each(["actThenDrop", "actThenSilence", { status: 504 }] as const)(
		"gets no second request after an unknown outcome: %j",
		async (fault) => {
			const { service, completeTask } = await open();
			service.plan("POST", PATH, fault);
			expect(await completeTask(REQUEST)).toMatchObject({
				status: "failed",
				attempt: 1,
				error: { code: "upstream_timeout", message: "it is unknown whether the engine accepted the job" },
			});
			expect(service.count("POST", PATH)).toBe(1);
		},
	);

	test("gets a second request after an unknown outcome if the engine file allows it", async () => {
		const { service, completeTask } = await open({}, { whenUnknown: "sendAgain" });
		service.plan("POST", PATH, "actThenDrop");
		expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 2 });
	});

	test("gets no second request after a stop of the studio during the first", async () => {
		const before = await open();
		before.service.plan("POST", PATH, "silence");
		const taskId = await before.submitTask(REQUEST);
		await before.advanceUntil(() => before.service.requests.length === 1);
		await before.studio.stop();
		const after = await setupEngine({ ...before.engineSetup, store: before.store, credits: 0 });
		expect(await after.advanceUntilEnded(taskId)).toMatchObject({
			status: "failed",
			error: { code: "upstream_timeout" },
		});
		expect(before.service.count("POST", PATH)).toBe(1);
	});

	test.each<[string, object, object]>([
		["a body without a list", { json: { created: 1 } }, { code: "upstream_error", retryable: false }],
		["a body that is not JSON", { bytes: Buffer.from("<html>") }, { code: "upstream_error", retryable: false }],
		["an empty list", { json: { data: [] } }, { code: "no_output" }],
		["a file that is not an image", { json: { data: [{ b64_json: "PGh0bWw+" }] } }, { code: "no_output" }],
		["a private URL", { json: { data: [{ url: "http://127.0.0.1:1/a.png" }] } }, { code: "upstream_error" }],
		["a file URL", { json: { data: [{ url: "file:///etc/passwd" }] } }, { code: "upstream_error" }],
		["an endless body", { endless: true }, { code: "upstream_timeout", retryable: false }],
	])("that responds with %s is free", async (_, fault, error) => {
		const { service, completeTask } = await open();
		service.plan("POST", PATH, fault, fault, fault);
		expect(await completeTask(REQUEST)).toMatchObject({ status: "failed", error });
	});
});
