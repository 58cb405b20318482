import { stat } from "node:fs/promises";
import { UnsupportedMediaError, type TranscodeReply, type TranscodeJob, type MediaKind } from "./transcode-job.ts";
import { transcodeVideo } from "./video/transcode-video.ts";
import { probeVideo } from "./video/probe-video.ts";
import { transcodeFrame, transcodeImage } from "./image/transcode-image.ts";
import { transcodeAudio, previewAudio } from "./audio/transcode-audio.ts";

/** One file made to fit. Runs in a process of its own, in the folder that the job names. Throws `UnsupportedMediaError`. */
export async function transcodeMedia(job: TranscodeJob): Promise<TranscodeReply> {
	const { size } = await stat(job.path);
	const kind = heldBy(job);
	const { expected, contentType } = job;
	// An image was judged before: the one that is expected to move does.
	if (expected !== undefined && expected !== kind && kind !== "picture") {
		throw new UnsupportedMediaError({ kind: "wrongMedium", expected, found: kind, contentType });
	}
	if (job.task === "preview") return kind === "sound" ? previewAudio(job) : transcodeFrame(job);
	switch (kind) {
		case "picture":
			return transcodeImage(job, size);
		case "sound":
			return transcodeAudio(job, size);
		case "film":
			return transcodeVideo(job, size);
	}
}

/** A container for films may hold sound alone. */
function heldBy({ kind, path }: TranscodeJob): MediaKind {
	return kind === "film" && probeVideo(path) === undefined ? "sound" : kind;
}
