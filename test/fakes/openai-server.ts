import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { openHttpServer } from "@atelier/common/testing/http-server";

export const OPENAI_KEY = "sk-test-0123456789";

/** The response of a text model: its text, a status without a completion, or none at all. */
type Completion = { readonly text: string } | { readonly status: number } | "silence";
/** The flagged categories of one input, a status without a judgment, or no response at all. */
type Judgment = { readonly flagged: readonly string[] } | { readonly status: number } | "silence";

/** One input of a moderation: a text, or the bytes of an image. */
type ModerationInput = { readonly text: string } | { readonly image: Buffer };

interface OpenAiBehavior {
	/** `prompt`: the last message of the user. */
	readonly complete?: (prompt: string) => Completion;
	readonly moderate?: (input: ModerationInput) => Judgment;
}

const completionRequest = z.strictObject({
	model: z.string().min(1),
	messages: z
		.array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string().min(1) }))
		.min(1),
});

const JPEG_URL = /^data:image\/jpeg;base64,(?<base64>[A-Za-z0-9+/]+=*)$/;
const moderationRequest = z.strictObject({
	model: z.literal("omni-moderation-latest"),
	input: z.union([
		z.array(z.string().min(1)).min(1),
		z
			.array(
				z.discriminatedUnion("type", [
					z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
					z.strictObject({
						type: z.literal("image_url"),
						image_url: z.strictObject({ url: z.string().regex(JPEG_URL) }),
					}),
				]),
			)
			.min(1)
			.refine((parts) => parts.filter(({ type }) => type === "image_url").length <= 1, {
				error: "Only one image is allowed per request.",
			}),
	]),
});

/**
 * A local server with the paths, keys, errors and bodies of the OpenAI API, as
 * https://platform.openai.com/docs/api-reference describes them. Resolves to the base of the API and to the inputs that it read.
 */
export async function openOpenAiServer({
	complete = (text) => ({ text }),
	moderate = () => ({ flagged: [] }),
}: OpenAiBehavior = {}) {
	const prompts: string[] = [];
	const moderated: ModerationInput[] = [];

	function completed(body: unknown): Answer {
		const { model, messages } = completionRequest.parse(body);
		const prompt = messages.findLast(({ role }) => role === "user")?.content ?? "";
		prompts.push(prompt);
		const completion = complete(prompt);
		if (completion === "silence") return completion;
		if ("status" in completion) return errorOf(completion.status, "The server had an error.");
		const message = { role: "assistant", content: completion.text };
		return {
			status: 200,
			body: {
				id: "chatcmpl-1",
				object: "chat.completion",
				created: 1_700_000_000,
				model,
				choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			},
		};
	}

	function judged(body: unknown): Answer {
		const { model, input } = moderationRequest.parse(body);
		const results: object[] = [];
		for (const part of input) {
			const read = inputOf(part);
			moderated.push(read);
			const judgment = moderate(read);
			if (judgment === "silence") return judgment;
			if ("status" in judgment) return errorOf(judgment.status, "The server had an error.");
			results.push({
				flagged: judgment.flagged.length > 0,
				categories: { hate: false, ...Object.fromEntries(judgment.flagged.map((category) => [category, true])) },
			});
		}
		return { status: 200, body: { id: "modr-1", model, results } };
	}

	const answerTo = async (request: IncomingMessage): Promise<Answer> => {
		if (request.headers.authorization !== `Bearer ${OPENAI_KEY}`) return errorOf(401, "Incorrect API key provided.");
		const body: unknown = JSON.parse(await textOf(request));
		try {
			if (request.method === "POST" && request.url === "/v1/chat/completions") return completed(body);
			if (request.method === "POST" && request.url === "/v1/moderations") return judged(body);
		} catch (error) {
			if (error instanceof z.ZodError) return errorOf(400, error.message);
			throw error;
		}
		return errorOf(404, `Invalid URL (${request.method} ${request.url})`);
	};
	const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const answer = await answerTo(request);
		if (answer === "silence") return;
		response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
	};
	const origin = await openHttpServer((request, response) => void respond(request, response));
	return { url: `${origin}/v1`, prompts, moderated };
}

type Answer = { readonly status: number; readonly body: object } | "silence";

function errorOf(status: number, message: string): Answer {
	return { status, body: { error: { message, type: "invalid_request_error", param: null, code: null } } };
}

function inputOf(part: z.infer<typeof moderationRequest>["input"][number]): ModerationInput {
	if (typeof part === "string") return { text: part };
	if (part.type === "text") return { text: part.text };
	return { image: Buffer.from(JPEG_URL.exec(part.image_url.url)?.groups?.["base64"] ?? "", "base64") };
}

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}
