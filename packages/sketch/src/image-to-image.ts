import { createCanvas, type Canvas } from "@napi-rs/canvas";
import { clamp, lerp } from "./noise.ts";
import { css, mix, ramp, shiftColor, type Color } from "./palette.ts";
import { createLayerPainter, type ScenePainter } from "./scene-painter.ts";
import { glow, stillLayer, type Stage } from "./scene-canvas.ts";
import { weatherLayers } from "./weather.ts";

/** Repaints an input image with strokes along its edges, in the palette of the prompt; with a mask, only its white areas. */
export function createImageToImagePainter(stage: Stage, input: Canvas, mask?: Canvas): ScenePainter {
	if (mask) return createMaskedPainter(stage, input, mask);
	const { palette, sun, unit, width, height, margin } = stage;
	const painted = stillLayer(stage, 1, (pen) =>
		pen.drawImage(strokesOver(stage, input), -margin, -margin, width + 2 * margin, height + 2 * margin),
	);
	const light = stillLayer(stage, 0.3, (pen) => {
		pen.globalCompositeOperation = "screen";
		glow(pen, sun.x, sun.y, 420 * unit, palette.glow, 0.3);
	});
	return createLayerPainter(stage, [painted, light, ...weatherLayers(stage)]);
}

/** Omits light and weather, which would change the image outside the mask. */
function createMaskedPainter(stage: Stage, input: Canvas, mask: Canvas): ScenePainter {
	const { width, height } = stage;
	const strokes = strokesOver(stage, input);
	const pen = strokes.getContext("2d");
	pen.globalCompositeOperation = "destination-in";
	pen.drawImage(opaqueWhereWhite(mask), 0, 0);
	const canvas = createCanvas(width, height);
	const painting = canvas.getContext("2d");
	painting.drawImage(input, 0, 0);
	painting.drawImage(strokes, 0, 0);
	return { paint: () => canvas };
}

function opaqueWhereWhite(mask: Canvas): Canvas {
	const { width, height } = mask;
	const canvas = createCanvas(width, height);
	const pen = canvas.getContext("2d");
	const pixels = mask.getContext("2d").getImageData(0, 0, width, height);
	const { data } = pixels;
	for (let index = 0; index < data.length; index += 4)
		data[index + 3] = Math.round(((data[index] ?? 0) * (data[index + 3] ?? 0)) / 255);
	pen.putImageData(pixels, 0, 0);
	return canvas;
}

/** Coarse strokes first, then finer ones where the contrast of the image exceeds the threshold. */
const PASSES = [
	{ strokes: 1400, radius: 15, threshold: -1, alpha: 0.95 },
	{ strokes: 4200, radius: 7.5, threshold: 0.03, alpha: 0.85 },
	{ strokes: 9000, radius: 3.2, threshold: 0.075, alpha: 0.85 },
] as const;
/** The input is sampled at this width. */
const SAMPLED_WIDTH = 480;

/** Returns the brightness of a color, 0 to 1. */
function lumaOf([r, g, b]: Color): number {
	return (r * 0.3 + g * 0.59 + b * 0.11) / 255;
}

/** Paints strokes over the whole stage. Strokes follow the edges of the input image. */
function strokesOver(stage: Stage, input: Canvas): Canvas {
	const { width, height, unit, random, palette, parsed } = stage;
	const columns = SAMPLED_WIDTH;
	const rows = Math.max(1, Math.round((columns * height) / width));
	const sampled = createCanvas(columns, rows);
	const sampledPen = sampled.getContext("2d");
	sampledPen.imageSmoothingQuality = "high";
	sampledPen.drawImage(input, 0, 0, columns, rows);
	const { data } = sampledPen.getImageData(0, 0, columns, rows);
	const tones = ramp([
		shiftColor(palette.shadow, -0.04),
		palette.cloudShade,
		palette.haze,
		palette.cloudLit,
		mix(palette.sun, [255, 255, 255], 0.4),
	]);
	const paletteShare = parsed.colors.length > 0 ? 0.8 : 0.58;
	const inputColorAt = (x: number, y: number): Color => {
		const column = clamp(Math.round(x), 0, columns - 1);
		const row = clamp(Math.round(y), 0, rows - 1);
		const offset = (row * columns + column) * 4;
		return [data[offset]!, data[offset + 1]!, data[offset + 2]!];
	};
	const lumaAt = (x: number, y: number): number => lumaOf(inputColorAt(x, y));
	// Keeps the brightness of the image: finds the first tone of the ramp that is as bright.
	const rampLumas = Float32Array.from({ length: 256 }, (_, index) => lumaOf(tones(index / 255)));
	const toneOf = (luma: number): Color => {
		const index = rampLumas.findIndex((rampLuma) => rampLuma >= luma * 0.97);
		return tones((index < 0 ? 255 : index) / 255);
	};
	const toneTable = Array.from({ length: 64 }, (_, index) => toneOf(index / 63));
	const colorAt = (x: number, y: number): Color => {
		const inputColor = inputColorAt(x, y);
		return mix(inputColor, toneTable[Math.round(lumaOf(inputColor) * 63)] ?? inputColor, paletteShare);
	};
	const canvas = createCanvas(width, height);
	const pen = canvas.getContext("2d");
	pen.fillStyle = css(tones(0.5));
	pen.fillRect(0, 0, width, height);
	pen.lineCap = "round";
	for (const { strokes, radius, threshold, alpha } of PASSES) {
		for (let nth = 0; nth < strokes; nth++) {
			const [x, y] = [random.next() * columns, random.next() * rows];
			const [dx, dy] = [lumaAt(x + 2, y) - lumaAt(x - 2, y), lumaAt(x, y + 2) - lumaAt(x, y - 2)];
			const edge = Math.hypot(dx, dy);
			if (edge < threshold) continue;
			const angle = edge > 0.015 ? Math.atan2(dy, dx) + Math.PI / 2 : random.between(-0.5, 0.5);
			const strokeLength = radius * unit * random.between(1, 3);
			const [px, py] = [(x / columns) * width, (y / rows) * height];
			const [ex, ey] = [Math.cos(angle) * strokeLength, Math.sin(angle) * strokeLength];
			pen.strokeStyle = css(shiftColor(colorAt(x, y), random.between(-0.035, 0.035)), alpha);
			pen.lineWidth = radius * unit * lerp(0.7, 1.3, random.next());
			pen.beginPath();
			pen.moveTo(px - ex / 2, py - ey / 2);
			pen.quadraticCurveTo(px + ey * 0.12, py - ex * 0.12, px + ex / 2, py + ey / 2);
			pen.stroke();
		}
	}
	return canvas;
}
