/**
 * Media services that deviate from the specification or fail: the member's messages, the charge, and the number of
 * requests. The service of a row follows the specification, except where the row states otherwise. Rows are written
 * from the description of a behavior, never from the responses of a real service.
 */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { createManualClock, type ManualClock } from "@atelier/common/testing/manual-clock";
import { tinyMedia } from "@atelier/common/testing/tiny-media";
import { PROFILES, type MediaProfile, type ProfileName } from "@atelier/media-protocol/profiles";
import type { RequestShape } from "@atelier/media-protocol/request-template";
import type { Reply } from "@atelier/playground/user-client";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import {
	openFakeServer,
	type FakeResponse,
	type FakeOutcome,
	type FakeRequest,
} from "@atelier/studio/testing/servers/fake-server";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { serverCreditsLeft, createTempFolder, openAtelier, advanceUntilAnswered } from "./start-atelier.ts";
import { openStubMediaService } from "./stub-media-service.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const CREDITS_AT_FIRST = 500;
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;

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

type Behavior = (request: ServiceRequest) => FakeOutcome;

/** A number, or bounds where the exact number depends on the machine. */
type Expected = number | { readonly min?: number; readonly max?: number };

interface ExpectedLog {
	/** Part of one line of the log. */
	readonly text: string;
	readonly level?: keyof typeof LEVELS;
	/** The number of lines; 1 by default, 0 for text that must not be logged. */
	readonly times?: Expected;
}

interface UnusualService {
	/** The end of the title, after "a service that". */
	readonly title: string;
	readonly command: "/image" | "/video" | "/music";
	readonly prompt?: string;
	/** How often the command is typed, one after the other unless `concurrent`. */
	readonly times?: number;
	readonly concurrent?: boolean;
	readonly profile?: ProfileName;
	/** The step of the clock; larger where minutes have to pass. */
	readonly stepMs?: number;

	readonly submit?: Behavior;
	readonly poll?: Behavior;
	readonly file?: Behavior;

	/** Part of the final message. */
	readonly member: string;
	/** Part of a message before the final one. */
	readonly meanwhile?: string;
	/** Content types of the last result. */
	readonly attachments?: readonly string[];
	/** The charge of all commands; each costs 4 by default. */
	readonly chargedCredits: number;
	readonly submits?: Expected;
	readonly polls?: Expected;
	readonly downloads?: Expected;
	/** From the first command to the last reply, by the clock of the test. */
	readonly tookMs?: Expected;
	readonly log?: readonly ExpectedLog[];
}

const FREE = { chargedCredits: 0, submits: 1 } as const;
const delivered = (contentType: string) => ({
	member: "4 credits · 496 left",
	attachments: [contentType],
	chargedCredits: 4,
	submits: 1,
});
const AT_THE_DEADLINE = { min: 9.9 * MINUTE_MS, max: 10.3 * MINUTE_MS };
const TROUBLE = "The generation service is having problems. Your job is kept and will be checked again.";
const FOR_OPERATOR = "The generation service isn't working for this bot right now.";
const NOT_HERE = "at an address that this bot isn't allowed to download from";

/** A response with a success, as the profile wraps it. */
function success(data: unknown, profile: ProfileName = "specification"): FakeResponse {
	return { json: { code: PROFILES[profile].successCodes[0], message: "ok", data } };
}

/** A finished task with further fields. */
function done(fields: object): FakeResponse {
	return success({ status: "success", ...fields });
}

function failure(code: number, message: string, status = 200): FakeResponse {
	return { status, json: { code, message } };
}

/** The URL of a file of the service; its extension determines its content. */
function fileAt(origin: string, name: string): string {
	return `${origin}/files/${name}`;
}

/** A service whose finished task contains these fields. */
function resultIn(
	title: string,
	command: UnusualService["command"],
	fields: (url: (name: string) => string) => object,
	contentType: string,
): UnusualService {
	const poll: Behavior = ({ origin }) => done(fields((name) => fileAt(origin, name)));
	return { title, command, poll, ...delivered(contentType), polls: 1, downloads: 1 };
}

/** A service whose result is a file of the wrong media type. */
function wrongType(title: string, command: UnusualService["command"], name: string): UnusualService {
	const expected = { "/image": "an image", "/video": "a video", "/music": "a song" }[command];
	return {
		title: `returns ${title} for ${command}`,
		command,
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, name) }] }),
		...FREE,
		member: `didn't return ${expected}`,
		log: [{ level: "warn", text: "output of the wrong medium" }],
	};
}

/** A service whose files cannot be downloaded from. */
function forbiddenFile(title: string, location: string): UnusualService {
	return {
		title,
		command: "/image",
		file: () => ({ status: 302, headers: { location } }),
		...FREE,
		member: NOT_HERE,
	};
}

