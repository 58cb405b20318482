import { stat } from "node:fs/promises";
import { UnsupportedMediaError, type TranscodeReply, type TranscodeJob, type MediaKind } from "./transcode-job.ts";
import { transcodeVideo } from "./video/transcode-video.ts";
import { probeVideo } from "./video/probe-video.ts";
import { transcodeFrame, transcodeImage } from "./image/transcode-image.ts";
import { transcodeAudio, previewAudio } from "./audio/transcode-audio.ts";

/** Transcodes one file inside a worker process, in the job's folder. Throws `UnsupportedMediaError`. */
export async function transcodeMedia(job: TranscodeJob): Promise<TranscodeReply> {
	const { size } = await stat(job.path);
	const kind = heldBy(job);
	const { expected, contentType } = job;
	// Images were checked before: an animation counts as a video.
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

/** A video container may hold audio only. */
function heldBy({ kind, path }: TranscodeJob): MediaKind {
	return kind === "film" && probeVideo(path) === undefined ? "sound" : kind;
}
