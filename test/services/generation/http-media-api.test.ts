import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { freePort } from "@atelier/common/testing/free-port";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { clientOf, API_KEY, successBody, request, setup } from "./service-setup.ts";

const { signal } = new AbortController();
const { specification, studio, kie, piapi, shipany } = PROFILES;
const callbackUrlOf = (key: string): string => `https://bot.example/${key}`;

test("a submit has the API key and the idempotency key in its headers", async () => {
	const { media, requests } = await setup(successBody({ taskId: "t/1" }));
	expect(await media.submit(request, "4711", signal)).toStrictEqual({ remoteId: "t/1" });
	const headers = { authorization: `Bearer ${API_KEY}`, "idempotency-key": "4711" };
	expect(requests).toMatchObject([{ headers }]);
});

test("a submit contains the callback URL if the service supports it", async () => {
	const bodies: unknown[] = [];
	for (const profile of [studio, specification]) {
		const { media, requests } = await setup(successBody({ taskId: "t" }), profile, { callbackUrlOf });
		await media.submit(request, "4711", signal);
		bodies.push(requests[0]?.body);
	}
	expect(bodies[0]).toHaveProperty("callbackUrl", "https://bot.example/4711");
	expect(bodies[1]).not.toHaveProperty("callbackUrl");
});

test("a poll requests a refresh, and a task id never becomes a path", async () => {
	const { media, requests } = await setup('{"code":0,"data":{"status":"Dreaming"}}');
	const task = { state: "open", word: "dreaming", phase: "running" };
	expect(await media.read("../t 1", request, signal)).toMatchObject(task);
	expect(requests).toMatchObject([{ method: "GET", url: "/api/v1/task/..%2Ft%201?refresh=1" }]);
});

test.each(["", "/", "/api/v1", "/api/v1/"])("a base URL that ends in '%s' is accepted", async (end) => {
	const { origin, requests } = await setup(successBody({ taskId: "t" }));
	await clientOf(origin + end).media.submit(request, "1", signal);
	expect(requests).toMatchObject([{ url: "/api/v1/generate" }]);
});

type Call = "submit" | "read" | "cancel" | "find" | "models";

/** Calls a service that responds so, with one request: the caller retries. Resolves to the result, or to the error. */
async function outcomeOf(call: Call, body: string, status = 200, headers = {}, profile = studio): Promise<unknown> {
	const { media, requests } = await setup(
		(_request, response) => response.writeHead(status, headers).end(body),
		profile,
	);
	const calls: Record<Call, () => Promise<unknown>> = {
		submit: () => media.submit(request, "4711", signal),
		read: () => media.read("t", request, signal),
		cancel: () => media.cancel("t", signal),
		find: () => media.find("4711", signal),
		models: () => media.models(signal),
	};
	const outcome = await calls[call]().catch((error: unknown) => error);
	expect(requests).toHaveLength(1);
	return outcome;
}

const REJECTED = expect.any(MediaRejectedError);
const UNAVAILABLE = expect.any(MediaUnavailableError);
/** The outcome is unknown. */
const FAILED = expect.any(MediaHttpError);
const CANNOT_TELL = { kind: "cannot_tell" };
const NO_ROUTE = '{"message":"Route POST:/api/v1/task/t/cancel not found"}';
const listOf = (...tasks: object[]): string => successBody({ tasks });

