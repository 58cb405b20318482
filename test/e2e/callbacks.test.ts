import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openAtelier } from "./start-atelier.ts";

test("a callback of the studio delivers a result before any poll is due", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { userClient, logs } = await openAtelier({ engine, clock: createManualClock() });
	const reply = await userClient.type("/image", { prompt: "a prompt boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	engine.runs[0]?.finish();
	const answer = await reply.until(isFinalReply);
	expect(answer.attachments).toHaveLength(1);
	expect(logs()).toContain("callback sent");
});

test("a callback of the studio reports a failure before any poll is due", async () => {
	const engine = createFakeEngine({ script: [{ kind: "fail", code: "content_policy", retryable: false }] });
	const { userClient } = await openAtelier({ engine, clock: createManualClock() });
	const answer = await (await userClient.type("/image", { prompt: "a prompt boat" })).until(isFinalReply);
	expect(answer.content).toContain("Nothing was charged.");
});
