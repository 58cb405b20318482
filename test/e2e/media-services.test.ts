/** Media services that deviate from the specification or fail, as a member sees them. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import type { FakeOutcome } from "@atelier/studio/testing/servers/fake-server";
import { openMediaService } from "@atelier/studio/testing/servers/media-service";
import { openAtelier, advanceUntilAnswered, serverCreditsLeft } from "./start-atelier.ts";

async function setup() {
	const service = await openMediaService();
	const clock = createManualClock();
	const env = { MEDIA_API_URL: service.url, MEDIA_API_KEY: "service-key" };
	const bot = await openAtelier({ clock, env });
	const generate = async (command: "/image" | "/video" | "/music" = "/image") => {
		const reply = await bot.userClient.type(command, { prompt: "a boat" });
		const message = await advanceUntilAnswered(clock, reply);
		return { text: textOf(message), contentTypes: filesOf(message).map((each) => each.content_type) };
	};
	return { ...bot, service, generate };
}

test("results of other formats are converted", async () => {
	const { service, generate } = await setup();
	for (const [command, file, contentType] of [
		["/video", "a.gif", "image/gif"],
		["/music", "a.m4a", "audio/mp4"],
		["/music", "a.mka", "audio/mp4"],
	] as const) {
		service.file = smallMediaFile(file);
		expect(await generate(command)).toMatchObject({ contentTypes: [contentType] });
	}
});

test("a result of another media type is rejected without a charge", async () => {
	const { service, generate, userClient, logs } = await setup();
	for (const [command, file, expected] of [
		["/video", "a.still", "a video"],
		["/music", "a.mkv", "a song"],
	] as const) {
		service.file = smallMediaFile(file);
		expect((await generate(command)).text).toContain(`didn't return ${expected}`);
	}
	expect(logs()).toContain("output unusable");
	expect(await serverCreditsLeft(userClient)).toBe(500);
});

test("an image that cannot be used is rejected without a charge", async () => {
	const { service, generate, userClient } = await setup();
	const outcomes: readonly (readonly [FakeOutcome, string])[] = [
		[{ headers: { "content-type": "image/png" }, text: "<html>" }, "Discord can't show this type of file."],
		[
			{ headers: { "content-length": String(300 * 1024 * 1024) }, bytes: Buffer.alloc(1024) },
			"The generated file is larger than 256 MiB, this bot's limit.",
		],
		[
			{ status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } },
			"at an address that this bot isn't allowed to download from",
		],
	];
	for (const [answer, text] of outcomes) {
		service.plan("GET", "/files/", answer);
		expect((await generate()).text).toContain(text);
	}
	expect(await serverCreditsLeft(userClient)).toBe(500);
});
