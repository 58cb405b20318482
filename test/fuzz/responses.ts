/**
 * Generated and damaged responses of services, over a real connection to the real client. Every call must end in one of
 * the client's errors or in a usable result, and success always has a file.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { pino } from "pino";
import { createHttpMediaApi } from "../../src/services/generation/http-media-api.ts";
import {
	MediaHttpError,
	MediaRefusedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../src/services/generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { PROFILE_NAMES, PROFILES, type ProfileName } from "@atelier/media-protocol/profiles";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { request } from "../services/generation/service-setup.ts";
import { ANSWERS, JUNK, type Call } from "./response-samples.ts";

/** Far above what an answer takes: a call that needs this long hangs. */
const HANGS_AFTER_MS = 10_000;

export interface AnswerFigures {
	readonly answers: number;
	readonly seconds: number;
	readonly slowestMs: number;
	readonly peakMiB: number;
	/** How often each kind of end was reached. */
	readonly ends: Readonly<Record<string, number>>;
}

interface Case {
	readonly profile: ProfileName;
	readonly call: Call;
	readonly status: number;
	readonly retryAfter: string | undefined;
	readonly text: string;
}

/** Somewhere in a value something else: the path is taken modulo what there is. */
interface Damage {
	readonly path: readonly number[];
	readonly kind: "replace" | "remove" | "rename" | "fold" | "foldTwice" | "list" | "nest";
	readonly junk: unknown;
	readonly name: string;
}

const junk = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...JUNK) }, fc.jsonValue({ maxDepth: 3 }));
const names = fc.constantFrom(
	"status",
	"state",
	"outputs",
	"data",
	"error",
	"url",
	"taskId",
	"id",
	"images",
	"output",
	"result",
	"code",
	"progress",
	"taskResult",
	"resultJson",
	"message",
	"successFlag",
	"done",
	"__proto__",
	"constructor",
	"options",
);
const damage: fc.Arbitrary<Damage> = fc.record({
	path: fc.array(fc.nat(30), { maxLength: 5 }),
	kind: fc.constantFrom("replace", "remove", "rename", "fold", "foldTwice", "list", "nest"),
	junk,
	name: names,
});
const damages = fc.oneof(
	{ weight: 2, arbitrary: fc.array(damage, { minLength: 1, maxLength: 2 }) },
	{ weight: 1, arbitrary: fc.array(damage, { minLength: 3, maxLength: 6 }) },
);
const body = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom(...ANSWERS) },
	fc.jsonValue({ maxDepth: 6 }).map(answerOf),
);
const wholes = fc
	.tuple(body, damages)
	.map(([answer, all]) => ({ ...answer, text: JSON.stringify(all.reduce(damaged, answer.body)) ?? "" }));
/** Torn, without an end, or not JSON at all. */
const torn = fc.tuple(wholes, fc.nat(400)).map(([whole, at]) => ({ ...whole, text: whole.text.slice(0, at) }));
const strange = fc
	.oneof(
		fc.string({ maxLength: 200 }),
		fc.constantFrom("", "null", "<html>", "[".repeat(50_000), '{"a":'.repeat(20_000), "\u0000"),
	)
	.map((text) => ({ ...answerOf(null), text }));
/** Sometimes to another call, or from another service than was asked. */
const astray = fc
	.tuple(
		wholes,
		fc.constantFrom(...PROFILE_NAMES),
		fc.constantFrom<Call[]>("submit", "read", "cancel", "find", "models"),
	)
	.map(([whole, profile, call]) => ({ ...whole, profile, call }));
const statuses = fc.oneof(
	{ weight: 20, arbitrary: fc.constant(200) },
	fc.constantFrom(201, 202, 204, 301, 400, 401, 402, 403, 404, 405, 408, 409, 422, 429, 500, 502, 503, 504, 524),
);
const waits = fc.option(fc.constantFrom("1", "-1", "1e9", "soon", "Thu, 01 Jan 2026 00:00:07 GMT", "9".repeat(400)), {
	nil: undefined,
});
const cases: fc.Arbitrary<Case> = fc
	.tuple(
		fc.oneof(
			{ weight: 12, arbitrary: wholes },
			{ weight: 2, arbitrary: torn },
			{ weight: 1, arbitrary: strange },
			{ weight: 4, arbitrary: astray },
		),
		statuses,
		waits,
	)
	.map(([{ profile, call, text }, status, retryAfter]) => ({ profile, call, text, status, retryAfter }));

