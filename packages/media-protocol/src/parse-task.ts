/**
 * Parses a task from the service's JSON. Pure, and tolerant where the specification is open. Never throws. A success
 * without a file has no outputs, and the caller decides what it means.
 */
import { countOf } from "./model.ts";
import type { RemoteTask } from "./remote-task.ts";
import type { MediaProfile } from "./profiles.ts";
import { parseError, type TaskError } from "./parse-error.ts";
import { describeJsonShape } from "./describe-json-shape.ts";
import { parseOutputs, type FoundOutputs, type MediaRequest } from "./parse-outputs.ts";
import { fieldObjectsOf, findField, type Found, type FieldObject } from "./find-fields.ts";
import {
	isObject,
	parseAmount,
	parseCount,
	parseId,
	parsePercent,
	parseSeconds,
	parseText,
	parseTimeMs,
} from "./parse-value.ts";
import { failureCodeOf, meaningOf, normalizeState, type StateMeaning } from "./state-map.ts";

const WORD_CHARS_MAX = 40;

/** A number that may mean the end: the index of a state, or an HTTP status. Never 0, the first state of services that count them. */
const NUMERIC_END_STATE = /^(?:[1-9]\d?|200|201)$/;
/** The number with which services of this family reject content. */
export const MODERATION_CODE = "42201";
const MODERATION_WORDS = /moderat|safety|sensitive|nsfw|content_policy|content_filter/i;

/** Returns whether an error code means that the service rejects the content. */
export function isModerationCode(code: string): boolean {
	return code === MODERATION_CODE || MODERATION_WORDS.test(code);
}

const STATUS_NAMES = ["status", "state", "taskStatus", "task_status", "successFlag"];
const PROGRESS_NAMES = ["progress", "percent", "percentage", "progressPercent", "progress_percent"];
const QUEUE_NAMES = ["queuePosition", "queue_position", "position"];
const ESTIMATE_NAMES = ["estimatedSeconds", "estimated_seconds", "eta", "estimated_time", "estimatedTime", "wait_time"];
const NEXT_POLL_NAMES = ["nextPollSeconds", "next_poll_seconds", "retryAfter", "retry_after"];
const CREATED_NAMES = ["createdAt", "created_at", "createTime", "create_time", "submit_time", "submitTime", "created"];
const STARTED_NAMES = ["startedAt", "started_at", "startTime", "start_time"];
const FINISHED_NAMES = [
	"completedAt",
	"completed_at",
	"completeTime",
	"complete_time",
	"finishedAt",
	"finished_at",
	"ended_at",
	"endedAt",
	"finish_time",
	"finishTime",
];
const COST_NAMES = [
	"costCredits",
	"cost_credits",
	"charged",
	"creditsCharged",
	"credits_used",
	"creditsUsed",
	"kudos",
	"credits_reserved",
	"consume",
	"cost",
];

/** Returns the id of the task; `undefined` if the response has none. */
export function parseTaskId(payload: unknown, { taskIdNames }: MediaProfile): string | undefined {
	return findField(fieldObjectsOf(payload), taskIdNames, parseId)?.value;
}

export interface TaskReading {
	readonly task: RemoteTask;
	/** The fields that were found, with their paths, for the report of `atelier doctor`. */
	readonly fields: readonly ReadField[];
}

interface ReadField {
	readonly name: string;
	readonly value: string;
	readonly path: string;
}

interface ReadingDeps {
	readonly profile: MediaProfile;
	/** The origin of the service, for root-relative URLs. */
	readonly origin: string;
	/** The path of the payload. */
	readonly path?: string;
	readonly request: MediaRequest;
}

/** Parses the task of a response; `undefined` if the response has no state. */
export function parseTask(payload: unknown, { profile, origin, path, request }: ReadingDeps): TaskReading | undefined {
	const fieldObjects = fieldObjectsOf(payload, path);
	const declared = parseState(fieldObjects, profile);
	if (!declared) return undefined;

	const outputs = parseOutputs(fieldObjects, origin, request);
	const error = parseError(fieldObjects);
	const progress = findField(fieldObjects, PROGRESS_NAMES, parseProgress);
	const queue = findField(fieldObjects, QUEUE_NAMES, parseCount);
	const estimate = findField(fieldObjects, ESTIMATE_NAMES, parseSeconds);
	const nextPoll = findField(fieldObjects, NEXT_POLL_NAMES, parseSeconds);
	const cost = findField(fieldObjects, COST_NAMES, parseAmount);
	const created = findField(fieldObjects, CREATED_NAMES, parseTimeMs);
	const started = findField(fieldObjects, STARTED_NAMES, parseTimeMs);
	const finished = findField(fieldObjects, FINISHED_NAMES, parseTimeMs);
	const stateWord = findField(fieldObjects, STATUS_NAMES, parseWord);
	const isOpen = (error ?? queue ?? stateWord) !== undefined || (progress?.value ?? 100) < 100;
	const hasEnded = !isOpen && isEndByNumber(declared.value, outputs, request);
	const state: Found<State> = hasEnded ? { ...declared, value: { ...declared.value, meaning: "success" } } : declared;
	const fields = [
		toReadField("state", state, ({ word, meaning }) => `${word} (${meaning ?? "unknown, so it has not ended"})`),
		toReadField("outputs", outputs, (each) => each.map(({ url }) => withoutQuery(url)).join(", ")),
		toReadField("error", error, ({ code, reason }) => [code, reason].filter(Boolean).join(": ")),
		toReadField("progress", progress, (percent) => `${percent} %`),
		toReadField("queue position", queue, String),
		toReadField("seconds left", estimate, String),
		toReadField("seconds until the next poll", nextPoll, String),
		toReadField("cost in credits", cost, String),
		toReadField("created", created, formatTime),
		toReadField("started", started, formatTime),
		toReadField("finished", finished, formatTime),
	].flat();

	const { word, meaning } = state.value;
	switch (meaning) {
		case "canceled":
			return { fields, task: { state: "failed", code: "canceled", reason: error?.value.reason ?? "" } };
		case "failed":
			return { fields, task: failure(word, error?.value) };
		case "success":
			// A finished task with an error instead of a file has failed.
			if (!outputs && error) return { fields, task: failure(word, error.value) };
			return {
				fields,
				task: {
					state: "success",
					outputs: outputs?.value ?? [],
					...(!outputs && { shape: describeJsonShape(payload) }),
					startedAtMs: started?.value ?? null,
					finishedAtMs: finished?.value ?? null,
				},
			};
		case "queued":
		case "running":
		case undefined:
			return {
				fields,
				task: {
					state: "open",
					word,
					phase: meaning ?? "unknown",
					progressPercent: progress?.value ?? null,
					queuePosition: queue?.value ?? null,
					estimatedSeconds: estimate?.value ?? null,
					startedAtMs: started?.value ?? null,
					pollAgainAfterMs: nextPoll ? nextPoll.value * 1000 : null,
					...(meaning === undefined && { shape: describeJsonShape(payload) }),
				},
			};
	}
}

