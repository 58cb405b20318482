import { describe, expect, test } from "vitest";
import { openAceStep } from "../../testing/servers/ace-step.ts";
import { modelEntry, setupEngine } from "./engine-setup.ts";

const MODEL = modelEntry({
	mediaType: "music",
	scenes: ["text-to-music"],
	options: {
		duration: { type: "integer", minimum: 10, maximum: 240, default: 30 },
		lyrics: { type: "string", maxLength: 2000 },
		instrumental: { type: "boolean" },
		seed: { type: "integer", minimum: 0, maximum: 1_000_000 },
	},
	modelSettings: {
		input: { thinking: true },
		fields: { instrumental: { sets: { true: { lyrics: "[Instrumental]" }, false: {} } } },
	},
});
const REQUEST = { mediaType: "music", model: "m", prompt: "a slow waltz" };

async function open() {
	const server = await openAceStep();
	return { server, ...(await setupEngine({ kind: "ace-step", url: server.url, model: MODEL })) };
}

describe("ACE-Step", () => {
	test("generates one song with the chosen options, for its price", async () => {
		const { server, completeTask, readBalance } = await open();
		expect(await completeTask({ ...REQUEST, options: { duration: 20, lyrics: "la la", seed: 7 } })).toMatchObject({
			status: "success",
			credits: { reserved: 0, charged: 4 },
			outputs: [{ type: "audio", contentType: "audio/wav", durationSeconds: 2, seed: 4242 }],
		});
		expect(server.jobs.map(({ request }) => request)).toStrictEqual([
			{
				batch_size: 1,
				audio_format: "mp3",
				thinking: true,
				prompt: "a slow waltz",
				audio_duration: 20,
				lyrics: "la la",
				seed: 7,
				use_random_seed: false,
			},
		]);
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("requests an instrumental song for the option instrumental", async () => {
		const { server, completeTask } = await open();
		await completeTask({ ...REQUEST, options: { instrumental: true } });
		expect(server.jobs[0]?.request).toMatchObject({ lyrics: "[Instrumental]", audio_duration: 30 });
		expect(server.jobs[0]?.request).not.toHaveProperty("use_random_seed");
	});

	test("reports its progress", async () => {
		const { server, submitTask, advanceUntilShown } = await open();
		server.next = (job) => void (job.items = [{ file: "", status: 0, progress: 0.4, stage: "running" }]);
		const record = await advanceUntilShown(await submitTask(REQUEST), { progress: 40 });
		expect(record.status).toBe("processing");
	});

	test.each([
		["fails", { status: 2 as const, items: [{ file: "", status: 2, error: "CUDA out of memory" }] }, "upstream_error"],
		["ends without a file", { status: 1 as const, items: [{ file: "", status: 1 }] }, "no_output"],
	])("that %s is retried", async (_, end, code) => {
		const { server, completeTask } = await open();
		server.next = (job) => void Object.assign(job, end);
		expect(await completeTask(REQUEST)).toMatchObject({ status: "failed", attempt: 3, error: { code } });
		expect(server.jobs).toHaveLength(3);
	});

	test("that restarts loses the job, which is submitted again", async () => {
		const { server, submitTask, advanceUntilEnded, advanceUntil } = await open();
		const completed = server.next;
		server.next = () => {};
		const id = await submitTask(REQUEST);
		await advanceUntil(() => server.count("POST", "/query_result") > 1);
		server.forget();
		server.next = completed;
		expect(await advanceUntilEnded(id)).toMatchObject({ status: "success", attempt: 2, credits: { charged: 4 } });
	});
});

test("the engine file rejects options without a field and models of another media type", async () => {
	const model = { ...MODEL, mediaType: "image", scenes: ["text-to-image"], engines: [{ engine: "far" }] };
	await expect(setupEngine({ kind: "ace-step", url: "http://127.0.0.1:1", model })).rejects.toThrow(
		/fields\.instrumental: expected the field for this option[^]*expected a model for music/,
	);
});
