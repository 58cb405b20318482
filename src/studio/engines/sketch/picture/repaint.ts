import type { Image } from "@napi-rs/canvas";
import { randomOf, type Vision } from "../vision.ts";
import { paintStrokes, type Swatch } from "./brush.ts";
import type { Picture } from "./compose.ts";
import { css, lerp, ramp, toRgb } from "./colour.ts";
import { finishLayer } from "./finish.ts";
import { createNoise } from "./noise.ts";
import { createStage, glow, sheet, type Layer, type Pen, type Stage } from "./stage.ts";
import { weatherLayers } from "./weather.ts";

/** How much larger than the picture the painted sheet is, so that the camera has somewhere to go. */
const ZOOM = 1.1;
const SWATCH_SIDE_MAX = 420;
/** The share of a pixel's colour that gives way to the palette. */
const GRADE = 0.34;

/** Somebody's picture, painted over with strokes in the prompt's colours, under the prompt's weather. */
export function createRepaint(
	vision: Vision,
	image: Image,
	size: { width: number; height: number; film: boolean },
): Picture {
	const stage = createStage(size.width, size.height, size.film);
	const zoom = stage.film ? ZOOM : 1;
	const painted = sheet(stage.width * zoom, stage.height * zoom);
	paintOver(painted.pen, vision, image, stage, painted.canvas.width, painted.canvas.height);
	const layers: readonly Layer[] = [
		(pen, seconds) => {
			const closer = stage.film ? 1 + 0.006 * seconds : 1;
			const width = stage.width * zoom * closer;
			const height = stage.height * zoom * closer;
			const sway = stage.film ? Math.sin(seconds * 0.35) * stage.width * 0.03 : 0;
			pen.imageSmoothingQuality = "low";
			pen.drawImage(painted.canvas, (stage.width - width) / 2 + sway, (stage.height - height) / 2, width, height);
		},
		lightOver(vision, stage),
		...weatherLayers(vision, stage),
		finishLayer(vision, stage),
	];
	const { canvas, pen } = sheet(stage.width, stage.height);
	return {
		paint(seconds) {
			for (const layer of layers) layer(pen, seconds);
			return canvas;
		},
	};
}

function paintOver(pen: Pen, vision: Vision, image: Image, stage: Stage, width: number, height: number): void {
	const random = randomOf(vision, "repaint");
	const noise = createNoise(random.fork("noise"));
	drawToCover(pen, image, width, height);
	const swatch = graded(image, vision, width, height);
	const slope = slopesOf(swatch);
	const unit = stage.unit;
	const area = (width * height) / unit / unit;
	const at = (x: number, y: number): number => {
		const column = Math.min(swatch.width - 1, Math.max(0, Math.floor((x / width) * swatch.width)));
		const row = Math.min(swatch.height - 1, Math.max(0, Math.floor((y / height) * swatch.height)));
		return row * swatch.width + column;
	};
	// From a broad brush to a fine one; the fine one only goes where there is something to see.
	for (const [name, widthUnits, lengthUnits, perUnit, detailMin] of [
		["broad", 2.6, 9, 0.55, 0],
		["middle", 1.2, 5, 1.3, 0],
		["fine", 0.55, 2.6, 5.5, 0.05],
		["finest", 0.3, 1.4, 13, 0.11],
	] as const) {
		paintStrokes(pen, random.fork(name), {
			swatch,
			left: 0,
			top: 0,
			width,
			height,
			count: Math.round(area * perUnit),
			lengthPx: lengthUnits * unit,
			widthPx: widthUnits * unit,
			alpha: 0.86,
			shake: 8,
			accepts: (x, y) => (slope.strength[at(x, y)] ?? 0) >= detailMin,
			// Along the edges of things; where there are none, with a slow current.
			angle(x, y) {
				const index = at(x, y);
				const strength = slope.strength[index] ?? 0;
				return strength > 0.03 ? (slope.along[index] ?? 0) : noise.fbm(x / unit / 40, y / unit / 40, 2) * 3;
			},
		});
	}
}

function drawToCover(pen: Pen, image: Image, width: number, height: number): void {
	const scale = Math.max(width / image.width, height / image.height);
	const drawnWidth = image.width * scale;
	const drawnHeight = image.height * scale;
	pen.imageSmoothingQuality = "high";
	// What is transparent in the input is paper.
	pen.fillStyle = "rgb(244,241,234)";
	pen.fillRect(0, 0, width, height);
	pen.drawImage(image, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight);
}

/** The input, small, its lights and shadows drawn towards the palette. */
function graded(image: Image, vision: Vision, width: number, height: number): Swatch {
	const scale = SWATCH_SIDE_MAX / Math.max(width, height);
	const small = sheet(width * scale, height * scale);
	drawToCover(small.pen, image, small.canvas.width, small.canvas.height);
	const { data } = small.pen.getImageData(0, 0, small.canvas.width, small.canvas.height);
	const { palette } = vision;
	// Night falls and storms darken; blue is the last colour to go.
	const dim = vision.time === "night" ? 0.6 : vision.weather === "storm" ? 0.72 : vision.time === "dusk" ? 0.82 : 1;
	const tones = Array.from({ length: 256 }, (_, tone) =>
		toRgb(
			ramp([palette.ink, palette.landNear, palette.landFar, palette.sky[2], palette.sky[3], palette.light], tone / 255),
		),
	);
	for (let at = 0; at < data.length; at += 4) {
		const red = data[at] ?? 0;
		const green = data[at + 1] ?? 0;
		const blue = data[at + 2] ?? 0;
		const tone = tones[Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue)] ?? [red, green, blue];
		// Strong colours of the input stand; greys take on the palette.
		const keep = GRADE * (1 - (Math.max(red, green, blue) - Math.min(red, green, blue)) / 420);
		data[at] = (red + (tone[0] - red) * keep) * dim;
		data[at + 1] = (green + (tone[1] - green) * keep) * dim;
		data[at + 2] = (blue + (tone[2] - blue) * keep) * lerp(1, dim, 0.75);
	}
	return { width: small.canvas.width, height: small.canvas.height, pixels: data };
}

/** How strongly brightness changes at each place, 0..1, and the direction in which it does not. */
function slopesOf(swatch: Swatch): { readonly strength: Float32Array; readonly along: Float32Array } {
	const { width, height, pixels } = swatch;
	const tone = (x: number, y: number): number => {
		const at = (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 4;
		return (0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0)) / 255;
	};
	const strength = new Float32Array(width * height);
	const along = new Float32Array(width * height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const dx = tone(x + 1, y) - tone(x - 1, y) + (tone(x + 2, y) - tone(x - 2, y)) / 2;
			const dy = tone(x, y + 1) - tone(x, y - 1) + (tone(x, y + 2) - tone(x, y - 2)) / 2;
			strength[y * width + x] = Math.min(1, Math.hypot(dx, dy));
			along[y * width + x] = Math.atan2(dy, dx) + Math.PI / 2;
		}
	}
	return { strength, along };
}

/** A slow light from one side, in the palette's own colour. */
function lightOver(vision: Vision, stage: Stage): Layer {
	const { light } = vision.palette;
	const x = stage.width * (1 - vision.focusX);
	return (pen, seconds) => {
		const breath = stage.film ? 1 + 0.25 * Math.sin(seconds * 0.9) : 1;
		glow(pen, x, stage.height * 0.12, stage.unit * 95, [
			[0, css(light, 0.2 * breath)],
			[0.5, css(light, 0.07 * breath)],
			[1, css(light, 0)],
		]);
	};
}
