/**
 * Sends generated and damaged responses over a real connection to the real client. Every call ends with one of the client's
 * errors or with a result whose files are usable, if it has any.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { pino } from "pino";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { PROFILE_NAMES, PROFILES } from "@atelier/media-protocol/profiles";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { createHttpMediaApi } from "../../src/services/generation/http-media-api.ts";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../src/services/generation/media-api.ts";
import { request } from "../services/generation/service-setup.ts";
import { SAMPLES, type Call, type Sample } from "./response-samples.ts";
import { fuzz, type FindMissingOutcomes, type FuzzOptions, type FuzzReport } from "./fuzz-property.ts";
import { damageJson, fieldNamesIn, jsonDamage } from "./json-damage.ts";

/** Far above the duration of a call: one that takes this long hangs. */
const HANGS_AFTER_MS = 10_000;
const STATUSES = [201, 202, 204, 301, 400, 401, 402, 403, 404, 405, 408, 409, 422, 429, 500, 502, 503, 504, 524];
const RETRY_AFTER = ["1", "-1", "1e9", "soon", "Thu, 01 Jan 2026 00:00:07 GMT", "9".repeat(400)];
const NOT_JSON = ["", "null", "<html>", "[".repeat(50_000), '{"a":'.repeat(20_000), "\0"];
const FIELD_NAMES = fieldNamesIn(SAMPLES.map(({ body }) => body));

interface ServiceResponse extends Pick<Sample, "profile" | "call"> {
	readonly status: number;
	readonly retryAfter: string | undefined;
	readonly text: string;
}

const defaultOrigin = { profile: "specification", call: "read" } as const;
const samples = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom(...SAMPLES) },
	fc.jsonValue({ maxDepth: 6 }).map((body): Sample => ({ ...defaultOrigin, body })),
);
const damages = fc.oneof(
	{ weight: 2, arbitrary: fc.array(jsonDamage(FIELD_NAMES), { minLength: 1, maxLength: 2 }) },
	{ weight: 1, arbitrary: fc.array(jsonDamage(FIELD_NAMES), { minLength: 3, maxLength: 6 }) },
);
const damagedResponses = fc
	.tuple(samples, damages)
	.map(([{ body, ...origin }, all]) => ({ ...origin, text: JSON.stringify(all.reduce(damageJson, body)) ?? "" }));
const truncatedResponses = fc
	.tuple(damagedResponses, fc.nat(400))
	.map(([whole, end]) => ({ ...whole, text: whole.text.slice(0, end) }));
const nonJsonResponses = fc
	.oneof(fc.string({ maxLength: 200 }), fc.constantFrom(...NOT_JSON))
	.map((text) => ({ ...defaultOrigin, text }));
/** A response to another call or of another service. */
const mismatchedResponses = fc
	.tuple(
		damagedResponses,
		fc.constantFrom(...PROFILE_NAMES),
		fc.constantFrom<Call[]>("submit", "read", "cancel", "find", "models"),
	)
	.map(([whole, profile, call]) => ({ ...whole, profile, call }));
const responses: fc.Arbitrary<ServiceResponse> = fc
	.tuple(
		fc.oneof(
			{ weight: 12, arbitrary: damagedResponses },
			{ weight: 2, arbitrary: truncatedResponses },
			{ weight: 1, arbitrary: nonJsonResponses },
			{ weight: 4, arbitrary: mismatchedResponses },
		),
		fc.oneof({ weight: 20, arbitrary: fc.constant(200) }, fc.constantFrom(...STATUSES)),
		fc.option(fc.constantFrom(...RETRY_AFTER), { nil: undefined }),
	)
	.map(([response, status, retryAfter]) => ({ ...response, status, retryAfter }));

/** The outcomes that a thousand runs must have: input that is damaged too much reaches only the first check. */
const EXPECTED = ["succeeded", "open", "failed", "submitted", "no file", "found", "absent", "requested"];

export const findMissingOutcomes: FindMissingOutcomes = (outcomes) =>
	EXPECTED.filter((outcome) => (outcomes[outcome] ?? 0) <= 5);

export async function fuzzResponses(options: FuzzOptions): Promise<FuzzReport> {
	let current: ServiceResponse | undefined;
	const server = createServer((incoming, response) => {
		incoming.resume();
		assert(current !== undefined);
		const { status, retryAfter, text } = current;
		response.writeHead(status, { ...(retryAfter !== undefined && { "retry-after": retryAfter }) });
		response.end(text);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	try {
		return await fuzz(options, responses, (response) => {
			current = response;
			return outcomeOf(response, baseUrl);
		});
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

/** Returns the outcome of the call; throws for one that is not allowed. */
async function outcomeOf({ profile, call }: ServiceResponse, baseUrl: string): Promise<string> {
	// A new client for each response, because the client remembers the state of the service.
	const media = createHttpMediaApi({
		baseUrl,
		apiKey: "k",
		profile: PROFILES[profile],
		clock: createManualClock(),
		random: () => 0.5,
		logger: pino({ level: "silent" }),
	});
	const signal = AbortSignal.timeout(HANGS_AFTER_MS);
	try {
		switch (call) {
			case "submit": {
				const { remoteId } = await media.submit(request, "4711", signal);
				assert.match(remoteId, /^[\x21-\x7e]{1,256}$/);
				assert(remoteId !== "." && remoteId !== "..");
				return "submitted";
			}
			case "read":
				return checkTask(await media.read("t", request, signal));
			case "cancel":
				return await media.cancel("t", signal);
			case "find":
				return (await media.find("4711", signal)).kind;
			case "models":
				return (await media.models(signal)) ? "models" : "no models";
		}
	} catch (error) {
		assert(!signal.aborted, "the call hangs");
		assert(!(error instanceof MediaTimeoutError), "the client timed out although it received a response");
		const classes = [MediaRejectedError, MediaUnavailableError, MediaHttpError];
		if (!(error instanceof Error) || !classes.some((kind) => error instanceof kind)) throw error;
		if (error instanceof MediaUnavailableError && error.retryAfterMs !== undefined) assert(error.retryAfterMs >= 0);
		return error.name;
	}
}

function checkTask(task: RemoteTask): string {
	switch (task.state) {
		case "open": {
			const { progressPercent, queuePosition, estimatedSeconds, startedAtMs, pollAgainAfterMs, word } = task;
			assert(word.length > 0 && word.length <= 40);
			assert(progressPercent === null || (progressPercent >= 0 && progressPercent <= 100));
			for (const each of [queuePosition, estimatedSeconds, pollAgainAfterMs, startedAtMs]) {
				assert(each === null || (Number.isFinite(each) && each >= 0));
			}
			return "open";
		}
		case "failed":
			assert(task.code.length > 0 && task.code.length <= 80 && task.reason.length <= 500);
			return "failed";
		case "success":
			assert(task.outputs.length <= 32);
			for (const { url } of task.outputs) assertUsable(url);
			// Without a file, the bot polls once more; if there is still none, the task fails.
			return task.outputs.length > 0 ? "succeeded" : "no file";
	}
}

function assertUsable(url: string): void {
	if (url.startsWith("data:")) {
		const bytes = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
		assert(bytes.byteLength > 0 && url.includes(";base64,"));
		return;
	}
	const { protocol, hostname } = new URL(url);
	assert((protocol === "http:" || protocol === "https:") && hostname !== "");
}
