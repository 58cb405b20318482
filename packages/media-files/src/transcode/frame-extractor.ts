import { readFile } from "node:fs/promises";
import type { TempDir } from "../temp-dir.ts";
import { detectType } from "../detection/detect-type.ts";
import type { TranscodeWorkerPool } from "./worker-pool.ts";

const TIMEOUT_MS = 60_000;

export type FrameExtractor = ReturnType<typeof createFrameExtractor>;

interface FrameExtractorDeps {
	readonly workerPool: TranscodeWorkerPool;
	readonly tempDir: TempDir;
	/** Threads for the decoders of one job. */
	readonly threads: number;
}

/** Extracts frames of images and videos, for moderation, in a worker process. */
export function createFrameExtractor({ workerPool, tempDir, threads }: FrameExtractorDeps) {
	return {
		/** Resolves to the contents of small JPEG files; none for audio. Rejects if the file cannot be decoded. */
		async extract(path: string, sizeBytes: number, signal: AbortSignal): Promise<readonly Uint8Array[]> {
			const found = await detectType(path, sizeBytes);
			if (found.kind === "unusable") throw new Error(`the file has no frames: ${found.why.kind}`);
			const { mediaKind, contentType } = found;
			if (mediaKind === "audio") return [];
			const folder = await tempDir.open();
			try {
				const job = { action: "frames", mediaKind, contentType, path, folder, threads, memory: "normal" } as const;
				const reply = await workerPool.run(job, TIMEOUT_MS, signal);
				if (reply.kind === "unusable") throw new Error(`the file has no frames: ${reply.why.kind}`);
				return await Promise.all(reply.paths.map((framePath) => readFile(framePath)));
			} finally {
				await tempDir.remove(folder);
			}
		},
	};
}
