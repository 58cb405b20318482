import type { Canvas } from "@napi-rs/canvas";
import type { Vision } from "../vision.ts";
import { abstractLayers } from "./abstract.ts";
import { figureLayers, type Ground } from "./figures.ts";
import { finishLayer } from "./finish.ts";
import { landscapeOf } from "./landscapes.ts";
import { auroraLayer, fireworksLayer, rainbowLayer } from "./lights.ts";
import { cloudLayers, luminaryOf, skyLayer, starsLayer, type Luminary } from "./sky.ts";
import { nebulaLayer } from "./space.ts";
import { createStage, sheet, type Layer, type Stage } from "./stage.ts";
import { createLightning, flashLayer, fogLayer, rainLayer, snowLayer } from "./weather.ts";

/** A picture that can be looked at at any moment of its time. */
export interface Picture {
	paint(seconds: number): Canvas;
}

/** What a setting is made of: the ground that figures stand on, and what lies before and behind them. */
export interface Landscape {
	readonly behind: readonly Layer[];
	readonly before: readonly Layer[];
	readonly ground: Ground;
}

export function createPicture(vision: Vision, size: { width: number; height: number; film: boolean }): Picture {
	const stage = createStage(size.width, size.height, size.film);
	const layers = layersOf(vision, stage);
	const { canvas, pen } = sheet(stage.width, stage.height);
	return {
		paint(seconds) {
			for (const layer of layers) layer(pen, seconds);
			return canvas;
		},
	};
}

/** From the farthest sheet to the nearest. */
function layersOf(vision: Vision, stage: Stage): readonly Layer[] {
	const luminary = luminaryOf(vision, stage);
	const lightning = vision.weather === "storm" ? createLightning(vision, stage) : null;
	const landscape = landscapeOf(vision, stage, luminary);
	const figures = figureLayers(vision, stage, luminary, landscape.ground);
	return [
		...heavens(vision, stage, luminary),
		...(lightning === null || vision.setting === "space" ? [] : [lightning.sky]),
		...figures.far,
		...landscape.behind,
		...figures.middle,
		...landscape.before,
		...figures.near,
		...weatherBefore(vision, stage),
		...(lightning === null ? [] : [flashLayer(vision, stage, lightning.flash)]),
		finishLayer(vision, stage),
	];
}

function heavens(vision: Vision, stage: Stage, luminary: Luminary): readonly Layer[] {
	if (vision.setting === "abstract" && vision.figures.length === 0) return abstractLayers(vision, stage);
	if (vision.setting === "space")
		return [nebulaLayer(vision, stage), starsLayer(vision, stage, 520, stage.height * 1.9)];
	const layers: Layer[] = [skyLayer(vision, stage, luminary)];
	if (vision.setting === "abstract") return [...layers, ...abstractLayers(vision, stage)];
	if (vision.setting === "party") return layers;
	const overcast = vision.weather === "storm" || vision.weather === "rain" || vision.weather === "fog";
	const starry = vision.time === "night" || vision.features.has("stars") || vision.paletteName === "aurora";
	if (starry && !overcast)
		layers.push(starsLayer(vision, stage, vision.features.has("stars") ? 460 : 260, stage.height * vision.horizon));
	if (vision.features.has("aurora")) layers.push(auroraLayer(vision, stage));
	if (!vision.features.has("aurora")) layers.push(...cloudLayers(vision, stage, luminary));
	if (vision.features.has("rainbow")) layers.push(rainbowLayer(vision, stage));
	if (vision.features.has("fireworks")) layers.push(fireworksLayer(vision, stage));
	return layers;
}

function weatherBefore(vision: Vision, stage: Stage): readonly Layer[] {
	if (vision.setting === "space" || vision.setting === "party") return [];
	switch (vision.weather) {
		case "storm":
		case "rain":
			return [rainLayer(vision, stage)];
		case "snow":
			// Snow on the ground under a clear sky does not fall.
			return vision.features.has("aurora") || vision.features.has("stars") ? [] : [snowLayer(vision, stage)];
		case "fog":
			return [fogLayer(vision, stage, stage.height * 0.4, stage.height * 0.95, 0.26, "front")];
		case "cloudy":
		case "clear":
			return [];
	}
}