interface State {
	readonly word: string;
	readonly meaning: StateMeaning | undefined;
}

function parseState(fieldObjects: readonly FieldObject[], { words }: MediaProfile): Found<State> | undefined {
	const stateOf = (value: unknown): State | undefined => {
		const text = typeof value === "string" || typeof value === "number" ? parseText(value) : undefined;
		if (text === undefined) return undefined;
		const word = normalizeState(text).slice(0, WORD_CHARS_MAX);
		return word === "" ? undefined : { word, meaning: meaningOf(word, words) };
	};
	const knownStateOf = (value: unknown): State | undefined => {
		const state = stateOf(value);
		return state?.meaning === undefined ? undefined : state;
	};
	// Known words first: `status` may be an HTTP status beside a `state`.
	return (
		findField(fieldObjects, STATUS_NAMES, knownStateOf) ??
		parseFlags(fieldObjects) ??
		findField(fieldObjects, STATUS_NAMES, stateOf)
	);
}

/** True if a numeric state that the profile does not know may be the end: all requested outputs exist. */
function isEndByNumber(
	{ word, meaning }: State,
	outputs: FoundOutputs | undefined,
	{ options }: MediaRequest,
): boolean {
	if (meaning !== undefined || !NUMERIC_END_STATE.test(word)) return false;
	return outputs !== undefined && outputs.certain >= countOf(options);
}

/** Returns a text that is no number. */
function parseWord(value: unknown): string | undefined {
	return typeof value === "string" && Number.isNaN(Number(value)) ? value : undefined;
}

/** The states of services whose only state is a number in `successFlag`. */
const SUCCESS_FLAGS: readonly StateMeaning[] = ["running", "success", "failed", "failed"];

/** For services with flags instead of a state, such as `done` or `faulted`. */
function parseFlags(fieldObjects: readonly FieldObject[]): Found<State> | undefined {
	const flag = (name: string, meaningIfTrue: StateMeaning, meaningIfFalse?: StateMeaning): Found<State> | undefined =>
		findField(fieldObjects, [name], (value) => {
			const meaning = value === true ? meaningIfTrue : value === false ? meaningIfFalse : undefined;
			return meaning && { word: `${name}_${String(value)}`, meaning };
		});
	const successFlag = findField(fieldObjects, ["successFlag"], (value) => {
		const meaning = SUCCESS_FLAGS[parseCount(value) ?? -1];
		return meaning && { word: String(value), meaning };
	});
	return successFlag ?? flag("faulted", "failed") ?? flag("done", "success", "running");
}

function parseProgress(value: unknown): number | undefined {
	if (!isObject(value)) return parsePercent(value);
	return parsePercent(value["value"]) ?? parsePercent(value["percent"]);
}

function toReadField<T>(name: string, found: Found<T> | undefined, format: (value: T) => string): readonly ReadField[] {
	return found ? [{ name, value: format(found.value), path: found.path }] : [];
}

function formatTime(timeMs: number): string {
	return new Date(timeMs).toISOString();
}

/** Removes the query, which may sign the URL. */
function withoutQuery(url: string): string {
	return url.startsWith("data:") ? `${url.slice(0, url.indexOf(","))}, …` : (url.split("?", 1)[0] ?? "");
}

function failure(word: string, error: TaskError | undefined): Extract<RemoteTask, { state: "failed" }> {
	const errorCode = error?.code;
	const isModerated = isModerationCode(errorCode ?? "") || failureCodeOf(word) === "content_policy";
	const code = isModerated ? "content_policy" : (errorCode ?? failureCodeOf(word) ?? "unknown");
	return { state: "failed", code, reason: error?.reason ?? "" };
}