test.each<[Call, string, number, string, unknown]>([
	["submit", "a rejection in the envelope", 200, '{"code":40200,"message":"no credits"}', REJECTED],
	["submit", "a rejection with its status", 402, '{"code":40200,"message":"no credits"}', REJECTED],
	["submit", "a rejection without an envelope", 400, '{"detail":"no such model"}', REJECTED],
	["submit", "a rejection by a proxy", 403, "<html>", REJECTED],
	["submit", "a rate limit that is a text", 200, '{"code":-1,"message":"Rate limit exceeded"}', UNAVAILABLE],
	["submit", "a rate limit that is a code in words", 400, '{"error":{"code":"too_many_requests"}}', UNAVAILABLE],
	["submit", "an error of the service", 500, '{"code":50000}', FAILED],
	["submit", "an error of the service with HTTP 200", 200, '{"code":50000}', FAILED],
	["submit", "an error of the service whose code begins as a refused connection", 500, '{"code":52100}', FAILED],
	["submit", "a code of a refused connection with HTTP 200", 200, '{"code":521}', FAILED],
	["submit", "no JSON", 200, "<html>", FAILED],
	["submit", "no envelope", 200, "[]", FAILED],
	["submit", "a success without a task id", 200, '{"code":0,"data":{"title":"x"}}', FAILED],
	["submit", "a request with this key that is still running", 409, '{"code":40900}', FAILED],
	["submit", "a timeout of a proxy", 408, "", FAILED],
	["submit", "a rate limit", 429, "", UNAVAILABLE],
	["submit", "a lack of credits that is called a rate limit", 429, '{"message":"insufficient credits"}', REJECTED],
	["submit", "a rate limit with HTTP 200", 200, '{"code":42901}', UNAVAILABLE],
	["submit", "maintenance", 503, "<html>", UNAVAILABLE],
	["submit", "a bad gateway: the service may have received the request", 502, "<html>", FAILED],
	["submit", "a gateway timeout: the service may have received the request", 504, "", FAILED],
	["submit", "an error that kie also uses for a failed generation", 501, "<html>", FAILED],
	["submit", "a lost connection behind a proxy", 522, "<html>", FAILED],
	["submit", "a redirect, which is not followed with the key", 301, "", UNAVAILABLE],
	["read", "no JSON", 200, "<html>maintenance</html>", UNAVAILABLE],
	["cancel", "a success", 200, successBody({ taskId: "t" }), "requested"],
	["cancel", "a success without a body", 204, "", "requested"],
	["cancel", "another success without a body", 200, "", "requested"],
	["cancel", "an unknown path", 404, "<html>", "not_supported"],
	["cancel", "an unknown operation", 404, '{"code":40400,"message":"unknown operation"}', "not_supported"],
	["cancel", "no such operation", 404, '{"code":40400,"message":"there is no such operation"}', "not_supported"],
	["cancel", "no route", 404, NO_ROUTE, "not_supported"],
	["cancel", "not implemented", 501, "<html>", "not_supported"],
	["cancel", "not implemented, by its envelope", 501, '{"code":50100}', "not_supported"],
	["cancel", "a method that is not allowed", 405, '{"code":40500}', "not_supported"],
	["cancel", "an unknown task, by its code", 404, '{"code":40400,"message":"not found"}', REJECTED],
	["cancel", "an unknown task, in words", 404, '{"message":"unknown task"}', REJECTED],
	["find", "one task", 200, listOf({ taskId: "t1", status: "pending" }), { kind: "found", remoteId: "t1" }],
	["find", "no task", 200, listOf(), { kind: "absent" }],
	["find", "several tasks: the service ignores the key", 200, listOf({ taskId: "a" }, { taskId: "b" }), CANNOT_TELL],
	["find", "a task with another key", 200, listOf({ taskId: "a", idempotencyKey: "9" }), CANNOT_TELL],
	["find", "an unknown path", 404, "<html>", CANNOT_TELL],
	["find", "not implemented", 501, "<html>", CANNOT_TELL],
	["find", "no list, which is not the absence of the task", 200, successBody({}), FAILED],
	["models", "an unknown path", 404, "<html>", undefined],
])("the response to %s is %s", async (call, _what, status, body, expected) => {
	const outcome = await outcomeOf(call, body, status, { location: "/else" });
	expect(outcome).toStrictEqual(expected);
	expect(String(outcome)).not.toContain("secret");
});

test("a cancel and a lookup are not sent to a service without them", async () => {
	const { media, requests } = await setup("", kie);
	expect(await media.cancel("t", signal)).toBe("not_supported");
	expect(await media.find("4711", signal)).toStrictEqual(CANNOT_TELL);
	expect(requests).toStrictEqual([]);
});

test.each([
	[521, "<html>"],
	[521, '{"code":521}'],
	[523, '{"code":523}'],
	[525, '{"code":"ssl_handshake_failed"}'],
	[526, '{"code":"invalid_certificate"}'],
	[530, '{"code":1033}'],
])("HTTP %i with %s is of a proxy that did not reach the service", async (status, body) => {
	for (const call of ["submit", "read"] as const) {
		expect(await outcomeOf(call, body, status)).toMatchObject({ name: "MediaUnavailableError", kind: "not_reached" });
	}
});

