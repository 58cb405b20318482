import { readBounded } from "@atelier/common/read-bounded";
import { USER_AGENT } from "@atelier/common/user-agent";

interface JsonPost {
	readonly url: string;
	/** Sent as a bearer token. */
	readonly apiKey: string | undefined;
	readonly body: object;
	readonly timeoutMs: number;
	readonly bytesMax: number;
}

/**
 * Posts JSON to a service of the operator, and resolves to its JSON. Rejects a status other than 2xx, a redirect, a timeout, and a
 * body that is too large or not JSON. No error contains the key or a text of the service.
 */
export async function postJson({ url, apiKey, body, timeoutMs, bytesMax }: JsonPost): Promise<unknown> {
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json",
			"user-agent": USER_AGENT,
			...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
		},
		body: JSON.stringify(body),
		// Members' texts are sent to the configured URL only.
		redirect: "error",
		signal: AbortSignal.timeout(timeoutMs),
	});
	if (!response.ok) {
		await response.body?.cancel();
		throw new Error(`the service responded with ${response.status}`);
	}
	const text = Buffer.from(await readBounded(response, bytesMax)).toString("utf8");
	try {
		return JSON.parse(text);
	} catch {
		throw new Error("the service did not respond with JSON");
	}
}
