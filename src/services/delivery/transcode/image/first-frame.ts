import { decodeEach } from "../decode.ts";
import { UnsupportedMediaError } from "../transcode-job.ts";
import { videoFilter } from "../video/video-filter.ts";
import { scaled } from "../video/plan-video.ts";
import { probeVideo } from "../video/probe-video.ts";

export interface FirstFrame {
	readonly width: number;
	readonly height: number;
	readonly rgba: Buffer;
}

interface Wanted {
	/** An image keeps its transparency; a video frame gets the colors of the displayed video. */
	readonly isPicture: boolean;
	readonly threads: number;
	readonly pixelsMax: number;
}

/** Selects the most representative frame of the first seconds. */
const LOOKED_AT_FRAMES = 60;
const LOOKED_AT_S = 4;

export async function firstFrameOf(path: string, { isPicture, threads, pixelsMax }: Wanted): Promise<FirstFrame> {
	const facts = probeVideo(path);
	if (facts === undefined) throw new UnsupportedMediaError({ kind: "strange" });
	const { width, height } = facts.shape;
	if (width * height > pixelsMax) {
		throw new UnsupportedMediaError({ kind: "tooManyPixels", megapixels: Math.round((width * height) / 1e6) });
	}
	const ofFilm = [
		`thumbnail=n=${LOOKED_AT_FRAMES}`,
		videoFilter(facts, { ...scaled(facts.shape, 1080), framesPerSecondMax: Number.POSITIVE_INFINITY }),
	];
	const filter = [...(isPicture ? [] : ofFilm), "format=rgba"].join(",");
	let first: FirstFrame | undefined;
	await decodeEach({ path, stream: "film", filter, threads, untilS: LOOKED_AT_S }, (frame) => {
		first ??= { width: frame.width, height: frame.height, rgba: frame.toBuffer() };
	});
	if (first === undefined) throw new UnsupportedMediaError({ kind: "damaged" });
	return first;
}
