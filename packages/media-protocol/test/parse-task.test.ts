import { describe, expect, test } from "vitest";
import type { RemoteTask } from "../src/remote-task.ts";
import type { MediaType } from "../src/model.ts";
import { PROFILES, type MediaProfile } from "../src/profiles.ts";
import { parseEnvelope } from "../src/parse-envelope.ts";
import type { MediaRequest } from "../src/parse-outputs.ts";
import { parseTask, parseTaskId } from "../src/parse-task.ts";

const ORIGIN = "https://service.test";
const URL_A = "https://cdn.test/a.png";
const PAGE = "https://service.test/page";
const URL_B = "https://cdn.test/b.mp4";
const PNG_BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const { specification, kie } = PROFILES;

function requestFor(mediaType: MediaType, options: MediaRequest["options"] = {}): MediaRequest {
	return { mediaType, options };
}

function taskOf(
	payload: unknown,
	profile: MediaProfile = specification,
	request: MediaRequest = requestFor("image"),
): RemoteTask | undefined {
	return parseTask(payload, { profile, origin: ORIGIN, request })?.task;
}

function urlsOf(payload: object, request?: MediaRequest): readonly string[] | undefined {
	const task = taskOf({ status: "success", ...payload }, specification, request);
	return task?.state === "success" ? task.outputs.map(({ url }) => url) : undefined;
}

describe("the envelope", () => {
	const LONG_NUMBER = { id: "1234567890123456789", n: 1 };
	test.each<[string, unknown, number, object]>([
		[
			"may be the specification's",
			{ code: 0, data: { a: 1 } },
			200,
			{ kind: "success", payload: { a: 1 }, path: "data" },
		],
		["may have its code as text", { code: "0", data: { a: 1 } }, 200, { kind: "success", path: "data" }],
		["may have its payload beside the code", { code: 0, taskId: "t" }, 200, { kind: "success", path: "body" }],
		["may be a string of JSON", '{"code":0,"data":{}}', 200, { kind: "success", payload: {} }],
		["keeps the digits of a long number", '{"id":1234567890123456789,"n":1}', 200, { payload: LONG_NUMBER }],
		["may be missing", { id: "t", status: "queued" }, 201, { kind: "success", path: "body" }],
		["may be missing around data", { data: { id: "t" } }, 200, { kind: "success", payload: { id: "t" }, path: "data" }],
		["rejects by its code", { code: -1, message: "no auth" }, 200, { code: "-1", reason: "no auth" }],
		["rejects with msg", { code: 402, msg: "no credits" }, 200, { code: "402", reason: "no credits" }],
		["rejects by its HTTP status", { detail: "throttled" }, 400, { code: "HTTP 400", reason: "throttled" }],
		["rejects with a list", { detail: [{ msg: "a field" }] }, 422, { code: "HTTP 422", reason: "a field" }],
		["rejects with an error object", { error: { code: "bad", message: "why" } }, 400, { code: "bad", reason: "why" }],
		["rejects with success: false", { success: false, message: "why" }, 200, { kind: "rejection", reason: "why" }],
		["is invalid as a list", [], 200, { kind: "invalid" }],
		["is invalid as text", "ok", 200, { kind: "invalid" }],
		["is invalid if missing", undefined, 200, { kind: "invalid" }],
	])("%s", (_case, body, status, envelope) => {
		expect(parseEnvelope(body, status, specification)).toMatchObject(envelope);
	});

	test("treats 200 as success only if the profile does", () => {
		const body = { code: 200, data: { taskId: "t" } };
		expect(parseEnvelope(body, 200, specification)).toMatchObject({ kind: "rejection" });
		expect(parseEnvelope(body, 200, kie)).toMatchObject({ kind: "success" });
	});
});

test.each<[unknown, string | undefined]>([
	[{ taskId: "a", id: "b" }, "a"],
	[{ task_id: "a" }, "a"],
	[{ id: "a" }, "a"],
	[{ id: 4711 }, "4711"],
	[{ task: { id: "a" } }, "a"],
	[{ output: { task_id: "a" } }, "a"],
	[[{ task_id: "a" }], "a"],
	['{"taskId":"a"}', "a"],
	[{ wall: true, remaining: 0 }, undefined],
	[{ taskId: "" }, undefined],
	[{ taskId: 0 }, undefined],
	[{ taskId: ".." }, undefined],
	[{ taskId: "a b" }, undefined],
	[{ taskId: "a".repeat(257) }, undefined],
	[{ taskId: { id: {} } }, undefined],
	["a", undefined],
	[null, undefined],
])("the id of a task in %j is %s", (payload, id) => {
	expect(parseTaskId(payload, specification)).toBe(id);
});

