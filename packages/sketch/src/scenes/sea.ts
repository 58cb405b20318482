import { clamp, lerp, smoothstep } from "../noise.ts";
import { css, mix, ramp, shiftColor } from "../palette.ts";
import { skyLayers } from "../sky.ts";
import {
	withHaze,
	raster,
	rasterColumns,
	stillLayer,
	type Layer,
	type Pen,
	type Stage,
	type Scene,
} from "../scene-canvas.ts";

/** Water with waves, a coast and a cliff. Constants are chosen by eye: fractions of the stage, or pixels times `unit`. */
export function createSea(stage: Stage): Scene {
	const { width, height, unit, parsed, random } = stage;
	const horizon = Math.round(height * random.between(0.5, 0.6));
	const roughness = roughnessOf(parsed);
	const side = stage.sun.x > width / 2 ? -1 : 1;
	const cliffX = width * (0.5 + side * random.between(0.2, 0.3));
	const wantsCliff = !parsed.subjects.includes("boat") || parsed.subjects.length > 1 || random.chance(0.4);
	const cliff = { x: cliffX, y: horizon - 8 * unit, width: 250 * unit };
	return {
		layers: [
			...skyLayers(stage, horizon),
			coast(stage, horizon),
			water(stage, horizon, roughness),
			...(wantsCliff ? [cliffLayer(stage, cliff, horizon)] : []),
		],
		foreground: swell(stage, horizon, roughness),
		placementOf(subject, nth) {
			if (subject === "boat")
				return {
					x: width * (0.5 - side * (nth === 0 ? 0.12 : 0.2)),
					y: horizon + height * 0.17,
					size: height * 0.36,
					depth: 0.5,
					floats: true,
				};
			if (subject === "rocket")
				return { x: width * (0.5 - side * 0.1), y: height * 0.5, size: height * 0.36, depth: 0.4 };
			const tall = subject === "lighthouse" ? 0.42 : subject === "castle" ? 0.32 : 0.2;
			return {
				x: cliff.x + (nth === 0 ? 0 : side * -60 * unit),
				y: cliff.y + 2 * unit,
				size: height * tall,
				depth: 0.35,
			};
		},
	};
}

/** Returns the height of the waves, 0 to 1. */
function roughnessOf({ weather, energy }: Stage["parsed"]): number {
	if (weather === "storm") return 1;
	return weather === "rain" ? 0.5 : clamp(0.18 + energy * 0.3);
}

/** Distant land, so that the horizon is not a straight line. */
function coast(stage: Stage, horizon: number): Layer {
	const { noise, unit, palette, random, width } = stage;
	const start = random.between(0, 100);
	return stillLayer(stage, 0.1, (pen) => {
		for (const [distance, high] of [
			[0.8, 34],
			[0.62, 20],
		] as const) {
			pen.beginPath();
			pen.moveTo(-stage.margin, horizon);
			for (let x = -stage.margin; x <= width + stage.margin; x += 2) {
				const t = x / width;
				const rise = smoothstep(-0.1, 0.7, noise.fractal(t * 1.3 + start * distance, distance * 9, 2)) * high;
				pen.lineTo(x, horizon - rise * (0.8 + 0.3 * noise.fractal(t * 9 + start, 3, 3)) * unit);
			}
			pen.lineTo(width + stage.margin, horizon);
			pen.fillStyle = css(withHaze(stage, palette.shadow, distance));
			pen.fill();
		}
	});
}

/** The surface: it mirrors the sky, darker toward the viewer, with the sun's path of glitter. */
export function water(stage: Stage, horizon: number, roughness: number): Layer {
	const { palette, noise, sun, width, height, margin, isVideo } = stage;
	const layerWidth = width + 2 * margin;
	const columns = rasterColumns(stage, isVideo ? 300 : 860);
	const rows = Math.max(8, Math.round(((columns * (height - horizon)) / layerWidth) * (isVideo ? 1 : 1.3)));
	const colors = ramp([
		shiftColor(palette.water, -0.15),
		palette.water,
		mix(palette.water, palette.sky[2] ?? palette.water, 0.55),
		mix(palette.haze, palette.sky[3] ?? palette.haze, 0.6),
	]);
	const sunU = (sun.x + margin) / layerWidth;
	const brightness = stage.parsed.weather === "storm" || stage.parsed.weather === "rain" ? 0.35 : 1;
	const draw = (seconds: number) =>
		raster(columns, rows, (u, v, setPixel) => {
			const z = 1 / (0.035 + v);
			const x = (u - 0.5) * z * 2.6;
			const waves = isVideo
				? noise.moving(x, z * 2.2, seconds * 0.5) * 0.6 +
					noise.moving(x * 2.6, z * 5.2 + seconds * 0.5, seconds * 0.7) * 0.4
				: noise.flat(x, z * 2.2) * 0.5 + noise.flat(x * 2.3, z * 5.1) * 0.3 + noise.flat(x * 5.3, z * 11) * 0.25;
			const steady = smoothstep(0, 0.06, v);
			const tone = lerp(0.96, 0.22, v ** 0.55) + waves * lerp(0.06, 0.2 + 0.14 * roughness, v) * steady;
			const spread = lerp(0.02, 0.14, v);
			const path = Math.exp(-(((u - sunU) / spread) ** 2)) * brightness;
			const glitter = path * clamp(smoothstep(0.02, 0.55, waves) * 1.5 + (1 - steady) * 0.7);
			setPixel(mix(colors(tone), palette.sun, glitter * (palette.isNight ? 0.75 : 0.9)), 1);
		});
	const still = isVideo ? undefined : draw(0);
	return {
		depth: 0.22,
		paint(pen, seconds) {
			pen.drawImage(still ?? draw(seconds), -margin, horizon, layerWidth, height - horizon);
		},
	};
}

