import { createCanvas, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";

export type Pen = SKRSContext2D;

/** Where a picture is painted. Lengths in layers are multiples of `unit`, so that every size shows the same picture. */
export interface Stage {
	readonly width: number;
	readonly height: number;
	/** About a hundredth of the picture's side. */
	readonly unit: number;
	/** True for film: what stands still is then painted once and kept. */
	readonly film: boolean;
}

/** One sheet of the picture, painted over what lies below. */
export type Layer = (pen: Pen, seconds: number) => void;

/** How far beyond the edges layers are painted, as a share of the width, so that the camera may sway. */
const OVERSCAN = 0.035;

export function createStage(width: number, height: number, film: boolean): Stage {
	return { width, height, unit: Math.min(Math.sqrt(width * height), 1.25 * Math.min(width, height)) / 100, film };
}

export const overscanOf = (stage: Stage): number => Math.ceil(stage.width * OVERSCAN);

/** The camera's sway: near sheets (depth 1) move more than far ones (depth 0), which gives depth. At rest at the start. */
export const cameraShift = (stage: Stage, depth: number, seconds: number): number =>
	Math.sin(seconds * 0.3) * stage.width * (OVERSCAN - 0.004) * depth;

export function sheet(width: number, height: number): { canvas: Canvas; pen: Pen } {
	const canvas = createCanvas(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)));
	return { canvas, pen: canvas.getContext("2d") };
}

/** A sheet that does not change. `box` limits what is kept where a layer covers only a part of the picture. */
export function still(
	stage: Stage,
	depth: number,
	paint: (pen: Pen) => void,
	box: { top: number; bottom: number } = { top: 0, bottom: stage.height },
): Layer {
	if (!stage.film) return (pen) => paint(pen);
	const margin = overscanOf(stage);
	const top = Math.max(0, Math.floor(box.top));
	const bottom = Math.min(stage.height, Math.ceil(box.bottom));
	const kept = sheet(stage.width + 2 * margin, bottom - top);
	kept.pen.translate(margin, -top);
	paint(kept.pen);
	return (pen, seconds) => pen.drawImage(kept.canvas, cameraShift(stage, depth, seconds) - margin, top);
}

/** A sheet that is painted anew for every frame. */
export function moving(stage: Stage, depth: number, paint: Layer): Layer {
	return (pen, seconds) => {
		pen.save();
		pen.translate(cameraShift(stage, depth, seconds), 0);
		paint(pen, seconds);
		pen.restore();
	};
}

/** Light that falls on what is already there. */
export function glow(
	pen: Pen,
	x: number,
	y: number,
	radius: number,
	stops: readonly (readonly [number, string])[],
): void {
	const gradient = pen.createRadialGradient(x, y, 0, x, y, radius);
	for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
	pen.save();
	pen.globalCompositeOperation = "screen";
	pen.fillStyle = gradient;
	pen.fillRect(x - radius, y - radius, radius * 2, radius * 2);
	pen.restore();
}