describe("a state", () => {
	const ENDED = { state: "success", outputs: [{ url: URL_A }] };
	test.each([
		["pending", { state: "open", phase: "queued" }],
		["in-progress", { state: "open", phase: "running" }],
		["TEXT_SUCCESS", { state: "open", phase: "running" }],
		["reticulating", { state: "open", phase: "unknown", word: "reticulating" }],
		["Succeed", { state: "success" }],
		["failure", { state: "failed", code: "unknown" }],
		["timeout", { state: "failed", code: "timeout" }],
		["nsfw", { state: "failed", code: "content_policy" }],
		["cancelled", { state: "failed", code: "canceled" }],
	])("named %s is recognized", (status, task) => {
		expect(taskOf({ status })).toMatchObject(task);
	});

	test.each([
		[{ output: { task_status: "RUNNING" } }, { state: "open", phase: "running" }],
		[{ taskInfo: '{"status":"failed"}' }, { state: "failed" }],
		[[{ status: "failed" }], { state: "failed" }],
		[{ done: false, waiting: 1 }, { state: "open" }],
		[{ done: true, faulted: true }, { state: "failed" }],
		// A word counts more than an HTTP status.
		[{ status: 200, task: { state: "failed" } }, { state: "failed" }],
		[
			{ successFlag: 0, images: [URL_A] },
			{ state: "open", phase: "running" },
		],
		[{ successFlag: 1, images: [URL_A] }, { state: "success" }],
		[
			{ successFlag: 2, images: [URL_A], errorMessage: "moderated later" },
			{ state: "failed", reason: "moderated later" },
		],
		[{ successFlag: "3", images: [URL_A] }, { state: "failed" }],
		// A number is an end if there are outputs.
		[{ status: 2, outputs: [URL_A] }, ENDED],
		[{ status: "200", outputs: [URL_A] }, ENDED],
		[{ status: 2, output: [URL_A] }, ENDED],
		[{ status: 2, result: { image_url: URL_A } }, ENDED],
		[{ status: 2, resultJson: JSON.stringify({ resultUrls: [URL_A] }) }, ENDED],
	])("is found in %j", (payload, task) => {
		expect(taskOf(payload)).toMatchObject(task);
	});

	test.each<[string, object, MediaRequest?]>([
		["0", { status: 0 }],
		["the HTTP status 202", { status: 202 }],
		["a number beside progress", { status: 2, progress: 50 }],
		["a number with a position in the queue", { status: 2, queue_position: 1 }],
		["a number beside an error", { status: 2, error: "out of memory" }],
		["a number beside some of the outputs", { status: 2 }, requestFor("image", { n: 2 })],
		["a number beside a cover", { status: 2, outputs: [], images: [URL_A] }, requestFor("video")],
		["an unknown word", { status: "previewing" }],
		["an unknown word beside an HTTP status", { status: 200, state: "previewing" }],
		["a number beside a link", { status: 1, outputs: [], url: "https://service.test/tasks/7" }],
		["a number beside a link in data", { status: 1, outputs: [], data: { url: "https://service.test/tasks/7" } }],
		["a number beside a link as result", { status: 1, outputs: [], result: "https://service.test/tasks/7" }],
		["a number beside assets", { status: 1, outputs: [], assets: [URL_A] }],
	])("with %s has not ended, even with outputs", (_case, fields, request) => {
		const task = taskOf({ outputs: [URL_A], ...fields }, specification, request);
		expect(task).toMatchObject({ state: "open", phase: "unknown" });
	});

	test("with a number is a failure only if the profile defines it", () => {
		const failing = { status: 2, result: "[]" };
		expect(taskOf(failing)).toMatchObject({ state: "open", phase: "unknown", word: "2" });
		expect(taskOf(failing, kie)).toMatchObject({ state: "failed" });
	});

	test.each([[{}], [{ outputs: [URL_A] }], [{ status: null }], [{ status: {} }], [[]], [null], ["success"], [0]])(
		"is not found in %j",
		(payload) => {
			expect(taskOf(payload)).toBeUndefined();
		},
	);
});

