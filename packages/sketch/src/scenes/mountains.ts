import { clamp, lerp, smoothstep } from "../noise.ts";
import { css, mix, shiftColor, type Color } from "../palette.ts";
import { skyLayers } from "../sky.ts";
import {
	traceAreaBelow,
	withHaze,
	mist,
	raster,
	rasterColumns,
	reflection,
	stillLayer,
	type Layer,
	type Pen,
	type Stage,
	type Scene,
} from "../scene-canvas.ts";
import { water } from "./sea.ts";

/** Two ranges, rows of firs, and a lake or mist. Constants are chosen by eye: fractions of the stage, or pixels times `unit`. */
export function createMountains(stage: Stage): Scene {
	const { width, height, margin, unit, random, parsed, palette, noise } = stage;
	const horizon = height * random.between(0.6, 0.66);
	const hasLake = parsed.hasLake || parsed.subjects.includes("boat");
	const shore = hasLake ? horizon + height * 0.06 : height;
	const layers: Layer[] = [...skyLayers(stage, horizon)];
	const peak = random.between(0.28, 0.72);
	layers.push(
		range(stage, { base: horizon, high: height * 0.43, distance: 0.5, depth: 0.1, roughness: 1.35, peak, snow: 0.62 }),
	);
	layers.push(
		range(stage, {
			base: horizon + 10 * unit,
			high: height * 0.27,
			distance: 0.32,
			depth: 0.16,
			roughness: 1.9,
			peak: 1 - peak,
			snow: 0.3,
		}),
	);
	layers.push(stillLayer(stage, 0.2, (pen) => mist(stage, pen, horizon - height * 0.13, horizon + height * 0.07, 0.6)));
	const rows = [
		[0.5, -0.03, 24, 0.24],
		[0.36, 0.02, 36, 0.3],
		[0.24, 0.1, 56, 0.38],
		[0.12, 0.19, 84, 0.48],
	] as const;
	for (const [distance, down, tall, depth] of hasLake ? rows.slice(0, 2) : rows) {
		layers.push(
			woods(stage, { base: horizon + height * down, distance, tall, depth, bottom: hasLake ? shore : height }),
		);
		if (!hasLake)
			layers.push(
				stillLayer(stage, depth, (pen) =>
					mist(stage, pen, horizon + height * (down - 0.02), horizon + height * (down + 0.15), 0.3),
				),
			);
	}
	if (hasLake) {
		layers.push(water(stage, Math.round(shore), 0));
		layers.push(reflection(stage, Math.round(shore), 0.62));
	}
	const knoll = (x: number): number => {
		const t = x / width;
		const side = peak < 0.5 ? t : 1 - t;
		return height * lerp(1.03, 0.8, smoothstep(0.25, 0.95, side)) + noise.fractal(t * 3 + 7, 2, 3) * 14 * unit;
	};
	layers.push(stillLayer(stage, 0.6, (pen) => drawGrass(pen, knoll, 0.05)));
	return {
		layers,
		foreground: [
			foreground(stage, peak < 0.5 ? -1 : 1),
			...(hasLake ? [] : [stillLayer(stage, 0.3, (pen) => mist(stage, pen, height * 0.78, height * 1.06, 0.4))]),
		],
		placementOf(subject, nth) {
			const x = width * (peak < 0.5 ? lerp(0.72, 0.84, nth) : lerp(0.28, 0.16, nth));
			if (subject === "boat" && hasLake)
				return { x: width * 0.5, y: shore + height * 0.1, size: height * 0.22, depth: 0.4, floats: true };
			if (subject === "rocket") return { x: width * 0.5, y: height * 0.52, size: height * 0.4, depth: 0.3, tilt: 0.25 };
			if (subject === "castle") return { x, y: knoll(x) + 6 * unit, size: height * 0.42, depth: 0.6 };
			return {
				x,
				y: knoll(x) + 8 * unit,
				size: height * (subject === "cat" || subject === "dog" ? 0.27 : 0.36),
				depth: 0.6,
			};
		},
	};

	function drawGrass(pen: Pen, line: (x: number) => number, distance: number): void {
		traceAreaBelow(stage, pen, line);
		const gradient = pen.createLinearGradient(0, height * 0.78, 0, height);
		gradient.addColorStop(0, css(withHaze(stage, mix(palette.ground, palette.foliageLit, 0.3), distance)));
		gradient.addColorStop(1, css(mix(palette.ground, palette.shadow, 0.75)));
		pen.fillStyle = gradient;
		pen.fill();
		for (let blade = 0; blade < 2600; blade++) {
			const x = random.between(-margin, width + margin);
			const down = random.next() ** 1.5;
			const y = line(x) + down * height * 0.2;
			if (y > height + 8) continue;
			const long = lerp(4, 15, down) * unit;
			pen.strokeStyle = css(
				mix(mix(palette.foliage, palette.foliageLit, random.next()), palette.shadow, down * 0.5),
				0.75,
			);
			pen.lineWidth = lerp(0.7, 1.8, down) * unit;
			pen.beginPath();
			pen.moveTo(x, y);
			pen.quadraticCurveTo(x, y - long * 0.6, x + random.between(-0.4, 0.4) * long, y - long);
			pen.stroke();
		}
	}
}

