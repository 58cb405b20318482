/** Every route of the ladder, each taken because a switch of the playground closed those above it, and seen by a person. */
import { randomFillSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIMessage } from "discord-api-types/v10";
import { createCanvas } from "@napi-rs/canvas";
import { fileTypeFromBuffer } from "file-type";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { EngineOutput } from "@atelier/studio/engines/engine";
import { createFakeEngine, fakeImage, type Script } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { creditsLeft, openAtelier } from "./start-atelier.ts";

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;
const TOKEN_EDIT = "PATCH /webhooks/:application/:token/messages/:message";
const LOOK_BACK = "GET /channels/:channel/messages";
const POST = "POST /channels/:channel/messages";
const acceptedAndLost = { acts: true, answer: { kind: "hangUp" } } as const;

/** An image task that waits until the test finishes it, and faults for its delivery. */
async function making({ command = "/image", script = [{ kind: "hang" }] as Script[] } = {}) {
	const engine = createFakeEngine({ script });
	const clock = createManualClock();
	const { atelier, userClient, logs } = await openAtelier({ engine, clock });
	const adminClient = openAdminClient(atelier.origin);
	const channelId = (await userClient.state()).channels.find(({ name }) => name === "gallery")?.id ?? "none";
	const reply = await userClient.type(command, { prompt: "a boat" }, { channel: channelId });
	await reply.until(() => true);
	await expect.poll(() => engine.runs.length).toBe(1);
	return { engine, clock, userClient, logs, adminClient, channelId, reply, finish: () => engine.runs[0]?.finish() };
}
type Making = Awaited<ReturnType<typeof making>>;

const LOGGED_WITHIN_MS = 20_000;
/** Waits for another process, which does not follow the test's clock. */
const WHILE_FITTED = { stepMs: 5, passesMax: 20_000, restMs: 10 };
/** A look takes the whole of the page, so it is not taken at each pass. */
const PASSES_A_LOOK = 5;

/** Lets time pass until the person sees a message like this, anywhere; `stepMs` at a time. */
async function passUntilSeen(
	{ clock, userClient }: Pick<Making, "clock" | "userClient">,
	wanted: (message: APIMessage) => boolean,
	{ stepMs = 250, passesMax = 2_000, restMs = 4 } = {},
): Promise<APIMessage> {
	for (let passes = 0; passes < passesMax; passes++) {
		const found = passes % PASSES_A_LOOK === 0 ? (await userClient.messages()).find(wanted) : undefined;
		if (found) return found;
		await clock.advance(stepMs);
		await sleep(restMs);
	}
	throw new Error("nothing of the kind was seen");
}

const hasFile = ({ attachments }: APIMessage): boolean => attachments.length > 0;

/** The only visible result: an image that opens, with the right text and cost, once. */
async function expectOneResult({ userClient }: Pick<Making, "userClient">, message: APIMessage): Promise<void> {
	const results = (await userClient.messages()).filter(hasFile);
	expect(results.map(({ id }) => id)).toStrictEqual([message.id]);
	expect(message.content).toContain("a boat");
	expect(message.content).toContain("4 credits · 496 left");
	const [attachment] = message.attachments;
	if (!attachment) throw new Error("no file");
	expect((await fileTypeFromBuffer(await userClient.download(attachment)))?.mime).toBe(attachment.content_type);
	expect(attachment.description).toBe("a boat");
	expect(await creditsLeft(userClient)).toBe(496);
}

test("a token that expires early loses no result: the bot edits the same message", async () => {
	const scene = await making();
	await scene.adminClient.expire(scene.reply.interactionId);
	scene.finish();
	const message = await passUntilSeen(scene, hasFile);
	expect(message.id).toBe(scene.reply.message()?.id);
	await expectOneResult(scene, message);
	expect(scene.logs()).toContain('"route":"botEdit"');
});

test("a deleted reply becomes a new message in the same channel", async () => {
	const scene = await making();
	await scene.adminClient.deleteMessage(scene.channelId, scene.reply.message()?.id ?? "none");
	scene.finish();
	const message = await passUntilSeen(scene, hasFile);
	expect(message.channel_id).toBe(scene.channelId);
	await expectOneResult(scene, message);
	expect(scene.logs()).toContain('"route":"botPost"');
});