/** Rollers near the viewer, each with its foam. */
function swell(stage: Stage, horizon: number, roughness: number): readonly Layer[] {
	const { palette, noise, width, height, margin, unit, random } = stage;
	const count = 4;
	const foam = mix(palette.sun, palette.haze, 0.3 + 0.4 * (1 - palette.light));
	return Array.from({ length: count }, (_, nth): Layer => {
		const near = (nth + 1) / count;
		const base = lerp(horizon + height * 0.12, height * 0.965, near ** 1.25);
		const high = unit * lerp(4, 20 + 34 * roughness, near);
		const shift = random.between(0, 50);
		const specks = Array.from({ length: Math.round(lerp(60, 190, near) * (0.25 + 2.2 * roughness)) }, () => ({
			x: random.between(-margin, width + margin),
			down: random.next() ** 2 * high * 1.1,
			long: random.between(2, 26) * near * unit,
			alpha: random.between(0.1, 0.55),
		}));
		return {
			depth: 0.3 + 0.6 * near,
			paint(pen, seconds) {
				const crest = (x: number): number => {
					const t = x / (height * lerp(0.16, 0.5, near)) + shift;
					const roll =
						noise.moving(t * 0.62 - seconds * 0.22, nth * 7, seconds * 0.16) +
						0.35 * noise.moving(t * 1.7 - seconds * 0.3, nth * 3, seconds * 0.2);
					return (
						base -
						high * (0.3 + 0.8 * Math.max(0, 1 - Math.abs(roll)) ** 1.6) -
						noise.flat(t * 5 - seconds * 0.3, nth) * high * 0.1 -
						noise.flat(t * 13 - seconds * 0.5, nth) * high * 0.04
					);
				};
				traceCrest(pen, crest);
				pen.lineTo(width + margin, height);
				pen.lineTo(-margin, height);
				const body = pen.createLinearGradient(0, base - high * 1.2, 0, base + high * 2.6 + 20 * unit);
				body.addColorStop(0, css(mix(shiftColor(palette.water, 0.13, 1.25), foam, 0.12 + 0.25 * roughness), 0.95));
				body.addColorStop(0.07, css(shiftColor(palette.water, 0.1, 1.25), 0.92));
				body.addColorStop(0.32, css(palette.water, 0.85));
				body.addColorStop(1, css(shiftColor(palette.water, -0.14), nth === count - 1 ? 0.75 : 0));
				pen.fillStyle = body;
				pen.fill();
				traceCrest(pen, crest);
				pen.strokeStyle = css(foam, 0.1 + 0.16 * roughness);
				pen.lineWidth = lerp(0.6, 1.8, near) * unit * (0.6 + roughness);
				pen.stroke();
				pen.strokeStyle = css(foam);
				pen.lineWidth = lerp(0.5, 1.4, near) * unit;
				for (const { x, down, long, alpha } of specks) {
					const y = crest(x) + down + 2 * unit;
					pen.globalAlpha = alpha * (0.4 + 0.6 * roughness);
					pen.beginPath();
					pen.moveTo(x, y);
					pen.quadraticCurveTo(x + long / 2, y + long * 0.12, x + long, crest(x + long) + down + 2 * unit);
					pen.stroke();
				}
				pen.globalAlpha = 1;
			},
		};
	});

	function traceCrest(pen: Pen, crest: (x: number) => number): void {
		pen.beginPath();
		for (let x = -margin; x <= width + margin + 6; x += 5) pen.lineTo(x, crest(x));
	}
}

/** A rock on which subjects stand. */
function cliffLayer(stage: Stage, cliff: { x: number; y: number; width: number }, horizon: number): Layer {
	const { palette, noise, unit, height, sun, random } = stage;
	const seed = random.between(0, 99);
	const bottom = horizon + height * 0.16;
	const outline = (x: number): number => {
		const t = (x - cliff.x) / (cliff.width / 2);
		const plateau = 1 - smoothstep(0.3, 1, Math.abs(t) + 0.1 * noise.flat(t * 3 + seed, 0));
		return lerp(bottom, cliff.y, plateau ** 0.7) - noise.fractal(t * 4 + seed, 1, 3) * 7 * unit * (1 - plateau * 0.85);
	};
	return stillLayer(stage, 0.35, (pen) => {
		const [left, right] = [cliff.x - cliff.width * 0.6, cliff.x + cliff.width * 0.6];
		pen.beginPath();
		for (let x = left; x <= right; x += 2) pen.lineTo(x, Math.min(bottom + 3 * unit, outline(x)));
		pen.closePath();
		pen.save();
		pen.clip();
		const columns = 220;
		const texture = raster(columns, 120, (u, v, setPixel) => {
			const facet = noise.ridged(u * 5 + seed, v * 3.2 + u * 1.5, 4);
			const toSun = sun.x > cliff.x ? u - 0.5 : 0.5 - u;
			const tone = clamp(0.35 + (facet - 0.5) * 0.9 + toSun * 0.8 - v * 0.35);
			const color = mix(mix(palette.shadow, palette.rock, 0.35), mix(palette.rock, palette.cloudLit, 0.3), tone);
			setPixel(mix(color, palette.ground, smoothstep(0.16, 0.02, v + facet * 0.06) * 0.75), 1);
		});
		pen.drawImage(texture, left, cliff.y - 12 * unit, right - left, bottom - cliff.y + 20 * unit);
		pen.restore();
	});
}
