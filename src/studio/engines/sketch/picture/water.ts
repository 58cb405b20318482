import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, mix } from "./colour.ts";
import type { Luminary } from "./sky.ts";
import { sheet, type Layer, type Stage } from "./stage.ts";

/** How rough a mirror is: a pond, or a wet street. */
export interface Mirror {
	readonly fromY: number;
	readonly toY: number;
	/** How far reflections are torn sideways, in units. */
	readonly tear: number;
	/** How much of the water's own colour lies over the reflection, far and near. */
	readonly cover: readonly [far: number, near: number];
	readonly smear: number;
}

/** Still water: what stands above it upside down, row by row, torn by small waves, with lights on them. */
export function mirrorLayer(vision: Vision, stage: Stage, mirror: Mirror): Layer {
	const random = randomOf(vision, "mirror");
	const { palette } = vision;
	const { width, unit } = stage;
	const depth = mirror.toY - mirror.fromY;
	// Half size is enough for what is blurred anyway, and four times cheaper.
	const scale = stage.film ? 0.5 : 1;
	const source = sheet(width * scale, mirror.fromY * scale);
	const phase = random.between(0, 100);
	const lines = Array.from({ length: 150 }, () => {
		const near = random.next() ** 1.5;
		return {
			x: random.between(-0.05, 1.05),
			near,
			length: random.between(1.5, 9) * lerp(0.4, 1.7, near),
			phase: random.between(0, 6.28),
			light: random.chance(0.55),
		};
	});
	return (pen, seconds) => {
		source.pen.drawImage(pen.canvas, 0, 0, width, mirror.fromY, 0, 0, source.canvas.width, source.canvas.height);
		const rowHeight = Math.max(2, Math.round(unit * 0.3));
		for (let y = mirror.fromY; y < mirror.toY; y += rowHeight) {
			const t = (y - mirror.fromY) / depth;
			// Perspective packs the waves at the far shore.
			const wave =
				Math.sin(phase + 34 * Math.sqrt(t + 0.02) * 3 - seconds * 1.7) * 0.6 +
				Math.sin(phase * 2 + 61 * Math.sqrt(t + 0.02) * 3 + seconds * 2.3) * 0.4;
			const dx = wave * unit * mirror.tear * (0.15 + t * 1.3);
			const dy = wave * unit * 0.5 * (0.2 + t);
			const above = mirror.fromY - (y - mirror.fromY) * mirror.smear + dy;
			const from = Math.min(mirror.fromY - 1, Math.max(0, above - rowHeight * mirror.smear));
			pen.drawImage(
				source.canvas,
				0,
				from * scale,
				source.canvas.width,
				Math.max(1, rowHeight * scale * mirror.smear),
				dx - unit * 3,
				y,
				width + unit * 6,
				rowHeight + 0.6,
			);
		}
		const tint = pen.createLinearGradient(0, mirror.fromY, 0, mirror.toY);
		tint.addColorStop(0, css(mix(palette.waterFar, palette.sky[3], 0.4), mirror.cover[0]));
		tint.addColorStop(1, css(palette.waterNear, mirror.cover[1]));
		pen.fillStyle = tint;
		pen.fillRect(0, mirror.fromY, width, depth);
		pen.lineCap = "round";
		for (const line of lines) {
			const y = mirror.fromY + depth * (0.015 + 0.985 * line.near);
			const shine = 0.5 + 0.5 * Math.sin(seconds * 1.3 + line.phase);
			const colour = line.light ? mix(palette.sky[3], palette.foam, 0.5) : palette.waterNear;
			pen.strokeStyle = css(colour, (line.light ? 0.36 : 0.3) * lerp(0.35, 1, shine));
			pen.lineWidth = unit * lerp(0.07, 0.3, line.near);
			const x = line.x * width + Math.sin(seconds * 0.5 + line.phase) * unit;
			pen.beginPath();
			pen.moveTo(x, y);
			pen.quadraticCurveTo(
				x + line.length * unit * 0.5,
				y + unit * 0.14 * Math.sin(line.phase),
				x + line.length * unit,
				y,
			);
			pen.stroke();
		}
	};
}

/** The road of light that sun and moon lay on water. */
export function glitterLayer(vision: Vision, stage: Stage, luminary: Luminary, fromY: number, toY: number): Layer {
	if (luminary.kind === "hidden") return () => undefined;
	const random = randomOf(vision, "glitter");
	const { unit } = stage;
	const flakes = Array.from({ length: 230 }, () => {
		const near = random.next() ** 1.25;
		const spread = random.between(-1, 1) * random.next();
		return {
			near,
			spread,
			length: random.between(0.5, 2.6),
			phase: random.between(0, 6.28),
			speed: random.between(1, 3.2),
		};
	});
	const low = luminary.kind === "sun" ? 1 : 0.8;
	return (pen, seconds) => {
		pen.save();
		pen.globalCompositeOperation = "screen";
		pen.lineCap = "round";
		for (const flake of flakes) {
			const shine = Math.sin(seconds * flake.speed + flake.phase);
			if (shine < -0.35) continue;
			const y = lerp(fromY, toY, flake.near);
			const half = luminary.radius * lerp(1, 3.4, flake.near);
			const x = luminary.x + flake.spread * half;
			const alpha = (0.35 + 0.65 * shine) * (1 - Math.abs(flake.spread) * 0.7) * low * lerp(1, 0.55, flake.near);
			pen.strokeStyle = css(vision.palette.light, Math.max(0, alpha));
			pen.lineWidth = unit * lerp(0.14, 0.46, flake.near);
			const length = flake.length * unit * lerp(0.6, 2.2, flake.near);
			pen.beginPath();
			pen.moveTo(x - length, y);
			pen.lineTo(x + length, y);
			pen.stroke();
		}
		pen.restore();
	};
}
