import type { RemoteOutput } from "../generation/media-api.ts";
import type { Saying } from "../messages/messages.ts";
import { UserError } from "../user-error.ts";
import { DownloadRefused, DownloadTooLarge, type Download } from "../../download.ts";
import type { Fitter } from "./fit/fitter.ts";
import { draftFitting, fetchedIndexOf, FILES_MAX, type FitContext } from "./draft-fitting.ts";
import { openDrafts, type Drafts } from "./drafts.ts";
import { FitPutOff } from "./fit/fit-processes.ts";
import type { MediaFile } from "./media-file.ts";
import type { ComingFile, Upload } from "./messenger.ts";
import { sendAhead } from "./send-ahead.ts";
import type { Draft, ResultStore } from "./result-store.ts";

/** What a request to Discord may have in all, less what surrounds the files. */
const MESSAGE_BYTES_MAX = 24 * 1024 * 1024;
const MIB = 1024 * 1024;

interface CollectDeps {
	readonly results: ResultStore;
	readonly download: Download;
	readonly fitter: Fitter;
}

interface Collection {
	readonly taskId: string;
	readonly outputs: readonly RemoteOutput[];
	/** Per file, in the place where it will be shown. */
	readonly bytesMax: number;
	/** An earlier try may have left files here that it could not have fitted. */
	readonly isFetched: boolean;
	/** Begins to send what may turn out to be all that is shown. */
	readonly begin: (file: ComingFile) => Upload | undefined;
}

/**
 * Brings a result into our own hands: fetched, recognised, made to fit, and on the disk. Only then is it paid for.
 * Throws a `UserError` when the result is of no use, `DownloadFailed` when another try may bring it, and `FitPutOff` where too
 * many others wait to be fitted: what was fetched is kept for the next try then, and otherwise nothing of it stays on the disk.
 */
export async function collectResult(
	deps: CollectDeps,
	collection: Collection,
	context: FitContext,
): Promise<readonly MediaFile[]> {
	const { results } = deps;
	const { taskId, outputs } = collection;
	await using drafts = openDrafts(results, taskId);
	const arrived: Arrived[] = [];
	const forgetFetched = async (): Promise<void> => {
		for (const { index, draft } of arrived) if (!draft) await results.remove(taskId, fetchedIndexOf(index));
	};
	try {
		for (const index of outputs.slice(0, FILES_MAX).keys())
			arrived.push(await fetchOne(deps, drafts, collection, index, context));
		const files = await fitAll(deps, drafts, collection, arrived, context);
		await forgetFetched();
		return files;
	} catch (error) {
		if (error instanceof UserError) await forgetFetched();
		if (error instanceof FitPutOff) for (const { index, draft } of arrived) await draft?.keep(fetchedIndexOf(index));
		throw error;
	}
}

interface Arrived {
	readonly index: number;
	readonly path: string;
	readonly sizeBytes: number;
	/** Absent where an earlier try fetched it, and could not have it fitted yet. */
	readonly draft?: Draft;
}

async function fetchOne(
	{ results, download }: CollectDeps,
	drafts: Drafts,
	collection: Collection,
	index: number,
	{ signal }: FitContext,
): Promise<Arrived> {
	const { taskId, outputs, bytesMax, isFetched } = collection;
	const fetched = isFetched ? await results.locate(taskId, fetchedIndexOf(index)) : undefined;
	if (fetched) return { index, path: fetched.path, sizeBytes: fetched.sizeBytes };
	const url = outputs[index]?.url ?? "";
	const content = outputs.length === 1 ? fetchAhead(download, collection, url, signal) : download(url, signal);
	const draft = await drafts.add(index, content, { isLikely: true }).catch((error: unknown) => {
		throw worded(error, bytesMax);
	});
	return { index, path: draft.path, sizeBytes: draft.sizeBytes, draft };
}

/** Of a result that is one file, which most are: it may be on its way to its reply already while it comes. */
function fetchAhead(
	download: Download,
	{ taskId, bytesMax, begin }: Collection,
	url: string,
	signal: AbortSignal,
): AsyncIterable<Uint8Array> {
	let sizeBytes = Number.POSITIVE_INFINITY;
	const content = download(url, signal, (saidBytes) => (sizeBytes = saidBytes));
	return sendAhead(content, ({ contentType, ending }) => {
		if (sizeBytes > Math.min(bytesMax, MESSAGE_BYTES_MAX)) return undefined;
		return begin({ name: nameOf(taskId, ending), contentType, sizeBytes });
	});
}

function nameOf(taskId: string, ending: string, number = ""): string {
	return `atelier-${taskId.slice(-6)}${number}.${ending}`;
}

async function fitAll(
	{ results, fitter }: CollectDeps,
	drafts: Drafts,
	{ taskId, bytesMax }: Collection,
	arrived: readonly Arrived[],
	context: FitContext,
): Promise<readonly MediaFile[]> {
	const files: MediaFile[] = [];
	const toKeep: Pick<Draft, "keep">[] = [];
	let leftBytes = MESSAGE_BYTES_MAX;
	let isUnderWay = false;
	// The smallest first: what it does not need of its share is left to those that are larger, and so the largest shrinks most.
	const bySize = arrived.toSorted((one, other) => one.sizeBytes - other.sizeBytes);
	for (const [position, { index, path, sizeBytes, draft }] of bySize.entries()) {
		const shareBytes = Math.floor(leftBytes / (bySize.length - position));
		const number = arrived.length > 1 ? `-${index + 1}` : "";
		const fitting = { taskId, index, path, sizeBytes, bytesMax: Math.min(bytesMax, shareBytes), isUnderWay };
		const { ending, made, ...file } = await draftFitting({ fitter, drafts }, fitting, context);
		isUnderWay ||= made.length > 0;
		const asItIs = draft ?? { keep: () => results.move(taskId, fetchedIndexOf(index), index) };
		toKeep.push(...(made.length > 0 ? made : [asItIs]));
		files[index] = { ...file, name: nameOf(taskId, ending, number) };
		leftBytes -= file.sizeBytes;
	}
	// Only now, and nothing is taken away where it goes wrong: another process may have brought the same result meanwhile.
	for (const draft of toKeep) await draft.keep();
	return files;
}

/** What can be said to a person of a fetch that no other try makes better. */
function worded(error: unknown, bytesMax: number): unknown {
	if (error instanceof DownloadTooLarge) return tooLarge(error.sizeBytes, bytesMax);
	if (error instanceof DownloadRefused) return because(error, { key: "resultOutOfBounds" });
	return error;
}

function because(cause: unknown, saying: Saying): UserError {
	return Object.assign(new UserError(saying), { cause });
}

function tooLarge(sizeBytes: number, limitBytes: number): UserError {
	return new UserError({ key: "resultTooLarge", params: { sizeMiB: inMiB(sizeBytes), limitMiB: inMiB(limitBytes) } });
}

function inMiB(bytes: number): number {
	return Math.ceil((bytes / MIB) * 10) / 10;
}
