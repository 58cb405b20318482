import { describe, expect, test } from "vitest";
import { fakePng } from "../../../testing/fake-engine.ts";
import { openComfyUi } from "../../../testing/servers/comfyui.ts";
import { modelEntry, REQUEST, setupEngine } from "../engine-setup.ts";

const WORKFLOW = {
	"3": { class_type: "KSampler", inputs: { seed: 5, steps: 20, positive: ["6", 0], latent_image: ["5", 0] } },
	"4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "model.safetensors" } },
	"5": { class_type: "EmptyLatentImage", inputs: { width: 512, height: 512, batch_size: 1 } },
	"6": { class_type: "CLIPTextEncode", inputs: { text: "", clip: ["4", 1] } },
	"9": { class_type: "SaveImage", inputs: { filename_prefix: "ComfyUI", images: ["8", 0] } },
	"10": { class_type: "LoadImage", inputs: { image: "example.png" } },
};
const INPUTS = { prompt: "6.text", seed: "3.seed", steps: "3.steps", width: "5.width", height: "5.height" };

const MODEL = modelEntry({
	scenes: ["text-to-image", "image-to-image"],
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "16:9"] },
		steps: { type: "integer", minimum: 1, maximum: 50 },
		seed: { type: "integer", minimum: 0, maximum: 1000 },
		image_input: { type: "array" },
	},
	modelSettings: {
		workflows: {
			"text-to-image": { file: "flow.json", inputs: INPUTS },
			"image-to-image": { file: "flow.json", inputs: { ...INPUTS, image: "10.image" } },
		},
	},
});
const SECRET = "hunter2-hunter2";

async function open(options: Parameters<typeof openComfyUi>[0] = {}) {
	const comfy = await openComfyUi(options);
	comfy.files.set("ComfyUI_00001_.png", fakePng("made"));
	const beside = { "flow.json": WORKFLOW };
	const studio = await setupEngine({ kind: "comfyui", url: comfy.url, secret: SECRET, model: MODEL, beside });
	/** Submits a task. Resolves to its id once the engine has the id of the job. */
	async function startJob(): Promise<string> {
		const taskId = await studio.submitTask(REQUEST);
		await studio.advanceUntil(() => comfy.count("GET", "/queue") > 0);
		return taskId;
	}
	return { ...studio, comfy, startJob, submits: () => comfy.count("POST", "/prompt") };
}

