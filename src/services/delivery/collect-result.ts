import type { RemoteOutput } from "../generation/media-api.ts";
import type { Saying } from "../messages/messages.ts";
import { UserError } from "../user-error.ts";
import { DownloadRefused, DownloadTooLarge, type Download } from "../../download.ts";
import type { Fitter } from "./fit/fitter.ts";
import { draftFitting, FILES_MAX, type FitContext } from "./draft-fitting.ts";
import { openDrafts } from "./drafts.ts";
import type { MediaFile } from "./media-file.ts";
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
}

/**
 * Brings a result into our own hands: fetched, recognised, made to fit, and on the disk. Only then is it paid for.
 * Throws a `UserError` when the result is of no use, and `DownloadFailed` when another try may bring it; nothing of it stays
 * on the disk then.
 */
export async function collectResult(
	deps: CollectDeps,
	{ taskId, outputs, bytesMax }: Collection,
	context: FitContext,
): Promise<readonly MediaFile[]> {
	const { results, download, fitter } = deps;
	const shown = outputs.slice(0, FILES_MAX);
	await using drafts = openDrafts(results, taskId);
	const arrived: Arrived[] = [];
	for (const [index, { url }] of shown.entries()) {
		const draft = await drafts.add(index, download(url, context.signal)).catch((error: unknown) => {
			throw worded(error, bytesMax);
		});
		arrived.push({ index, draft });
	}
	const files: MediaFile[] = [];
	const toKeep: Draft[] = [];
	let leftBytes = MESSAGE_BYTES_MAX;
	// The smallest first: what it does not need of its share is left to those that are larger, and so the largest shrinks most.
	const bySize = arrived.toSorted((one, other) => one.draft.sizeBytes - other.draft.sizeBytes);
	for (const [position, { index, draft }] of bySize.entries()) {
		const shareBytes = Math.floor(leftBytes / (bySize.length - position));
		const number = shown.length > 1 ? `-${index + 1}` : "";
		const { path, sizeBytes } = draft;
		const fitting = { taskId, index, path, sizeBytes, bytesMax: Math.min(bytesMax, shareBytes) };
		const { ending, made, ...file } = await draftFitting({ fitter, drafts }, fitting, context);
		toKeep.push(...(made.length > 0 ? made : [draft]));
		files[index] = { ...file, name: `atelier-${taskId.slice(-6)}${number}.${ending}` };
		leftBytes -= file.sizeBytes;
	}
	// Only now, and nothing is taken away where it goes wrong: another process may have brought the same result meanwhile.
	for (const draft of toKeep) await draft.keep();
	return files;
}

interface Arrived {
	readonly index: number;
	readonly draft: Draft;
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
