import { clamp, lerp, smoothstep } from "./noise.ts";
import { css, mix, oklch, ramp } from "./palette.ts";
import {
	fillCircle,
	glow,
	raster,
	rasterColumns,
	stillLayer,
	verticalGradient,
	type Layer,
	type Stage,
} from "./scene-canvas.ts";

const CLOUD_COVER: Readonly<Record<Stage["parsed"]["weather"], number>> = {
	clear: 0.36,
	cloudy: 0.62,
	storm: 0.8,
	rain: 0.74,
	snow: 0.6,
	fog: 0.45,
};

const SUN_VISIBILITY: Readonly<Record<Stage["parsed"]["weather"], number>> = {
	clear: 1,
	cloudy: 1,
	storm: 0.25,
	rain: 0.25,
	snow: 1,
	fog: 0.6,
};

/**
 * Gradient, sun or moon, stars and clouds, down to the horizon, in this order; stars at night, at dusk and in space only.
 * Constants are chosen by eye: fractions of the stage, or pixels times `unit`.
 */
export function skyLayers(stage: Stage, horizon: number): readonly Layer[] {
	const stars = starLights(stage, horizon);
	return [
		stillLayer(stage, 0, (pen) => {
			const { palette, width, height, margin } = stage;
			const colors = ramp(palette.sky);
			const stops = Array.from({ length: 12 }, (_, index): [number, string] => [
				index / 11,
				css(colors((index / 11) ** 1.15)),
			]);
			pen.fillStyle = verticalGradient(pen, 0, horizon, stops);
			pen.fillRect(-margin, 0, width + 2 * margin, height);
			drawSun(stage, pen, horizon);
		}),
		...(stars ? [stars] : []),
		cloudLayer(stage, horizon),
	];
}

function drawSun(stage: Stage, pen: Parameters<typeof glow>[0], horizon: number): void {
	const { palette, sun, unit, parsed, width, margin } = stage;
	const visibility = SUN_VISIBILITY[parsed.weather];
	pen.save();
	pen.globalCompositeOperation = "screen";
	// Light gathers along the horizon below a low sun.
	const horizonGlow = pen.createRadialGradient(0, 0, 0, 0, 0, 1);
	horizonGlow.addColorStop(0, css(palette.glow, 0.75 * visibility));
	horizonGlow.addColorStop(1, css(palette.glow, 0));
	pen.save();
	pen.translate(sun.x, horizon);
	pen.scale(width * 0.75, horizon * 0.42);
	pen.fillStyle = horizonGlow;
	pen.fillRect(-2 - margin, -2, 4 + 2 * margin, 4);
	pen.restore();
	glow(pen, sun.x, sun.y, (palette.isNight ? 210 : 330) * unit, palette.glow, 0.85 * visibility);
	pen.restore();
	const radius = (palette.isNight ? 25 : 21) * unit;
	pen.fillStyle = css(palette.sun, visibility);
	fillCircle(pen, sun.x, sun.y, radius);
}

function starLights(stage: Stage, horizon: number): Layer | undefined {
	const { parsed, width, margin, unit } = stage;
	if (parsed.time !== "night" && parsed.time !== "dusk" && parsed.scene !== "space") return undefined;
	const random = stage.random.fork("stars");
	const strength = parsed.scene === "space" ? 1 : parsed.time === "night" ? 0.9 : 0.4;
	const stars = Array.from({ length: Math.round((horizon * width) / (1500 * unit * unit)) }, () => {
		const size = random.next() ** 9;
		return {
			x: random.between(-margin, width + margin),
			y: random.between(0, horizon) ** 1.02,
			radius: (0.45 + 1.5 * size) * unit,
			alpha: random.between(0.25, 0.95) * strength,
			color: css(oklch(0.95, 0.04, random.pick([60, 90, 240, 260, 280]))),
			bright: size > 0.55,
			rate: random.between(1, 4),
			phase: random.between(0, 6),
		};
	});
	return {
		depth: 0.03,
		paint(pen, seconds) {
			for (const { x, y, radius, alpha, color, bright, rate, phase } of stars) {
				pen.globalAlpha =
					alpha *
					(parsed.scene === "space" ? 1 : clamp(1.25 - y / horizon)) *
					(0.75 + 0.25 * Math.sin(rate * seconds + phase));
				pen.fillStyle = color;
				fillCircle(pen, x, y, radius);
				if (!bright) continue;
				const ray = radius * 6;
				pen.fillRect(x - ray, y - 0.3 * unit, 2 * ray, 0.6 * unit);
				pen.fillRect(x - 0.3 * unit, y - ray, 0.6 * unit, 2 * ray);
			}
			pen.globalAlpha = 1;
		},
	};
}