describe("a response", () => {
	test("whose connection closes, also inside of a state, is a timeout with an unknown outcome", async () => {
		const { media } = await setup(({ method }, response) => {
			if (method === "POST") return response.destroy();
			response.writeHead(200, { "content-length": "1000" }).write('{"code":0,"data":{"status":"fai');
			return setImmediate(() => response.destroy());
		});
		await expect(media.submit(request, "1", signal)).rejects.toBeInstanceOf(MediaTimeoutError);
		await expect(media.read("t", request, signal)).rejects.toBeInstanceOf(MediaTimeoutError);
	});

	test("that does not arrive within the time of the caller is a timeout", async () => {
		const { media } = await setup(() => {});
		await expect(media.submit(request, "1", AbortSignal.timeout(1))).rejects.toBeInstanceOf(MediaTimeoutError);
		await expect(media.read("t", request, AbortSignal.timeout(1))).rejects.toBeInstanceOf(MediaTimeoutError);
	});

	test.each([
		["a minute and a half if the submit must not be repeated", specification, 85],
		["a quarter of a minute if the submit may be repeated", studio, 14],
	])("is awaited for %s", async (_what, profile, seconds) => {
		const { promise: requested, resolve: onRequest } = Promise.withResolvers<() => void>();
		const { media } = await setup(({ headers }, response) => {
			if (headers["idempotency-key"] === "late") onRequest(() => response.end(successBody({ taskId: "t" })));
		}, profile);
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		const [lost, late] = [media.submit(request, "lost", signal), media.submit(request, "late", signal)];
		const respond = await requested;
		lost.catch(() => {});
		vi.advanceTimersByTime(seconds * 1000);
		respond();
		await expect(late).resolves.toStrictEqual({ remoteId: "t" });
		vi.advanceTimersByTime(10_000);
		await expect(lost).rejects.toBeInstanceOf(MediaTimeoutError);
		expect(media.submitTimeoutMs).toBeGreaterThan(seconds * 1000);
	});

	test.each(["http", "https"])("of an unreachable service means that nothing was sent, by %s", async (scheme) => {
		const { media } = clientOf(`${scheme}://127.0.0.1:${await freePort()}`);
		const error = { name: "MediaUnavailableError", kind: "not_reached" };
		await expect(media.submit(request, "1", signal)).rejects.toMatchObject(error);
	});

	test.each([
		["in seconds", { "retry-after": "7" }, ""],
		["as a date", { "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, ""],
		["twice", { "retry-after": ["7", "9"] }, ""],
		["with blanks at its end", { "retry-after": "7 \t" }, ""],
		["in the body", {}, '{"code":42900,"data":{"retryAfter":7}}'],
	])("with Retry-After %s returns the time", async (_what, headers, body) => {
		expect(await outcomeOf("read", body, 429, headers)).toMatchObject({ retryAfterMs: 7000, kind: "rate_limited" });
	});

	test("may contain a file of 8 MiB in base64, and is limited to 12 MiB", async () => {
		let base64 = Buffer.alloc(8 * 1024 * 1024, 7).toString("base64");
		const { media } = await setup((_request, response) =>
			response.end(successBody({ status: "success", outputs: [`data:image/png;base64,${base64}`] })),
		);
		const task = await media.read("t", request, signal);
		const url = `data:image/png;base64,${base64}`;
		expect(task.state === "success" && task.outputs[0]?.url === url).toBe(true);
		base64 += base64;
		await expect(media.read("t", request, signal)).rejects.toThrow("the response has more than 12 MiB");
	});

	test.each([
		["in a header", {}, 3_000],
		["in the body, which precedes a header", { nextPollSeconds: 4 }, 4_000],
	])("to a poll of an open task may contain the time of the next poll %s", async (_where, given, pollAgainAfterMs) => {
		const task = await outcomeOf("read", successBody({ status: "running", ...given }), 200, { "retry-after": "3" });
		expect(task).toMatchObject({ state: "open", pollAgainAfterMs });
	});
});

test("the key is in no error and no log line, even if the service repeats it", async () => {
	const { media, logger, logs } = await setup((incoming, response) => {
		const { authorization } = incoming.headers;
		if (incoming.method === "POST")
			response.writeHead(401).end(JSON.stringify({ code: 40100, message: authorization }));
		else response.writeHead(500).end(authorization);
	});
	const port = await freePort();
	const errors: unknown[] = [];
	const keep = (error: unknown): number => errors.push(error);
	await media.submit(request, "1", signal).catch(keep);
	for (let reads = 0; reads < 6; reads++) await media.read("t", request, signal).catch(keep);
	await clientOf(`http://127.0.0.1:${port}`).media.read("t", request, signal).catch(keep);
	for (const err of errors) logger.error({ err }, "failed");
	expect(errors).toHaveLength(8);
	expect(errors[0]).toMatchObject({ reason: "Bearer [key]" });
	expect(logs()).toContain("media service down");
	expect(logs() + JSON.stringify(errors) + errors.map(String).join()).not.toContain(API_KEY);
});

test("the list of models contains the health in the known words, and omits models that cannot be parsed, with the reason", async () => {
	const valid = { id: "a", name: "A", mediaType: "image", scenes: ["text-to-image"], price: { credits: 1 } };
	const healths = ["degraded", "sleepy", 4].map((health) => ({ ...valid, health }));
	const models = [valid, ...healths, { ...valid, mediaType: "smell" }];
	expect(await outcomeOf("models", successBody({ models }))).toMatchObject({
		models: [{ id: "a" }, { health: "degraded" }, { health: undefined }, { health: undefined }],
		invalidCount: 1,
		firstReason: expect.stringContaining("mediaType"),
	});
});

describe("a profile defines requests and responses:", () => {
	const flat = {
		mediaType: "image",
		model: "m",
		prompt: "a secret boat",
		scene: "text-to-image",
		options: { aspect_ratio: "1:1", image_input: ["https://a/b.png"] },
	};
	const input = { prompt: "a secret boat", aspect_ratio: "1:1" };
	const kieBody = { model: "m", input: { ...input, image_urls: ["https://a/b.png"] } };
	const piapiInput = { ...input, image_input: ["https://a/b.png"] };
	const piapiBody = { model: "m", task_type: "text-to-image", input: piapiInput };

	test.each([
		["the specification", specification, '{"code":0,"data":{"taskId":"t"}}', "/api/v1/generate", flat],
		["studio", studio, '{"code":0,"data":{"taskId":"t"}}', "/api/v1/generate", flat],
		["shipany", shipany, '{"code":0,"data":{"id":"t","taskId":"of-the-provider"}}', "/api/ai/generate", flat],
		["kie", kie, '{"code":200,"msg":"success","data":{"taskId":"t"}}', "/api/v1/jobs/createTask", kieBody],
		["piapi", piapi, '{"code":200,"data":{"task_id":"t","status":"Pending"}}', "/api/v1/task", piapiBody],
	])("a submit to %s", async (_name, profile, answer, url, body) => {
		const { media, requests } = await setup(answer, profile);
		expect(await media.submit({ ...request, options: flat.options }, "1", signal)).toStrictEqual({ remoteId: "t" });
		expect(requests).toStrictEqual([{ method: "POST", url, headers: expect.anything(), body }]);
	});

	test("a poll may be a POST with the id in its body, and the key may be in another header", async () => {
		const polledByPost = await setup('{"code":0,"data":{"status":"processing"}}', shipany);
		await polledByPost.media.read("t", request, signal);
		const poll = { method: "POST", url: "/api/ai/query", body: { taskId: "t" } };
		expect(polledByPost.requests).toMatchObject([poll]);
		const withOtherHeader = await setup('{"code":200,"data":{"status":"Staged"}}', piapi);
		expect(await withOtherHeader.media.read("t", request, signal)).toMatchObject({ state: "open", phase: "queued" });
		expect(withOtherHeader.requests).toMatchObject([{ method: "GET", url: "/api/v1/task/t" }]);
		expect(withOtherHeader.requests[0]?.headers).toMatchObject({ "x-api-key": API_KEY });
		expect(withOtherHeader.requests[0]?.headers).not.toHaveProperty("authorization");
	});

	test("kie reports failed tasks and maintenance by its codes", async () => {
		const failed = { state: "failed", code: "501", reason: "Generation failed" };
		expect(await outcomeOf("read", '{"code":501,"msg":"Generation failed"}', 200, {}, kie)).toStrictEqual(failed);
		const away = await outcomeOf("submit", '{"code":455,"msg":"Maintenance"}', 200, {}, kie);
		expect(away).toBeInstanceOf(MediaUnavailableError);
	});

	test("a response with a task id and the code of another profile is no rejection, because the task may be generated and billed", async () => {
		const error = await outcomeOf("submit", '{"code":200,"data":{"taskId":"t"}}', 200, {}, specification);
		expect(error).toBeInstanceOf(MediaHttpError);
		expect(String(error)).toContain("MEDIA_API_PROFILE");
	});
});

test("polls with a rate limit in the body of a 200 share the backoff", async () => {
	const { media, requests } = await setup('{"code":1,"message":"Too many requests"}', specification);
	const rateLimited = { kind: "rate_limited", retryAfterMs: expect.any(Number) };
	await expect(media.read("t", request, signal)).rejects.toMatchObject(rateLimited);
	await expect(media.read("u", request, signal)).rejects.toMatchObject({ ...rateLimited, isSuppressed: true });
	expect(requests).toHaveLength(1);
});
