/** Media services that deviate from the specification or fail, as a member sees them. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import { openFakeServer, type FakeOutcome, type FakeRequest } from "@atelier/studio/testing/servers/fake-server";
import { openAtelier, advanceUntilAnswered, serverCreditsLeft } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

const MODELS = (["image", "video", "music"] as const).map((mediaType) => ({
	id: `odd-${mediaType}`,
	name: `Odd ${mediaType}`,
	mediaType,
	scenes: [`text-to-${mediaType}`],
	price: { credits: 4, per: "output" },
}));

interface Behavior {
	readonly submit?: () => FakeOutcome;
	readonly poll?: (request: FakeRequest & { readonly origin: string }) => FakeOutcome;
	readonly file?: (request: FakeRequest) => FakeOutcome;
}

const success = (data: unknown): FakeOutcome => ({ json: { code: 0, message: "ok", data } });
const resultAt = (...outputs: readonly string[]): FakeOutcome => success({ status: "success", outputs });

/** Opens the bot with a service that follows the specification, except for the given behavior. */
async function setup({
	submit = () => success({ taskId: "task-1" }),
	poll = ({ origin }) => resultAt(`${origin}/files/a.png`),
	file = ({ path }) => ({ bytes: smallMediaFile(path) }),
}: Behavior) {
	const service = await openFakeServer((request) => {
		if (request.path === "/api/v1/models") return success({ models: MODELS });
		if (request.path === "/api/v1/generate") return submit();
		if (request.path.startsWith("/files/")) return file(request);
		return poll({ ...request, origin: service.url });
	});
	const clock = createManualClock();
	const env = { MEDIA_API_URL: service.url, MEDIA_API_KEY: "planted-key" };
	const bot = await openAtelier({ clock, env });
	const generate = async (command: "/image" | "/video" | "/music" = "/image") => {
		const reply = await bot.userClient.type(command, { prompt: "a boat" });
		const message = await advanceUntilAnswered(clock, reply);
		return { text: textOf(message), contentTypes: filesOf(message).map((each) => each.content_type) };
	};
	const submits = (): number => service.count("POST", "/api/v1/generate");
	return { ...bot, generate, submits };
}

test.each([
	["/video", "a.gif", "image/gif"],
	["/music", "a.m4a", "audio/mp4"],
	["/music", "a.mka", "audio/mp4"],
] as const)("%s delivers %s as %s", async (command, name, contentType) => {
	const { generate } = await setup({ poll: ({ origin }) => resultAt(`${origin}/files/${name}`) });
	expect(await generate(command)).toMatchObject({ contentTypes: [contentType] });
});

test.each([
	["/video", "a.png", "a video"],
	["/video", "a.still", "a video"],
	["/video", "a.m4a", "a video"],
	["/music", "a.mkv", "a song"],
	["/image", "a.wav", "an image"],
	["/image", "a.mp4", "an image"],
] as const)("%s rejects %s, which is not %s, without a charge", async (command, name, expected) => {
	const { generate, userClient, logs } = await setup({ poll: ({ origin }) => resultAt(`${origin}/files/${name}`) });
	expect((await generate(command)).text).toContain(`didn't return ${expected}`);
	expect(logs()).toContain("output of the wrong media type");
	expect(await serverCreditsLeft(userClient)).toBe(500);
});

test.each<[string, FakeOutcome, string]>([
	["is HTML", { headers: { "content-type": "image/png" }, text: "<html>" }, "Discord can't show this type of file."],
	[
		"is above the download limit",
		{ headers: { "content-length": String(300 * 1024 * 1024) }, bytes: Buffer.alloc(1024) },
		"The generated file is larger than 256 MiB, this bot's limit.",
	],
	[
		"is redirected to a private address",
		{ status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } },
		"at an address that this bot isn't allowed to download from",
	],
])("an image that %s is rejected without a charge", async (_what, outcome, text) => {
	const { generate, userClient } = await setup({ file: () => outcome });
	expect((await generate()).text).toContain(text);
	expect(await serverCreditsLeft(userClient)).toBe(500);
});

test("a task id of nineteen digits is read without rounding", async () => {
	const { generate } = await setup({
		submit: () => ({ text: '{"code":0,"data":{"taskId":1743286599112843265}}' }),
		poll: ({ origin, path }) =>
			path.endsWith("/1743286599112843265") ? resultAt(`${origin}/files/a.png`) : { status: 404 },
	});
	expect(await generate()).toMatchObject({ contentTypes: ["image/png"] });
});

test("after five consecutive failed submits a command is denied without a request or a hold", async () => {
	const { atelier, userClient, logs, submits } = await setup({ submit: () => ({ status: 502, text: "<html>" }) });
	for (let commands = 1; commands <= 5; commands++) {
		await userClient.type("/image", { prompt: "a boat" });
		await expect.poll(submits).toBe(commands);
	}
	await expect.poll(logs).toContain("media service down");
	const denied = await finalReply(userClient.type("/image", { prompt: "a boat" }));
	expect(textOf(denied)).toContain("can't be reached right now");
	expect(submits()).toBe(5);
	const readiness = await fetch(`${atelier.origin}/readyz`);
	expect(await readiness.json()).toMatchObject({ status: "ready", media: false });
	// The outcome of the five submits is unknown, so their holds stay. The sixth command made no hold.
	expect(await serverCreditsLeft(userClient)).toBe(480);
});
