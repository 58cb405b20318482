/**
 * How long after the studio has generated an image does the bot receive the callback, and when does the member see the image? Until
 * the callback, the studio stores the file, settles the credits and signs the request. Afterwards the bot reads the task, downloads
 * the file, settles the credits and uploads the file to the playground. All parts run in this process, one image after another.
 *
 * Run: node tools/node24.mjs bench/callbacks.ts
 */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@atelier/common/clock";
import { loadConfig } from "../src/config/load-config.ts";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { createApp } from "../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { openUserClient } from "@atelier/playground/user-client";
import type { Engine } from "@atelier/studio/engines/engine";
import { createSketchEngine } from "@atelier/studio/engines/sketch-engine";
import { runSketch } from "./lib/run-sketch.ts";
import { describeMachine, quantile } from "./lib/statistics.ts";

const IMAGES = 30;
const RUN_MS = { min: 1000, max: 2500 };

const sketch = createSketchEngine();
const image = await runSketch(sketch, { model: "sketch", scene: "text-to-image", options: {} });
let generatedAtMs = 0;
let callbackAtMs = 0;
/** Returns the same image after a random time, like a service that takes a while. */
const slowEngine: Engine = {
	name: "slow",
	models: () => sketch.models().filter(({ id }) => id === "sketch"),
	async run(_task, signal) {
		await systemClock.sleep(RUN_MS.min + Math.random() * (RUN_MS.max - RUN_MS.min), signal);
		generatedAtMs = performance.now();
		return [image];
	},
	close: () => sketch.close(),
};

/** Receives the lines of the log, and notes when a callback has arrived. */
function recordCallback(line: string): void {
	if (line.includes('"msg":"media callback"')) callbackAtMs = performance.now();
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const atelier = await createApp(
	loadConfig({ PORT: "0", DATA_DIR: folder, GUILD_CREDITS: "100000" }),
	createLogger({ level: "debug", pretty: false, destination: { write: recordCallback } }),
	{ engines: [slowEngine] },
);
const user = await openUserClient(atelier.origin);

const callbackDelaysMs: number[] = [];
const visibleDelaysMs: number[] = [];
for (let index = 0; index < IMAGES; index++) {
	const answer = await (await user.type("/image", { prompt: `lighthouse ${index}` })).until(isFinalReply);
	if (filesOf(answer).length !== 1) throw new Error(`not delivered: ${textOf(answer)}`);
	visibleDelaysMs.push(performance.now() - generatedAtMs);
	callbackDelaysMs.push(callbackAtMs - generatedAtMs);
}

function summary(name: string, samplesMs: readonly number[]): string {
	const at = (share: number): string => quantile(samplesMs, share).toFixed(0);
	return `${name}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, slowest ${at(1)} ms`;
}

const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
	version: string;
};
process.stdout.write(
	[
		`atelier ${version}, ${describeMachine()}`,
		`${IMAGES} images of ${Math.round(image.bytes.byteLength / 1024)} KiB, generated in ${RUN_MS.min} to ${RUN_MS.max} ms, SQLite`,
		summary("from generated to the callback", callbackDelaysMs),
		summary("from generated to visible", visibleDelaysMs),
		"",
	].join("\n"),
);
await user.close();
await atelier.stop();
await rm(folder, { recursive: true, force: true });
