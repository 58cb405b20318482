import { readFile } from "node:fs/promises";
import type { TempDir } from "../temp-dir.ts";
import { detectType } from "./detect-type.ts";
import type { TranscodeWorkerPool } from "./worker-pool.ts";

const DEADLINE_MS = 60_000;

/** Shows what a file looks like, for a moderation service. */
export interface FrameExtractor {
	/** Resolves to small JPEG files; none for audio. Rejects if the file cannot be decoded. */
	extract(path: string, sizeBytes: number, signal: AbortSignal): Promise<readonly Uint8Array[]>;
}

interface FrameExtractorDeps {
	readonly processes: TranscodeWorkerPool;
	readonly scratch: TempDir;
	/** Threads for the decoders of one job. */
	readonly threads: number;
}

export function createFrameExtractor({ processes, scratch, threads }: FrameExtractorDeps): FrameExtractor {
	return {
		async extract(path, sizeBytes, signal) {
			const found = await detectType(path, sizeBytes);
			if (found.kind === "unfit") throw new Error(`the file has no frames: ${found.why.kind}`);
			const { mediaKind: kind, contentType } = found;
			if (kind === "audio") return [];
			const folder = await scratch.open();
			try {
				const job = { task: "frames", kind, contentType, path, folder, threads } as const;
				// The file is downloaded already.
				const reply = await processes.run(job, { deadlineMs: DEADLINE_MS, isUnderWay: true }, signal);
				if (reply.kind === "unfit") throw new Error(`the file has no frames: ${reply.why.kind}`);
				return await Promise.all(reply.paths.map((frame) => readFile(frame)));
			} finally {
				await scratch.remove(folder);
			}
		},
	};
}