interface Range {
	readonly base: number;
	readonly high: number;
	readonly distance: number;
	readonly depth: number;
	readonly roughness: number;
	/** Horizontal position of the highest summit, 0 to 1. */
	readonly peak: number;
	/** The lower end of the snow, from 0 (summit) to 1 (foot). */
	readonly snow: number;
}

/** Rock that is lit from one side and has snow on its shoulders. */
function range(stage: Stage, { base, high, distance, depth, roughness, peak, snow }: Range): Layer {
	const { noise, palette, random, width, margin, sun, parsed, unit } = stage;
	const seed = random.between(0, 99);
	const crest = (x: number): number => {
		const t = x / width;
		const shape = Math.exp(-(((t - peak) / 0.3) ** 2)) * 0.55 + 0.45;
		return base - high * shape * (0.25 + 0.85 * noise.ridged(t * roughness + seed, depth, 5));
	};
	const layerWidth = width + 2 * margin;
	const columns = rasterColumns(stage, 760);
	const rows = Math.round((columns * high * 1.35) / layerWidth);
	const top = base - high * 1.2;
	const lit = mix(palette.rock, palette.cloudLit, 0.5);
	const shade = mix(palette.rock, palette.cloudShade, 0.55);
	const white = mix(palette.cloudLit, [255, 255, 255], 0.35 * palette.light);
	const whiteShade = mix(mix(palette.cloudShade, palette.sky[1] ?? palette.cloudShade, 0.4), white, 0.25);
	const snowDepth =
		parsed.weather === "snow" || parsed.season === "winter" ? 1 : snow * (parsed.season === "summer" ? 0.7 : 1);
	const sunSide = sun.x / width > peak ? 1 : -1;
	return stillLayer(stage, depth, (pen) => {
		const lines = Float32Array.from({ length: columns + 8 }, (_, column) =>
			crest((column / columns) * layerWidth - margin),
		);
		const texture = raster(columns, rows, (u, v, setPixel) => {
			const y = top + v * high * 1.35;
			const edge = lines[Math.round(u * columns)] ?? base;
			const down = (y - edge) / high;
			if (down < -0.01) return setPixel(lit, 0);
			// Folds run down from the crest: the same noise is stretched along the slope.
			const t = u * roughness * 2.4 + seed;
			const slope =
				noise.ridged(t + down * 0.7 * sunSide, down * 1.1 + seed, 4) -
				noise.ridged(t + 0.035 * sunSide + down * 0.7 * sunSide, down * 1.1 + seed, 4);
			const fall = ((lines[Math.round(u * columns) + 4] ?? edge) - edge) / (8 * unit);
			const tone = clamp(0.48 + slope * 2.3 - fall * 0.11 * -sunSide);
			const snowLine = smoothstep(
				snowDepth * 0.62,
				snowDepth * 0.2,
				down + noise.fractal(u * 26, v * 12 + seed, 3) * 0.16 + (0.45 - tone) * 0.2,
			);
			const stone = mix(shade, lit, tone);
			const color: Color = mix(stone, mix(whiteShade, white, smoothstep(0.3, 0.62, tone)), snowLine);
			const haze = clamp(distance + down * 0.55 * (1 - distance));
			setPixel(withHaze(stage, color, haze * 0.92), smoothstep(-0.01, 0.004, down));
		});
		pen.imageSmoothingQuality = "high";
		pen.drawImage(texture, -margin, top, layerWidth, high * 1.35);
	});
}

