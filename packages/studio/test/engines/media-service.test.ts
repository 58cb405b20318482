import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import { createHttpServer } from "@atelier/common/http-server";
import type { Store } from "@atelier/store/store";
import { createFakeEngine, fakeImageModel, fakePng, HANG, type Script } from "../../testing/fake-engine.ts";
import { openMediaService } from "../../testing/servers/media-service.ts";
import { setup, until } from "../../testing/studio-setup.ts";
import { modelEntry, REQUEST as PLAIN_REQUEST, setupEngine } from "./engine-setup.ts";

const { aspect_ratio, resolution, seed, image_input } = fakeImageModel.options;
// The engine file has no `items`: its schema adds them.
const { items: _, ...imageInput } = image_input as Extract<typeof image_input, { type: "array" }>;
const MODEL = modelEntry({
	scenes: ["text-to-image", "image-to-image"],
	options: { aspect_ratio, resolution, seed, image_input: imageInput },
	price: { credits: 9 },
	modelSettings: { model: "fake-image" },
});
const KIND = { kind: "media-service", model: MODEL };
const REQUEST = { ...PLAIN_REQUEST, options: { aspect_ratio: "16:9", seed: 3 } };

/** A studio over HTTP, and a second one that uses it as its engine. */
async function openInFrontOfAnother(script: readonly Script[] = [], app?: FastifyInstance) {
	const engine = createFakeEngine({ script });
	let url = "";
	const limits = { uploadsAtOncePerAccountMax: 1 };
	const other = await setup({ engine, origin: () => url, limits, ...(app && { app }) });
	await other.app.listen({ port: 0, host: "127.0.0.1" });
	url = `http://127.0.0.1:${(other.app.server.address() as AddressInfo).port}`;
	const engineSetup = { ...KIND, url, secret: other.key, settings: { profile: "studio" } };
	const open = (options: { readonly store?: Store; readonly mediaDir?: string; readonly credits?: number } = {}) =>
		setupEngine({ ...engineSetup, ...options });
	return { engine, other, open };
}

