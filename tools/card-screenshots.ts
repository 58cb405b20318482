/**
 * Draws docs/images/cards.png and playground.png: what members and admins see, through the bot, the playground and a browser.
 * Needs Chromium.
 * Run: node tools/node24.mjs tools/card-screenshots.ts [folder for the single screenshots]
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createCanvas, loadImage, type Image } from "@napi-rs/canvas";
import type { APIMessage } from "discord-api-types/v10";
import { chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { createLogger } from "@atelier/common/logger";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { createApp } from "../src/app/create-app.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { isFinalReply } from "../src/discord/is-final-reply.ts";

const IMAGES = join(import.meta.dirname, "../docs/images");
const PAGE_WINDOW = { width: 1280, height: 800 };
/** The word in prompts whose results the moderation service flags. */
const FLAGGED = "battle";
const COLUMNS = 3;
const COLUMN_PX = 700;
const GAP_PX = 16;
/** High enough for every message. */
const WINDOW = { width: 1000, height: 3_000 };
/** The time in which the page loads its images. */
const LOADED_MS = 1_500;
const REPLY_MS = 120_000;

/** Does something in the playground, and resolves to the message that shows it. */
type Scene = (user: UserClient) => Promise<APIMessage>;

const typed =
	(command: string, options: Readonly<Record<string, string | number | boolean>> = {}): Scene =>
	async (user) =>
		await (await user.type(command, options)).until(isFinalReply, REPLY_MS);

const openChannelId = async (user: UserClient): Promise<string> => (await user.state()).channels[0]?.id ?? "";

/** The newest message of the open channel with this text. */
async function newest(user: UserClient, text: string): Promise<APIMessage> {
	for (;;) {
		const found = (await user.messages()).findLast((message) => textOf(message).includes(text));
		if (found) return found;
		await sleep(LOADED_MS);
	}
}

const withheld: Scene = async (user) => {
	await typed("/image", { prompt: `a ${FLAGGED}` })(user);
	return await newest(user, "**Result withheld**");
};

const isChannelsPage = (message: APIMessage): boolean => textOf(message).includes("Channel defaults");

const channelsPage: Scene = async (user) => {
	await typed("/settings defaults", { channel: await openChannelId(user), threads: true, model: "sketch" })(user);
	const panel = await typed("/settings show")(user);
	return await (await user.press(panel, { label: "Channels" })).until(isChannelsPage);
};

const inThread: Scene = async (user) => {
	const reply = await user.type("/image", { prompt: "a paper boat" });
	return await reply.until((message) => textOf(message).startsWith("Done"), REPLY_MS);
};

const albumImage: Scene = async (user) => {
	const album = await newest(user, "a red boat");
	return await (await user.press(album, { label: "Image 2" })).until();
};

const SCENES: readonly (readonly [name: string, scene: Scene])[] = [
	["result", typed("/image", { prompt: "a lighthouse in a storm", aspect_ratio: "16:9", seed: 7 })],
	["album", typed("/image", { prompt: "a red boat at sunset", count: 4, seed: 3 })],
	["album-image", albumImage],
	["music", typed("/music", { prompt: "a happy folk dance", duration: 15, seed: 7 })],
	["help", typed("/help")],
	["gallery", typed("/gallery server")],
	["job-list", typed("/job list")],
	["credits", typed("/credits show")],
	["history", typed("/credits history")],
	["filter", typed("/filter list")],
	["usage", typed("/usage")],
	["denial", typed("/image", { prompt: "a fox", model: "no such model" })],
	["settings", typed("/settings show")],
	["quota", typed("/quota show")],
	["setup", typed("/setup")],
	["audit", typed("/settings audit")],
	["improved", typed("/image", { prompt: "a fox", improve: true })],
	["withheld", withheld],
	["channels", channelsPage],
	["thread", inThread],
];