describe("a task on a ComfyUI", () => {
	test("reports its queue position among jobs of other clients", async () => {
		const { comfy, submitTask, advanceUntilShown } = await open();
		comfy.running.push([0, "another user's", {}, {}, []]);
		comfy.pending.push([-1, "a job that goes first", {}, {}, []]);
		const id = await submitTask(REQUEST);
		await advanceUntilShown(id, { queuePosition: 2 });
		comfy.pending.shift();
		await advanceUntilShown(id, { queuePosition: 1 });
		comfy.finish();
		const record = await advanceUntilShown(id, { queuePosition: null });
		expect(record).toMatchObject({ status: "processing", progress: 0 });
	});

	test("fills in and runs the workflow, for its price", async () => {
		const { comfy, upload, completeTask, readBalance } = await open({ isInstant: true });
		const options = { aspect_ratio: "16:9", steps: 12, seed: 7, image_input: [await upload(fakePng("start"))] };
		expect(await completeTask({ ...REQUEST, options })).toMatchObject({
			status: "success",
			costCredits: 4,
			outputs: [{ type: "image", contentType: "image/png", width: 1, height: 1, seed: 7 }],
		});
		const [uploaded] = comfy.uploads;
		expect(uploaded?.bytes.includes(Buffer.from(fakePng("start")))).toBe(true);
		const { prompt } = comfy.requests.find(({ path }) => path === "/prompt")?.body ?? {};
		expect(prompt).toMatchObject({
			"3": { inputs: { seed: 7, steps: 12, positive: ["6", 0] } },
			"5": { inputs: { width: 1344, height: 768, batch_size: 1 } },
			"6": { inputs: { text: REQUEST.prompt } },
			"10": { inputs: { image: `atelier/${uploaded?.name}` } },
		});
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("shows the progress of the WebSocket, and sends HTTP requests without Origin", async () => {
		const { comfy, submitTask, advanceUntil, advanceUntilShown, advanceUntilEnded } = await open();
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => comfy.running.length === 1 && comfy.clients() === 1);
		comfy.sendProgress("execution_cached", { nodes: ["4"] });
		comfy.sendProgress("executing", { node: "6" });
		comfy.sendProgress("executing", { node: "3" });
		comfy.sendProgress("progress", { node: "3", value: 10, max: 20 });
		// Two of the six nodes are done, and the third is half done.
		await advanceUntilShown(taskId, { progress: 41 });
		comfy.finish();
		expect((await advanceUntilEnded(taskId)).status).toBe("success");
		expect(comfy.requests.filter(({ headers }) => headers.origin !== undefined)).toStrictEqual([]);
	});

	test("polls over HTTP if there is no WebSocket", async () => {
		const { comfy, startJob, advanceUntilEnded, advanceUntil } = await open({ hasSocket: false });
		const taskId = await startJob();
		await advanceUntil(() => comfy.count("GET", "/queue") > 3);
		comfy.finish();
		expect((await advanceUntilEnded(taskId)).status).toBe("success");
	});

	test("returns results, not previews", async () => {
		const { comfy, completeTask } = await open({ isInstant: true });
		comfy.files.set("preview.png", fakePng("preview"));
		const preview = { images: [{ filename: "preview.png", subfolder: "", type: "temp" }], animated: [false] };
		comfy.outputs = { "12": preview, ...comfy.outputs };
		expect((await completeTask(REQUEST)).outputs).toHaveLength(1);
		expect(comfy.requests.filter(({ path }) => path === "/view")).toHaveLength(1);
	});

	test("canceled while it waits is removed from the queue", async () => {
		const { comfy, startJob, cancelTask, awaitEnd, advanceUntil } = await open();
		comfy.pending.push([0, "another user's", {}, {}, []]);
		comfy.running.push([0, "another one", {}, {}, []]);
		const taskId = await startJob();
		expect(comfy.pending).toHaveLength(2);
		await cancelTask(taskId);
		expect((await awaitEnd(taskId)).status).toBe("canceled");
		await advanceUntil(() => comfy.pending.length === 1);
		expect(comfy.interrupted).toStrictEqual([]);
	});

	test("canceled while it runs interrupts only its own job", async () => {
		const { comfy, startJob, cancelTask, awaitEnd, advanceUntil } = await open();
		const taskId = await startJob();
		const [[, promptId] = []] = comfy.running;
		await cancelTask(taskId);
		expect((await awaitEnd(taskId)).status).toBe("canceled");
		await advanceUntil(() => comfy.interrupted.length === 1);
		expect(comfy.interrupted).toStrictEqual([promptId]);
	});
});

const fileOf = (filename: string) => ({ filename, subfolder: "", type: "output" });

describe("a ComfyUI in trouble", () => {
	test.each(["actThenDrop", "actThenSilence"] as const)(
		"receives a job once if the response is lost (%s)",
		async (fault) => {
			const { comfy, startJob, submits, advanceUntilEnded, readBalance } = await open();
			comfy.plan("POST", "/prompt", fault);
			const taskId = await startJob();
			comfy.finish();
			expect(await advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
			expect(submits()).toBe(1);
			expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
		},
	);

	test("receives the job again if the first submit was certainly not accepted", async () => {
		const { comfy, completeTask, submits } = await open({ isInstant: true });
		comfy.plan("POST", "/prompt", "drop", "silence");
		expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(3);
	});

	test("that lacks a model fails the task after all attempts, and names the input; nothing logs secret and prompt", async () => {
		const { comfy, completeTask, readHealth, readLog, readEngineLog } = await open({ checkpoints: [] });
		const message = "the engine rejects its workflow: value_not_in_list in CheckpointLoaderSimple.ckpt_name";
		const failure = { status: "failed", attempt: 3, error: { code: "engine_unavailable", message } };
		expect(await completeTask(REQUEST)).toMatchObject(failure);
		expect(await readHealth()).toStrictEqual(["down"]);
		expect(comfy.requests.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true);
		expect(readLog() + readEngineLog()).not.toMatch(new RegExp(`${SECRET}|${REQUEST.prompt}`));
	});

	test.each(["/prompt", "/upload/image"])(
		"behind a proxy that rejects the secret for %s logs the reason",
		async (path) => {
			const { comfy, upload, completeTask, readEngineLog } = await open();
			const fault = { status: 401 };
			comfy.plan("POST", path, fault, fault, fault);
			const options = { image_input: [await upload(fakePng("start"))] };
			const error = { code: "engine_unavailable", message: "the engine is currently not available" };
			expect(await completeTask({ ...REQUEST, options })).toMatchObject({ status: "failed", attempt: 3, error });
			expect(readEngineLog()).toContain("check its secret and its account");
		},
	);

	test("that runs out of memory is retried", async () => {
		const { comfy, submitTask, submits, advanceUntilEnded, advanceUntil } = await open();
		const taskId = await submitTask(REQUEST);
		for (let attempt = 1; attempt <= 3; attempt++) {
			await advanceUntil(() => comfy.running.length === 1);
			comfy.fail("torch.OutOfMemoryError", "Allocation on device");
		}
		const error = { code: "upstream_error", message: "the engine ran out of memory in KSampler" };
		expect(await advanceUntilEnded(taskId)).toMatchObject({ status: "failed", attempt: 3, error });
		expect(submits()).toBe(3);
	});

	test("that was interrupted by another client is not retried", async () => {
		const { comfy, startJob, advanceUntilEnded } = await open();
		const taskId = await startJob();
		await fetch(`${comfy.url}/interrupt`, { method: "POST" });
		const failure = { status: "failed", attempt: 1, error: { code: "upstream_error" } };
		expect(await advanceUntilEnded(taskId)).toMatchObject(failure);
	});

	test("that restarts loses the job, which another attempt submits within seconds", async () => {
		const { comfy, startJob, submits, advanceUntilEnded, advanceUntil, clock } = await open();
		const taskId = await startJob();
		comfy.forget();
		const lostAtMs = clock.nowMs();
		await advanceUntil(() => comfy.running.length === 1);
		expect(clock.nowMs() - lostAtMs).toBeLessThan(15_000);
		comfy.finish();
		expect(await advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 2 });
		expect(submits()).toBe(2);
	});

	test("that crashes after accepting the job and stays away fails the task after some minutes, and it is free", async () => {
		const { comfy, startJob, submits, advanceUntilEnded } = await open();
		const taskId = await startJob();
		await comfy.die();
		const record = await advanceUntilEnded(taskId);
		const error = { code: "upstream_error", retryable: true };
		// The job counts, then six refused submits do not, and two more do.
		expect(record).toMatchObject({ status: "failed", attempt: 9, maxAttempts: 9, error, costCredits: 0 });
		expect(submits()).toBe(1);
	});

	test("that responds to polls and downloads with errors gets them again", async () => {
		const { comfy, completeTask, submits } = await open({ isInstant: true });
		comfy.plan("GET", "/history", "drop", { status: 500 }, { json: [1, 2] }, { bytes: Buffer.from("<html>") });
		comfy.plan("GET", "/view", "drop", { status: 500 });
		expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(1);
	});

	test("that lost a finished file gets the job again", async () => {
		const { comfy, completeTask, submits } = await open({ isInstant: true });
		comfy.plan("GET", "/view", ...Array.from({ length: 61 }, () => ({ status: 404 })));
		expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 2 });
		expect(submits()).toBe(2);
	});

	test("that returns an unreadable image beside another one has the other as its output", async () => {
		const { comfy, completeTask } = await open({ isInstant: true });
		comfy.files.set("cut-off.png", fakePng().subarray(0, 40));
		comfy.outputs = { "9": { images: [fileOf("cut-off.png"), fileOf("ComfyUI_00001_.png")] } };
		const record = await completeTask(REQUEST);
		expect(record).toMatchObject({ status: "success", attempt: 1, outputs: [{ type: "image", width: 1 }] });
	});

	test.each<[string, Record<string, Record<string, unknown>>]>([
		["nothing", {}],
		["no list", { "9": { images: "junk", text: ["words"], animated: true } }],
		["no media", { "9": { images: [fileOf("junk.png")] } }],
	])("that returns %s has no output and is free", async (_, outputs) => {
		const { comfy, completeTask } = await open({ isInstant: true });
		comfy.files.set("junk.png", Buffer.from("<html>"));
		comfy.outputs = outputs;
		const failure = { status: "failed", attempt: 3, error: { code: "no_output" }, costCredits: 0 };
		expect(await completeTask(REQUEST)).toMatchObject(failure);
	});
});
