/**
 * The worker process that transcodes one file and exits. It decodes untrusted files with C libraries: a crash or
 * unlimited memory ends one job, not the bot. Its environment has the compile cache's path and no secrets. It is always
 * ended by a signal.
 */
import { writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import * as av from "node-av";
import sharp from "sharp";
import {
	UnsupportedMediaError,
	type SizeMessage,
	type StartMessage,
	type WorkerJob,
	type WorkerMessage,
} from "./transcode-job.ts";
import { extractFrames } from "./extract-frames.ts";
import { readMediaSize } from "./memory/media-size.ts";
import { transcodeMedia } from "./transcode-media.ts";

/** Added to the bot's niceness: on a busy core, the worker gets a tenth of the bot's share. */
const NICENESS_INCREASE = 10;

/** Makes this process the first victim of the out-of-memory killer. */
function volunteerForTheOutOfMemoryKiller(): void {
	try {
		writeFileSync("/proc/self/oom_score_adj", "1000");
	} catch {
		// Linux only.
	}
}

async function run(request: WorkerJob): Promise<WorkerMessage> {
	try {
		const { threads, memory } = await waitForStart({ kind: "size", size: await readMediaSize(request) });
		sharp.concurrency(threads);
		const job = { ...request, threads, memory };
		return job.task === "frames" ? await extractFrames(job) : await transcodeMedia(job);
	} catch (error) {
		if (error instanceof UnsupportedMediaError) return { kind: "unusable", why: error.why };
		const isOutOfMemory = error instanceof av.FFmpegError && error.code === av.AVERROR_ENOMEM;
		return { kind: "failed", isOutOfMemory, error: error instanceof Error ? `${error.stack}` : String(error) };
	}
}

/** Reports the size of the file, and waits until the bot has memory for it. */
function waitForStart(message: SizeMessage): Promise<StartMessage> {
	const start = new Promise<StartMessage>((resolve) => process.once("message", resolve));
	process.send?.(message);
	return start;
}

// The process is always killed, so the cache is written here, before it reads untrusted data.
flushCompileCache();
// Encoder threads inherit the priority of the thread that starts them: commands come first.
setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS_INCREASE));
volunteerForTheOutOfMemoryKiller();
av.Log.setLevel(av.AV_LOG_QUIET);
sharp.cache(false);

// The bot has ended.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// The bot ended before the listener was added.
if (!process.connected) process.kill(process.pid, "SIGKILL");
process.once("message", (job: WorkerJob) => {
	// The pool kills this process: a regular exit would run destructors that free memory twice.
	void run(job).then((message) => process.send?.(message));
});
