/**
 * A media service with habits of its own: a fake that does what the specification states, except where a row says otherwise.
 * A row is written from the description of a behavior, never from the answers of a real service.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PROFILES, type MediaProfile, type ProfileName } from "@atelier/media-protocol/profiles";
import type { RequestShape } from "@atelier/media-protocol/request-template";
import {
	openFakeServer,
	type FakeAnswer,
	type FakeOutcome,
	type FakeRequest,
} from "@atelier/studio/testing/servers/fake-server";
import type { ManualClock } from "@atelier/common/testing/manual-clock";
import { tinyMedia } from "@atelier/common/testing/tiny-media";
import { newFolder } from "../start-atelier.ts";

/** A request to the service, and how often it came. */
interface Asked {
	readonly request: FakeRequest;
	/** Of the service itself. */
	readonly origin: string;
	/** Of a submit: the id that the service gives by itself, `task-1` and so on. Of anything else: what was asked about. */
	readonly taskId: string;
	/** 1 for the first. Submits are counted together, polls by their task, files by their path. */
	readonly count: number;
	/** Since the first of those, by the clock of the test. */
	readonly sinceMs: number;
}

/** The behavior of a request. `afterMs` delays the response by the test's clock. */
type Habit = (asked: Asked) => Outcome;
type Outcome = "silence" | "drop" | (FakeAnswer & { readonly afterMs?: number });

/** A number, or bounds where the exact number depends on the machine. */
export type Expected = number | { readonly min?: number; readonly max?: number };

interface ExpectedLog {
	/** Stands in one line of the log. */
	readonly text: string;
	readonly level?: "debug" | "info" | "warn" | "error";
	/** How many lines; 1 by itself, and 0 for what must not be logged. */
	readonly times?: Expected;
}

/** One row of the table: what a service does, and what comes of it. */
export interface OddService {
	/** Goes on after "a service that". */
	readonly title: string;
	readonly command: "/image" | "/video" | "/music";
	/** Beside the prompt. */
	readonly options?: Readonly<Record<string, string | number | boolean>>;
	/** How often the command is typed; once by itself, and one after the other's end unless `atOnce`. */
	readonly times?: number;
	readonly atOnce?: boolean;
	readonly profile?: ProfileName;
	readonly env?: Readonly<Record<string, string>>;
	/** How much time passes at once; larger where minutes have to pass. */
	readonly stepMs?: number;

	/** By itself: gives an id; is done with one file of the right medium; sends that; knows no such operation. */
	readonly submit?: Habit;
	readonly poll?: Habit;
	readonly file?: Habit;
	readonly cancel?: Habit;
	readonly find?: Habit;

	/** In the final message; of several commands one text each, in the order in which they were typed, or the same for all. */
	readonly member: string | readonly string[];
	/** In a message before the final one. */
	readonly meanwhile?: string;
	/** Content types of what the last command brought; nothing by itself. */
	readonly attachments?: readonly string[];
	/** Of all commands together. Each costs 4 by itself. */
	readonly chargedCredits: number;
	readonly submits?: Expected;
	readonly polls?: Expected;
	readonly downloads?: Expected;
	/** From the first command to the last answer, by the clock of the test. */
	readonly tookMs?: Expected;
	readonly log?: readonly ExpectedLog[];
}

/** As the profile wraps a success. */
export function success(data: unknown, profile: ProfileName = "specification"): FakeAnswer {
	return { json: { code: PROFILES[profile].successCodes[0], message: "ok", data } };
}

/** A finished task with further fields. */
export function done(fields: object, profile?: ProfileName): FakeAnswer {
	return success({ status: "success", ...fields }, profile);
}

/** The URL of a file of the service; its extension determines its content. */
export function fileAt(origin: string, name: string): string {
	return `${origin}/files/${name}`;
}

const RESULTS = { "/image": "result.png", "/video": "result.mp4", "/music": "result.wav" } as const;
type Kind = "submit" | "poll" | "cancel" | "find" | "file";

