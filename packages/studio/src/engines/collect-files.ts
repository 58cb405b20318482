import { DownloadFailedError, type Download } from "@atelier/common/download";
import { describeOutput } from "./describe-output.ts";
import { EngineError, type EngineOutput, type MediaType } from "./engine.ts";
import { madeNothing } from "./job-faults.ts";

/** Files beyond this number are not downloaded. */
const FILES_MAX = 16;

export interface MadeFile {
	readonly url: string;
	readonly seed?: number | null;
}

/** Downloads the files of a job, and keeps those of the requested media type. Rejects with an `EngineError`. */
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
		// A forbidden or too large file would fail again, and the retry may be billed.
		const retryable = error instanceof DownloadFailedError;
		throw new EngineError("upstream_error", "the engine's file cannot be downloaded", { retryable, cause: error });
	}
}
