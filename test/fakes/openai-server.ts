import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { openHttpServer } from "./http-server.ts";

export const OPENAI_KEY = "sk-test-0123456789";

/** The response of a text model: its text, a status without a completion, or none at all. */
type Completion = { readonly text: string } | { readonly status: number } | "silence";

const completionRequest = z.strictObject({
	model: z.string().min(1),
	messages: z
		.array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string().min(1) }))
		.min(1),
});

interface OpenAiBehavior {
	/** `prompt`: the last message of the user. */
	readonly complete?: (prompt: string) => Completion;
}

/**
 * A local server with the paths, keys, errors and bodies of the OpenAI API, as
 * https://platform.openai.com/docs/api-reference describes them. Resolves to the base of the API and to the prompts that it read.
 */
export async function openOpenAiServer({ complete = (text) => ({ text }) }: OpenAiBehavior = {}) {
	const prompts: string[] = [];
	const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const send = (status: number, body: object): void => {
			response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
		};
		const fail = (status: number, message: string): void =>
			send(status, { error: { message, type: "invalid_request_error", param: null, code: null } });
		if (request.headers.authorization !== `Bearer ${OPENAI_KEY}`) return fail(401, "Incorrect API key provided.");
		if (request.method !== "POST" || request.url !== "/v1/chat/completions")
			return fail(404, `Invalid URL (${request.method} ${request.url})`);
		const parsed = completionRequest.safeParse(JSON.parse(await textOf(request)));
		if (!parsed.success) return fail(400, parsed.error.message);
		const prompt = parsed.data.messages.findLast(({ role }) => role === "user")?.content ?? "";
		prompts.push(prompt);
		const completion = complete(prompt);
		if (completion === "silence") return;
		if ("status" in completion) return fail(completion.status, "The server had an error.");
		send(200, {
			id: "chatcmpl-1",
			object: "chat.completion",
			created: 1_700_000_000,
			model: parsed.data.model,
			choices: [
				{ index: 0, message: { role: "assistant", content: completion.text }, logprobs: null, finish_reason: "stop" },
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
	};
	const origin = await openHttpServer((request, response) => void respond(request, response));
	return { url: `${origin}/v1`, prompts };
}

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}
