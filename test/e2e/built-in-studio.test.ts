import { filesOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { advanceUntilAnswered, openAtelier } from "./start-atelier.ts";

test("the studio runs a task until the bot's deadline", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const clock = createManualClock();
	const { userClient } = await openAtelier({ engine, clock, env: { IMAGE_DEADLINE_MINUTES: "30" } });
	const reply = await userClient.type("/image", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	await clock.advance(20 * 60_000);
	engine.runs[0]?.finish();
	expect(filesOf(await advanceUntilAnswered(clock, reply))).toHaveLength(1);
});

test("a callback of the studio delivers a result before any poll is due", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { userClient, logs } = await openAtelier({ engine, clock: createManualClock() });
	const reply = await userClient.type("/image", { prompt: "a prompt boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	engine.runs[0]?.finish();
	const answer = await reply.until(isFinalReply);
	expect(filesOf(answer)).toHaveLength(1);
	expect(logs()).toContain("callback sent");
});
