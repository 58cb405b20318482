/**
 * Parses a task from the service's JSON. Pure, and tolerant where the specification is open. Never throws, and never
 * reports success without a file.
 */
import { countOf } from "./model.ts";
import type { RemoteTask } from "./remote-task.ts";
import type { MediaProfile } from "./profiles.ts";
import { readError, type TaskError } from "./parse-error.ts";
import { describeShape } from "./describe-json-shape.ts";
import { readOutputs, type FoundOutputs, type Requested } from "./parse-outputs.ts";
import { fieldObjectsOf, seek, type Found, type FieldObject } from "./find-fields.ts";
import {
	isObject,
	readAmount,
	readCount,
	readId,
	readPercent,
	readSeconds,
	readText,
	readTimeMs,
} from "./parse-value.ts";
import { failureCodeOf, meaningOf, normalWord, type StateMeaning } from "./state-map.ts";

const WORD_CHARS_MAX = 40;

/** The index of a state, or an HTTP status. */
const NUMBER_OF_AN_END = /^(?:[1-9]\d?|200|201)$/;
const MODERATED = /moderat|safety|sensitive|nsfw|content_policy|content_filter/i;

const STATUS_NAMES = ["status", "state", "taskStatus", "task_status", "successFlag"];
/** Fields beside the state: they never end a task, but may contradict its end. */
const PHASE_NAMES = ["phase", "stage", "step", "statusText", "status_text", "statusName", "status_name"];
const END_NAMES = ["done", "finished", "completed", "isFinished", "is_finished", "isCompleted", "is_completed"];
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
export function readTaskId(payload: unknown, { taskIdNames }: MediaProfile): string | undefined {
	return seek(fieldObjectsOf(payload), taskIdNames, readId)?.value;
}

/** The parsed task, and the path of each field: the bot uses the task, the doctor shows the paths. */
export interface TaskReading {
	readonly task: RemoteTask;
	readonly fields: readonly ReadField[];
}

interface ReadField {
	readonly name: string;
	readonly value: string;
	readonly at: string;
}

interface ReadingDeps {
	readonly profile: MediaProfile;
	/** The origin of the service, for root-relative URLs. */
	readonly origin: string;
	/** The path of the payload. */
	readonly at?: string;
	readonly requested: Requested;
}

/** `undefined` if the response has no state. */
export function readTask(payload: unknown, { profile, origin, at, requested }: ReadingDeps): TaskReading | undefined {
	const fieldObjects = fieldObjectsOf(payload, at);
	const named = readState(fieldObjects, profile);
	if (!named) return undefined;

	const outputs = readOutputs(fieldObjects, origin, requested);
	const error = readError(fieldObjects);
	const progress = seek(fieldObjects, PROGRESS_NAMES, readProgress);
	const queue = seek(fieldObjects, QUEUE_NAMES, readCount);
	const estimate = seek(fieldObjects, ESTIMATE_NAMES, readSeconds);
	const nextPoll = seek(fieldObjects, NEXT_POLL_NAMES, readSeconds);
	const cost = seek(fieldObjects, COST_NAMES, readAmount);
	const created = seek(fieldObjects, CREATED_NAMES, readTimeMs);
	const started = seek(fieldObjects, STARTED_NAMES, readTimeMs);
	const finished = seek(fieldObjects, FINISHED_NAMES, readTimeMs);
	const isEnd = isEndByNumber(fieldObjects, named.value, outputs, requested) && !error && !queue;
	const state: Found<State> = isEnd ? { ...named, value: { ...named.value, meaning: "success" } } : named;
	const fields = [
		shown("state", state, ({ word, meaning }) => `${word} (${meaning ?? "not known, so not an end"})`),
		shown("outputs", outputs, (each) => each.map(({ url }) => withoutQuery(url)).join(", ")),
		shown("error", error, ({ code, reason }) => [code, reason].filter(Boolean).join(": ")),
		shown("progress", progress, (percent) => `${percent} %`),
		shown("place in the queue", queue, String),
		shown("seconds left", estimate, String),
		shown("seconds until the next poll", nextPoll, String),
		shown("cost in credits", cost, String),
		shown("created", created, inWords),
		shown("started", started, inWords),
		shown("finished", finished, inWords),
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
					...(!outputs && { shape: describeShape(payload) }),
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
					...(meaning === undefined && { shape: describeShape(payload) }),
				},
			};
	}
}

