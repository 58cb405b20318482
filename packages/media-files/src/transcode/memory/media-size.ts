import { stat } from "node:fs/promises";
import * as av from "node-av";
import sharp from "sharp";
import { isOnlyChecked } from "../image/transcode-image.ts";
import { openMedia, videoStreamOf } from "../open-media.ts";
import type { MediaSize, WorkerJob } from "../worker-messages.ts";

/** Rows of a frame start at multiples of this, for vector instructions. */
const ALIGN_BYTES = 64;

/** Reads the size of a file's content from its header, inside a worker process. Throws `UnusableFileError`. */
export async function readMediaSize(job: WorkerJob): Promise<MediaSize> {
	const { mediaKind, path } = job;
	if (mediaKind === "audio") return { kind: "audio" };
	const head = mediaKind === "image" ? await readImageHead(path) : undefined;
	if (head) {
		const isChecked = job.action === "transcode" && isOnlyChecked(job, (await stat(path)).size);
		return { kind: "image", pixels: head.width * head.height, ...(isChecked && { isOnlyChecked: true }) };
	}
	using demuxer = openMedia(path);
	const stream = videoStreamOf(demuxer);
	if (stream === undefined) return { kind: "audio" };
	const { width, height, format } = stream.codecpar;
	if (mediaKind === "image") return { kind: "image", pixels: width * height };
	const bytes = av.avImageGetBufferSize(format as av.AVPixelFormat, width, height, ALIGN_BYTES);
	// The format may be unknown before the first frame; most have at most four bytes per pixel.
	return { kind: "video", width, height, frameBytes: bytes > 0 ? bytes : width * height * 4 };
}

/** Resolves to the size of all frames stacked; `undefined` for formats that sharp does not read. */
async function readImageHead(path: string): Promise<{ readonly width: number; readonly height: number } | undefined> {
	return await sharp(path, { limitInputPixels: false, pages: -1 })
		.metadata()
		.catch(() => undefined);
}
