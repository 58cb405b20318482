import { decodeEach } from "../decode.ts";
import { IMAGE_PIXELS_MAX, rejectTooManyPixels, UnusableFileError } from "../../unusable-file.ts";
import type { WorkerLimits } from "../worker-messages.ts";
import { videoFilter } from "../video/video-filter.ts";
import { scaled, SHORT_SIDE_MAX_BY_MEMORY } from "../video/plan-video.ts";
import { probeVideo } from "../video/probe-video.ts";

/** One upright frame in RGBA. */
interface StillFrame {
	readonly width: number;
	readonly height: number;
	readonly rgba: Buffer;
}

interface FrameOptions {
	/** An image keeps its transparency; a video frame gets the colors of the displayed video. */
	readonly isImage: boolean;
	readonly threads: number;
	readonly memory: WorkerLimits["memory"];
}

/** The most representative frame of a video is chosen among its first frames, within its first seconds. */
const FRAMES_EXAMINED = 60;
const SECONDS_EXAMINED = 4;

/** Reads the first frame of an image, or a representative one of a video. Throws `UnusableFileError`. */
export async function readStillFrame(path: string, { isImage, threads, memory }: FrameOptions): Promise<StillFrame> {
	const facts = probeVideo(path);
	if (facts === undefined) throw new UnusableFileError({ kind: "unknownType" });
	const { width, height } = facts.shape;
	rejectTooManyPixels(width * height, IMAGE_PIXELS_MAX);
	const videoFilters = [
		videoFilter(facts, {
			...scaled(facts.shape, SHORT_SIDE_MAX_BY_MEMORY[memory]),
			framesPerSecondMax: Number.POSITIVE_INFINITY,
		}),
		// Keeps all frames that it compares in memory, so they are scaled before.
		`thumbnail=n=${FRAMES_EXAMINED}`,
	];
	const filter = [...(isImage ? [] : videoFilters), "format=rgba"].join(",");
	let first: StillFrame | undefined;
	await decodeEach({ path, stream: "video", filter, threads, untilS: SECONDS_EXAMINED }, (frame) => {
		first ??= { width: frame.width, height: frame.height, rgba: frame.toBuffer() };
	});
	if (first === undefined) throw new UnusableFileError({ kind: "damaged" });
	return first;
}
