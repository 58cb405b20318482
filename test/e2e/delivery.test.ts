/** The delivery routes, which the tests close through the admin API of the playground. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { randomFillSync } from "node:crypto";
import { createCanvas } from "@napi-rs/canvas";
import { assert, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { EngineOutput } from "@atelier/studio/engines/engine";
import { createFakeEngine, fakeImage } from "@atelier/studio/testing/fake-engine";
import { advanceUntil, createManualClock } from "@atelier/common/testing/manual-clock";
import {
	serverCreditsLeft,
	openAtelier,
	advanceUntilAnswered,
	CREDITS_AFTER_IMAGE,
	channelIdOf,
} from "./start-atelier.ts";
import { hasFile } from "./replies.ts";

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** Starts an image task that ends when the test calls `finish`. */
async function startTask(env: Readonly<Record<string, string>> = {}) {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const clock = createManualClock();
	const { atelier, userClient, logs } = await openAtelier({ engine, clock, env });
	const channelId = await channelIdOf(userClient, "gallery");
	const reply = await userClient.type("/image", { prompt: "a boat" }, { channel: channelId });
	await expect.poll(() => engine.runs.length).toBe(1);
	const finish = (outputs?: EngineOutput[]) => engine.runs[0]?.finish(outputs);
	/** Waits for the result, which is visible once and charged once. `restMs`: the client of the bot and the transcoder work in real time. */
	async function delivered(steps: { stepMs?: number; restMs: number }) {
		await advanceUntil(clock, () => logs().includes("task delivered"), steps);
		const [message = assert.fail("no result"), ...others] = (await userClient.messages()).filter(hasFile);
		expect(others).toStrictEqual([]);
		expect(textOf(message)).toContain(`4 credits · ${CREDITS_AFTER_IMAGE} left`);
		expect(await serverCreditsLeft(userClient)).toBe(CREDITS_AFTER_IMAGE);
		return message;
	}
	return { clock, userClient, logs, admin: openAdminClient(atelier.origin), channelId, reply, finish, delivered };
}

test("the result for a channel that was deleted arrives as a direct message that names the channel", async () => {
	const { admin, userClient, channelId, reply, finish, delivered, logs } = await startTask();
	await admin.deleteChannel({ channelId });
	await admin.expire({ interactionId: reply.interactionId });
	finish();
	const result = await delivered({ restMs: 4 });
	expect(logs()).toContain('"route":"directMessage","withFiles":true');
	const { channels } = await userClient.state();
	expect(channels.find(({ id }) => id === result.channel_id)?.type).toBe(1);
	expect(textOf(result)).toMatch(new RegExp(`^You asked for this in <#${channelId}>`));
});

test("if Discord accepts less than it announces, images are transcoded", async () => {
	const large = await noiseImage();
	const { admin, userClient, finish, delivered, logs } = await startTask();
	await admin.setFiles({ bytesMax: 1.5 * MIB, announcedBytesMax: 10 * MIB });
	finish([large]);
	// Small steps, so that no progress update is the rejected request.
	const [file = assert.fail("no file")] = filesOf(await delivered({ stepMs: 5, restMs: 10 }));
	expect((await userClient.download(file)).byteLength).toBeLessThanOrEqual(1.5 * MIB);
	expect(logs()).toContain("delivery rejected");
});

test("a result that takes longer than 15 minutes arrives in the same message, before the deadline of the bot", async () => {
	const { clock, reply, finish, logs } = await startTask({ IMAGE_DEADLINE_MINUTES: "30" });
	const thinking = await reply.until(() => true);
	await clock.advance(14 * MINUTE_MS + 10_000);
	await reply.until((message) =>
		textOf(message).includes("\nThis is taking longer than usual. The result will be posted here.\n"),
	);
	for (let minute = 0; minute < 6; minute++) await clock.advance(MINUTE_MS);
	finish();
	const answer = await advanceUntilAnswered(clock, reply, hasFile);
	expect(answer.id).toBe(thinking.id);
	expect(textOf(answer)).toContain(`4 credits · ${CREDITS_AFTER_IMAGE} left`);
	expect(logs()).toContain('"route":"botEdit"');
	expect(logs()).not.toContain("50027");
	expect(reply.messages()).toHaveLength(1);
});

/** An image that lossless encoders cannot shrink. */
async function noiseImage(): Promise<EngineOutput> {
	const canvas = createCanvas(660, 660);
	const context = canvas.getContext("2d");
	const pixels = context.createImageData(canvas.width, canvas.height);
	randomFillSync(pixels.data);
	context.putImageData(pixels, 0, 0);
	return { ...fakeImage(), bytes: await canvas.encode("png") };
}