const MODELS = [
	{ id: "odd-image", name: "Odd image", mediaType: "image", scenes: ["text-to-image", "image-to-image"] },
	{ id: "odd-video", name: "Odd video", mediaType: "video", scenes: ["text-to-video", "image-to-video"] },
	{ id: "odd-music", name: "Odd music", mediaType: "music", scenes: ["text-to-music"] },
].map((model) => ({
	...model,
	price: { credits: 4, per: "output" },
	options: { n: { type: "integer", minimum: 1, maximum: 4 } },
}));

/** Opens the service of a row. Its counts go on with every request. */
export async function openOddService(row: OddService, clock: ManualClock) {
	const profile: MediaProfile = PROFILES[row.profile ?? "specification"];
	const counts = { submit: 0, poll: 0, cancel: 0, find: 0, file: 0 };
	const seen = new Map<string, { count: number; readonly firstAtMs: number }>();

	const byItself: Readonly<Record<Kind, Habit>> = {
		submit: ({ taskId }) => success({ [profile.taskIdNames[0] ?? "taskId"]: taskId }, row.profile),
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, RESULTS[row.command]) }] }, row.profile),
		cancel: () => ({ status: 404 }),
		find: () => ({ status: 404 }),
		file: ({ request }) => ({ bytes: tinyMedia(request.path) }),
	};

	function kindOf(request: FakeRequest): Kind | undefined {
		if (request.path.startsWith("/files/")) return "file";
		const { submit, read: poll, cancel, find } = profile;
		const shapes = { submit, poll, cancel, find };
		return (["submit", "poll", "cancel", "find"] as const).find((kind) => isFor(request, shapes[kind]));
	}

	async function handle(request: FakeRequest): Promise<FakeOutcome> {
		if (profile.models && isFor(request, profile.models)) return success({ models: MODELS }, row.profile);
		const kind = kindOf(request);
		if (kind === undefined) return { status: 404 };
		counts[kind]++;
		const what = kind === "submit" ? kind : `${kind} ${request.url} ${request.bytes.toString()}`;
		const before = seen.get(what) ?? { count: 0, firstAtMs: clock.nowMs() };
		const { count, firstAtMs } = { ...before, count: before.count + 1 };
		seen.set(what, { count, firstAtMs });
		const taskId = kind === "submit" ? `task-${count}` : taskIdIn(request, profile.read);
		const habit = row[kind] ?? byItself[kind];
		const outcome = habit({ request, origin: server.url, taskId, count, sinceMs: clock.nowMs() - firstAtMs });
		if (typeof outcome === "object" && outcome.afterMs !== undefined) await clock.sleep(outcome.afterMs);
		return outcome;
	}

	const server = await openFakeServer(handle);
	return { env: { ...(await envOf(row, server.url)), ...row.env }, counts };
}

async function envOf({ profile = "specification" }: OddService, url: string): Promise<Record<string, string>> {
	const env = { MEDIA_API_URL: url, MEDIA_API_KEY: "key", MEDIA_API_PROFILE: profile };
	if (PROFILES[profile].models) return env;
	const path = join(await newFolder(), "models.json");
	await writeFile(path, JSON.stringify(MODELS));
	return { ...env, MEDIA_CATALOG: path };
}

function isFor({ method, path }: FakeRequest, shape: RequestShape | undefined): boolean {
	return shape !== undefined && shape.method === method && patternOf(shape.path.split("?", 1)[0] ?? "").test(path);
}

function taskIdIn({ url, bytes }: FakeRequest, { path, body }: RequestShape): string {
	const asked = body === undefined ? patternOf(path).exec(url) : patternOf(JSON.stringify(body)).exec(bytes.toString());
	return decodeURIComponent(asked?.[1] ?? "");
}

/** Matches what is made of a template: `{taskId}` stands for any text without a mark around it. */
function patternOf(template: string): RegExp {
	const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
	return new RegExp(`^${parts.join('([^/&?"]*)')}$`);
}
