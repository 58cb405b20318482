/** The delivery routes: most tests inject faults or close routes through the admin API of the playground. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { randomFillSync } from "node:crypto";
import { createCanvas } from "@napi-rs/canvas";
import { fileTypeFromBuffer } from "file-type";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { EngineOutput } from "@atelier/studio/engines/engine";
import { createFakeEngine, fakeImage } from "@atelier/studio/testing/fake-engine";
import { advanceUntil, createManualClock } from "@atelier/common/testing/manual-clock";
import { serverCreditsLeft, openAtelier, advanceUntilAnswered, CREDITS_AFTER_IMAGE } from "./start-atelier.ts";
import { channelIdOf } from "./members.ts";
import { hasFile } from "./replies.ts";

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** Starts an image task that ends when the test calls `finish`. */
async function openDelivery() {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const clock = createManualClock();
	const { atelier, userClient, logs } = await openAtelier({ engine, clock });
	const adminClient = openAdminClient(atelier.origin);
	const channelId = await channelIdOf(userClient, "gallery");
	const reply = await userClient.type("/image", { prompt: "a boat" }, { channel: channelId });
	await expect.poll(() => engine.runs.length).toBe(1);
	const finish = (outputs?: EngineOutput[]) => engine.runs[0]?.finish(outputs);
	return { clock, userClient, logs, admin: adminClient, channelId, reply, finish };
}
type Delivery = Awaited<ReturnType<typeof openDelivery>>;

/** The client of the bot follows Discord's rate limits in real time. */
const REST_MS = 4;
/** Real time for a transcode worker, and small steps so that no progress update meets the injected fault first. */
const SMALL_CLOCK_STEPS = { stepMs: 5, restMs: 10 };

/** Waits for the result, which is visible once as an image that opens, and returns its route and message. */
async function expectOneResult({ clock, userClient, logs }: Delivery, steps: object = { restMs: REST_MS }) {
	await advanceUntil(clock, () => logs().includes("task delivered"), steps);
	const results = (await userClient.messages()).filter(hasFile);
	expect(results.map((message) => [textOf(message), filesOf(message)])).toMatchObject([
		[
			expect.stringMatching(new RegExp(`a boat[^]*4 credits · ${CREDITS_AFTER_IMAGE} left`)),
			[{ description: "a boat" }],
		],
	]);
	const [message] = results;
	const [file] = message ? filesOf(message) : [];
	if (!message || !file) throw new Error("no file");
	const bytes = await userClient.download(file);
	expect((await fileTypeFromBuffer(bytes))?.mime).toBe(file.content_type);
	expect(await serverCreditsLeft(userClient)).toBe(CREDITS_AFTER_IMAGE);
	const [, route] = /"route":"(\w+)","withFiles":true/.exec(logs()) ?? [];
	return { route, id: message.id, channelId: message.channel_id, text: textOf(message), sizeBytes: bytes.byteLength };
}

const expireToken = ({ admin, reply }: Delivery) => admin.expire({ interactionId: reply.interactionId });

test("the result for a channel that was deleted arrives as a direct message that names the channel", async () => {
	const scene = await openDelivery();
	await scene.admin.deleteChannel({ channelId: scene.channelId });
	await expireToken(scene);
	scene.finish();
	const result = await expectOneResult(scene);
	expect(result.route).toBe("directMessage");
	const { channels } = await scene.userClient.state();
	expect(channels.find(({ id }) => id === result.channelId)?.type).toBe(1);
	expect(result.text).toMatch(new RegExp(`^You asked for this in <#${scene.channelId}>`));
});

test("if Discord accepts less than it announces, images are transcoded", async () => {
	const large = await noiseImage();
	const scene = await openDelivery();
	await scene.admin.setFiles({ bytesMax: 1.5 * MIB, announcedBytesMax: 10 * MIB });
	scene.finish([large]);
	expect((await expectOneResult(scene, SMALL_CLOCK_STEPS)).sizeBytes).toBeLessThanOrEqual(1.5 * MIB);
	expect(scene.logs()).toContain("delivery rejected");
});

test("a video that takes longer than 15 minutes arrives in the same message", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const clock = createManualClock();
	const { userClient, logs } = await openAtelier({ engine, clock });
	const reply = await userClient.type("/video", { prompt: "a slow boat" });
	const thinking = await reply.until(() => true);
	await expect.poll(() => engine.runs.length).toBe(1);
	await clock.advance(14 * MINUTE_MS + 10_000);
	await reply.until((message) =>
		textOf(message).includes("\nThis is taking longer than usual. The result will be posted here.\n"),
	);
	for (let minute = 0; minute < 6; minute++) await clock.advance(MINUTE_MS);
	engine.runs[0]?.finish();
	const answer = await advanceUntilAnswered(clock, reply, hasFile);
	expect(answer.id).toBe(thinking.id);
	expect(textOf(answer)).toContain("15 credits · 485 left");
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
