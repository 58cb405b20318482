import { expect, test } from "vitest";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openAtelier, passUntilAnswered } from "./start-atelier.ts";

const MINUTE_MS = 60_000;

test("a video after more than Discord's fifteen minutes is delivered in the same message", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const clock = createManualClock();
	const { userClient, logs } = await openAtelier({ engine, clock });
	const reply = await userClient.type("/video", { prompt: "a slow boat" });
	const thinking = await reply.until(() => true);
	await expect.poll(() => engine.runs.length).toBe(1);
	await clock.advance(14 * MINUTE_MS);
	await reply.until(
		({ content }) => content === "This takes longer than usual. It will be posted here when it is ready.",
	);
	for (let minute = 0; minute < 6; minute++) await clock.advance(MINUTE_MS);

	engine.runs[0]?.finish();
	const answer = await passUntilAnswered(clock, reply, ({ attachments }) => attachments.length > 0);
	expect(answer.id).toBe(thinking.id);
	expect(answer.attachments).toHaveLength(1);
	expect(answer.content).toContain("15 credits · 485 left");
	expect(logs()).toContain('"route":"botEdit"');
	expect(logs()).not.toContain("50027");
	expect(reply.messages()).toHaveLength(1);
});
