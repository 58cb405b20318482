import { encodeMp3, encodeMp4, type ReportProgress } from "./encode.ts";
import { decodeInputs, requireSameSize, upscale } from "./input-image.ts";
import { composeMusic } from "./music/compose.ts";
import { master } from "./music/master.ts";
import { play } from "./music/synth.ts";
import { createScenePainter, createStage, type ScenePainter } from "./scene-painter.ts";
import { createRandom } from "./random.ts";
import { createImageToImagePainter } from "./image-to-image.ts";
import { SketchInputError, type SketchFile, type SketchRequest } from "./request.ts";
import { parsePrompt, type ParsedPrompt } from "./parse-prompt.ts";

const FRAMES_PER_SECOND = 24;
const MUSIC_LUFS = -15;
const SOUNDTRACK_LUFS = -20;
/** The progress before the first frame: layers and sound are ready. */
const PREPARED_PROGRESS = 0.1;
/** Shorter videos play the start of a soundtrack of this length. */
const SOUNDTRACK_SECONDS_MIN = 4;

/** Renders one file on this thread. */
export async function render(request: SketchRequest, reportProgress: ReportProgress): Promise<SketchFile> {
	reportProgress(0);
	switch (request.kind) {
		case "image": {
			const canvas = (await painterOf(request)).paint(0);
			reportProgress(0.7);
			const { width, height } = request;
			return { bytes: await canvas.encode("png"), contentType: "image/png", width, height, seconds: null };
		}
		case "video": {
			const { prompt, seed, width, height, seconds } = request;
			const painter = await painterOf(request);
			// The soundtrack is always calm.
			const parsed: ParsedPrompt = { ...parsePrompt(prompt, seed), musicStyle: "ambient", energy: -0.5 };
			const notes = composeMusic(
				parsed,
				createRandom(`${prompt}/${seed}/chords`),
				Math.max(SOUNDTRACK_SECONDS_MIN, seconds),
			);
			const sound = master(play(notes, seconds, prompt), SOUNDTRACK_LUFS);
			reportProgress(PREPARED_PROGRESS);
			const video = {
				width,
				height,
				framesPerSecond: FRAMES_PER_SECOND,
				frameCount: seconds * FRAMES_PER_SECOND,
				paint: (frame: number) => painter.paint(frame / FRAMES_PER_SECOND).data(),
			};
			const bytes = await encodeMp4(video, sound, (done) =>
				reportProgress(PREPARED_PROGRESS + done * (1 - PREPARED_PROGRESS)),
			);
			return { bytes, contentType: "video/mp4", width, height, seconds };
		}
		case "music": {
			const { prompt, seed, seconds } = request;
			const notes = composeMusic(parsePrompt(prompt, seed), createRandom(`${prompt}/${seed}/tune`), request.seconds);
			const sound = master(play(notes, seconds, `${seed}`), MUSIC_LUFS);
			reportProgress(0.5);
			const bytes = await encodeMp3(sound, (done) => reportProgress(0.5 + done / 2));
			return { bytes, contentType: "audio/mpeg", width: null, height: null, seconds };
		}
		case "upscale":
			return await upscale(request.input);
	}
}

async function painterOf(request: Extract<SketchRequest, { kind: "image" | "video" }>): Promise<ScenePainter> {
	const stage = createStage(request.prompt, request.seed, request, request.kind === "video");
	const { inputs = [], width, height } = request;
	const [first] = inputs;
	if (!first) return createScenePainter(stage);
	const input = await decodeInputs(inputs, width, height);
	if (request.kind === "video" || !request.mask) return createImageToImagePainter(stage, input);
	if (inputs.length > 1) throw new SketchInputError("a mask needs a single image");
	await requireSameSize(request.mask, first);
	return createImageToImagePainter(stage, input, await decodeInputs([request.mask], width, height));
}