/** A service whose polls fail for a while. */
function pollsFail(title: string, response: FakeOutcome, forMs = 10 * SECOND_MS): UnusualService {
	return {
		title,
		command: "/image",
		poll: ({ sinceMs, origin }) =>
			sinceMs < forMs ? response : done({ outputs: [{ url: fileAt(origin, "result.png") }] }),
		...delivered("image/png"),
		polls: { min: 2 },
		tookMs: { min: forMs },
		...(forMs === MINUTE_MS && { meanwhile: TROUBLE }),
	};
}

/** A service whose result cannot be downloaded for a while. */
function downloadsFail(title: string, response: FakeOutcome, forMs: number): UnusualService {
	return {
		title,
		command: "/video",
		file: ({ sinceMs, request }) => (sinceMs < forMs ? response : { bytes: tinyMedia(request.path) }),
		...delivered("video/mp4"),
		downloads: { min: 2 },
		log: [
			{ text: "result not fetched", level: "warn" },
			{ text: "service trouble over", level: "info" },
		],
	};
}

const unknownTask = failure(40400, "no such task", 404);
const tooManyRequests = failure(42900, "too many requests", 429);

const SERVICES: readonly UnusualService[] = [
	resultIn("puts its result in image_url", "/image", (url) => ({ image_url: url("a.png") }), "image/png"),
	resultIn(
		"returns a URL without a protocol",
		"/image",
		(url) => ({ url: url("a.png").replace(/^http:/, "") }),
		"image/png",
	),
	resultIn(
		"adds a thumbnail to a video",
		"/video",
		(url) => ({ clips: [{ thumbnail: url("cover.png"), video_url: url("a.mp4") }] }),
		"video/mp4",
	),
	resultIn(
		"adds a cover to a song",
		"/music",
		(url) => ({ tracks: [{ image_url: url("cover.png"), audio_url: url("a.wav") }] }),
		"audio/wav",
	),
	resultIn("returns an animated GIF for /video", "/video", (url) => ({ outputs: [url("a.gif")] }), "image/gif"),
	resultIn("returns an MP4 without video for /music", "/music", (url) => ({ outputs: [url("a.m4a")] }), "audio/mp4"),
	resultIn(
		"returns a Matroska file without video for /music",
		"/music",
		(url) => ({ outputs: [url("a.mka")] }),
		"audio/mp4",
	),
	wrongType("an image", "/video", "a.png"),
	wrongType("a GIF of one frame", "/video", "a.still"),
	wrongType("an MP4 without video", "/video", "a.m4a"),
	wrongType("a Matroska file with video", "/music", "a.mkv"),
	wrongType("audio", "/image", "a.wav"),
	wrongType("a video", "/image", "a.mp4"),
	{
		title: "returns the file in the response itself",
		command: "/image",
		poll: () => done({ outputs: [{ url: `data:image/png;base64,${Buffer.from(fakePng()).toString("base64")}` }] }),
		...delivered("image/png"),
		downloads: 0,
	},
	{
		title: "returns a success without a file",
		command: "/image",
		poll: () => done({}),
		...FREE,
		member: "finished without a file",
		polls: 2,
		downloads: 0,
	},
	{
		title: "assigns task ids of nineteen digits",
		command: "/image",
		submit: () => ({ text: '{"code":0,"data":{"taskId":1743286599112843265}}' }),
		poll: ({ origin, taskId }) =>
			taskId === "1743286599112843265"
				? done({ outputs: [fileAt(origin, "a.png")] })
				: success({ status: "failed", error: `no task ${taskId}` }),
		...delivered("image/png"),
	},
	{
		title: "returns HTML as an image",
		command: "/image",
		file: () => ({ headers: { "content-type": "image/png" }, text: "<html>" }),
		...FREE,
		member: "Discord can't show this type of file.",
	},
	{
		title: "returns a file above the download limit",
		command: "/image",
		file: () => ({ headers: { "content-length": String(300 * 1024 * 1024) }, bytes: Buffer.alloc(1024) }),
		...FREE,
		member: "The generated file is larger than 256 MiB, this bot's limit.",
		downloads: 1,
	},
	forbiddenFile("redirects a download to a private address", "http://10.0.0.1/1.png"),
	forbiddenFile("redirects a download to the metadata address of a cloud", "http://169.254.169.254/latest/meta-data/"),
	{
		title: "returns another link after the first one has expired",
		command: "/image",
		poll: ({ origin, count }) => done({ outputs: [{ url: fileAt(origin, `${count}.png`) }] }),
		file: ({ request }) => (request.path.endsWith("/1.png") ? { status: 403 } : { bytes: tinyMedia(request.path) }),
		...delivered("image/png"),
		polls: 2,
		downloads: 2,
	},
	downloadsFail("closes download connections for 10 seconds", "drop", 10 * SECOND_MS),
	{
		title: "loses every result",
		command: "/image",
		file: () => ({ status: 404 }),
		stepMs: SECOND_MS,
		meanwhile: TROUBLE,
		...FREE,
		member: "couldn't be downloaded",
		downloads: { min: 5, max: 60 },
		tookMs: AT_THE_DEADLINE,
		log: [{ text: "result not fetched", level: "warn" }],
	},

	pollsFail("answers polls with 404 for 10 seconds", unknownTask),
	pollsFail("closes poll connections for a minute", "drop", MINUTE_MS),
	{
		title: "loses the response to a submit",
		command: "/image",
		submit: () => "drop",
		stepMs: SECOND_MS,
		meanwhile: "The generation service hasn't confirmed this job. If it doesn't, the job ends <t:",
		...FREE,
		member: "The generation service never confirmed this job. Try again.\n-# No credits were charged.",
		polls: 0,
		tookMs: AT_THE_DEADLINE,
	},
	{
		title: "denies the submits of ten members for 15 seconds",
		command: "/image",
		times: 10,
		concurrent: true,
		submit: ({ sinceMs, taskId }) => (sinceMs < 15 * SECOND_MS ? tooManyRequests : success({ taskId })),
		member: "4 credits",
		attachments: ["image/png"],
		chargedCredits: 40,
		submits: { min: 11, max: 40 },
	},
	{
		title: "denies submits with Retry-After",
		command: "/image",
		submit: ({ sinceMs, taskId }) =>
			sinceMs < 20 * SECOND_MS ? { ...tooManyRequests, headers: { "retry-after": "20" } } : success({ taskId }),
		...delivered("image/png"),
		submits: 2,
		// On a busy machine the clock of the test runs ahead of the sockets.
		tookMs: { min: 20 * SECOND_MS, max: 2 * MINUTE_MS },
	},

	{
		title: "denies a request with a reason",
		command: "/image",
		submit: () => failure(40005, "no @everyone **please**", 400),
		...FREE,
		member: String.raw`rejected this: ⁨no \@everyone \*\*please\*\*⁩`,
		polls: 0,
	},
	{
		title: "denies requests because the operator's account is empty",
		command: "/image",
		times: 3,
		submit: () => failure(402, "Insufficient credits"),
		member: FOR_OPERATOR,
		chargedCredits: 0,
		submits: 3,
		polls: 0,
		log: [
			{ text: "media service refused the account of this bot", level: "error" },
			{ text: "Insufficient credits", level: "info", times: 3 },
		],
	},
	{
		title: "denies the API key with the text of its login page",
		command: "/image",
		profile: "shipany",
		submit: () => failure(-1, "no auth, please sign in"),
		...FREE,
		member: FOR_OPERATOR,
		log: [{ text: "media service refused the API key of this bot", level: "error" }],
	},
	{
		title: "reports moderation in a failed task, behind a number",
		command: "/image",
		profile: "kie",
		poll: () => success({ state: "fail", failCode: "422", failMsg: "flagged content: NSFW" }, "kie"),
		...FREE,
		member: "doesn't accept this prompt",
		polls: 1,
		log: [{ text: "flagged content: NSFW" }],
	},
	{
		title: "repeats the prompt in its reason",
		command: "/image",
		prompt: "forty two purple elephants",
		submit: () => failure(40005, 'cannot draw "forty two purple elephants" in this size'),
		...FREE,
		member: String.raw`cannot draw \[prompt\] in this size`,
		log: [{ text: "cannot draw [prompt] in this size" }, { text: "purple elephants", times: 0 }],
	},
];

