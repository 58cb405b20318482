/** Replays a recording: repeats the actions of its users, and compares the requests of the bot. */
import type { Playground } from "../playground.ts";
import { type JsonDifference, jsonDifferences } from "./json-differences.ts";
import type { RecordedAction, RecordedRequest, RecordedStep, RecordedUpload, Recording } from "./recording-contract.ts";

const SETTLE_MS = 5_000;
/** A bot that sent every expected request has this long for further ones. */
const FURTHER_REQUESTS_MS = 300;
const POLL_MS = 20;

export interface ReplayDifference extends JsonDifference {
	/** The expected request or action, or the one that was not expected. */
	readonly step: string;
}

type ReplayTarget = Pick<Playground, "recorder"> & { readonly origin: string };

/**
 * Performs the actions on a playground without earlier actions, whose bot is connected and has registered its commands.
 * Waits for the recorded requests before each action, up to `settleMs`. Resolves to the differences; none if the bot behaves as recorded.
 */
export async function replay(
	recording: Recording,
	target: ReplayTarget,
	{ settleMs = SETTLE_MS }: { readonly settleMs?: number } = {},
): Promise<readonly ReplayDifference[]> {
	if (target.recorder.recording().steps.some(({ kind }) => kind !== "request"))
		throw new Error("replay needs a new playground, or DELETE /playground/admin/recording before it");
	const expected: RecordedRequest[] = [];
	for (const step of fromFirstAction(recording)) {
		if (step.kind === "request") {
			expected.push(step);
			continue;
		}
		await waitForRequests(expected, target, settleMs);
		try {
			await perform(step, target);
		} catch (error) {
			const failed = {
				step: step.kind === "upload" ? `upload ${step.filename}` : `action ${step.route}`,
				path: "",
				expected: "performed",
				actual: error instanceof Error ? error.message : String(error),
			};
			return [...compareRequests(expected, requestsOf(target)), failed];
		}
	}
	await waitForRequests(expected, target, settleMs);
	await sleep(FURTHER_REQUESTS_MS);
	return compareRequests(expected, requestsOf(target));
}

function requestsOf({ recorder }: ReplayTarget): RecordedRequest[] {
	return fromFirstAction(recorder.recording()).filter((step) => step.kind === "request");
}

/** Leaves out the start of the bot: a recording may begin after it. */
function fromFirstAction({ steps }: Recording): readonly RecordedStep[] {
	const first = steps.findIndex(({ kind }) => kind !== "request");
	return first === -1 ? [] : steps.slice(first);
}

/** Waits until the bot has sent as many requests for each interaction as expected. */
async function waitForRequests(
	expected: readonly RecordedRequest[],
	target: ReplayTarget,
	settleMs: number,
): Promise<void> {
	const endMs = performance.now() + settleMs;
	const wanted = Map.groupBy(expected, ({ interaction }) => interaction);
	while (performance.now() < endMs) {
		const sent = Map.groupBy(requestsOf(target), ({ interaction }) => interaction);
		if ([...wanted].every(([interaction, list]) => (sent.get(interaction)?.length ?? 0) >= list.length)) return;
		await sleep(POLL_MS);
	}
}

async function perform(step: RecordedAction | RecordedUpload, { origin, recorder }: ReplayTarget): Promise<void> {
	const user = String(recorder.resolve(step.user));
	const response = await (step.kind === "upload"
		? fetch(`${origin}/playground/uploads?user=${user}&guild=${String(recorder.resolve(step.guild))}`, {
				method: "POST",
				body: uploadForm(step),
			})
		: fetch(`${origin}/playground/${step.route}?user=${user}`, {
				method: step.method,
				headers: { "content-type": "application/json" },
				body: JSON.stringify(recorder.resolve(step.body)),
			}));
	if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}

function uploadForm({ filename, content }: RecordedUpload): FormData {
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

function requestName(request: RecordedRequest | undefined): string {
	return request ? `${request.method} ${request.path}` : "";
}

function sleep(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
