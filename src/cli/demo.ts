/**
 * Generates an image, a video and music without a browser: starts everything on free ports with a temporary store, and types
 * `/image`, `/video` and `/music` as a member. Prints the replies, writes the files to `demo-output/`, and fails on any error.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIMessage } from "discord-api-types/v10";
import { detectType } from "@atelier/media-files/detect-type";
import { rejectArgs } from "./reject-args.ts";
import { loadConfig } from "../config/load-config.ts";
import { isFinalReply } from "../discord/is-final-reply.ts";
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

function print(line = ""): void {
	process.stdout.write(`${line}\n`);
}

/** Reads the available credits from `/credits show`. */
async function readBalance(userClient: UserClient): Promise<number> {
	const reply = await userClient.type("/credits show");
	const content = textOf(await reply.until(isFinalReply));
	print(`You typed  /credits show\n           ${content.split("\n")[0]}\n`);
	const digits = /has \*\*([\d,]+)\*\*/.exec(content)?.[1]?.replaceAll(",", "");
	if (digits === undefined) throw new Error(`/credits show contains no number: ${content}`);
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
	if (Number.isNaN(costCredits)) throw new Error(`the reply names no price: ${textOf(answer)}`);
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
	if (!file) throw new Error(`the reply has no file: ${textOf(answer)}`);
	return file;
}

/** Saves the file, and checks that it is complete and that Discord's clients show or play it. */
async function saveFile(userClient: UserClient, { type }: Generation, file: ShownFile): Promise<void> {
	const bytes = await userClient.download(file);
	const path = join(OUTPUT_FOLDER, file.filename);
	await writeFile(path, bytes);
	const found = await detectType(path, bytes.byteLength);
	if (found.kind !== "embeddable" || found.contentType !== type)
		throw new Error(`${file.filename} is not a complete ${type}: ${JSON.stringify(found)}`);
	print(`           file     ${path}: ${type}, ${(bytes.byteLength / 1024).toFixed(0)} KiB\n`);
}

async function openOutputFolder(): Promise<void> {
	await mkdir(OUTPUT_FOLDER, { recursive: true }).catch((cause: unknown) => {
		throw new Error(`${OUTPUT_FOLDER}/ cannot be created. Check that no file has that name.`, { cause });
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
			throw new Error(`the replies name ${chargedCredits} credits, but the balance fell by ${before - after}`);
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
