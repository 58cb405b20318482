import { pino } from "pino";
import { expect, test } from "vitest";
import { createPromptImprover } from "../../../src/services/generation/prompt-improver.ts";
import { OPENAI_KEY, openOpenAiServer } from "../../fakes/openai-server.ts";

const logger = pino({ level: "silent" });
const draft = { mediaType: "image", modelName: "Sketch", prompt: "a boat" } as const;

async function improve(
	behavior: Parameters<typeof openOpenAiServer>[0],
	{ apiKey = OPENAI_KEY, timeoutMs = 30_000 } = {},
): Promise<string> {
	const { url } = await openOpenAiServer(behavior);
	const improver = createPromptImprover({ url, apiKey, model: "small", timeoutMs });
	return await improver.improve(draft, logger);
}

const answering = (text: string) => improve({ complete: () => ({ text }) });

test("an improver sends the prompt and returns the text of the model", async () => {
	expect(await improve({ complete: (prompt) => ({ text: `${prompt} at dusk` }) })).toBe("a boat at dusk");
});

test("an improved prompt is one line, without quotes around it", async () => {
	expect(await answering('"a boat\n\nat dusk"\n')).toBe("a boat at dusk");
	expect(await answering("“a boat”")).toBe("a boat");
	expect(await answering('"a boat" and "a ship"')).toBe('"a boat" and "a ship"');
});

test.each([
	["a text that is too long", "the boat sailed on and ".repeat(1_000)],
	["nothing", ""],
	["invisible characters", "\u200B\u200B"],
])("an improver that returns %s is rejected", async (_name, text) => {
	await expect(answering(text)).rejects.toThrow("request.improverUnusable");
});

test.each([
	["an error", { complete: () => ({ status: 500 }) }, {}],
	["no response in time", { complete: () => "silence" as const }, { timeoutMs: 50 }],
	["a rejected key", {}, { apiKey: "sk-wrong" }],
	["more text than is read", { complete: () => ({ text: "x".repeat(100_000) }) }, {}],
])("a request is denied after %s", async (_name, behavior, options) => {
	await expect(improve(behavior, options)).rejects.toThrow("request.improverDown");
});

test("a prompt that the form could not show is not sent", async () => {
	const { url, prompts } = await openOpenAiServer();
	const improver = createPromptImprover({ url, apiKey: OPENAI_KEY, model: "small" });
	const long = improver.improve({ ...draft, prompt: "x".repeat(4_001) }, logger);
	await expect(long).rejects.toThrow("request.promptTooLong");
	expect(prompts).toEqual([]);
});
