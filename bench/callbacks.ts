/**
 * How long after an image is generated does its callback reach the bot, and does a member see it? In the first part the studio
 * stores the file, settles the credits and sends the callback. In the second part the bot reads the task, downloads the file,
 * settles the credits and uploads the file to the playground.
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
import { describeMachine, quantile } from "./lib/statistics.ts";

const IMAGES = 30;
const RUN_MS = { least: 1000, most: 2500 };

const sketch = createSketchEngine();
const [image] = await sketch.run(
	{
		taskId: "1",
		attempt: 1,
		checkpoint: { read: async () => undefined, write: async () => {} },
		model: "sketch",
		scene: "text-to-image",
		prompt: "a lighthouse",
		options: {},
		inputs: [],
	},
	new AbortController().signal,
	() => {},
);
if (!image) throw new Error("no image to deliver");
let generatedAtMs = 0;
let callbackAtMs = 0;
const slowEngine: Engine = {
	name: "slow",
	models: () => sketch.models().filter(({ id }) => id === "sketch"),
	async run(_task, signal) {
		await systemClock.sleep(RUN_MS.least + Math.random() * (RUN_MS.most - RUN_MS.least), signal);
		generatedAtMs = performance.now();
		return [image];
	},
	close: () => sketch.close(),
};

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
	return `${name}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, most ${at(1)} ms`;
}

const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
	version: string;
};
process.stdout.write(
	[
		`atelier ${version}, ${describeMachine()}`,
		`${IMAGES} images of ${Math.round(image.bytes.byteLength / 1024)} KiB, generated in ${RUN_MS.least} to ${RUN_MS.most} ms, SQLite`,
		summary("from generated to the callback", callbackDelaysMs),
		summary("from generated to visible", visibleDelaysMs),
		"",
	].join("\n"),
);
await user.close();
await atelier.stop();
await rm(folder, { recursive: true, force: true });