test.each<[string, (scene: Making) => Promise<unknown>]>([
	["the bot was shut out of", ({ adminClient, channelId }) => adminClient.setAccess(channelId, "none")],
	["the bot left the server of", ({ adminClient }) => adminClient.setMembership(false)],
	["was deleted", ({ adminClient, channelId }) => adminClient.deleteChannel(channelId)],
])("a result for a channel that %s is sent as a direct message that names the channel", async (_what, close) => {
	const scene = await making();
	await close(scene);
	await scene.adminClient.expire(scene.reply.interactionId);
	scene.finish();
	const message = await passUntilSeen(scene, hasFile);
	const { channels } = await scene.userClient.state();
	expect(channels.find(({ id }) => id === message.channel_id)?.isDirect).toBe(true);
	expect(message.content).toMatch(new RegExp(`^You asked for this in <#${scene.channelId}>`));
	await expectOneResult(scene, message);
});

test("a channel where the bot may edit but not send still gets its result, by an edit", async () => {
	const scene = await making();
	await scene.adminClient.setAccess(scene.channelId, "readOnly");
	await scene.adminClient.expire(scene.reply.interactionId);
	scene.finish();
	await expectOneResult(scene, await passUntilSeen(scene, hasFile));
	expect(scene.logs()).toContain('"route":"botEdit"');
});

test("the result is stored if every route is closed, and `/job get` returns it", async () => {
	const scene = await making();
	const { adminClient, userClient, channelId, reply } = scene;
	await adminClient.setAccess(channelId, "none");
	await adminClient.setDirect(userClient.me.user.id, false);
	await adminClient.expire(reply.interactionId);
	scene.finish();
	await passUntilLogged(scene, "no delivery route left, result stored");
	await adminClient.reset();
	const fetched = await (await userClient.type("/job get", { id: reply.interactionId })).until(hasFile);
	expect(fetched.attachments).toHaveLength(1);
	expect(await creditsLeft(userClient)).toBe(496);
});

test("an edit without a response is repeated, and the result is shown once", async () => {
	const scene = await making();
	await scene.adminClient.inject({ route: TOKEN_EDIT, times: 1, ...acceptedAndLost });
	scene.finish();
	const message = await passUntilSeen(scene, hasFile);
	await passUntilLogged(scene, "task delivered");
	await expectOneResult(scene, (await present(scene, message.id)) ?? message);
	expect(scene.logs()).toContain('"route":"tokenEdit"');
});

test("a post without a response is not repeated: soon after because of its nonce", async () => {
	const scene = await making();
	await scene.adminClient.deleteMessage(scene.channelId, scene.reply.message()?.id ?? "none");
	await scene.adminClient.inject({ route: POST, times: 1, ...acceptedAndLost });
	// The search finds nothing, so that only the nonce prevents a duplicate.
	await scene.adminClient.inject({ route: LOOK_BACK, answer: { kind: "error", status: 403, code: 50_001 } });
	scene.finish();
	const message = await passUntilSeen(scene, hasFile);
	await passUntilLogged(scene, "task delivered");
	await expectOneResult(scene, message);
	expect(scene.logs()).toContain('"route":"botPost"');
});

test("a post without a response is not repeated: long after because of the history", async () => {
	const scene = await making();
	await scene.adminClient.deleteMessage(scene.channelId, scene.reply.message()?.id ?? "none");
	await scene.adminClient.inject({ route: POST, times: 1, ...acceptedAndLost });
	await scene.adminClient.inject({ route: LOOK_BACK, times: 1 });
	await scene.adminClient.inject({ route: LOOK_BACK, answer: { kind: "error", status: 503, code: 0 } });
	scene.finish();
	const message = await passUntilSeen(scene, hasFile);
	// A good while after any nonce was forgotten.
	for (let minute = 0; minute < 20; minute++) await scene.clock.advance(MINUTE_MS);
	await scene.adminClient.clearFaults();
	await passUntilLogged(scene, "task delivered");
	await expectOneResult(scene, message);
	expect(scene.logs()).toContain('"route":"botPost"');
});

test.each([
	["is away for a while", { times: 5, answer: { kind: "error", status: 503, code: 0 } }],
	["breaks connections off", { times: 3, answer: { kind: "hangUp" } }],
	["asks for patience", { times: 1, answer: { kind: "rateLimit", retryAfterS: 20 } }],
] as const)("a delivery waits for a Discord that %s", async (_what, fault) => {
	const scene = await making();
	await scene.adminClient.inject({ route: TOKEN_EDIT, ...fault });
	scene.finish();
	// In small steps: before it is time for news of how far it is, which would meet the fault first.
	await passUntilLogged(scene, "delivery postponed", WHILE_FITTED);
	expect((await scene.userClient.messages()).filter(hasFile)).toStrictEqual([]);
	await expectOneResult(scene, await passUntilSeen(scene, hasFile));
});

