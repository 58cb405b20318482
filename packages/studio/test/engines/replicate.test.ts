import { describe, expect, test } from "vitest";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { modelEntry, REQUEST, setupEngine } from "./engine-setup.ts";

const MODEL = modelEntry({ modelSettings: { model: "black-forest-labs/flux-schnell" } });

async function open() {
	const server = await openReplicate();
	return { server, ...(await setupEngine({ kind: "replicate", url: server.url, secret: "r8_token", model: MODEL })) };
}

describe("Replicate", () => {
	test("derives progress from the model's log", async () => {
		const { server, submitTask, advanceUntilShown } = await open();
		server.next = (prediction) => Object.assign(prediction, { status: "processing", logs: " 10%|#\n 45%|####" });
		const record = await advanceUntilShown(await submitTask(REQUEST), { progress: 45 });
		expect(record.status).toBe("processing");
	});

	test.each([
		["Request was throttled. Your rate limit resets in ~30s.", 30_000],
		["Request was throttled.", 1000],
	])("honors the wait in its error text, if there is one: %s", async (detail, waitMs) => {
		const { server, completeTask, clock } = await open();
		server.plan("POST", "/models/", { status: 429, json: { detail } });
		const startedAtMs = clock.nowMs();
		expect(await completeTask(REQUEST)).toMatchObject({ status: "success", attempt: 2, maxAttempts: 4 });
		expect(clock.nowMs() - startedAtMs).toBeGreaterThanOrEqual(waitMs);
	});

	test.each([
		[{ status: "failed", error: "The output was flagged as sensitive. (E005)" }, "content_policy", 1],
		[{ status: "failed", error: "out of memory at a lighthouse (E1001)" }, "upstream_error", 3],
		[{ status: "aborted" }, "upstream_error", 3],
		[{ status: "canceled" }, "upstream_error", 1],
		[{ status: "succeeded", output: null }, "no_output", 1],
		[{ status: "succeeded", output: "a text" }, "no_output", 1],
		[{ status: "succeeded", output: null, data_removed: true }, "upstream_error", 3],
	])("that ends as %j fails the task", async (end, code, attempt) => {
		const { server, completeTask } = await open();
		server.next = (prediction) => Object.assign(prediction, end);
		const task = await completeTask(REQUEST);
		expect(task).toMatchObject({ status: "failed", attempt, error: { code } });
		expect(JSON.stringify(task["error"])).not.toContain("lighthouse");
		expect(server.jobs).toHaveLength(attempt);
	});
});
