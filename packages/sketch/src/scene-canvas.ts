import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import { clamp, lerp, type Noise } from "./noise.ts";
import { mix, css, type Color, type Palette } from "./palette.ts";
import type { Random } from "./random.ts";
import type { ParsedPrompt, SubjectName } from "./parse-prompt.ts";

export type Pen = SKRSContext2D;

/** A layer of a scene. The camera drift moves near layers (depth 1) more than far ones (0). */
export interface Layer {
	readonly depth: number;
	paint(pen: Pen, seconds: number): void;
}

/** The position of the base of a subject, and its height in pixels. */
export interface SubjectPlacement {
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly depth: number;
	/** True if the subject floats on water, which mirrors it. */
	readonly floats?: boolean;
	/** The angle of a flying subject, in radians; 0 if the subject stands on the ground. */
	readonly tilt?: number;
}

export interface Scene {
	readonly layers: readonly Layer[];
	/** In front of the subjects. */
	readonly foreground: readonly Layer[];
	placementOf(subject: SubjectName, nth: number): SubjectPlacement;
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

/** Creates a layer that does not move. It is painted once, with the margins. */
export function stillLayer(stage: Stage, depth: number, draw: (pen: Pen) => void): Layer {
	const { margin, width, height } = stage;
	const canvas = createCanvas(width + 2 * margin, height);
	const pen = canvas.getContext("2d");
	pen.translate(margin, 0);
	draw(pen);
	if (!stage.isVideo) return { depth, paint: (target) => target.drawImage(canvas, -margin, 0) };
	const { cropped, offsetY } = copyPixels(canvas);
	return { depth, paint: (target) => target.drawImage(cropped, -margin, offsetY) };
}

/**
 * Copies the pixels to a new canvas, without the empty rows above and below. The original canvas records its drawing
 * commands, and repeats all of them each time it is drawn on another canvas.
 */
export function copyPixels(canvas: Canvas): { readonly cropped: Canvas; readonly offsetY: number } {
	const { width, height } = canvas;
	const image = canvas.getContext("2d").getImageData(0, 0, width, height);
	const pixels = new Uint32Array(image.data.buffer, image.data.byteOffset, width * height);
	const firstUsed = pixels.findIndex((pixel) => pixel !== 0);
	const offsetY = Math.max(0, Math.floor(firstUsed / width));
	const rows = Math.max(1, Math.ceil((pixels.findLastIndex((pixel) => pixel !== 0) + 1) / width) - offsetY);
	const cropped = createCanvas(width, rows);
	cropped.getContext("2d").putImageData(image, 0, -offsetY);
	return { cropped, offsetY };
}

/** Computes every pixel of a small canvas, to be drawn larger: clouds, water, rock. `u` and `v` go from 0 to 1. */
export function raster(
	columns: number,
	rows: number,
	paintPixel: (u: number, v: number, setPixel: (color: Color, alpha: number) => void) => void,
): Canvas {
	const canvas = createCanvas(columns, rows);
	const pen = canvas.getContext("2d");
	const image = pen.createImageData(columns, rows);
	const { data } = image;
	let offset = 0;
	const setPixel = (color: Color, alpha: number): void => {
		data[offset] = color[0];
		data[offset + 1] = color[1];
		data[offset + 2] = color[2];
		data[offset + 3] = alpha * 255;
	};
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++, offset += 4) paintPixel(column / columns, row / rows, setPixel);
	pen.putImageData(image, 0, 0);
	return canvas;
}

/** Returns the columns of a raster as wide as the stage: enough to look sharp, few enough to be fast. */
export const rasterColumns = (stage: Stage, columnsMax: number): number =>
	Math.round(Math.min(columnsMax, (stage.width + 2 * stage.margin) / 1.5));

export function verticalGradient(pen: Pen, top: number, bottom: number, stops: readonly [number, string][]) {
	const gradient = pen.createLinearGradient(0, top, 0, bottom);
	for (const [offset, color] of stops) gradient.addColorStop(clamp(offset), color);
	return gradient;
}

export function fillCircle(pen: Pen, x: number, y: number, radius: number): void {
	pen.beginPath();
	pen.arc(x, y, radius, 0, 2 * Math.PI);
	pen.fill();
}

/** Draws a soft disk of light. */
export function glow(pen: Pen, x: number, y: number, radius: number, color: Color, alpha: number): void {
	const gradient = pen.createRadialGradient(x, y, 0, x, y, radius);
	for (const [offset, alphaFactor] of [
		[0, 1],
		[0.15, 0.62],
		[0.4, 0.2],
		[0.7, 0.05],
		[1, 0],
	] as const)
		gradient.addColorStop(offset, css(color, alpha * alphaFactor));
	pen.fillStyle = gradient;
	pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
}

/** Draws a band of mist between two heights. */
export function mist(stage: Stage, pen: Pen, top: number, bottom: number, alpha: number): void {
	const { haze } = stage.palette;
	pen.fillStyle = verticalGradient(pen, top, bottom, [
		[0, css(haze, 0)],
		[0.6, css(haze, alpha)],
		[1, css(haze, 0)],
	]);
	pen.fillRect(-stage.margin, top, stage.width + 2 * stage.margin, bottom - top);
}

/** Traces the path of the area below a line across the whole width. */
export function traceAreaBelow(stage: Stage, pen: Pen, line: (x: number) => number, step = 2): void {
	const { width, height, margin } = stage;
	pen.beginPath();
	pen.moveTo(-margin, height);
	for (let x = -margin; x <= width + margin; x += step) pen.lineTo(x, line(x));
	pen.lineTo(width + margin, height);
	pen.closePath();
}

/** Mixes a color with the haze: `distance` is 0 near the viewer, and 1 at the horizon. */
export const withHaze = (stage: Stage, color: Color, distance: number): Color =>
	mix(color, stage.palette.haze, distance);

/**
 * Mirrors the part above the horizon in the water below, row by row. Waves displace each row, more so toward the viewer.
 * A video mirrors its first frame.
 */
export function reflection(stage: Stage, horizon: number, strength: number): Layer {
	const { width, height, unit } = stage;
	const step = Math.max(1, Math.round(1.4 * unit));
	let mirrored: ReturnType<typeof copyPixels> | undefined;
	return {
		depth: 0.15,
		paint(pen, seconds) {
			if (mirrored === undefined) {
				const aboveHorizon = createCanvas(Math.ceil(width / 2), Math.ceil(horizon / 2));
				aboveHorizon
					.getContext("2d")
					.drawImage(pen.canvas, 0, 0, width, horizon, 0, 0, aboveHorizon.width, aboveHorizon.height);
				mirrored = copyPixels(aboveHorizon);
			}
			const { cropped, offsetY } = mirrored;
			for (let y = horizon; y < height; y += step) {
				const near = (y - horizon) / (height - horizon);
				const wave =
					Math.sin(y / unit / lerp(1.1, 5, near) + seconds * 2.1) *
					Math.sin(y / unit / 17 - seconds * 1.3) *
					lerp(0.8, 7, near) *
					unit;
				const row = offsetY + cropped.height - 1 - near * (offsetY + cropped.height) * 0.96 - Math.abs(wave) * 0.25;
				pen.globalAlpha = strength * lerp(1, 0.62, near);
				pen.drawImage(cropped, 0, Math.max(0, row - offsetY), cropped.width, 1, wave - 12, y, width + 24, step);
			}
			pen.globalAlpha = 1;
		},
	};
}
