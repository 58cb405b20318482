/**
 * Runs the main job without a browser: starts everything on free ports with a temporary store, and types `/image`,
 * `/video` and `/music` as a member. Prints the replies, writes the files to `demo-output/`, and fails on any error.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadImage } from "@napi-rs/canvas";
import type { APIMessage } from "discord-api-types/v10";
import { fileTypeFromBuffer } from "file-type";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { rejectArgs } from "./reject-args.ts";
import { loadConfig } from "../config/load-config.ts";
import { isFinalReply } from "../discord/find-posted-reply.ts";
import { createApp } from "../app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { filesOf, textOf, type ShownFile } from "@atelier/playground/user-client/message-contents";
import { openUserClient, type UserClient, type Reply } from "@atelier/playground/user-client";

const OUTPUT_FOLDER = "demo-output";
const ANSWER_TIMEOUT_MS = 120_000;

const GENERATIONS = [
	{
		command: "/image",
		options: { prompt: "a lighthouse in a storm", aspect_ratio: "16:9", seed: 7 },
		type: "image/png",
	},
	{ command: "/video", options: { prompt: "a calm lake at sunset", duration: 4, seed: 7 }, type: "video/mp4" },
	{
		command: "/music",
		options: { prompt: "a happy folk dance in the village", duration: 15, seed: 7 },
		type: "audio/mpeg",
	},
] as const;

type Generation = (typeof GENERATIONS)[number];

/** A result that a member would not accept. */
class DemoError extends Error {
	override readonly name = "DemoError";
}

function print(line = ""): void {
	process.stdout.write(`${line}\n`);
}

/** Reads the available credits from `/credits show`. */
async function readBalance(userClient: UserClient): Promise<number> {
	const reply = await userClient.type("/credits show");
	const content = textOf(await reply.until(isFinalReply));
	print(`You typed  /credits show\n           ${content.split("\n")[0]}\n`);
	const digits = /has \*\*([\d,]+)\*\*/.exec(content)?.[1]?.replaceAll(",", "");
	if (digits === undefined) throw new DemoError(`/credits show contains no number: ${content}`);
	return Number(digits);
}

/** Types the command of one generation, and checks and saves its file. Resolves to the charged credits. */
async function runGeneration(userClient: UserClient, generation: Generation): Promise<number> {
	const typed = Object.entries(generation.options).map(([name, value]) => `${name}: ${value}`);
	print(`You typed  ${generation.command} ${typed.join(" ")}`);
	const startMs = Date.now();
	const reply = await userClient.type(generation.command, generation.options);
	const answer = await reply.until(isFinalReply, ANSWER_TIMEOUT_MS);
	printStates(reply, startMs);

	const costCredits = Number(/ (\d+) credits? ·/.exec(textOf(answer))?.[1] ?? Number.NaN);
	if (Number.isNaN(costCredits)) throw new DemoError(`the reply names no price: ${textOf(answer)}`);
	print(`           charged  ${costCredits} credits`);
	await saveFile(userClient, generation, fileOf(answer));
	return costCredits;
}

function printStates({ states }: Reply, startMs: number): void {
	for (const state of states) {
		const seconds = ((state.atMs - startMs) / 1000).toFixed(2).padStart(6);
		const text =
			state.kind === "message" ? textOf(state.message).replaceAll("\n", "\n                    ") : state.kind;
		print(`           ${seconds} s ${text}`);
	}
}

function fileOf(answer: APIMessage): ShownFile {
	const [file] = filesOf(answer);
	if (!file) throw new DemoError(`the reply has no file: ${textOf(answer)}`);
	return file;
}

async function saveFile(userClient: UserClient, { type }: Generation, file: ShownFile): Promise<void> {
	const bytes = await userClient.download(file);
	const foundType = (await fileTypeFromBuffer(bytes))?.mime;
	if (foundType !== type) throw new DemoError(`${file.filename} is ${foundType ?? "an unknown type"}, not ${type}`);
	const path = join(OUTPUT_FOLDER, file.filename);
	await writeFile(path, bytes);
	print(
		`           file     ${path}: ${type}, ${(bytes.byteLength / 1024).toFixed(0)} KiB, ${await describeFile(type, bytes)}\n`,
	);
}

/** Parses the file up to the end of its header, as a player would. */
async function describeFile(type: Generation["type"], bytes: Buffer): Promise<string> {
	if (type === "image/png") {
		const { width, height } = await loadImage(bytes);
		return `${width} x ${height}`;
	}
	using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
	const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
	if (!audio || (type === "video/mp4" && !video)) throw new DemoError(`${type} lacks a track`);
	const codecs = [video?.codec, audio.codec].filter((codec) => codec !== undefined);
	const size = video ? `${video.displayWidth} x ${video.displayHeight}, ` : "";
	return `${size}${(await input.computeDuration()).toFixed(1)} s, ${codecs.join(" + ")}`;
}

async function openOutputFolder(): Promise<void> {
	await mkdir(OUTPUT_FOLDER, { recursive: true }).catch((cause: unknown) => {
		throw new DemoError(`${OUTPUT_FOLDER}/ cannot be created. Check that no file has that name.`, { cause });
	});
}

async function demo(): Promise<void> {
	await openOutputFolder();
	const folder = await mkdtemp(join(tmpdir(), "atelier-demo-"));
	const config = loadConfig({ PORT: "0", STORE_URL: `sqlite:${join(folder, "atelier.db")}`, DATA_DIR: folder });
	try {
		const atelier = await createApp(config, createLogger({ level: "error", pretty: false }));
		print(`Atelier is ready: ${atelier.origin}\n`);
		try {
			await runGenerations(atelier.origin);
		} finally {
			await atelier.stop();
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function runGenerations(origin: string): Promise<void> {
	const userClient = await openUserClient(origin);
	try {
		const before = await readBalance(userClient);
		let chargedCredits = 0;
		for (const generation of GENERATIONS) chargedCredits += await runGeneration(userClient, generation);
		const after = await readBalance(userClient);
		if (before - after !== chargedCredits) {
			throw new DemoError(`the replies name ${chargedCredits} credits, but the balance fell by ${before - after}`);
		}
		print(`All well: 3 files, ${chargedCredits} credits charged, ${after} left.`);
	} finally {
		await userClient.close();
	}
}

const USAGE = `npm run demo

Runs everything on free ports, with a store that it forgets at the end: types /image, /video and /music, prints what a member
sees, writes the files to ${OUTPUT_FOLDER}/, and fails on any error.`;

rejectArgs(USAGE);
demo().catch((error: unknown) => {
	process.stderr.write(`The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