interface State {
	readonly word: string;
	readonly meaning: StateMeaning | undefined;
}

function readState(fieldObjects: readonly FieldObject[], { words }: MediaProfile): Found<State> | undefined {
	const stateOf = (value: unknown): State | undefined => {
		const text = typeof value === "string" || typeof value === "number" ? readText(value) : undefined;
		if (text === undefined) return undefined;
		const word = normalWord(text).slice(0, WORD_CHARS_MAX);
		return word === "" ? undefined : { word, meaning: meaningOf(word, words) };
	};
	const known = (value: unknown): State | undefined => {
		const state = stateOf(value);
		return state?.meaning === undefined ? undefined : state;
	};
	// Known words first: `status` may be an HTTP status beside a `state`.
	return (
		seek(fieldObjects, STATUS_NAMES, known) ?? readFlags(fieldObjects) ?? seek(fieldObjects, STATUS_NAMES, stateOf)
	);
}

/**
 * Returns whether a numeric state that the profile does not know is the end: all requested outputs are there, and
 * nothing contradicts it. Never for 0, where services start to count.
 */
function isEndByNumber(
	fieldObjects: readonly FieldObject[],
	{ word, meaning }: State,
	outputs: FoundOutputs | undefined,
	requested: Requested,
): boolean {
	if (meaning !== undefined || !NUMBER_OF_AN_END.test(word)) return false;
	if (!outputs?.isOfMedium || outputs.value.length < countOf(requested.options)) return false;
	const progress = seek(fieldObjects, PROGRESS_NAMES, readProgress)?.value ?? 100;
	const isUnderWay = seek(fieldObjects, PHASE_NAMES, (value) => {
		const phase = typeof value === "string" ? meaningOf(normalWord(value), {}) : undefined;
		return phase === undefined || phase === "success" ? undefined : true;
	});
	const isDenied = seek(fieldObjects, END_NAMES, (value) => (value === false ? true : undefined));
	return progress >= 100 && !isUnderWay && !isDenied;
}

/** For services with flags instead of a state, such as `done` or `faulted`. */
function readFlags(fieldObjects: readonly FieldObject[]): Found<State> | undefined {
	const flag = (name: string, meaningIfTrue: StateMeaning, meaningIfFalse?: StateMeaning): Found<State> | undefined =>
		seek(fieldObjects, [name], (value) => {
			const meaning = value === true ? meaningIfTrue : value === false ? meaningIfFalse : undefined;
			return meaning && { word: `${name}_${String(value)}`, meaning };
		});
	return flag("faulted", "failed") ?? flag("done", "success", "running");
}

function readProgress(value: unknown): number | undefined {
	if (!isObject(value)) return readPercent(value);
	return readPercent(value["value"]) ?? readPercent(value["percent"]);
}

function shown<T>(name: string, found: Found<T> | undefined, word: (value: T) => string): readonly ReadField[] {
	return found ? [{ name, value: word(found.value), at: found.at }] : [];
}

function inWords(timeMs: number): string {
	return new Date(timeMs).toISOString();
}

/** Removes the query, which may sign the URL. */
function withoutQuery(url: string): string {
	return url.startsWith("data:") ? `${url.slice(0, url.indexOf(","))}, …` : (url.split("?", 1)[0] ?? "");
}

function failure(word: string, error: TaskError | undefined): Extract<RemoteTask, { state: "failed" }> {
	const errorCode = error?.code;
	// The service's own word is more specific than a number beside it.
	const isModerated = MODERATED.test(errorCode ?? "") || failureCodeOf(word) === "content_policy";
	const code = isModerated ? "content_policy" : (errorCode ?? failureCodeOf(word) ?? "unknown");
	return { state: "failed", code, reason: error?.reason ?? "" };
}
