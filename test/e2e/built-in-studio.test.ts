import { filesOf } from "@atelier/playground/user-client/message-contents";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { MediaRejectedError } from "../../src/services/generation/media-api.ts";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { clientOf, request } from "../services/generation/service-setup.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { advanceUntilAnswered, openAtelier } from "./start-atelier.ts";

const signal = AbortSignal.timeout(20_000);

/** Opens the bot's client of the media service at the built-in studio. */
async function openStudio() {
	const folder = await createTempFolder();
	const engine = createFakeEngine();
	const { atelier } = await openAtelier({ engine, env: { DATA_DIR: folder } });
	const apiKey = await readFile(join(folder, "studio.key"), "utf8");
	const { media } = clientOf(atelier.origin, PROFILES.studio, { apiKey });
	const models = (await media.models(signal))?.models ?? [];
	const model = models.find(({ mediaType }) => mediaType === "image");
	return { engine, media, request: { ...request, model: model?.id ?? "none", options: {} } };
}

test("the client finds its task at the studio by the idempotency key, or that there is none", async () => {
	const { media, request: wanted } = await openStudio();
	expect(await media.find("key-1", signal)).toStrictEqual({ kind: "absent" });
	const { remoteId } = await media.submit(wanted, "key-1", signal);
	expect(await media.find("key-1", signal)).toStrictEqual({ kind: "found", remoteId });
	expect(await media.submit(wanted, "key-1", signal)).toStrictEqual({ remoteId });
	expect(await media.find("key-2", signal)).toStrictEqual({ kind: "absent" });
});

test("the client cancels at the studio, which rejects an unknown task", async () => {
	const { media, engine, request: wanted } = await openStudio();
	engine.script.push({ kind: "hang" });
	const { remoteId } = await media.submit(wanted, "key-1", signal);
	expect(await media.cancel(remoteId, signal)).toBe("requested");
	await expect
		.poll(() => media.read(remoteId, wanted, signal))
		.toMatchObject({ state: "failed", code: expect.stringContaining("cancel") });
	expect(await media.cancel(remoteId, signal)).toBe("requested");
	await expect(media.cancel("task_0123456789abcdef0123456789abcdef", signal)).rejects.toBeInstanceOf(
		MediaRejectedError,
	);
});

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
