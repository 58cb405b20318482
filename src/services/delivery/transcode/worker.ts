/**
 * The process that fits one file, and ends. It reads what strangers made with decoders written in C: a crash, or memory that
 * does not end, is the end of one job, not of the bot; of the environment it is told where Node keeps what it compiled, and
 * no secrets; to stop it is to end it.
 */
import { writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import * as av from "node-av";
import sharp from "sharp";
import { UnsupportedMediaError, type TranscodeJob, type WorkerMessage } from "./transcode-job.ts";
import { transcodeMedia } from "./transcode-media.ts";

/** Beside the bot, a tenth of its share where both want the same core. */
const NICER_BY = 10;

/** Where memory runs out, this is what has to go. */
function volunteerForTheOutOfMemoryKiller(): void {
	try {
		writeFileSync("/proc/self/oom_score_adj", "1000");
	} catch {
		// Only Linux has it.
	}
}

async function answerTo(job: TranscodeJob): Promise<WorkerMessage> {
	try {
		return await transcodeMedia(job);
	} catch (error) {
		if (error instanceof UnsupportedMediaError) return { kind: "unfit", why: error.why };
		const isOutOfMemory = error instanceof av.FFmpegError && error.code === av.AVERROR_ENOMEM;
		return { kind: "failed", isOutOfMemory, error: error instanceof Error ? `${error.stack}` : String(error) };
	}
}

// It is always killed, and so never gets to what others do at their end. Nothing of what strangers made has been read yet.
flushCompileCache();
// The threads of the encoders are born with the priority of the one that starts them: commands are answered first.
setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICER_BY));
volunteerForTheOutOfMemoryKiller();
av.Log.setLevel(av.AV_LOG_QUIET);
sharp.cache(false);

// The bot is gone: nobody waits for the answer.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// And was gone before anybody listened.
if (!process.connected) process.kill(process.pid, "SIGKILL");
process.once("message", (job: TranscodeJob) => {
	sharp.concurrency(job.threads);
	// The receiver ends this process: to let it end by itself would run what frees things twice.
	void answerTo(job).then((message) => process.send?.(message));
});
