/** A fake media service that deviates from the specification in single requests. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ManualClock } from "@atelier/common/testing/manual-clock";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import { PROFILES, type MediaProfile, type ProfileName } from "@atelier/media-protocol/profiles";
import type { RequestTemplate } from "@atelier/media-protocol/request-template";
import {
	openFakeServer,
	type FakeResponse,
	type FakeOutcome,
	type FakeRequest,
} from "@atelier/studio/testing/servers/fake-server";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

interface ServiceRequest {
	readonly request: FakeRequest;
	/** The origin of the service. */
	readonly origin: string;
	/** For a submit, the id that the service assigns by default: `task-1` and so on. */
	readonly taskId: string;
	/** 1 for the first request. Submits are counted together, polls by task, files by path. */
	readonly count: number;
	/** Time since the first of these requests, by the clock of the test. */
	readonly sinceMs: number;
}

export type Behavior = (request: ServiceRequest) => FakeOutcome;

/** A media service that follows the specification, except where a behavior is given. */
export interface ServiceBehavior {
	readonly command: "/image" | "/video" | "/music";
	readonly profile?: ProfileName;
	readonly submit?: Behavior;
	readonly poll?: Behavior;
	readonly file?: Behavior;
}

/** A response with a success, as the profile wraps it. */
export function success(data: unknown, profile: ProfileName = "specification"): FakeResponse {
	return { json: { code: PROFILES[profile].successCodes[0], message: "ok", data } };
}

/** A finished task with further fields. */
export function done(fields: object): FakeResponse {
	return success({ status: "success", ...fields });
}

export function failure(code: number, message: string, status = 200): FakeResponse {
	return { status, json: { code, message } };
}

/** The URL of a file of the service; its extension determines its content. */
export function fileAt(origin: string, name: string): string {
	return `${origin}/files/${name}`;
}

const RESULTS = { "/image": "result.png", "/video": "result.mp4", "/music": "result.wav" } as const;
const MODELS = (["image", "video", "music"] as const).map((mediaType) => ({
	id: `odd-${mediaType}`,
	name: `Odd ${mediaType}`,
	mediaType,
	scenes: [`text-to-${mediaType}`],
	price: { credits: 4, per: "output" },
}));
type Kind = "submit" | "poll" | "file";

/** Opens the service of a row. Its counts are updated by every request. */
export async function openUnusualService(row: ServiceBehavior, clock: ManualClock) {
	const profile: MediaProfile = PROFILES[row.profile ?? "specification"];
	const counts = { submit: 0, poll: 0, file: 0 };
	const seen = new Map<string, { count: number; readonly firstAtMs: number }>();

	const defaults: Readonly<Record<Kind, Behavior>> = {
		submit: ({ taskId }) => success({ [profile.taskIdNames[0] ?? "taskId"]: taskId }, row.profile),
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, RESULTS[row.command]) }] }),
		file: ({ request }) => ({ bytes: smallMediaFile(request.path) }),
	};

	function kindOf(request: FakeRequest): Kind | undefined {
		if (request.path.startsWith("/files/")) return "file";
		if (matches(request, profile.submit)) return "submit";
		return matches(request, profile.read) ? "poll" : undefined;
	}

	async function handle(request: FakeRequest): Promise<FakeOutcome> {
		if (matches(request, profile.models)) return success({ models: MODELS }, row.profile);
		const kind = kindOf(request);
		if (kind === undefined) return { status: 404 };
		counts[kind]++;
		const key = kind === "submit" ? kind : `${kind} ${request.url} ${request.bytes.toString()}`;
		const before = seen.get(key) ?? { count: 0, firstAtMs: clock.nowMs() };
		const { count, firstAtMs } = { ...before, count: before.count + 1 };
		seen.set(key, { count, firstAtMs });
		const taskId = kind === "submit" ? `task-${count}` : taskIdIn(request, profile.read);
		const behavior = row[kind] ?? defaults[kind];
		return behavior({ request, origin: server.url, taskId, count, sinceMs: clock.nowMs() - firstAtMs });
	}

	const server = await openFakeServer(handle);
	return { env: await envOf(row, server.url), counts };
}

async function envOf({ profile = "specification" }: ServiceBehavior, url: string): Promise<Record<string, string>> {
	const env = { MEDIA_API_URL: url, MEDIA_API_KEY: "key", MEDIA_API_PROFILE: profile };
	if (PROFILES[profile].models) return env;
	const path = join(await createTempFolder(), "models.json");
	await writeFile(path, JSON.stringify(MODELS));
	return { ...env, MEDIA_CATALOG: path };
}

function matches({ method, path }: FakeRequest, shape: RequestTemplate | undefined): boolean {
	return shape !== undefined && shape.method === method && patternOf(shape.path.split("?", 1)[0] ?? "").test(path);
}

function taskIdIn({ url, bytes }: FakeRequest, { path, body }: RequestTemplate): string {
	const found = body === undefined ? patternOf(path).exec(url) : patternOf(JSON.stringify(body)).exec(bytes.toString());
	return decodeURIComponent(found?.[1] ?? "");
}

/** Matches the text of a template: `{taskId}` stands for any text without a delimiter. */
function patternOf(template: string): RegExp {
	const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
	return new RegExp(`^${parts.join('([^/&?"]*)')}$`);
}