test.each(SERVICES)("a service that $title", async (row) => {
	const { command, prompt = "a boat", times = 1, concurrent = false, stepMs = 250 } = row;
	const clock = createManualClock();
	const { env, counts } = await openUnusualService(row, clock);
	const { userClient, logs } = await openAtelier({ clock, env });
	const startedAtMs = clock.nowMs();
	const answers: APIMessage[] = [];
	const replies: Reply[] = [];
	async function awaitAnswers(): Promise<void> {
		for (const reply of replies.slice(answers.length))
			answers.push(await advanceUntilAnswered(clock, reply, isFinal, stepMs));
	}

	for (let typed = 0; typed < times; typed++) {
		const reply = await userClient.type(command, { prompt });
		await reply.until(() => true);
		replies.push(reply);
		if (!concurrent) await awaitAnswers();
	}
	await awaitAnswers();

	const { meanwhile = "", attachments = [] } = row;
	for (const answer of answers) expect(textOf(answer)).toContain(row.member);
	expect(earlierTexts(replies)).toContainEqual(expect.stringContaining(meanwhile));
	const last = answers.at(-1);
	expect(last && filesOf(last).map((file) => file.content_type)).toStrictEqual(attachments);
	expect(await serverCreditsLeft(userClient)).toBe(CREDITS_AT_FIRST - row.chargedCredits);
	const { submit: submits, poll: polls, file: downloads } = counts;
	const counted = { submits, polls, downloads, tookMs: clock.nowMs() - startedAtMs };
	const logged = (row.log ?? []).map(({ text, level, times: lines = 1 }) =>
		deviation(`lines with "${text}"`, linesWith(logs(), text, level), lines),
	);
	const names = ["submits", "polls", "downloads", "tookMs"] as const;
	const deviations = [...names.map((name) => deviation(name, counted[name], row[name])), ...logged];
	expect(deviations.filter((each) => each !== undefined)).toStrictEqual([]);
});

