import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { fileTypeFromBuffer } from "file-type";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openMediaService } from "@atelier/studio/testing/servers/media-service";
import { serverCreditsLeft, openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

test.each([
	["/image", { prompt: "a lighthouse in a storm", seed: 5 }, "image/png", 2],
	["/video", { prompt: "a calm lake", resolution: "480p", duration: 2, seed: 5 }, "video/mp4", 4],
	["/music", { prompt: "a lullaby", duration: 5, seed: 5 }, "audio/mpeg", 5],
] as const)(
	"%s sees the deferral, then the file with its cost and the balance",
	async (command, options, type, cost) => {
		const { userClient } = await openAtelier({ engine: "sketch" });
		const reply = await userClient.type(command, options);
		const answer = await reply.until(isFinalReply);
		expect(reply.states[0]?.kind).toBe("thinking");
		expect(reply.messages()).toStrictEqual([answer]);
		expect(textOf(answer)).toContain(options.prompt);
		expect(textOf(answer)).toContain("seed 5");
		expect(textOf(answer)).toContain(`${cost} credits · ${500 - cost} left`);
		expect(filesOf(answer)).toMatchObject([{ content_type: type, description: options.prompt }]);
		const [attachment] = filesOf(answer);
		const bytes = attachment && (await userClient.download(attachment));
		expect((await fileTypeFromBuffer(bytes ?? Buffer.alloc(0)))?.mime).toBe(type);
		expect(await serverCreditsLeft(userClient)).toBe(500 - cost);
	},
);

test("autocomplete marks models that the service reports as unhealthy, and offers them last", async () => {
	const models = [
		{ id: "down", name: "Oil", health: "down" },
		{ id: "degraded", name: "Oil chalk", health: "degraded" },
		{ id: "up", name: "Fine oil", health: "up" },
		{ id: "silent", name: "Oil again" },
		{ id: "long", name: "Oil ".repeat(20), health: "down" },
	].map((each) => ({ ...fakeImageModel, ...each }));
	const { url } = await openMediaService(models);
	const { userClient } = await openAtelier({ env: { MEDIA_API_URL: url, MEDIA_API_KEY: "service-key" } });
	const choices = await userClient.autocomplete("/image", { prompt: "x", model: "oil" }, "model");
	expect(choices.map(({ value }) => value)).toStrictEqual(["silent", "up", "degraded", "down", "long"]);
	expect(choices.map(({ name }) => name)).toMatchObject([
		"Oil again (4 credits)",
		"Fine oil (4 credits)",
		"Oil chalk (4 credits) · unreliable right now",
		"Oil (4 credits) · unavailable right now",
		expect.stringMatching(/^Oil .{60,} \(4 credits\) · unavailable right now$/),
	]);
	expect(choices[4]?.name.length).toBeLessThanOrEqual(100);
});

test("autocomplete offers the models and the values that a model accepts, with their prices", async () => {
	const { userClient } = await openAtelier();
	const choices = await userClient.autocomplete("/image", { prompt: "x", model: "fa" }, "model");
	expect(choices).toStrictEqual([{ name: "Fake image (4 credits)", value: "fake-image" }]);
	const shapes = await userClient.autocomplete("/image", { prompt: "x", aspect_ratio: "16" }, "aspect_ratio");
	expect(shapes).toStrictEqual([{ name: "16:9", value: "16:9" }]);
	const sizes = await userClient.autocomplete("/image", { prompt: "x", resolution: "" }, "resolution");
	expect(sizes.map(({ name }) => name)).toStrictEqual(["1K (4 credits)", "2K (8 credits)"]);
});

test("a negative prompt reaches a model that supports it", async () => {
	const negative_prompt = { type: "string", description: "What should not be in it.", maxLength: 500 } as const;
	const models = [{ ...fakeImageModel, options: { negative_prompt } }];
	const engine = createFakeEngine({ models });
	const { userClient } = await openAtelier({ engine });
	await finalReply(userClient.type("/image", { prompt: "a boat", negative_prompt: "people" }));
	expect(engine.runs[0]?.task.options["negative_prompt"]).toBe("people");
});
