import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createHttpMediaApi } from "../../../src/services/generation/http-media-api.ts";
import type { GenerationRequest } from "../../../src/services/generation/request.ts";
import { PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import { createLogger } from "@atelier/common/logger";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openHttpServer } from "@atelier/common/testing/http-server";

/** The key of the bot, which no error and no log line may contain. */
export const API_KEY = "sk-planted-key-4711";

export const request: GenerationRequest = {
	mediaType: "image",
	model: "m",
	modelName: "M",
	scene: "text-to-image",
	prompt: "a secret boat",
	options: { aspect_ratio: "1:1" },
	costCredits: 4,
	typicalSeconds: 10,
};

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Returns the text of a successful response in the studio's envelope. */
export const successBody = (data: unknown): string => JSON.stringify({ code: 0, message: "ok", data });

/** Starts a media service that responds as `answer` says, until the test ends. Resolves to its origin. */
export async function openService(answer: Handler): Promise<string> {
	return openHttpServer((incoming, response) => {
		text(incoming).then(
			(body) => answer(incoming, response, body),
			() => {},
		);
	});
}

interface ClientOptions {
	readonly callbackUrlOf?: (idempotencyKey: string) => string;
}

/**
 * Starts a service that answers each request with a text, or as the function says. Resolves to its client, with the client's clock and
 * log, and to the requests that it received.
 */
export async function setup(answer: string | Handler, profile = PROFILES.studio, options: ClientOptions = {}) {
	const requests: { method: string; url: string; headers: IncomingHttpHeaders; body: unknown }[] = [];
	const origin = await openService((incoming, response, body) => {
		const { method = "", url = "", headers } = incoming;
		requests.push({ method, url, headers, body: body === "" ? undefined : JSON.parse(body) });
		if (typeof answer === "string") response.end(answer);
		else answer(incoming, response, body);
	});
	return { ...clientOf(origin, profile, options), origin, requests };
}

/** Creates the client of a service at this address. */
export function clientOf(baseUrl: string, profile: MediaProfile = PROFILES.studio, options: ClientOptions = {}) {
	const lines: string[] = [];
	const destination = { write: (line: string) => void lines.push(line) };
	const logger = createLogger({ level: "trace", pretty: false, destination });
	const clock = createManualClock();
	const media = createHttpMediaApi({ baseUrl, apiKey: API_KEY, profile, clock, random: () => 0, logger, ...options });
	return { media, clock, logger, logs: (): string => lines.join("") };
}
