import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { decodeEach } from "./decode.ts";
import { readStillFrame } from "./image/still-frame.ts";
import { IMAGE_PIXELS_MAX } from "../unusable-file.ts";
import type { FramesJob, FramesReply } from "./worker-messages.ts";
import { scaled } from "./video/plan-video.ts";
import { probeVideo } from "./video/probe-video.ts";
import { videoFilter } from "./video/video-filter.ts";

/** They are spread over the whole video or animation. */
const FRAMES_MAX = 4;
/** Moderation models scale images down to about this size. */
const SIDE_MAX = 512;
const JPEG_QUALITY = 80;

/** Writes an image, or some frames of a video or animation, as small JPEG files. Throws `UnusableFileError`. */
export async function extractFrames(job: FramesJob): Promise<FramesReply> {
	const frames = job.mediaKind === "image" ? await framesOfImage(job) : await framesOfVideo(job);
	const paths: string[] = [];
	for (const [index, frame] of frames.entries()) {
		const path = join(job.folder, `frame-${index}.jpg`);
		const resized = frame.resize(SIDE_MAX, SIDE_MAX, { fit: "inside", withoutEnlargement: true });
		await writeFile(path, await resized.flatten({ background: "#ffffff" }).jpeg({ quality: JPEG_QUALITY }).toBuffer());
		paths.push(path);
	}
	return { kind: "frames", paths };
}

/** Reads the frames of an image; of an animated PNG only the first, which is all that sharp reads. */
async function framesOfImage({ path, threads, memory }: FramesJob): Promise<readonly Sharp[]> {
	const options = { limitInputPixels: IMAGE_PIXELS_MAX, failOn: "error" } as const;
	const head = await sharp(path, options)
		.metadata()
		.catch(() => undefined);
	if (head === undefined) {
		const { rgba, width, height } = await readStillFrame(path, {
			isImage: true,
			threads,
			memory,
		});
		return [sharp(rgba, { raw: { width, height, channels: 4 } })];
	}
	const { pages = 1 } = head;
	return spreadOver(pages).map((page) => sharp(path, { ...options, page }).autoOrient());
}

async function framesOfVideo({ path, threads }: FramesJob): Promise<readonly Sharp[]> {
	const facts = probeVideo(path);
	// A video container may hold audio only.
	if (facts === undefined) return [];
	const size = { ...scaled(facts.shape, SIDE_MAX), framesPerSecondMax: Number.POSITIVE_INFINITY };
	const framesPerSecond = FRAMES_MAX / Math.max(facts.shape.durationS, 0.1);
	const filter = [`fps=${framesPerSecond}`, videoFilter(facts, size), "format=rgba"].join(",");
	const frames: Sharp[] = [];
	await decodeEach({ path, stream: "video", filter, threads }, (frame) => {
		if (frames.length === FRAMES_MAX) return;
		const { width, height } = frame;
		frames.push(sharp(frame.toBuffer(), { raw: { width, height, channels: 4 } }));
	});
	return frames;
}

/** Returns the numbers of the first page, the last, and some between them. */
function spreadOver(pages: number): readonly number[] {
	const count = Math.min(pages, FRAMES_MAX);
	return Array.from({ length: count }, (_, index) =>
		count === 1 ? 0 : Math.round((index * (pages - 1)) / (count - 1)),
	);
}
