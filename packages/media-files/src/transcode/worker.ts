/**
 * The worker process that transcodes one file and exits. It decodes untrusted files with C libraries: a crash or
 * unlimited memory ends one job, not the main process. Its environment has the compile cache's path and no secrets. The pool ends it
 * with SIGKILL after its reply.
 */
import { writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import * as av from "node-av";
import sharp from "sharp";
import { previewAudio, transcodeAudio } from "./audio/transcode-audio.ts";
import { extractFrames } from "./extract-frames.ts";
import { transcodeFrame, transcodeImage } from "./image/transcode-image.ts";
import { readMediaSize } from "./memory/media-size.ts";
import { UnusableFileError } from "../unusable-file.ts";
import type { MediaKind } from "../media-kind.ts";
import type {
	SizeMessage,
	StartMessage,
	TranscodeJob,
	TranscodeReply,
	WorkerJob,
	WorkerMessage,
} from "./worker-messages.ts";
import { probeVideo } from "./video/probe-video.ts";
import { transcodeVideo } from "./video/transcode-video.ts";

/** Added to the niceness of the main process: on a busy core, the worker gets a tenth of its share. */
const NICENESS_INCREASE = 10;

/** Makes this process the first victim of the out-of-memory killer. */
function offerToOutOfMemoryKiller(): void {
	try {
		writeFileSync("/proc/self/oom_score_adj", "1000");
	} catch {
		// Linux only.
	}
}

async function run(requestedJob: WorkerJob): Promise<WorkerMessage> {
	try {
		const { threads, memory } = await waitForStart({ kind: "size", size: await readMediaSize(requestedJob) });
		sharp.concurrency(threads);
		const job = { ...requestedJob, threads, memory };
		return job.action === "frames" ? await extractFrames(job) : await transcodeMedia(job);
	} catch (error) {
		if (error instanceof UnusableFileError) return { kind: "unusable", why: error.why };
		return {
			kind: "failed",
			lacks: lackingIn(error),
			error: error instanceof Error ? `${error.stack}` : String(error),
		};
	}
}

/** Returns what the machine ran out of. Every library reports a full disk in its own way. */
function lackingIn(error: unknown): "memory" | "diskSpace" | undefined {
	if (error instanceof av.FFmpegError && error.code === av.AVERROR_ENOMEM) return "memory";
	const isFullDisk = error instanceof av.FFmpegError && error.code === av.AVERROR_ENOSPC;
	return isFullDisk || /ENOSPC|EDQUOT|no space left|quota exceeded/i.test(String(error)) ? "diskSpace" : undefined;
}

/** Reports the size of the file, and waits until there is memory for it. */
function waitForStart(message: SizeMessage): Promise<StartMessage> {
	const start = new Promise<StartMessage>((resolve) => process.once("message", resolve));
	process.send?.(message);
	return start;
}

async function transcodeMedia(job: TranscodeJob): Promise<TranscodeReply> {
	const { size } = await stat(job.path);
	const kind = actualKindOf(job);
	const { expected, contentType } = job;
	// `transcodeImage` checks images: an animation is allowed where a video is expected.
	if (expected !== undefined && expected !== kind && kind !== "image") {
		throw new UnusableFileError({ kind: "wrongMediaType", expected, found: kind, contentType });
	}
	if (job.action === "preview") return kind === "audio" ? previewAudio(job) : transcodeFrame(job);
	switch (kind) {
		case "image":
			return transcodeImage(job, size);
		case "audio":
			return transcodeAudio(job, size);
		case "video":
			return transcodeVideo(job, size);
	}
}

/** A video container may hold audio only. */
function actualKindOf({ mediaKind, path }: TranscodeJob): MediaKind {
	return mediaKind === "video" && probeVideo(path) === undefined ? "audio" : mediaKind;
}

// The process is always killed, so the cache is written here, before it reads untrusted data.
flushCompileCache();
// Encoder threads inherit the priority of the thread that starts them: commands come first.
setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS_INCREASE));
offerToOutOfMemoryKiller();
av.Log.setLevel(av.AV_LOG_QUIET);
sharp.cache(false);

// The main process has ended.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// It ended before the listener was added.
if (!process.connected) process.kill(process.pid, "SIGKILL");
process.once("message", (job: WorkerJob) => {
	// The pool kills this process: a regular exit would run destructors that free memory twice.
	void run(job).then((message) => process.send?.(message));
});
