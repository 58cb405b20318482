import { describe, expect, test } from "vitest";
import { fakePng } from "../../../testing/fake-engine.ts";
import { openComfyUi, type FakeComfyUi } from "../../../testing/servers/comfyui.ts";
import { modelEntry, REQUEST, setupEngines } from "../engine-setup.ts";

const WORKFLOW = {
	"3": { class_type: "KSampler", inputs: { seed: 5, steps: 20, positive: ["6", 0], latent_image: ["5", 0] } },
	"4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "model.safetensors" } },
	"5": { class_type: "EmptyLatentImage", inputs: { width: 512, height: 512, batch_size: 1 } },
	"6": { class_type: "CLIPTextEncode", inputs: { text: "", clip: ["4", 1] } },
	"9": { class_type: "SaveImage", inputs: { filename_prefix: "ComfyUI", images: ["8", 0] } },
	"10": { class_type: "LoadImage", inputs: { image: "example.png" } },
};
const INPUTS = { prompt: "6.text", seed: "3.seed", steps: "3.steps", width: "5.width", height: "5.height" };

function fileFor(url: string, more: object = {}): object {
	return {
		engines: { gpu: { kind: "comfyui", url, ...more } },
		models: [
			modelEntry({
				scenes: ["text-to-image", "image-to-image"],
				options: {
					aspect_ratio: { type: "string", enum: ["1:1", "16:9"] },
					steps: { type: "integer", minimum: 1, maximum: 50 },
					seed: { type: "integer", minimum: 0, maximum: 1000 },
					image_input: { type: "array" },
				},
				engines: [
					{
						engine: "gpu",
						workflows: {
							"text-to-image": { file: "flow.json", inputs: INPUTS },
							"image-to-image": { file: "flow.json", inputs: { ...INPUTS, image: "10.image" } },
						},
					},
				],
			}),
		],
	};
}

type Options = Parameters<typeof openComfyUi>[0];

async function open(options: Options = {}, more: Omit<Parameters<typeof setupEngines>[0], "file"> = {}) {
	const comfy = await openComfyUi(options);
	comfy.files.set("ComfyUI_00001_.png", fakePng("made"));
	return { comfy, ...(await setupEngines({ file: fileFor(comfy.url), beside: { "flow.json": WORKFLOW }, ...more })) };
}

const sent = ({ running, pending }: FakeComfyUi): number => running.length + pending.length;
const submits = (comfy: FakeComfyUi): number => comfy.count("POST", "/prompt");

