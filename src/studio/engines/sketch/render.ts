import { loadImage, type Image } from "@napi-rs/canvas";
import { EngineError } from "../engine.ts";
import { encodeMp3, encodeMp4, type Pcm } from "./encode.ts";
import { imageSizeOf } from "./image-size.ts";
import { createPicture, type Picture } from "./picture/compose.ts";
import { createRepaint } from "./picture/repaint.ts";
import type { RenderJob } from "./render-job.ts";
import { envision } from "./vision.ts";

export interface Composers {
	composeTune(request: {
		prompt: string;
		seed: number;
		durationSeconds: number;
		lyrics?: string;
		instrumental?: boolean;
	}): Pcm;
	composeAmbience(request: { prompt: string; seed: number; durationSeconds: number }): Pcm;
}

const FRAMES_PER_SECOND = 24;
const INPUT_PIXELS_MAX = 40_000_000;
/** Preparing the sheets and the sound comes before the first frame. */
const PREPARED_PERCENT = 12;

/** Makes one file. Long work looks at the signal between frames. */
export async function render(
	job: RenderJob,
	composers: Composers,
	{ signal, report }: { signal: AbortSignal; report: (percent: number) => void },
): Promise<Uint8Array> {
	switch (job.kind) {
		case "picture": {
			const canvas = (await pictureOf(job, false)).paint(0);
			report(70);
			return await canvas.encode("png");
		}
		case "film": {
			const picture = await pictureOf(job, true);
			const sound = composers.composeAmbience(job);
			report(PREPARED_PERCENT);
			const film = {
				...job.size,
				framesPerSecond: FRAMES_PER_SECOND,
				frameCount: job.durationSeconds * FRAMES_PER_SECOND,
				paint: (frame: number) => picture.paint(frame / FRAMES_PER_SECOND).data(),
			};
			return await encodeMp4(film, sound, {
				signal,
				report: (done) => report(PREPARED_PERCENT + done * (99 - PREPARED_PERCENT)),
			});
		}
		case "tune": {
			const pcm = composers.composeTune(job);
			report(80);
			return await encodeMp3(pcm, { signal });
		}
	}
}

async function pictureOf(job: Extract<RenderJob, { kind: "picture" | "film" }>, film: boolean): Promise<Picture> {
	const vision = envision(job.prompt, job.seed);
	if (job.input === null) return createPicture(vision, { ...job.size, film });
	return createRepaint(vision, await decode(job.input), { ...job.size, film });
}

const refuse = (why: string, cause?: unknown): EngineError =>
	new EngineError("invalid_input", why, { retryable: false, cause });

async function decode(bytes: Uint8Array): Promise<Image> {
	const size = imageSizeOf(bytes);
	if (size === undefined) throw refuse("the input picture is not a PNG, JPEG, WebP or GIF");
	if (size.width === 0 || size.height === 0) throw refuse("the input picture is empty");
	if (size.width * size.height > INPUT_PIXELS_MAX) {
		throw refuse(`the input picture has ${size.width} x ${size.height} pixels; at most 40 megapixels are taken`);
	}
	try {
		return await loadImage(Buffer.from(bytes));
	} catch (cause) {
		throw refuse("the input picture is damaged", cause);
	}
}