/** Returns whether the message is final. The message about an unknown outcome is not, although it has no cancel button. */
function isFinal(message: APIMessage): boolean {
	return isFinalReply(message) && !textOf(message).startsWith("The generation service hasn't confirmed");
}

function earlierTexts(replies: readonly Reply[]): readonly string[] {
	return replies.flatMap(({ states }) => states.flatMap((state) => ("message" in state ? textOf(state.message) : [])));
}

function linesWith(log: string, text: string, level: keyof typeof LEVELS | undefined): number {
	const lines = log.split("\n").filter((line) => line.includes(text));
	if (level === undefined) return lines.length;
	return lines.filter((line) => (JSON.parse(line) as { level: number }).level === LEVELS[level]).length;
}

function deviation(name: string, count: number, expected: Expected = {}): string | undefined {
	const { min = 0, max = Number.POSITIVE_INFINITY } =
		typeof expected === "number" ? { min: expected, max: expected } : expected;
	return count >= min && count <= max ? undefined : `${name}: ${count}, expected ${JSON.stringify(expected)}`;
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
async function openUnusualService(row: UnusualService, clock: ManualClock) {
	const profile: MediaProfile = PROFILES[row.profile ?? "specification"];
	const counts = { submit: 0, poll: 0, file: 0 };
	const seen = new Map<string, { count: number; readonly firstAtMs: number }>();

	const defaults: Readonly<Record<Kind, Behavior>> = {
		submit: ({ taskId }) => success({ [profile.taskIdNames[0] ?? "taskId"]: taskId }, row.profile),
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, RESULTS[row.command]) }] }),
		file: ({ request }) => ({ bytes: tinyMedia(request.path) }),
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

async function envOf({ profile = "specification" }: UnusualService, url: string): Promise<Record<string, string>> {
	const env = { MEDIA_API_URL: url, MEDIA_API_KEY: "key", MEDIA_API_PROFILE: profile };
	if (PROFILES[profile].models) return env;
	const path = join(await createTempFolder(), "models.json");
	await writeFile(path, JSON.stringify(MODELS));
	return { ...env, MEDIA_CATALOG: path };
}

function matches({ method, path }: FakeRequest, shape: RequestShape | undefined): boolean {
	return shape !== undefined && shape.method === method && patternOf(shape.path.split("?", 1)[0] ?? "").test(path);
}

function taskIdIn({ url, bytes }: FakeRequest, { path, body }: RequestShape): string {
	const found = body === undefined ? patternOf(path).exec(url) : patternOf(JSON.stringify(body)).exec(bytes.toString());
	return decodeURIComponent(found?.[1] ?? "");
}

/** Matches the text of a template: `{taskId}` stands for any text without a delimiter. */
function patternOf(template: string): RegExp {
	const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
	return new RegExp(`^${parts.join('([^/&?"]*)')}$`);
}

test("after five consecutive outages a command is denied without a request or a hold", async () => {
	let submits = 0;
	const service = await openStubMediaService((_, response) => {
		submits++;
		response.writeHead(502).end("<html>");
	});
	const env = { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" };
	const { atelier, userClient, logs } = await openAtelier({ clock: createManualClock(), env });
	for (let commands = 1; commands <= 5; commands++) {
		await userClient.type("/image", { prompt: "a boat" });
		await expect.poll(() => submits).toBe(commands);
	}
	await expect.poll(logs).toContain("media service down");
	const denied = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
	expect(textOf(denied)).toContain("can't be reached right now");
	expect(submits).toBe(5);
	const readiness = await fetch(`${atelier.origin}/readyz`);
	expect(await readiness.json()).toMatchObject({ status: "ready", media: false });
	// The outcome of five submits is unknown; the sixth has no hold.
	expect(await serverCreditsLeft(userClient)).toBe(480);
	expect(logs()).not.toContain("planted-key");
});