test.each([
	["a page of a proxy", { text: "<html></html>", contentType: "text/html" }],
	["an empty list", { text: "[]" }],
	["nothing", { text: "", status: 204 }],
] as const)("an edit that is answered with %s counts only if the reply shows it", async (_what, body) => {
	const answer = { kind: "body", ...body } as const;
	const lost = await making();
	await lost.adminClient.inject({ route: TOKEN_EDIT, times: 1, answer });
	lost.finish();
	await passUntilLogged(lost, '"route":"botEdit","withFiles":true', WHILE_FITTED);
	await expectOneResult(lost, await passUntilSeen(lost, hasFile));
	expect(lost.logs()).toContain('"kind":"noMessage"');
	const completed = await making();
	await completed.adminClient.inject({ route: TOKEN_EDIT, times: 1, acts: true, answer });
	completed.finish();
	await passUntilLogged(completed, '"route":"tokenEdit","withFiles":true', WHILE_FITTED);
	await expectOneResult(completed, await passUntilSeen(completed, hasFile));
});

test("if Discord accepts less than it announces, the image is transcoded, and the next one directly", async () => {
	const large = await noise();
	const scene = await making({ script: [{ kind: "hang" }, { kind: "succeed", outputs: [large] }] });
	const { adminClient, engine, userClient, logs } = scene;
	await adminClient.setFiles({ bytesMax: 1.5 * MIB, announcedBytesMax: 10 * MIB });
	engine.runs[0]?.finish([large]);
	const message = await passUntilSeen(scene, hasFile, WHILE_FITTED);
	expect(message.attachments[0]?.size).toBeLessThanOrEqual(1.5 * MIB);
	await expectOneResult(scene, message);
	const refusals = (): number => logs().split("delivery refused").length - 1;
	const before = refusals();
	expect(before).toBeGreaterThan(0);

	const second = await userClient.type("/image", { prompt: "a second boat" });
	await passUntilSeen(scene, (shown) => hasFile(shown) && shown.content.includes("a second boat"), WHILE_FITTED);
	expect(second.message()?.attachments[0]?.size).toBeLessThanOrEqual(1.5 * MIB);
	expect(refusals()).toBe(before);
});

test("the reply explains the missing files if Discord accepts none", async () => {
	const scene = await making();
	await scene.adminClient.setFiles({ bytesMax: 10, announcedBytesMax: 10 * MIB });
	scene.finish();
	const { content } = await passUntilSeen(scene, (message) => message.content.includes("did not take the file"));
	expect(content).toContain(scene.reply.interactionId);
	expect(content).toContain("/job get");
});

test.each<[string, (scene: { adminClient: Making["adminClient"]; channelId: string }) => Promise<unknown>]>([
	["does not see the channel", ({ adminClient, channelId }) => adminClient.setAccess(channelId, "none")],
	["is not in the server", ({ adminClient }) => adminClient.setMembership(false)],
])("a bot that %s denies a video that it could not deliver, with advice", async (_what, close) => {
	const engine = createFakeEngine();
	const { atelier, userClient } = await openAtelier({ engine });
	const adminClient = openAdminClient(atelier.origin);
	await close({ adminClient, channelId: (await userClient.state()).channels[0]?.id ?? "none" });
	for (const command of ["/video", "/music"]) {
		const { content } = await (await userClient.type(command, { prompt: "a boat" })).until(isFinalReply);
		expect(content).toContain("only the bot itself can show it here");
	}
	expect(engine.runs).toHaveLength(0);
	expect(await creditsLeft(userClient)).toBe(500);
	// An image is ready before the token expires.
	expect((await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply)).attachments).toHaveLength(
		1,
	);
});

async function passUntilLogged(
	{ clock, logs }: Making,
	words: string,
	{ stepMs = 250, restMs = 4 } = {},
): Promise<void> {
	// The client keeps to Discord's rate limits by real time, which no test moves.
	const untilMs = Date.now() + LOGGED_WITHIN_MS;
	while (Date.now() < untilMs && !logs().includes(words)) {
		await clock.advance(stepMs);
		await sleep(restMs);
	}
	expect(logs()).toContain(words);
}

async function present({ userClient }: Making, messageId: string): Promise<APIMessage | undefined> {
	return (await userClient.messages()).find(({ id }) => id === messageId);
}

/** An image that lossless encoders cannot shrink. */
async function noise(): Promise<EngineOutput> {
	const canvas = createCanvas(660, 660);
	const context = canvas.getContext("2d");
	const pixels = context.createImageData(canvas.width, canvas.height);
	randomFillSync(pixels.data);
	context.putImageData(pixels, 0, 0);
	return { ...fakeImage(), bytes: await canvas.encode("png") };
}
