import { createCanvas, type Canvas } from "@napi-rs/canvas";
import { createPostProcessor } from "./post-processing.ts";
import { createNoise } from "./noise.ts";
import { paletteOf } from "./palette.ts";
import { createRandom } from "./random.ts";
import { createCity } from "./scenes/city.ts";
import { createFlowField } from "./scenes/flow-field.ts";
import { createMeadow } from "./scenes/meadow.ts";
import { createMountains } from "./scenes/mountains.ts";
import { createSea } from "./scenes/sea.ts";
import { createSpace } from "./scenes/space.ts";
import type { Layer, Scene, Stage } from "./scene-canvas.ts";
import { subjectLayer } from "./subjects.ts";
import { weatherLayers } from "./weather.ts";
import { parsePrompt, type SceneName } from "./parse-prompt.ts";

/** Paints the scene at a time in seconds, always on the same canvas. */
export interface ScenePainter {
	paint(seconds: number): Canvas;
}

const SCENES: Readonly<Record<SceneName, (stage: Stage) => Scene>> = {
	sea: createSea,
	mountains: createMountains,
	city: createCity,
	space: createSpace,
	meadow: createMeadow,
	flow: createFlowField,
};

const SUN_HEIGHT = { dawn: 0.44, day: 0.16, sunset: 0.43, dusk: 0.5, night: 0.2 } as const;
/** The camera drifts by this fraction of the width. */
const VIDEO_MARGIN = 0.04;

export function createStage(
	prompt: string,
	seed: number,
	{ width, height }: Pick<Stage, "width" | "height">,
	isVideo: boolean,
): Stage {
	const parsed = parsePrompt(prompt, seed);
	const random = createRandom(`${prompt}/${seed}`);
	const light = random.fork("light");
	return {
		width,
		height,
		unit: Math.min(width, height) / 576,
		margin: isVideo ? Math.round(width * VIDEO_MARGIN) : 0,
		isVideo,
		parsed,
		palette: paletteOf(parsed, random.fork("palette")),
		random,
		noise: createNoise(random.fork("noise")),
		sun: {
			x: width * (light.chance(0.5) ? light.between(0.2, 0.4) : light.between(0.6, 0.8)),
			y: height * (SUN_HEIGHT[parsed.time] + light.between(-0.03, 0.03)),
		},
	};
}

/** Composes the scene, subjects, weather and finish of a prompt. */
export function createScenePainter(stage: Stage): ScenePainter {
	const scene = SCENES[stage.parsed.scene](stage);
	const subjects = stage.parsed.subjects
		.map((name, nth) => ({ name, place: scene.placementOf(name, nth) }))
		.toSorted((one, other) => one.place.depth - other.place.depth)
		.map(({ name, place }) => subjectLayer(stage, name, place));
	return createLayerPainter(stage, [...scene.layers, ...subjects, ...scene.foreground, ...weatherLayers(stage)]);
}

/** Paints the layers over each other, shifted by the camera. */
export function createLayerPainter(stage: Stage, layers: readonly Layer[]): ScenePainter {
	const { width, height, margin } = stage;
	const canvas = createCanvas(width, height);
	const pen = canvas.getContext("2d");
	const postProcess = createPostProcessor(stage);
	return {
		paint(seconds) {
			const drift = margin * Math.sin(seconds * 0.45);
			for (const layer of layers) {
				pen.setTransform(1, 0, 0, 1, drift * layer.depth, 0);
				pen.save();
				layer.paint(pen, seconds);
				pen.restore();
			}
			postProcess(canvas);
			return canvas;
		},
	};
}
