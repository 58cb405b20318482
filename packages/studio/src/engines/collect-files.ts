import { DownloadFailedError, type Download } from "@atelier/common/download";
import { describeOutput } from "./describe-output.ts";
import { EngineError, type EngineOutput, type MediaType } from "./engine.ts";
import { madeNothing } from "./job-faults.ts";

/** More of them than anybody orders are not fetched. */
const FILES_MAX = 16;

export interface MadeFile {
	readonly url: string;
	readonly seed?: number | null;
}

/** Fetches the files of a job, and keeps those that are what was ordered. Rejects with an `EngineError`. */
export async function collectFiles(
	files: readonly MadeFile[],
	deps: { readonly download: Download; readonly mediaType: MediaType },
	signal: AbortSignal,
): Promise<readonly EngineOutput[]> {
	const outputs: EngineOutput[] = [];
	for (const { url, seed = null } of files.slice(0, FILES_MAX)) {
		const output = await describeOutput(await bytesOf(deps.download(url, signal), signal), deps.mediaType, seed);
		if (output) outputs.push(output);
	}
	if (outputs.length === 0) throw madeNothing();
	return outputs;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
	try {
		return Buffer.concat(await Array.fromAsync(chunks));
	} catch (error) {
		signal.throwIfAborted();
		// What is refused or too large would be so again, and may have to be paid again.
		const retryable = error instanceof DownloadFailedError;
		throw new EngineError("upstream_error", "the engine's file cannot be fetched", { retryable, cause: error });
	}
}
