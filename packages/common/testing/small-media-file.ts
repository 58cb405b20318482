import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createCanvas, GifEncoder } from "@napi-rs/canvas";
import { wav } from "./wav-and-mp4-head.ts";
import { encodeMedia } from "./encode-media.ts";

const VIDEO = {
	source: "testsrc2=s=64x64:r=5:d=1",
	filter: "format=yuv420p",
	encoder: "libx264",
	options: { preset: "ultrafast", profile: "baseline" },
};
const AUDIO = {
	source: "sine=440:d=1:r=48000",
	filter: "aformat=sample_fmts=s16:channel_layouts=stereo",
	encoder: "libfdk_aac",
};
const INDEX_FIRST = { movflags: "+faststart" };
const SIDE_PIXELS = 8;

/** Creates a file by its extension. The bot transcodes only the Matroska files for Discord. */
const CREATORS: Readonly<Record<string, () => Uint8Array>> = {
	png: () => createCanvas(SIDE_PIXELS, SIDE_PIXELS).toBuffer("image/png"),
	gif: () => gif(2),
	still: () => gif(1),
	wav: () => wav(1),
	mp4: () => muxed({ format: "mp4", video: VIDEO, audio: AUDIO, muxer: INDEX_FIRST }),
	mkv: () => muxed({ format: "matroska", video: VIDEO, audio: AUDIO }),
	mka: () => muxed({ format: "matroska", audio: AUDIO }),
	m4a: () => muxed({ format: "mp4", audio: AUDIO, muxer: INDEX_FIRST }),
};
const cache = new Map<string, Uint8Array>();

/**
 * Returns a real file that is quick to create, by extension: `a.png`, `a.gif` (animated), `a.still` (a GIF of one
 * frame), `a.wav`, `a.mp4`, `a.mkv`, `a.m4a` and `a.mka` (audio only).
 */
export function smallMediaFile(path: string): Uint8Array {
	const ending = extname(path).slice(1);
	const bytes = cache.get(ending) ?? CREATORS[ending]?.();
	if (bytes === undefined) throw new Error(`no test media for ${path}`);
	cache.set(ending, bytes);
	return bytes;
}

function muxed(recipe: Parameters<typeof encodeMedia>[1]): Uint8Array {
	const folder = mkdtempSync(join(tmpdir(), "atelier-test-"));
	try {
		const path = join(folder, "media");
		encodeMedia(path, recipe);
		return readFileSync(path);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function gif(frames: number): Uint8Array {
	using encoder = new GifEncoder(SIDE_PIXELS, SIDE_PIXELS, { repeat: 0 });
	for (let frame = 0; frame < frames; frame++) {
		const context = createCanvas(SIDE_PIXELS, SIDE_PIXELS).getContext("2d");
		context.fillStyle = frame % 2 === 0 ? "red" : "blue";
		context.fillRect(0, 0, SIDE_PIXELS, SIDE_PIXELS);
		const { data } = context.getImageData(0, 0, SIDE_PIXELS, SIDE_PIXELS);
		encoder.addFrame(new Uint8Array(data), SIDE_PIXELS, SIDE_PIXELS);
	}
	return encoder.finish();
}
