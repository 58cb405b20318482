import { STATUS_CODES } from "node:http";
import { REST, type RESTOptions } from "discord.js";
import type { Logger } from "pino";
import { Headers, request } from "undici";
import { withGlobalRateLimit, type WaitForGlobalLimit } from "./cluster/global-rate-limit.ts";
import { listenForRestEvents, REST_OPTIONS } from "./rest-setup.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

/** No call takes longer. The caller sets a shorter timeout by the size of its files. */
const CALL_TIMEOUT_MS_MAX = 15 * 60_000;
/** A shorter rate limit delays the call; a longer one fails it. */
const RATE_LIMIT_WAIT_MS_MAX = 2_000;

interface DeliveryRestDeps {
	readonly apiUrl: string | undefined;
	readonly token: string;
	readonly waitForGlobalLimit: WaitForGlobalLimit;
	readonly logger: Logger;
	/** Called when Discord rejects the token. */
	readonly onLost: (reason: string) => void;
}

/**
 * A REST client for deliveries. discord.js retries a failed call immediately, up to three times, and waits for every
 * rate limit inside the call. Here each failure reaches the caller at once, because the reply client decides what to do
 * and holds the file.
 */
export function createDeliveryRest({ apiUrl, token, waitForGlobalLimit, logger, onLost }: DeliveryRestDeps): REST {
	const rest = new REST({
		version: "10",
		...(apiUrl !== undefined && { api: apiUrl }),
		retries: 0,
		timeout: CALL_TIMEOUT_MS_MAX,
		...withGlobalRateLimit(waitForGlobalLimit, makeRequest),
		...REST_OPTIONS,
		userAgentAppendix: USER_AGENT,
		rejectOnRateLimit: ({ timeToReset, retryAfter }) => Math.max(timeToReset, retryAfter) > RATE_LIMIT_WAIT_MS_MAX,
	});
	rest.setToken(token);
	listenForRestEvents(rest, { logger, onLost });
	return rest;
}

/** The request function of discord.js, but streamed bodies are not buffered. */
const makeRequest: RESTOptions["makeRequest"] = async (url, { body, headers, method, signal }) => {
	const response = await request(url, { body, headers, method, signal } as Parameters<typeof request>[1]);
	const { statusCode: status } = response;
	return {
		ok: status >= 200 && status < 300,
		status,
		statusText: STATUS_CODES[status] ?? "",
		headers: new Headers(response.headers as Record<string, string>),
		body: response.body,
		bodyUsed: false,
		json: () => response.body.json(),
		text: () => response.body.text(),
		arrayBuffer: () => response.body.arrayBuffer(),
	};
};