describe("another studio as the engine", () => {
	test("generates the output from images, sent one after the other; each studio charges its own price once", async () => {
		const { engine, other, open } = await openInFrontOfAnother();
		const { completeTask, upload, readBalance } = await open();
		const inputs = [fakePng("one"), fakePng("two")];
		const urls = [await upload(fakePng("one")), await upload(fakePng("two"))];
		expect(await completeTask({ ...REQUEST, options: { ...REQUEST.options, image_input: urls } })).toMatchObject({
			status: "success",
			attempt: 1,
			outputs: [{ type: "image", contentType: "image/png", seed: 7 }],
			credits: { charged: 9, reserved: 0 },
		});
		const [run] = engine.runs;
		expect(run?.task.prompt).toBe("a lighthouse");
		expect(run?.task.options).toStrictEqual({ aspect_ratio: "16:9", resolution: "1K", seed: 3 });
		expect(run?.inputs.images.map((each) => Buffer.from(each))).toStrictEqual(inputs.map((each) => Buffer.from(each)));
		expect(await readBalance()).toMatchObject({ postedCredits: 91, heldCredits: 0 });
		expect(await other.readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test.each([
		["content_policy", { status: "failed", attempt: 1, error: { code: "content_policy", retryable: false } }, 100],
		["invalid_input", { status: "failed", attempt: 1, error: { code: "invalid_input", retryable: false } }, 100],
		["timeout", { status: "failed", attempt: 1, error: { code: "upstream_error", retryable: false } }, 100],
		// The other studio is broken, not the request.
		["internal", { status: "success", attempt: 2 }, 96],
	] as const)("that fails a task with %s charges nothing for it", async (code, record, creditsLeft) => {
		const { other, open } = await openInFrontOfAnother([{ kind: "fail", retryable: false, code }]);
		const { completeTask } = await open();
		expect(await completeTask(REQUEST)).toMatchObject(record);
		expect(await other.readBalance()).toMatchObject({ postedCredits: creditsLeft, heldCredits: 0 });
	});

	test("reports the position in its queue", async () => {
		const { engine, other, open } = await openInFrontOfAnother([HANG, HANG]);
		await Promise.all([other.submitTask(), other.submitTask()]);
		await until(() => engine.runs.length === 2);
		await other.submitTask();
		const { submitTask, advanceUntilShown } = await open();
		const record = await advanceUntilShown(await submitTask(REQUEST), { queuePosition: 2 });
		expect(record.status).toBe("processing");
	});
});

test("a submit without a response is looked up at the other studio, and not sent again", async () => {
	const app = createHttpServer();
	let submits = 0;
	app.addHook("onSend", async ({ method, url, raw }) => {
		if (method === "POST" && url === "/api/v1/generate" && ++submits === 1) raw.socket.destroy();
	});
	const { engine, other, open } = await openInFrontOfAnother([], app);
	const { completeTask } = await open();
	expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 1, credits: { charged: 9 } });
	expect([submits, engine.runs.length]).toStrictEqual([1, 1]);
	expect(await other.readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
});

test("a stop between two uploads ends the run before the submit, and the next start submits once", async () => {
	const app = createHttpServer();
	const requests: string[] = [];
	const stopping = Promise.withResolvers<void>();
	let before: Awaited<ReturnType<typeof setupEngine>> | undefined;
	app.addHook("onSend", async ({ url }) => {
		requests.push(url);
		if (url === "/api/v1/uploads" && before) stopping.resolve(before.studio.stop());
	});
	const { engine, open } = await openInFrontOfAnother([], app);
	const { store, mediaDir, submitTask, upload } = (before = await open());
	const urls = [await upload(fakePng("one")), await upload(fakePng("two"))];
	const id = await submitTask({ ...REQUEST, options: { image_input: urls } });
	await stopping.promise;
	expect(requests).toStrictEqual(["/api/v1/uploads"]);
	const after = await open({ store, mediaDir, credits: 0 });
	expect(await after.advanceUntilEnded(id)).toMatchObject({ status: "success", attempt: 1 });
	expect(engine.runs).toHaveLength(1);
});

async function openSpecified() {
	const server = await openMediaService();
	return { server, ...(await setupEngine({ ...KIND, url: server.url, secret: "service-key" })) };
}

describe("a service that supports only the specification", () => {
	test("gets requests of the specification, with images inside of them", async () => {
		const { server, completeTask, upload } = await openSpecified();
		const url = await upload(fakePng("start"));
		expect(await completeTask({ ...REQUEST, options: { ...REQUEST.options, image_input: [url] } })).toMatchObject({
			status: "success",
			outputs: [{ type: "image", contentType: "image/png", width: 1, height: 1 }],
			credits: { charged: 9 },
		});
		const inline = `data:image/png;base64,${Buffer.from(fakePng("start")).toString("base64")}`;
		expect(server.jobs.map(({ request }) => request)).toStrictEqual([
			{
				mediaType: "image",
				model: "fake-image",
				scene: "image-to-image",
				prompt: "a lighthouse",
				options: { aspect_ratio: "16:9", resolution: "1K", seed: 3, image_input: [inline] },
			},
		]);
	});

	test("gets back the id of its task as a number with all digits", async () => {
		const { server, submitTask, advanceUntil } = await openSpecified();
		server.plan("POST", "/api/v1/generate", { text: '{"code":0,"data":{"taskId":1234567890123456789}}' });
		await submitTask(REQUEST);
		const polls = await advanceUntil(() => server.count("GET", "/api/v1/task/1234567890123456789"));
		expect(polls).toBeGreaterThan(0);
	});

	test.each([
		[{ status: 429, headers: { "retry-after": "7" }, json: { code: 42900, data: null } }, "success", 2],
		[{ json: { code: 429, data: null } }, "success", 2],
		[{ json: { code: 40005, message: "a lighthouse", data: null } }, "failed", 1],
	] as const)(
		"that answers a submit with %j: the task ends as %s after %d attempts",
		async (answer, status, attempt) => {
			const { server, completeTask, readLog } = await openSpecified();
			server.plan("POST", "/api/v1/generate", answer);
			const record = await completeTask(REQUEST);
			expect(record).toMatchObject({ status, attempt });
			expect(JSON.stringify(record["error"]) + readLog()).not.toContain("lighthouse");
		},
	);

	test("that answers a poll with a moderation code has rejected the content", async () => {
		const { server, completeTask } = await openSpecified();
		server.plan("GET", "/api/v1/task/", { json: { code: 42201, data: null } });
		expect(await completeTask(REQUEST)).toMatchObject({ attempt: 1, error: { code: "content_policy" } });
	});

	test.each([
		["without a file", { status: "completed" }, "no_output", 1],
		["as canceled", { status: "canceled" }, "upstream_error", 1],
		["as failed", { status: "failed", error: { code: "gpu_lost", message: "a lighthouse" } }, "upstream_error", 3],
		["as moderated", { status: "rejected", error: { code: "content_policy" } }, "content_policy", 1],
	])("whose task ends %s: no credits are charged", async (_how, record, code, attempt) => {
		const { server, completeTask } = await openSpecified();
		server.next = (task) => void (task.record = record);
		const task = await completeTask(REQUEST);
		expect(task).toMatchObject({ status: "failed", attempt, error: { code }, costCredits: 0 });
		expect(JSON.stringify(task["error"])).not.toContain("lighthouse");
		expect(server.jobs).toHaveLength(attempt);
	});
});

test("the engine file rejects an engine without a key and a scene without a model name", async () => {
	const model = { ...MODEL, engines: [{ engine: "far", model: { "text-to-image": "a" } }] };
	await expect(setupEngine({ ...KIND, url: "http://127.0.0.1:1", model })).rejects.toThrow(
		/engines\.far\.secret: expected[^]*model: expected one for image-to-image/,
	);
});