describe("a task on a ComfyUI", () => {
	test("reports its queue position among jobs of other clients", async () => {
		const { comfy, submitTask, advanceUntil, readTask } = await open();
		comfy.running.push([0, "another user's", {}, {}, []]);
		comfy.pending.push([-1, "a job that goes first", {}, {}, []]);
		const id = await submitTask(REQUEST);
		const shows = (position: number | null) =>
			advanceUntil(
				() => readTask(id),
				({ status, queuePosition }) => status === "processing" && queuePosition === position,
			);
		await shows(2);
		comfy.pending.shift();
		await shows(1);
		comfy.finish();
		expect(await shows(null)).toMatchObject({ progress: 0 });
	});

	test("fills in and runs the workflow, for its price", async () => {
		const { comfy, submitTask, advanceUntilEnded, readBalance } = await open({ isInstant: true });
		const options = { aspect_ratio: "16:9", steps: 12, seed: 7 };
		const task = await advanceUntilEnded(await submitTask({ ...REQUEST, options }));
		expect(task).toMatchObject({
			status: "success",
			costCredits: 4,
			outputs: [{ type: "image", contentType: "image/png", width: 1, height: 1, seed: 7 }],
		});
		const { prompt } = comfy.requests.find(({ path }) => path === "/prompt")?.body ?? {};
		expect(prompt).toMatchObject({
			"3": { inputs: { seed: 7, steps: 12, positive: ["6", 0] } },
			"5": { inputs: { width: 1344, height: 768, batch_size: 1 } },
			"6": { inputs: { text: REQUEST.prompt } },
		});
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("starts from an uploaded image", async () => {
		const { comfy, upload, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		const options = { image_input: [await upload(fakePng("start"))] };
		const task = await advanceUntilEnded(await submitTask({ ...REQUEST, options }));
		expect(task.status).toBe("success");
		const [uploaded] = comfy.uploads;
		expect(uploaded?.bytes.includes(Buffer.from(fakePng("start")))).toBe(true);
		const { prompt } = comfy.requests.find(({ path }) => path === "/prompt")?.body ?? {};
		expect(prompt).toMatchObject({ "10": { inputs: { image: `atelier/${uploaded?.name}` } } });
	});

	test("shows the progress of the WebSocket, and sends HTTP requests without Origin", async () => {
		const { comfy, submitTask, readTask, advanceUntil, advanceUntilEnded } = await open();
		const taskId = await submitTask(REQUEST);
		await advanceUntil(
			() => sent(comfy) + comfy.clients(),
			(count) => count === 2,
		);
		comfy.sendProgress("execution_cached", { nodes: ["4"] });
		comfy.sendProgress("executing", { node: "6" });
		comfy.sendProgress("executing", { node: "3" });
		comfy.sendProgress("progress", { node: "3", value: 10, max: 20 });
		// Two of the six nodes are done, and the third is half done.
		await advanceUntil(
			() => readTask(taskId),
			({ progress }) => progress === 41,
		);
		comfy.finish();
		expect((await advanceUntilEnded(taskId)).status).toBe("success");
		expect(comfy.requests.filter(({ headers }) => headers.origin !== undefined)).toStrictEqual([]);
	});

	test("polls over HTTP if there is no WebSocket", async () => {
		const { comfy, submitTask, advanceUntilEnded, advanceUntil } = await open({ hasSocket: false });
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => sent(comfy) === 1);
		await advanceUntil(() => comfy.count("GET", "/queue") > 3);
		comfy.finish();
		expect((await advanceUntilEnded(taskId)).status).toBe("success");
	});

	test("returns results, not previews", async () => {
		const { comfy, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		comfy.files.set("preview.png", fakePng("preview"));
		comfy.outputs = {
			"12": { images: [{ filename: "preview.png", subfolder: "", type: "temp" }], animated: [false] },
			...comfy.outputs,
		};
		expect((await advanceUntilEnded(await submitTask(REQUEST))).outputs).toHaveLength(1);
		expect(comfy.requests.filter(({ path }) => path === "/view")).toHaveLength(1);
	});

	test("canceled while it waits is removed from the queue", async () => {
		const { comfy, submitTask, cancelTask, awaitEnd, advanceUntil } = await open(
			{},
			{ limits: { engineConcurrency: 2 } },
		);
		comfy.pending.push([0, "another user's", {}, {}, []]);
		comfy.running.push([0, "another one", {}, {}, []]);
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => comfy.pending.length === 2);
		// Continues once the engine has the id of its job.
		await advanceUntil(() => comfy.count("GET", "/queue") > 0);
		await cancelTask(taskId);
		expect((await awaitEnd(taskId)).status).toBe("canceled");
		await advanceUntil(() => comfy.pending.length === 1);
		expect(comfy.interrupted).toStrictEqual([]);
	});

	test("canceled while it runs interrupts only its own job", async () => {
		const { comfy, submitTask, cancelTask, awaitEnd, advanceUntil } = await open();
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => comfy.count("GET", "/queue") > 0);
		const [[, promptId] = []] = comfy.running;
		await cancelTask(taskId);
		expect((await awaitEnd(taskId)).status).toBe("canceled");
		await advanceUntil(() => comfy.interrupted.length === 1);
		expect(comfy.interrupted).toStrictEqual([promptId]);
	});
});

describe("a ComfyUI in trouble", () => {
	test("receives a job once if the response is lost", async () => {
		for (const fault of ["actThenDrop", "actThenSilence"] as const) {
			const { comfy, submitTask, advanceUntilEnded, advanceUntil, readBalance } = await open();
			comfy.plan("POST", "/prompt", fault);
			const taskId = await submitTask(REQUEST);
			await advanceUntil(() => comfy.running.length === 1);
			await advanceUntil(() => comfy.count("GET", "/queue") > 0);
			comfy.finish();
			expect(await advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
			expect(submits(comfy)).toBe(1);
			expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
		}
	});

	test("receives the job again if the first submit was certainly not accepted", async () => {
		const { comfy, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		comfy.plan("POST", "/prompt", "drop", "silence");
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ status: "success", attempt: 1 });
		expect(submits(comfy)).toBe(3);
	});

	test("that lacks a model fails the task after all attempts, names the input, and is free", async () => {
		const { submitTask, advanceUntilEnded, call } = await open({ checkpoints: [] });
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({
			status: "failed",
			attempt: 3,
			error: {
				code: "engine_unavailable",
				message: "the engine rejects its workflow: value_not_in_list in CheckpointLoaderSimple.ckpt_name",
			},
		});
		expect((await call("GET", "/api/v1/models")).body.data["models"]).toMatchObject([{ health: "down" }]);
	});

	test("that runs out of memory is retried", async () => {
		const { comfy, submitTask, advanceUntilEnded, advanceUntil } = await open();
		const taskId = await submitTask(REQUEST);
		for (let attempt = 1; attempt <= 3; attempt++) {
			await advanceUntil(() => comfy.running.length === 1);
			comfy.fail("torch.OutOfMemoryError", "Allocation on device");
		}
		expect(await advanceUntilEnded(taskId)).toMatchObject({
			status: "failed",
			attempt: 3,
			error: { code: "upstream_error", message: "the engine ran out of memory in KSampler" },
		});
		expect(submits(comfy)).toBe(3);
	});

	test("that was interrupted by another client is not retried", async () => {
		const { comfy, submitTask, advanceUntilEnded, advanceUntil } = await open();
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => comfy.running.length === 1);
		await fetch(`${comfy.url}/interrupt`, { method: "POST" });
		expect(await advanceUntilEnded(taskId)).toMatchObject({
			status: "failed",
			attempt: 1,
			error: { code: "upstream_error" },
		});
	});

	test("that restarts loses the job, which another attempt submits", async () => {
		const { comfy, submitTask, advanceUntilEnded, advanceUntil } = await open();
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => comfy.count("GET", "/queue") > 0);
		comfy.forget();
		await advanceUntil(() => comfy.running.length === 1);
		comfy.finish();
		expect(await advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 2 });
		expect(submits(comfy)).toBe(2);
	});

	test("that crashes after accepting the job and stays away fails the task, which is free", async () => {
		const { comfy, submitTask, advanceUntilEnded, advanceUntil } = await open();
		const taskId = await submitTask(REQUEST);
		await advanceUntil(() => comfy.count("GET", "/queue") > 0);
		await comfy.die();
		// Advances the clock in large steps, because the engine polls for a minute before it gives up.
		const stepMs = 500;
		expect(await advanceUntilEnded(taskId, stepMs)).toMatchObject({
			status: "failed",
			error: { code: "upstream_error", retryable: true },
		});
		expect(submits(comfy)).toBe(1);
	});

	test("that responds to polls and downloads with errors gets them again", async () => {
		const { comfy, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		comfy.plan("GET", "/history", "drop", { status: 500 }, { json: [1, 2] }, { bytes: Buffer.from("<html>") });
		comfy.plan("GET", "/view", "drop", { status: 500 });
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ status: "success", attempt: 1 });
		expect(submits(comfy)).toBe(1);
	});

	test("that lost a finished file gets the job again", async () => {
		const { comfy, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		comfy.plan("GET", "/view", ...Array.from({ length: 4 }, () => ({ status: 404 })));
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({ status: "success", attempt: 2 });
		expect(submits(comfy)).toBe(2);
	});

	test("that returns an unreadable image beside another one has the other as its output", async () => {
		const { comfy, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		comfy.files.set("cut-off.png", fakePng().subarray(0, 40));
		const images = ["cut-off.png", "ComfyUI_00001_.png"].map((filename) => ({
			filename,
			subfolder: "",
			type: "output",
		}));
		comfy.outputs = { "9": { images } };
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({
			status: "success",
			attempt: 1,
			outputs: [{ type: "image", width: 1 }],
		});
	});

	test.each<[string, Record<string, Record<string, unknown>>]>([
		["nothing", {}],
		["no list", { "9": { images: "junk", text: ["words"], animated: true } }],
		["no media", { "9": { images: [{ filename: "junk.png", subfolder: "", type: "output" }] } }],
	])("that returns %s has no output and is free", async (_, outputs) => {
		const { comfy, submitTask, advanceUntilEnded } = await open({ isInstant: true });
		comfy.files.set("junk.png", Buffer.from("<html>"));
		comfy.outputs = outputs;
		expect(await advanceUntilEnded(await submitTask(REQUEST))).toMatchObject({
			status: "failed",
			attempt: 3,
			error: { code: "no_output" },
			costCredits: 0,
		});
	});

	test("gets its secret in a header that is not logged", async () => {
		const comfy = await openComfyUi({ checkpoints: [] });
		const file = fileFor(comfy.url, { secret: { env: "COMFY_KEY" } });
		const env = { COMFY_KEY: "hunter2-hunter2" };
		const { submitTask, advanceUntilEnded, readLog } = await setupEngines({
			file,
			beside: { "flow.json": WORKFLOW },
			env,
		});
		await advanceUntilEnded(await submitTask(REQUEST));
		expect(comfy.requests.every(({ headers }) => headers.authorization === "Bearer hunter2-hunter2")).toBe(true);
		expect(readLog()).not.toContain("hunter2");
		expect(readLog()).not.toContain(REQUEST.prompt);
	});
});
