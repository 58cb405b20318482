import { describe, expect, test } from "vitest";
import { createOpenAiModeration } from "../../../src/services/moderation/openai-moderation.ts";
import { OPENAI_KEY, openOpenAiServer } from "../../fakes/openai-server.ts";

const request = {
	mediaType: "music",
	model: "sing-1",
	modelName: "Sing",
	scene: "text-to-music",
	prompt: "a song of the sea",
	options: { lyrics: "la la" },
	costCredits: 5,
	typicalSeconds: 45,
} as const;
const review = { guildId: "1", userId: "2", request };
const image = Buffer.from([0xff, 0xd8, 0xff]);

async function open(
	behavior: Parameters<typeof openOpenAiServer>[0],
	{ apiKey = OPENAI_KEY, timeoutMs = 30_000 } = {},
) {
	const server = await openOpenAiServer(behavior);
	const model = "omni-moderation-latest";
	const timeouts = { promptMs: timeoutMs, resultMs: timeoutMs };
	return { ...server, api: createOpenAiModeration({ url: server.url, apiKey, model, timeouts }) };
}

describe("the moderations API", () => {
	test("judges all texts of a prompt in one request", async () => {
		const { api, moderated } = await open({});
		expect(await api.reviewPrompt(review)).toEqual({ kind: "allowed" });
		expect(moderated).toEqual([{ text: "a song of the sea" }, { text: "la la" }]);
	});

	test("judges each image in a request of its own, and joins the categories", async () => {
		const flags = [["violence", "violence/graphic"], [], ["sexual"], ["hate"]];
		const { api, moderated } = await open({ moderate: () => ({ flagged: flags.shift() ?? [] }) });
		const verdict = await api.reviewResult({ ...review, images: [image, image, image, image] });
		expect(verdict.kind === "flagged" && verdict.categories.toSorted()).toEqual(["other", "sexual", "violence"]);
		expect(moderated).toEqual([{ image }, { image }, { image }, { image }]);
	});

	test.each([
		["an error", { moderate: () => ({ status: 500 }) }, {}],
		["no response in time", { moderate: () => "silence" as const }, { timeoutMs: 50 }],
	])("rejects after %s", async (_name, behavior, options) => {
		const { api } = await open(behavior, options);
		await expect(api.reviewPrompt(review)).rejects.toThrow(/respond|timeout/);
		await expect(api.reviewResult({ ...review, images: [image] })).rejects.toMatchObject({
			verdict: { kind: "allowed" },
			cause: { message: expect.stringMatching(/respond|timeout/) as string },
		});
	});
});
