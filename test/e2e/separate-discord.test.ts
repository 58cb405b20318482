/** A Discord that `DISCORD_API_URL` names, and a bot with the built-in studio: files of the one are inputs of the other. */
import type { APIMessage } from "discord-api-types/v10";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient } from "@atelier/playground/user-client";
import type { Model } from "@atelier/studio/engines/engine";
import { createFakeEngine, fakeImageModel, fakePng, fakeVideoModel } from "@atelier/studio/testing/fake-engine";
import { newFolder } from "./start-atelier.ts";
import { openDiscord } from "./discord.ts";

const animatingModel: Model = {
	...fakeVideoModel,
	scenes: ["text-to-video", "image-to-video"],
	options: {
		...fakeVideoModel.options,
		image_input: {
			type: "array",
			description: "An image to start from.",
			items: { type: "string", format: "uri" },
			maxItems: 1,
		},
	},
};

async function openBeside(apiHost = "127.0.0.1") {
	const discord = await openDiscord();
	const engine = createFakeEngine({ models: [fakeImageModel, animatingModel] });
	const config = loadConfig({
		PORT: "0",
		STORE_URL: "memory:",
		DATA_DIR: await newFolder(),
		...discord.env,
		DISCORD_API_URL: `http://${apiHost}:${discord.port}/api`,
	});
	const logger = createLogger({ level: "silent", pretty: false });
	const atelier = await createApp(config, logger, { engines: [engine] });
	onTestFinished(() => atelier.stop());
	const member = await openUserClient(discord.origin);
	onTestFinished(() => member.close());
	const attached = (): Promise<string> =>
		member.upload({ name: "in.png", bytes: fakePng("attached"), contentType: "image/png" });
	const bytesOf = async ({ attachments: [file] }: APIMessage): Promise<Buffer | undefined> =>
		file && (await member.download(file));
	return { discord, engine, member, attached, bytesOf };
}

test.each(["127.0.0.1", "localhost"])(
	"an attached image reaches the studio if Discord's API is at %s",
	async (apiHost) => {
		const { engine, member, attached } = await openBeside(apiHost);
		const asked = await member.type("/image", { prompt: "the same in winter", image: await attached() });
		const completed = await asked.until(isFinalReply);
		expect(completed.attachments).toHaveLength(1);
		expect(engine.runs[0]?.task).toMatchObject({ scene: "image-to-image", inputs: [fakePng("attached")] });
	},
);

test("a video starts from an attached image", async () => {
	const { engine, member, attached } = await openBeside();
	const asked = await member.type("/video", { prompt: "snow falls", image: await attached() });
	const completed = await asked.until(isFinalReply);
	expect(completed.attachments).toHaveLength(1);
	expect(engine.runs[0]?.task).toMatchObject({ scene: "image-to-video", inputs: [fakePng("attached")] });
});

test("a result becomes an input, by its button and by the context menu of its message", async () => {
	const { engine, member, bytesOf } = await openBeside();
	const first = await (await member.type("/image", { prompt: "a boat" })).until(isFinalReply);
	const modal = await (await member.press(first, { label: "Use as input" })).modal();
	const varied = await (await member.submit(modal, { prompt: "in winter" })).until(isFinalReply);
	expect(varied.attachments).toHaveLength(1);
	const animated = await (await member.context("Animate", first)).until(isFinalReply);
	expect(animated.attachments).toHaveLength(1);
	const bytes = await bytesOf(first);
	const inputs = engine.runs.slice(1).map(({ task }) => task.inputs.map((input) => Buffer.from(input)));
	expect(inputs).toStrictEqual([[bytes], [bytes]]);
});

test("each request to Discord has the required user agent and the bot's name", async () => {
	const { discord, member } = await openBeside();
	await (await member.type("/image", { prompt: "a boat" })).until(isFinalReply);
	const { requests } = await openAdminClient(discord.origin).requests();
	expect(requests.length).toBeGreaterThan(3);
	for (const { client } of requests) expect(client).toMatch(/^DiscordBot \(https:\S+, [\d.]+\) .*Atelier\/\d/);
});
