import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import { clamp, lerp, type Noise } from "./noise.ts";
import { mix, css, type Color, type Palette } from "./palette.ts";
import type { Random } from "./random.ts";
import type { ParsedPrompt, SubjectName } from "./parse-prompt.ts";

export type Pen = SKRSContext2D;

/** One plane of the scene. The drifting camera moves a near plane (depth 1) more than a far one (0). */
export interface Layer {
	readonly depth: number;
	paint(pen: Pen, seconds: number): void;
}

/** The foot of a subject, its height in pixels, and how near it is. */
export interface SubjectPlacement {
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly depth: number;
	/** Rocks on water and is mirrored in it. */
	readonly floats?: boolean;
	/** Hovers or flies, tilted by this angle in radians. */
	readonly tilt?: number;
}

export interface Scene {
	readonly layers: readonly Layer[];
	/** In front of the subjects. */
	readonly front: readonly Layer[];
	position(subject: SubjectName, nth: number): SubjectPlacement;
}

/** The canvas of a scene, in pixels. `unit` is 1 when the shorter side has 576 pixels. */
export interface Stage {
	readonly width: number;
	readonly height: number;
	readonly unit: number;
	/** Extra pixels of every layer beyond the left and right edge, for the camera's drift. */
	readonly margin: number;
	readonly isVideo: boolean;
	readonly parsed: ParsedPrompt;
	readonly palette: Palette;
	readonly random: Random;
	readonly noise: Noise;
	/** Sun or moon, where the light comes from. */
	readonly sun: { readonly x: number; readonly y: number };
}

/** A layer that is painted once, with the margins. */
export function still(stage: Stage, depth: number, draw: (pen: Pen) => void): Layer {
	const { margin, width, height } = stage;
	const canvas = createCanvas(width + 2 * margin, height);
	const pen = canvas.getContext("2d");
	pen.translate(margin, 0);
	draw(pen);
	if (!stage.isVideo) return { depth, paint: (target) => target.drawImage(canvas, -margin, 0) };
	const { plane, top } = flattened(canvas);
	return { depth, paint: (target) => target.drawImage(plane, -margin, top) };
}

/**
 * Keeps the pixels alone, without the empty rows above and below. A canvas remembers how it was painted, and repeats all of
 * it each time it is drawn on another one.
 */
export function flattened(canvas: Canvas): { readonly plane: Canvas; readonly top: number } {
	const { width, height } = canvas;
	const image = canvas.getContext("2d").getImageData(0, 0, width, height);
	const pixels = new Uint32Array(image.data.buffer, image.data.byteOffset, width * height);
	const firstUsed = pixels.findIndex((pixel) => pixel !== 0);
	const top = Math.max(0, Math.floor(firstUsed / width));
	const rows = Math.max(1, Math.ceil((pixels.findLastIndex((pixel) => pixel !== 0) + 1) / width) - top);
	const plane = createCanvas(width, rows);
	plane.getContext("2d").putImageData(image, 0, -top);
	return { plane, top };
}

/** Computes every pixel of a small canvas, to be drawn larger: clouds, water, rock. `u` and `v` go from 0 to 1. */
export function raster(
	columns: number,
	rows: number,
	shade: (u: number, v: number, put: (color: Color, alpha: number) => void) => void,
): Canvas {
	const canvas = createCanvas(columns, rows);
	const pen = canvas.getContext("2d");
	const image = pen.createImageData(columns, rows);
	const { data } = image;
	let at = 0;
	const put = (color: Color, alpha: number): void => {
		data[at] = color[0];
		data[at + 1] = color[1];
		data[at + 2] = color[2];
		data[at + 3] = alpha * 255;
	};
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++, at += 4) shade(column / columns, row / rows, put);
	pen.putImageData(image, 0, 0);
	return canvas;
}

/** Columns for a raster as wide as the stage: enough to look sharp, few enough to be quick. */
export const rasterColumns = (stage: Stage, most: number): number =>
	Math.round(Math.min(most, (stage.width + 2 * stage.margin) / 1.5));

export function verticalGradient(pen: Pen, from: number, to: number, stops: readonly [number, string][]) {
	const gradient = pen.createLinearGradient(0, from, 0, to);
	for (const [at, color] of stops) gradient.addColorStop(clamp(at), color);
	return gradient;
}

/** A soft ball of light. */
export function glow(pen: Pen, x: number, y: number, radius: number, color: Color, alpha: number): void {
	const gradient = pen.createRadialGradient(x, y, 0, x, y, radius);
	for (const [at, part] of [
		[0, 1],
		[0.15, 0.62],
		[0.4, 0.2],
		[0.7, 0.05],
		[1, 0],
	] as const)
		gradient.addColorStop(at, css(color, alpha * part));
	pen.fillStyle = gradient;
	pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
}

/** Mist that lies between two planes. */
export function mist(stage: Stage, pen: Pen, from: number, to: number, alpha: number): void {
	const { haze } = stage.palette;
	pen.fillStyle = verticalGradient(pen, from, to, [
		[0, css(haze, 0)],
		[0.6, css(haze, alpha)],
		[1, css(haze, 0)],
	]);
	pen.fillRect(-stage.margin, from, stage.width + 2 * stage.margin, to - from);
}

/** A closed area below a line that runs over the whole width. */
export function below(stage: Stage, pen: Pen, line: (x: number) => number, step = 2): void {
	const { width, height, margin } = stage;
	pen.beginPath();
	pen.moveTo(-margin, height);
	for (let x = -margin; x <= width + margin; x += step) pen.lineTo(x, line(x));
	pen.lineTo(width + margin, height);
	pen.closePath();
}

/** A color as it looks from afar: 0 near, 1 at the horizon. */
export const faded = (stage: Stage, color: Color, distance: number): Color => mix(color, stage.palette.haze, distance);

/**
 * Mirrors what is above the horizon in the water below it, row by row, each row displaced by a wave that grows toward the
 * viewer. A video mirrors its first frame.
 */
export function reflection(stage: Stage, horizon: number, strength: number): Layer {
	const { width, height, unit } = stage;
	const step = Math.max(1, Math.round(1.4 * unit));
	let mirrored: ReturnType<typeof flattened> | undefined;
	return {
		depth: 0.15,
		paint(pen, seconds) {
			if (mirrored === undefined) {
				const above = createCanvas(Math.ceil(width / 2), Math.ceil(horizon / 2));
				above.getContext("2d").drawImage(pen.canvas, 0, 0, width, horizon, 0, 0, above.width, above.height);
				mirrored = flattened(above);
			}
			const { plane, top } = mirrored;
			for (let y = horizon; y < height; y += step) {
				const near = (y - horizon) / (height - horizon);
				const wave =
					Math.sin(y / unit / lerp(1.1, 5, near) + seconds * 2.1) *
					Math.sin(y / unit / 17 - seconds * 1.3) *
					lerp(0.8, 7, near) *
					unit;
				const row = top + plane.height - 1 - near * (top + plane.height) * 0.96 - Math.abs(wave) * 0.25;
				pen.globalAlpha = strength * lerp(1, 0.62, near);
				pen.drawImage(plane, 0, Math.max(0, row - top), plane.width, 1, wave - 12, y, width + 24, step);
			}
			pen.globalAlpha = 1;
		},
	};
}