/** Throws with the smallest answer that breaks a rule, and how to get it again. */
export async function judgeAnswers({ runs, seed }: { runs: number; seed: number }): Promise<AnswerFigures> {
	let current: Case | undefined;
	const server = createServer((incoming, response) => {
		incoming.resume();
		assert(current !== undefined);
		const { status, retryAfter, text: sent } = current;
		response.writeHead(status, { ...(retryAfter !== undefined && { "retry-after": retryAfter }) });
		response.end(sent);
	});
	const baseUrl = await listen(server);
	const ends: Record<string, number> = {};
	const startedAt = performance.now();
	let slowestMs = 0;
	let peakBytes = 0;
	let answers = 0;
	const property = fc.asyncProperty(cases, async (each) => {
		current = each;
		const callStartedAt = performance.now();
		const end = await endOf(each, baseUrl);
		slowestMs = Math.max(slowestMs, performance.now() - callStartedAt);
		ends[end] = (ends[end] ?? 0) + 1;
		if (++answers % 1000 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
	});
	try {
		await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
	} finally {
		server.closeAllConnections();
		server.close();
	}
	const seconds = (performance.now() - startedAt) / 1000;
	return { answers, seconds, slowestMs, peakMiB: Math.round(peakBytes / 1024 / 1024), ends };
}

/** Returns the outcome of the call; throws for a forbidden one. */
async function endOf({ profile, call }: Case, baseUrl: string): Promise<string> {
	// A client for each: what one answer says of the service must not decide about the next.
	const logger = pino({ level: "silent" });
	const clock = createManualClock();
	const media = createHttpMediaApi({
		baseUrl,
		apiKey: "k",
		profile: PROFILES[profile],
		clock,
		random: () => 0.5,
		logger,
	});
	const signal = AbortSignal.timeout(HANGS_AFTER_MS);
	try {
		switch (call) {
			case "submit": {
				const { remoteId } = await media.submit(request, "4711", signal);
				assert.match(remoteId, /^[\x21-\x7e]{1,256}$/);
				assert(remoteId !== "." && remoteId !== "..");
				return "taken";
			}
			case "read":
				return judge(await media.read("t", request, signal));
			case "cancel":
				return await media.cancel("t", signal);
			case "find":
				return (await media.find("4711", signal)).kind;
			case "models":
				return (await media.models(signal)) ? "models" : "no models";
		}
	} catch (error) {
		assert(!signal.aborted, "the call hangs");
		const family = [MediaRefusedError, MediaUnavailableError, MediaTimeoutError, MediaHttpError];
		const isOne = family.some((kind) => error instanceof kind);
		if (!isOne) throw error;
		assert(error instanceof Error && !(error instanceof MediaTimeoutError), "an answer that came is no timeout");
		if (error instanceof MediaUnavailableError && error.retryAfterMs !== undefined) assert(error.retryAfterMs >= 0);
		return error.name;
	}
}

function judge(task: RemoteTask): string {
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
		case "success": {
			assert(task.outputs.length <= 32);
			for (const { url } of task.outputs) assertUsable(url);
			// Without a file it is looked at once more, and then it has failed: see the task's own tests.
			return task.outputs.length > 0 ? "made" : "done without a file";
		}
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

function answerOf(value: unknown): (typeof ANSWERS)[number] {
	return { profile: "specification", call: "read", body: value };
}

function damaged(value: unknown, { path, kind, junk: put, name }: Damage): unknown {
	const [step, ...rest] = path;
	if (step !== undefined && typeof value === "object" && value !== null) {
		const keys = Object.keys(value);
		const key = keys[step % Math.max(1, keys.length)];
		if (key !== undefined) {
			const inner = { path: rest, kind, junk: put, name };
			const entries = Object.entries(value);
			if (rest.length > 0 || (kind !== "remove" && kind !== "rename")) {
				const changed = entries.map(([each, old]) => [each, each === key ? damaged(old, inner) : old] as const);
				return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed);
			}
			const others = entries.filter(([each]) => each !== key);
			const renamed = entries.filter(([each]) => each === key).map(([, old]) => [name, old] as const);
			return Object.fromEntries(kind === "remove" ? others : [...others, ...renamed]);
		}
	}
	switch (kind) {
		case "fold":
			return JSON.stringify(value) ?? null;
		case "foldTwice":
			return JSON.stringify(JSON.stringify(value) ?? null);
		case "list":
			return [value, put];
		case "nest":
			return { [name]: value };
		case "replace":
		case "remove":
		case "rename":
			return put;
	}
}

async function listen(server: Server): Promise<string> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
