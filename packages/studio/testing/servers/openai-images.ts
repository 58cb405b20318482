/** OpenAI's images API by its reference, with the variants of compatible services. */
import { fakePng } from "../fake-engine.ts";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";

export interface FakeOpenAiImages extends FakeServer {
	/** Executed requests, which would be billed. */
	readonly billed: FakeRequest[];
}

export async function openOpenAiImages(
	options: { readonly answersWith?: "b64_json" | "url" } = {},
): Promise<FakeOpenAiImages> {
	const billed: FakeRequest[] = [];

	function handle(request: FakeRequest): FakeResponse {
		const { method, path, headers } = request;
		if (path === "/files/1.png") return { bytes: fakePng("by address"), headers: { "content-type": "text/html" } };
		if (headers.authorization !== "Bearer sk-test-secret") return { status: 401, json: openAiError("invalid_api_key") };
		const isEdit = path === "/v1/images/edits";
		if (method !== "POST" || !(isEdit || path === "/v1/images/generations")) return { status: 404 };
		if (isEdit !== (headers["content-type"]?.startsWith("multipart/form-data") ?? false)) return { status: 400 };
		billed.push(request);
		const count = Number(request.body["n"] ?? 1);
		const image =
			options.answersWith === "url"
				? { url: `${server.url}/files/1.png`, revised_prompt: "a revised prompt" }
				: { b64_json: Buffer.from(fakePng("in the answer")).toString("base64") };
		return { json: { created: 1_700_000_000, data: Array.from({ length: count }, () => image) } };
	}

	const server: FakeOpenAiImages = { ...(await openFakeServer(handle)), billed };
	return server;
}

export function openAiError(code: string, type = "invalid_request_error", param: string | null = null): object {
	return { error: { message: "it says: a lighthouse in a storm", type, param, code } };
}