/** Changes before the scenes, which fill the lists that they show. */
const PREPARATIONS: readonly Scene[] = [
	typed("/settings media", { spoiler: false, private: false }),
	typed("/settings media", { improve_prompts: true }),
	async (user) => await typed("/settings general", { report_channel: await openChannelId(user) })(user),
	typed("/quota member", { credits: 200 }),
	typed("/balance grant", { amount: 250, reason: "a contest" }),
	typed("/filter add", { pattern: "nud*" }),
	typed("/filter add", { pattern: "bad word" }),
];

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { kind, text = "" } = (await json(request)) as { kind?: string; text?: string };
	const content = "a red fox in fresh snow at dawn, soft light, shallow depth of field";
	const isFlagged = kind === "result" && text.includes(FLAGGED);
	const verdict = isFlagged ? { allow: false, categories: ["violence"] } : { allow: true };
	const answer = request.url === "/chat/completions" ? { choices: [{ message: { content } }] } : verdict;
	response.end(JSON.stringify(answer));
}

/** A text model that improves every prompt alike, and a moderation service that flags results by their prompts. */
async function openServices() {
	const server = createServer((request, response) => void respond(request, response));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { url, [Symbol.asyncDispose]: async () => void server.close() };
}

async function takeScreenshots(origin: string, folder: string): Promise<readonly Image[]> {
	await using browser = await chromium.launch({
		executablePath: env["TEST_CHROMIUM"] ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu"],
	});
	const page = await browser.newPage({ viewport: WINDOW, colorScheme: "dark", reducedMotion: "reduce" });
	await page.goto(origin);
	const user = await openUserClient(origin);
	try {
		await page.setViewportSize(PAGE_WINDOW);
		await typed("/image", { prompt: "a lighthouse in a storm", seed: 7 })(user);
		await sleep(LOADED_MS);
		await page.screenshot({ path: join(IMAGES, "playground.png") });
		await page.setViewportSize(WINDOW);
		for (const change of PREPARATIONS) await change(user);
		const screenshots: Image[] = [];
		for (const [name, play] of SCENES)
			screenshots.push(await loadImage(await takeScreenshot(page, await play(user), join(folder, `${name}.png`))));
		return screenshots;
	} finally {
		await user.close();
	}
}

async function takeScreenshot(page: Page, { id }: APIMessage, path: string): Promise<Buffer> {
	const message = page.locator(`.message[data-id="${id}"]`);
	await message.waitFor();
	await message.scrollIntoViewIfNeeded();
	await sleep(LOADED_MS);
	return await message.screenshot({ path });
}

/** Puts each screenshot below the shortest column. */
async function draw(screenshots: readonly Image[]): Promise<Buffer> {
	const heights = Array.from({ length: COLUMNS }, () => GAP_PX);
	const placed = screenshots.map((screenshot) => {
		const column = heights.indexOf(Math.min(...heights));
		const height = Math.round((screenshot.height * COLUMN_PX) / screenshot.width);
		const at = { screenshot, x: GAP_PX + column * (COLUMN_PX + GAP_PX), y: heights[column] ?? 0, height };
		heights[column] = at.y + height + GAP_PX;
		return at;
	});
	const sheet = createCanvas(GAP_PX + COLUMNS * (COLUMN_PX + GAP_PX), Math.max(...heights));
	const pen = sheet.getContext("2d");
	pen.fillStyle = "#131118";
	pen.fillRect(0, 0, sheet.width, sheet.height);
	for (const { screenshot, x, y, height } of placed) pen.drawImage(screenshot, x, y, COLUMN_PX, height);
	return await sharp(await sheet.encode("png"))
		.png({ palette: true, quality: 90 })
		.toBuffer();
}

const dataDir = await mkdtemp(join(tmpdir(), "atelier-cards-"));
await using services = await openServices();
const config = loadConfig({
	PORT: "0",
	STORE_URL: `sqlite:${join(dataDir, "atelier.db")}`,
	DATA_DIR: dataDir,
	PROMPT_MODEL_URL: services.url,
	PROMPT_MODEL: "small",
	MODERATION_URL: services.url,
});
const atelier = await createApp(config, createLogger({ level: "error", pretty: false }));
try {
	const folder = argv[2] ?? join(dataDir, "screenshots");
	await mkdir(folder, { recursive: true });
	await writeFile(join(IMAGES, "cards.png"), await draw(await takeScreenshots(atelier.origin, folder)));
} finally {
	await atelier.stop();
	await rm(dataDir, { recursive: true, force: true });
}
