/** Responses of media services, as their documentation shows them. */
import type { ProfileName } from "@atelier/media-protocol/profiles";
import { PNG_BASE64, VALID_URL } from "./json-damage.ts";

const record = {
	taskId: "task_1",
	mediaType: "image",
	model: "m",
	options: { aspect_ratio: "1:1", image_input: ["https://cdn.test/in.png"] },
	status: "success",
	progress: 100,
	queuePosition: null,
	estimatedSeconds: null,
	outputs: [{ index: 0, type: "image", url: VALID_URL, contentType: "image/png", seed: 42, expired: false }],
	error: null,
	costCredits: 8,
	createdAt: "2026-01-01T00:00:00.000Z",
	startedAt: "2026-01-01T00:00:01.000Z",
	completedAt: "2026-01-01T00:00:09.000Z",
};

const model = { id: "a", name: "A", mediaType: "image", scenes: ["x"], price: { credits: 1 } };

export interface Sample {
	/** The service and the request of the response. */
	readonly profile: ProfileName;
	readonly call: Call;
	readonly body: unknown;
}

export type Call = "submit" | "read" | "cancel" | "find" | "models";

const reads = (profile: ProfileName, ...bodies: readonly unknown[]): readonly Sample[] =>
	bodies.map((body) => ({ profile, call: "read", body }));

export const SAMPLES: readonly Sample[] = [
	{ profile: "studio", call: "submit", body: { code: 0, data: { taskId: "task_1" } } },
	{ profile: "kie", call: "submit", body: { code: 200, msg: "success", data: { taskId: "t" } } },
	{ profile: "studio", call: "cancel", body: { code: 0, data: record } },
	{ profile: "studio", call: "find", body: { code: 0, data: { tasks: [record] } } },
	{ profile: "studio", call: "find", body: { code: 0, data: { tasks: [] } } },
	{ profile: "studio", call: "models", body: { code: 0, data: { models: [model] } } },
	{ profile: "specification", call: "submit", body: { code: 40200, message: "insufficient credits", data: null } },
	{ profile: "shipany", call: "submit", body: { code: -1, message: "no auth, please sign in" } },
	...reads(
		"studio",
		{ code: 0, message: "ok", data: record },
		{ code: 0, data: { ...record, status: "processing", outputs: [], progress: 30, queuePosition: 2 } },
		{ code: 0, data: { ...record, status: "failed", outputs: [], error: { code: "upstream_error", message: "cuda" } } },
	),
	...reads("shipany", {
		code: 0,
		data: {
			id: "1",
			taskId: "p",
			status: "success",
			taskInfo: JSON.stringify({ images: [{ imageUrl: VALID_URL, createTime: 1_767_225_600_000 }] }),
			taskResult: JSON.stringify(JSON.stringify({ findResultLinks: [VALID_URL] })),
			options: "{}",
		},
	}),
	...reads(
		"kie",
		{
			code: 200,
			msg: "success",
			data: {
				taskId: "t",
				state: "success",
				param: JSON.stringify({ input: { image_urls: ["https://cdn.test/in.png"] } }),
				resultJson: JSON.stringify({ findResultLinks: [VALID_URL] }),
				failCode: null,
				failMsg: null,
				costTime: 100,
				completeTime: 1_767_225_600_000,
			},
		},
		{ code: 501, msg: "Generation failed" },
	),
	...reads("piapi", {
		code: 200,
		data: {
			task_id: "t",
			status: "Completed",
			output: { image_url: VALID_URL, works: null },
			meta: { created_at: "2026-01-01 00:00:00", usage: { type: "point", frozen: 0, consume: 10 } },
			error: { code: 0, raw_message: "", message: "", detail: null },
		},
	}),
	...reads(
		"specification",
		{ id: "t", status: "succeeded", output: [VALID_URL], error: null, urls: { get: VALID_URL, cancel: VALID_URL } },
		{ request_id: "t", status: "COMPLETED", images: [{ url: VALID_URL, width: 1 }], seed: 1 },
		{ done: true, faulted: false, generations: [{ img: PNG_BASE64, seed: "42", worker_name: "w" }] },
		{ created: 0, status: "done", data: [{ b64_json: PNG_BASE64 }] },
		{ status: "completed", output: `data:image/png;base64,${PNG_BASE64}` },
		{
			name: "t",
			done: true,
			response: { generateVideoResponse: { generatedSamples: [{ video: { uri: VALID_URL } }] } },
		},
		{ detail: "Request was throttled. Your rate limit resets in ~30s." },
		{ error: { code: "rate_limited", message: "slow down" } },
	),
];
