/** Replays a recording: repeats the actions of its users, and compares the requests of the bot. */
import { isJsonObject, type JsonPath } from "../json.ts";
import { requestJson } from "../page/page-client.ts";
import type { Playground } from "../playground.ts";
import {
	RECORDING_FORMAT,
	type RecordedAction,
	type RecordedRequest,
	type RecordedStep,
	type Recording,
} from "./recording-contract.ts";

const SETTLE_MS = 5_000;
/** A bot that sent every expected request has this long for further ones. */
const FURTHER_REQUESTS_MS = 300;
const POLL_MS = 20;

interface JsonDifference {
	/** The place in the value, such as `body.embeds.0.title`. */
	readonly path: string;
	/** The recorded value; `undefined` for a value that the recording does not have. */
	readonly expected: unknown;
	readonly actual: unknown;
}

export interface ReplayDifference extends JsonDifference {
	/** The expected request or action, or an unexpected request. */
	readonly step: string;
}

type ReplayTarget = Pick<Playground, "recorder"> & { readonly origin: string };

/**
 * Performs the actions on a playground without earlier actions, whose bot is connected and has registered its commands.
 * Waits for the recorded requests before each action, up to `settleMs`. Resolves to the differences; none if the bot behaves
 * as recorded.
 */
export async function replay(
	recording: Recording,
	target: ReplayTarget,
	{ settleMs = SETTLE_MS }: { readonly settleMs?: number } = {},
): Promise<readonly ReplayDifference[]> {
	if (recording.format !== RECORDING_FORMAT)
		throw new Error(`replay needs format ${RECORDING_FORMAT}, and the recording has ${recording.format}: record again`);
	if (target.recorder.recording().steps.some(({ kind }) => kind !== "request"))
		throw new Error("replay needs a new playground, or POST /playground/admin/clearRecording before it");
	const preparations = preparationsOf(recording);
	for (const step of preparations) await perform(step, target);
	const requests = (): RecordedRequest[] =>
		stepsAfter(target.recorder.recording(), preparations.length).filter((step) => step.kind === "request");
	const expected: RecordedRequest[] = [];
	for (const step of stepsAfter(recording, preparations.length)) {
		if (step.kind === "request") {
			expected.push(step);
			continue;
		}
		await waitForRequests(expected, requests, settleMs);
		try {
			await perform(step, target);
		} catch (error) {
			const failed = {
				step: `action ${step.route}`,
				path: "",
				expected: "performed",
				actual: error instanceof Error ? error.message : String(error),
			};
			return [...compareRequests(expected, requests()), failed];
		}
	}
	await waitForRequests(expected, requests, settleMs);
	await sleep(FURTHER_REQUESTS_MS);
	return compareRequests(expected, requests());
}

const isAction = (step: RecordedStep): step is RecordedAction => step.kind !== "request";

/** Returns the actions before the bot was connected: they are performed, and no requests answer them. */
function preparationsOf({ steps }: Recording): readonly RecordedAction[] {
	const actions = steps.filter(isAction);
	const first = actions.findIndex(({ isBeforeBot }) => !isBeforeBot);
	return first === -1 ? actions : actions.slice(0, first);
}

/** Returns the steps from the first action after the preparations on, and so without the start of the bot. */
function stepsAfter({ steps }: Recording, preparationCount: number): readonly RecordedStep[] {
	const first = steps.filter(isAction)[preparationCount];
	return first ? steps.slice(steps.indexOf(first)) : [];
}

/** Waits until the bot has sent as many requests for each interaction as expected. */
async function waitForRequests(
	expected: readonly RecordedRequest[],
	requests: () => readonly RecordedRequest[],
	settleMs: number,
): Promise<void> {
	const endMs = performance.now() + settleMs;
	const wanted = Map.groupBy(expected, ({ interaction }) => interaction);
	while (performance.now() < endMs) {
		const sent = Map.groupBy(requests(), ({ interaction }) => interaction);
		if ([...wanted].every(([interaction, list]) => (sent.get(interaction)?.length ?? 0) >= list.length)) return;
		await sleep(POLL_MS);
	}
}

async function perform(step: RecordedAction, { origin, recorder }: ReplayTarget): Promise<void> {
	const query = new URLSearchParams();
	for (const name of ["user", "guild"] as const)
		if (step[name] !== undefined) query.set(name, String(recorder.resolve(step[name])));
	const body = step.route === "upload" ? formOf(step.body) : (recorder.resolve(step.body ?? {}) as object);
	await requestJson(`${origin}/playground/${step.route}?${query.toString()}`, { body });
}

function formOf(body: unknown): FormData {
	const { filename, content } = body as { readonly filename: string; readonly content: string };
	const form = new FormData();
	form.set("file", new Blob([Buffer.from(content, "base64")]), filename);
	return form;
}

function compareRequests(expected: readonly RecordedRequest[], actual: readonly RecordedRequest[]): ReplayDifference[] {
	const expectedLists = Map.groupBy(expected, ({ interaction }) => interaction);
	const actualLists = Map.groupBy(actual, ({ interaction }) => interaction);
	return [...new Set([...expectedLists.keys(), ...actualLists.keys()])].flatMap((interaction) => {
		const [wanted, sent] = [expectedLists.get(interaction) ?? [], actualLists.get(interaction) ?? []];
		return Array.from({ length: Math.max(wanted.length, sent.length) }, (_, index) =>
			compareRequest(wanted[index], sent[index]),
		).flat();
	});
}

function compareRequest(wanted: RecordedRequest | undefined, sent: RecordedRequest | undefined): ReplayDifference[] {
	const step = requestName(wanted ?? sent);
	if (!wanted || !sent || wanted.method !== sent.method || wanted.path !== sent.path) {
		const [expected, actual] = [wanted && requestName(wanted), sent && requestName(sent)];
		return [{ step, path: "", expected, actual }];
	}
	return jsonDifferences({ body: wanted.body, files: wanted.files }, { body: sent.body, files: sent.files }).map(
		(difference) => ({ step, ...difference }),
	);
}

/** Lists the differences between two JSON values, by path. */
function jsonDifferences(expected: unknown, actual: unknown, path: JsonPath = []): JsonDifference[] {
	if (Object.is(expected, actual)) return [];
	const areLists = Array.isArray(expected) && Array.isArray(actual);
	if (!areLists && !(isJsonObject(expected) && isJsonObject(actual)))
		return [{ path: path.join("."), expected, actual }];
	const [expectedFields, actualFields] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
	return [...new Set([...expectedFields.keys(), ...actualFields.keys()])].flatMap((key) =>
		jsonDifferences(expectedFields.get(key), actualFields.get(key), [...path, key]),
	);
}

function requestName(request: RecordedRequest | undefined): string {
	return request ? `${request.method} ${request.path}` : "";
}

function sleep(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