describe("outputs", () => {
	test.each<[string, object]>([
		["outputs", { outputs: [{ url: URL_A }] }],
		["resultJson", { resultJson: JSON.stringify({ resultUrls: [URL_A] }) }],
		["taskResult, encoded twice", { taskResult: JSON.stringify(JSON.stringify({ images: [{ imageUrl: URL_A }] })) }],
		["taskUrls", { taskUrls: JSON.stringify([URL_A]) }],
		["images", { images: [URL_A] }],
		["videos", { task_result: { videos: [{ id: "1", url: URL_A, duration: "5" }] } }],
		["data", { data: [{ url: URL_A }] }],
		["output as a text", { output: URL_A }],
		["output.image_url", { output: { image_url: URL_A } }],
		["output.image.url", { output: { image: { url: URL_A } } }],
		["url", { url: URL_A }],
		["video", { video: { url: URL_A } }],
		["resultImageUrl", { response: { resultImageUrl: URL_A } }],
		["metadata", { metadata: { url: URL_A } }],
		["the outermost object", { image_url: URL_A }],
		["media", { media: { mediaUrl: URL_A } }],
		["image_urls", { result: { image_urls: [URL_A], url: PAGE } }],
	])("are found in %s", (_case, payload) => {
		expect(urlsOf(payload)).toStrictEqual([URL_A]);
	});

	test.each<[MediaType, string, object]>([
		["video", "assets", { assets: { video: URL_A } }],
		["video", "content", { content: { video_url: URL_A } }],
		["video", "the outermost object, beside a poster", { image_url: URL_B, video_url: URL_A, url: PAGE }],
		["video", "a result with a moving preview", { result: { preview: URL_B, gif_url: URL_B, videoUrl: URL_A } }],
		["video", "generateVideoResponse", { generateVideoResponse: { generatedSamples: [{ video: { uri: URL_A } }] } }],
		["video", "a list called images", { images: [URL_A] }],
		["music", "sunoData", { response: { sunoData: [{ audioUrl: URL_A, imageUrl: URL_B }] } }],
		["music", "songs with an empty address", { songs: [{ audioUrl: URL_A }, { audioUrl: "", imageUrl: URL_B }] }],
		["music", "songs with a cover only", { songs: [{ imageUrl: URL_B }, { audioUrl: URL_A }] }],
		["image", "an output with a video", { outputs: [{ video_url: URL_B, image_url: URL_A }] }],
	])("of a request for %s are found in %s", (mediaType, _case, payload) => {
		expect(urlsOf(payload, requestFor(mediaType))).toStrictEqual([URL_A]);
	});

	test.each<[MediaType, string, object]>([
		["music", "a cover beside an empty address", { songs: [{ audioUrl: "", imageUrl: URL_A }] }],
		["music", "a cover in the outermost object", { audio_url: null, image_url: URL_A }],
		["music", "covers beside an empty list", { audios: [], images: [URL_A] }],
		["video", "a poster", { result: { poster: URL_A, cover_url: URL_A, thumbnail: URL_A } }],
		["video", "a preview beside an empty address", { video: { url: "" }, image: { url: URL_A } }],
	])("of a request for %s are never %s", (mediaType, _case, payload) => {
		expect(urlsOf(payload, requestFor(mediaType))).toStrictEqual([]);
	});

	test("never include an input, even with another signature", () => {
		const input = "https://files.test/input.png?ex=1&hm=2";
		const request = requestFor("image", { image_input: [input] });
		expect(urlsOf({ image_url: input, images: [input] }, request)).toStrictEqual([]);
		expect(urlsOf({ image_url: "https://files.test/input.png", image: URL_A }, request)).toStrictEqual([URL_A]);
		expect(urlsOf({ outputs: ["https://files.test/input.png?ex=3", URL_A] }, request)).toStrictEqual([URL_A]);
		expect(urlsOf({ image_url: "https://files.test/other.png" }, request)).toHaveLength(1);
	});

	test("may be URLs without a protocol", () => {
		expect(urlsOf({ url: "//cdn.test/a.png" })).toStrictEqual([URL_A]);
		expect(urlsOf({ url: "//cdn.test:8443/a.png" })).toStrictEqual(["https://cdn.test:8443/a.png"]);
		expect(urlsOf({ url: "///cdn.test/a.png" })).toStrictEqual([]);
		for (const url of ["//", "//cdn.test:99999/a.png"]) expect(urlsOf({ url })).toStrictEqual([]);
	});

	test("are all returned in order, without duplicates, with their seeds", () => {
		const outputs = [{ url: URL_B, seed: 7 }, { url: URL_A, seed: "8" }, { url: URL_B }, { url: null }];
		const found = [URL_B, URL_A].map((url, index) => ({ url, seed: 7 + index }));
		expect(taskOf({ status: "success", outputs })).toMatchObject({ outputs: found });
	});

	test("may be files in the response", () => {
		const inline = `data:image/png;base64,${PNG_BASE64}`;
		expect(urlsOf({ output: inline })).toStrictEqual([inline]);
		const raw = [`data:application/octet-stream;base64,${PNG_BASE64}`];
		expect(urlsOf({ data: [{ b64_json: PNG_BASE64 }] })).toStrictEqual(raw);
		expect(urlsOf({ images: [PNG_BASE64] })).toStrictEqual(raw);
	});

	test("may be paths of the service", () => {
		expect(urlsOf({ file: "/v1/audio?path=a.mp3" })).toStrictEqual([`${ORIGIN}/v1/audio?path=a.mp3`]);
		const result = JSON.stringify([{ file: "/v1/audio?path=a.mp3", metas: { duration: 30 } }]);
		expect(taskOf([{ task_id: "t", status: 1, result }], kie)).toMatchObject({
			outputs: [{ url: `${ORIGIN}/v1/audio?path=a.mp3` }],
		});
		for (const file of ["/\\elsewhere.test/a.mp3", "/\t/elsewhere.test/a.mp3"])
			expect(urlsOf({ file })).toStrictEqual([]);
	});

	test.each<[string, object]>([
		["links to the task", { urls: { get: URL_A, cancel: URL_A }, status_url: URL_A, response_url: URL_A }],
		["inputs", { options: { image_input: [URL_A] }, images: [URL_A] }],
		["inputs in a JSON string", { param: JSON.stringify({ input: { image_url: URL_A } }), output: URL_A }],
		["the callback URL", { callBackUrl: URL_A }],
		["texts", { message: `see ${URL_A}`, output: "your picture is ready" }],
		["URLs of other schemes", { outputs: ["ftp://a/b", "file:///etc/passwd", "javascript:alert(1)", "http://"] }],
		["files that have expired", { outputs: [{ url: URL_A, expired: true }] }],
		["data URIs without a file", { outputs: ["data:image/png;base64,", "data:text/html,<b>", "data:,", "data:"] }],
		["data URIs with a long header", { outputs: [`data:image/png;name=${"n".repeat(200)};base64,${PNG_BASE64}`] }],
		["URLs that are too long", { outputs: [`https://a.test/${"a".repeat(10_000)}`] }],
	])("are not %s", (_case, payload) => {
		expect(urlsOf(payload)).toStrictEqual([]);
	});
});