/** A line of firs on rolling ground. */
function woods(
	stage: Stage,
	{
		base,
		distance,
		tall,
		depth,
		bottom,
	}: { base: number; distance: number; tall: number; depth: number; bottom: number },
): Layer {
	const { noise, palette, unit, width, margin, random } = stage;
	const seed = random.between(0, 99);
	const ground = (x: number): number => base + noise.fractal((x / width) * 2.2 + seed, 3, 3) * 22 * unit;
	const color = withHaze(stage, mix(palette.foliage, palette.shadow, 0.5), distance);
	return stillLayer(stage, depth, (pen) => {
		for (let x = -margin - 10; x < width + margin + 10; x += random.between(0.1, 0.3) * tall * unit) {
			const size = tall * unit * random.between(0.5, 1.2) * (0.85 + 0.4 * noise.flat(x / (60 * unit), seed));
			fir(stage, pen, x, ground(x) + 6 * unit, size, mix(color, palette.haze, random.between(0, 0.1)));
		}
		pen.save();
		pen.beginPath();
		pen.rect(-margin, 0, width + 2 * margin, bottom);
		pen.clip();
		traceAreaBelow(stage, pen, ground);
		const gradient = pen.createLinearGradient(0, base, 0, Math.min(bottom, base + tall * 3 * unit));
		gradient.addColorStop(0, css(color));
		gradient.addColorStop(1, css(mix(color, palette.haze, 0.3)));
		pen.fillStyle = gradient;
		pen.fill();
		pen.restore();
	});
}

function fir(stage: Stage, pen: Pen, x: number, y: number, size: number, color: Color): void {
	const { random, palette, sun, parsed } = stage;
	const tiers = Math.max(4, Math.min(9, Math.round(size / (9 * stage.unit))));
	const side = sun.x > x ? 1 : -1;
	const snowy = parsed.weather === "snow";
	pen.beginPath();
	pen.moveTo(x, y - size);
	const half = (tier: number): number => size * 0.2 * (tier / tiers) ** 0.85 * random.between(0.85, 1.2);
	const points = Array.from({ length: tiers }, (_, index) => ({
		out: half(index + 1),
		y: y - size + (size * 0.93 * (index + 1)) / tiers,
	}));
	for (const { out, y: tier } of points) {
		pen.lineTo(x + out, tier + size * 0.02);
		pen.lineTo(x + out * 0.45, tier - size * 0.012);
	}
	for (const { out, y: tier } of points.toReversed()) {
		pen.lineTo(x - out * 0.45, tier - size * 0.012);
		pen.lineTo(x - out, tier + size * 0.02);
	}
	pen.closePath();
	pen.fillStyle = css(color);
	pen.fill();
	if (size < 30 * stage.unit) return;
	pen.fillStyle = css(snowy ? palette.cloudLit : mix(color, palette.foliageLit, 0.4), snowy ? 0.75 : 0.6);
	for (const { out, y: tier } of points) {
		pen.beginPath();
		pen.moveTo(x + side * out * 0.1, tier - size * 0.1);
		pen.lineTo(x + side * out * 0.92, tier + size * 0.01);
		pen.lineTo(x + side * out * 0.35, tier - size * 0.03);
		pen.fill();
	}
}

/** Tall dark firs at one edge, which frame the view: at the right edge for a negative `side`. */
function foreground(stage: Stage, side: number): Layer {
	const { width, height, palette, random, unit } = stage;
	return stillLayer(stage, 1, (pen) => {
		for (let nth = 0; nth < 9; nth++) {
			const near = nth / 8;
			const fromEdge = random.between(-0.04, 0.24 - 0.16 * near);
			const x = width * (side < 0 ? 1 - fromEdge : fromEdge);
			fir(
				stage,
				pen,
				x,
				height + 20 * unit,
				height * lerp(0.22, 0.62, near) * random.between(0.8, 1.1),
				shiftColor(mix(palette.foliage, palette.shadow, lerp(0.6, 0.85, near)), -0.02),
			);
		}
	});
}
