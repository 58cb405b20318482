import { stat } from "node:fs/promises";
import { UnsupportedMediaError, type TranscodeReply, type TranscodeJob, type MediaKind } from "./transcode-job.ts";
import { transcodeVideo } from "./video/transcode-video.ts";
import { probeVideo } from "./video/probe-video.ts";
import { transcodeFrame, transcodeImage } from "./image/transcode-image.ts";
import { transcodeAudio, previewAudio } from "./audio/transcode-audio.ts";

/** Transcodes one file inside a worker process, in the job's folder. Throws `UnsupportedMediaError`. */
export async function transcodeMedia(job: TranscodeJob): Promise<TranscodeReply> {
	const { size } = await stat(job.path);
	const kind = actualKindOf(job);
	const { expected, contentType } = job;
	// Images were checked before: an animation counts as a video.
	if (expected !== undefined && expected !== kind && kind !== "image") {
		throw new UnsupportedMediaError({ kind: "wrongMediaType", expected, found: kind, contentType });
	}
	if (job.task === "preview") return kind === "audio" ? previewAudio(job) : transcodeFrame(job);
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
function actualKindOf({ kind, path }: TranscodeJob): MediaKind {
	return kind === "video" && probeVideo(path) === undefined ? "audio" : kind;
}