describe("an open task", () => {
	test.each<[string, unknown, object]>([
		["its progress as a fraction", { progress: 0.3 }, { progressPercent: 30 }],
		["its progress as a text", { progress: "30%" }, { progressPercent: 30 }],
		["its progress in an object", { progress: { value: 0.25, nodes_done: 3 } }, { progressPercent: 25 }],
		["no progress above 100", { progress: 400 }, { progressPercent: null }],
		["its position in the queue", { queue_position: 3 }, { queuePosition: 3 }],
		["its remaining time", { task_info: { estimated_time: 45 } }, { estimatedSeconds: 45 }],
		["no negative remaining time", { eta: -1 }, { estimatedSeconds: null }],
		["its remaining time in the outermost object", { eta: "45" }, { estimatedSeconds: 45 }],
		["the delay until the next poll", { nextPollSeconds: 4 }, { pollAgainAfterMs: 4000 }],
	])("may have %s", (_case, fields, task) => {
		expect(taskOf({ status: "running", ...(fields as object) })).toMatchObject(task);
	});

	test.each<[string, unknown]>([
		["RFC 3339", "2026-05-04T03:02:01.000Z"],
		["RFC 3339 in another zone", "2026-05-04T05:02:01+02:00"],
		["a day and a time", "2026-05-04 03:02:01"],
		["seconds", Date.UTC(2026, 4, 4, 3, 2, 1) / 1000],
		["milliseconds", Date.UTC(2026, 4, 4, 3, 2, 1)],
		["milliseconds in a text", String(Date.UTC(2026, 4, 4, 3, 2, 1))],
	])("may have its start in %s", (_case, startedAt) => {
		const startedAtMs = Date.UTC(2026, 4, 4, 3, 2, 1);
		expect(taskOf({ status: "running", startedAt })).toMatchObject({ startedAtMs });
		const ended = { startedAtMs, finishedAtMs: startedAtMs };
		expect(taskOf({ status: "success", startedAt, completedAt: startedAt })).toMatchObject(ended);
	});

	test.each([["soon"], [0], [-1], [1e300], ["9999-99-99 99:99:99"], [{}], [[1]], [true]])(
		"with the start time %j has no known start time",
		(startedAt) => {
			expect(taskOf({ status: "running", startedAt })).toMatchObject({ startedAtMs: null });
		},
	);
});

