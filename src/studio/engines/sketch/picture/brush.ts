import type { Random } from "../random.ts";
import { toRgb, type Colour } from "./colour.ts";
import { sheet, type Pen } from "./stage.ts";

/** A small picture whose colours the brush takes up. */
export interface Swatch {
	readonly width: number;
	readonly height: number;
	/** RGBA, not premultiplied. */
	readonly pixels: Uint8ClampedArray;
}

export function swatchOf(
	columns: number,
	rows: number,
	/** The colour at a place, 0..1 across and down, or null where nothing is to be painted. */
	colourAt: (u: number, v: number) => { readonly colour: Colour; readonly alpha: number } | null,
): Swatch {
	const pixels = new Uint8ClampedArray(columns * rows * 4);
	for (let row = 0; row < rows; row++) {
		for (let column = 0; column < columns; column++) {
			const paint = colourAt((column + 0.5) / columns, (row + 0.5) / rows);
			if (paint === null || paint.alpha <= 0) continue;
			const [red, green, blue] = toRgb(paint.colour);
			pixels.set([red, green, blue, Math.round(paint.alpha * 255)], (row * columns + column) * 4);
		}
	}
	return { width: columns, height: rows, pixels };
}

/** The swatch itself, softly enlarged: the ground that strokes are laid on. */
export function washSwatch(pen: Pen, swatch: Swatch, left: number, top: number, width: number, height: number): void {
	const small = sheet(swatch.width, swatch.height);
	const image = small.pen.createImageData(swatch.width, swatch.height);
	image.data.set(swatch.pixels);
	small.pen.putImageData(image, 0, 0);
	pen.imageSmoothingQuality = "high";
	pen.drawImage(small.canvas, left, top, width, height);
}

export interface StrokeField {
	readonly swatch: Swatch;
	/** Where the swatch lies in the picture. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
	/** How many strokes; they lie in rows from the top, each shaken a little. */
	readonly count: number;
	readonly lengthPx: number;
	readonly widthPx: number;
	readonly alpha: number;
	/** How far a stroke's lightness may leave its swatch, 0..255. */
	readonly shake: number;
	/** Whether there is to be a stroke at a place; everywhere when left out. */
	accepts?(x: number, y: number): boolean;
	/** The direction of the stroke at a place, in radians. */
	angle(x: number, y: number): number;
}

/** Paints a swatch with visible strokes: each takes one colour and follows the field for a little. */
export function paintStrokes(pen: Pen, random: Random, field: StrokeField): void {
	const { swatch, count } = field;
	const columns = Math.max(1, Math.round(Math.sqrt((count * field.width) / field.height)));
	const rows = Math.max(1, Math.round(count / columns));
	// In a shuffled order no edge lies always on top, which the eye would see as scales.
	const order = Uint32Array.from({ length: columns * rows }, (_, index) => index);
	for (let index = order.length - 1; index > 0; index--) {
		const other = random.integer(0, index);
		const held = order[index] ?? 0;
		order[index] = order[other] ?? 0;
		order[other] = held;
	}
	pen.save();
	pen.lineCap = "round";
	pen.lineJoin = "round";
	for (const cell of order) {
		const u = ((cell % columns) + random.between(-0.2, 1.2)) / columns;
		const v = (Math.floor(cell / columns) + random.between(-0.2, 1.2)) / rows;
		const shake = random.between(-field.shake, field.shake);
		const length = field.lengthPx * random.between(0.5, 1.3);
		const width = field.widthPx * random.between(0.5, 1.35);
		const sx = Math.min(swatch.width - 1, Math.max(0, Math.floor(u * swatch.width)));
		const sy = Math.min(swatch.height - 1, Math.max(0, Math.floor(v * swatch.height)));
		const at = (sy * swatch.width + sx) * 4;
		const cover = (swatch.pixels[at + 3] ?? 0) / 255;
		if (cover < 0.04) continue;
		const red = Math.round((swatch.pixels[at] ?? 0) + shake);
		const green = Math.round((swatch.pixels[at + 1] ?? 0) + shake);
		const blue = Math.round((swatch.pixels[at + 2] ?? 0) + shake);
		let x = field.left + u * field.width;
		let y = field.top + v * field.height;
		if (field.accepts?.(x, y) === false) continue;
		pen.strokeStyle = `rgba(${red},${green},${blue},${(cover * field.alpha).toFixed(3)})`;
		pen.lineWidth = width;
		pen.beginPath();
		pen.moveTo(x, y);
		const steps = 4;
		for (let step = 0; step < steps; step++) {
			const angle = field.angle(x, y);
			x += (Math.cos(angle) * length) / steps;
			y += (Math.sin(angle) * length) / steps;
			pen.lineTo(x, y);
		}
		pen.stroke();
	}
	pen.restore();
}

/** A filled shape through points; the pen's fill style must be set. */
export function fillShape(pen: Pen, points: readonly (readonly [x: number, y: number])[]): void {
	const [first, ...rest] = points;
	if (first === undefined) return;
	pen.beginPath();
	pen.moveTo(first[0], first[1]);
	for (const [x, y] of rest) pen.lineTo(x, y);
	pen.closePath();
	pen.fill();
}

/** A closed soft outline through points: clouds of leaves, stones, bodies. */
export function traceBlob(pen: Pen, points: readonly (readonly [x: number, y: number])[]): void {
	const count = points.length;
	const at = (index: number): readonly [number, number] => points[((index % count) + count) % count] ?? [0, 0];
	const middle = (index: number): readonly [number, number] => {
		const [ax, ay] = at(index);
		const [bx, by] = at(index + 1);
		return [(ax + bx) / 2, (ay + by) / 2];
	};
	pen.beginPath();
	pen.moveTo(...middle(-1));
	for (let index = 0; index < count; index++) pen.quadraticCurveTo(...at(index), ...middle(index));
	pen.closePath();
}

/** A round shape that a hand might have drawn. */
export function blobPoints(
	random: Random,
	x: number,
	y: number,
	radiusX: number,
	radiusY: number,
	roughness: number,
	corners = 9,
): readonly (readonly [x: number, y: number])[] {
	return Array.from({ length: corners }, (_, index) => {
		const angle = (index / corners) * Math.PI * 2;
		const reach = 1 + random.between(-roughness, roughness);
		return [x + Math.cos(angle) * radiusX * reach, y + Math.sin(angle) * radiusY * reach] as const;
	});
}