/** Clouds that are lit from the side of the sun, flat and small toward the horizon. */
function cloudLayer(stage: Stage, horizon: number): Layer {
	const { palette, parsed, noise, sun, width, margin } = stage;
	const random = stage.random.fork("clouds");
	const layerWidth = width + 2 * margin;
	const columns = rasterColumns(stage, 560);
	const rows = Math.max(8, Math.round((columns * horizon) / layerWidth));
	const cover = CLOUD_COVER[parsed.weather] + random.between(-0.06, 0.08);
	const [shiftX, shiftY] = [random.between(0, 99), random.between(0, 99)];
	const aspect = layerWidth / horizon;
	const densities = new Float32Array(columns * rows);
	for (let row = 0; row < rows; row++) {
		const v = row / rows;
		const distance = 1 / (0.22 + 0.9 * (1 - v));
		for (let column = 0; column < columns; column++) {
			const x = (column / columns - 0.5) * aspect * distance * 1.15 + shiftX;
			const y = distance * 2.4 + shiftY;
			const warp = noise.flat(x * 0.7, y * 0.7) * 0.16;
			const n = noise.fractal(x + warp, y * 1.35 + warp, 5) * 0.5 + 0.5;
			densities[row * columns + column] = smoothstep(1 - cover - 0.1, 1 - cover + 0.32, n * 0.86 + 0.07);
		}
	}
	const shades = ramp([palette.cloudShade, mix(palette.cloudShade, palette.cloudLit, 0.55), palette.cloudLit]);
	const sunColumn = ((sun.x + margin) / layerWidth) * columns;
	const sunRow = (sun.y / horizon) * rows;
	const reach = columns / 46;
	const canvas = raster(columns, rows, (u, v, setPixel) => {
		const [column, row] = [Math.round(u * columns), Math.round(v * rows)];
		const density = densities[row * columns + column] ?? 0;
		if (density < 0.004) return setPixel(palette.cloudLit, 0);
		const [dx, dy] = [sunColumn - column, sunRow - row - rows * 0.25];
		const length = Math.hypot(dx, dy) || 1;
		const toX = clamp(Math.round(column + (dx / length) * reach), 0, columns - 1);
		const toY = clamp(Math.round(row + (dy / length) * reach), 0, rows - 1);
		const densityTowardSun = densities[toY * columns + toX] ?? 0;
		const nearSun = Math.exp(-((Math.hypot(dx, sunRow - row) / columns) ** 2) * 14);
		const lit = clamp(
			(parsed.weather === "storm" ? 0.36 : 0.52) +
				(density - densityTowardSun) * 0.95 -
				density * 0.26 +
				nearSun * 0.45,
		);
		const color = mix(shades(lit), palette.haze, 0.55 * v ** 4);
		setPixel(color, density * lerp(0.94, 0.5, v ** 3) * (palette.isNight ? 0.8 : 1));
	});
	return {
		depth: 0.08,
		paint(pen, seconds) {
			pen.drawImage(
				canvas,
				-margin + ((seconds * layerWidth) / 260 - (stage.isVideo ? layerWidth / 60 : 0)),
				0,
				layerWidth * (stage.isVideo ? 1.04 : 1),
				horizon + 1,
			);
		},
	};
}