describe("a failure", () => {
	test.each<[string, object, object]>([
		["an error", { error: { code: "upstream_error", message: "cuda" } }, { code: "upstream_error", reason: "cuda" }],
		["an error in taskInfo", { taskInfo: '{"errorMessage":"cuda"}' }, { reason: "cuda" }],
		["failMsg and failCode", { failMsg: "cuda", failCode: "500" }, { code: "500", reason: "cuda" }],
		["failure and failureCode", { failure: "cuda", failureCode: "INTERNAL" }, { code: "INTERNAL", reason: "cuda" }],
		["a code of moderation", { failureCode: "SAFETY.INPUT.TEXT" }, { code: "content_policy" }],
		["raw_message", { error: { code: 10000, raw_message: "cuda", message: "" } }, { code: "10000", reason: "cuda" }],
		["an empty error", { error: { code: 0, message: "" } }, { code: "unknown", reason: "" }],
	])("is recognized by %s", (_case, fields, failure) => {
		expect(taskOf({ status: "failed", ...fields })).toMatchObject({ state: "failed", ...failure });
	});

	test("is a success without a file but with an error", () => {
		const filtered = { status: "SUCCESS", images: [], error: { code: "content_filtered_by_moderation" } };
		expect(taskOf(filtered)).toMatchObject({ state: "failed", code: "content_policy" });
	});

	test("has a code and a reason of limited length", () => {
		const task = taskOf({ status: "failed", error: { code: "c".repeat(9999), message: "m".repeat(9999) } });
		if (task?.state !== "failed") throw new Error("not failed");
		expect([task.code.length, task.reason.length]).toStrictEqual([80, 500]);
	});
});

test("the report names the field of each value, without signatures", () => {
	const payload = {
		status: "SUCCESS",
		costCredits: 8,
		taskResult: JSON.stringify({ images: [{ imageUrl: `${URL_A}?signature=secret` }] }),
	};
	expect(
		parseTask(payload, { profile: specification, origin: ORIGIN, path: "data", request: requestFor("image") })?.fields,
	).toStrictEqual([
		{ name: "state", value: "success (success)", path: "data.status" },
		{ name: "outputs", value: URL_A, path: "data.taskResult.images" },
		{ name: "cost in credits", value: "8", path: "data.costCredits" },
	]);
});

describe("the shape of a response", () => {
	test("shows a success without a file, but no values", () => {
		const payload = { status: "success", result: { image: { link: "https://a.test/secret" } }, note: "a secret boat" };
		expect(taskOf(payload)).toMatchObject({ shape: "{status: text, result: {image: {link: address}}, note: text}" });
	});

	test("is limited in length", () => {
		const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, "x".repeat(500)]));
		const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`) as object;
		const task = taskOf({ status: "strange", wide, ...deep });
		expect(task?.state === "open" && task.shape?.length).toBeLessThan(900);
	});
});
