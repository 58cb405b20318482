import type { Random } from "../random.ts";
import { randomOf, type Vision } from "../vision.ts";
import { paintStrokes, swatchOf, washSwatch } from "./brush.ts";
import { clamp01, css, lerp, lighten, mix, ramp, smoothstep, type Colour } from "./colour.ts";
import { createNoise } from "./noise.ts";
import { glow, overscanOf, sheet, still, cameraShift, type Layer, type Pen, type Stage } from "./stage.ts";

/** Clouds of light across the dark, laid on in strokes that follow the gas. */
export function nebulaLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "nebula");
	const noise = createNoise(random.fork("noise"));
	const { palette } = vision;
	const { unit } = stage;
	const tilt = random.between(-0.6, 0.6);
	return still(stage, 0.02, (pen) => {
		const margin = overscanOf(stage);
		const left = -margin;
		const width = stage.width + 2 * margin;
		const columns = 240;
		const rows = Math.round((columns * stage.height) / width);
		const swatch = swatchOf(columns, rows, (u, v) => {
			const x = ((u - 0.5) * width) / unit / 42;
			const y = ((v - 0.5) * stage.height) / unit / 42;
			const warp = noise.fbm(x + 4, y + 9, 3) * 1.1;
			const band = Math.exp(-(((y - x * tilt + warp * 0.5) / 0.75) ** 2));
			const gas = clamp01(noise.fbm(x * 1.2 + warp, y * 1.2 - warp, 5) * 0.9 + 0.34) * (0.25 + band);
			const hue = clamp01(0.5 + noise.fbm(x * 0.8 + 20, y * 0.8, 2) * 1.3);
			const glowing = mix(mix(palette.accents[2], palette.accents[1], hue), palette.cloudLit, 0.35);
			const deep = ramp([palette.sky[0], palette.sky[1], palette.sky[2], palette.sky[3]], gas * 1.5);
			return { colour: mix(deep, glowing, smoothstep(0.22, 0.85, gas) * 0.8), alpha: 1 };
		});
		washSwatch(pen, swatch, left, 0, width, stage.height);
		paintStrokes(pen, random, {
			swatch,
			left,
			top: 0,
			width,
			height: stage.height,
			count: 4200,
			lengthPx: unit * 5,
			widthPx: unit * 1.1,
			alpha: 0.36,
			shake: 6,
			angle: (x, y) => noise.fbm(x / unit / 42, y / unit / 42, 3) * 5,
		});
	});
}

interface Planet {
	readonly x: number;
	readonly y: number;
	readonly radius: number;
	readonly depth: number;
	readonly colours: readonly [Colour, Colour, Colour];
	readonly rings: boolean;
	readonly banded: boolean;
}

/** Worlds lit from one side: a great one at the focus, small ones around. */
export function planetsLayer(vision: Vision, stage: Stage, count: number): Layer {
	const random = randomOf(vision, "planets");
	const { width, height, unit } = stage;
	const { accents } = vision.palette;
	const side = vision.focusX < 0.5 ? 1 : -1;
	const places = [
		{ x: vision.focusX < 0.5 ? 0.76 : 0.24, y: 0.34, radius: random.between(15, 19) },
		{ x: vision.focusX < 0.5 ? 0.1 : 0.9, y: 0.2, radius: random.between(5, 7.5) },
		{ x: vision.focusX < 0.5 ? 0.9 : 0.12, y: 0.8, radius: random.between(3, 4.5) },
		{ x: 0.5 + side * 0.06, y: 0.14, radius: random.between(1.8, 2.6) },
	];
	const planets: readonly Planet[] = places.slice(0, count).map((place, index) => ({
		x: (place.x + random.between(-0.03, 0.03)) * width,
		y: (place.y + random.between(-0.03, 0.03)) * height,
		radius: place.radius * unit,
		depth: lerp(0.16, 0.4, place.radius / 19),
		colours: [accents[index % 3] ?? accents[0], accents[(index + 1) % 3] ?? accents[1], vision.palette.cloudLit],
		rings: index === 0 ? random.chance(0.75) : random.chance(0.2),
		banded: random.chance(0.6),
	}));
	const kept = planets.map((planet) => paintPlanet(random.fork(`planet ${planet.x}`), vision, stage, planet, side));
	return (pen, seconds) => {
		planets.forEach((planet, index) => {
			const canvas = kept[index];
			if (canvas === undefined) return;
			pen.drawImage(
				canvas,
				planet.x - canvas.width / 2 + cameraShift(stage, planet.depth, seconds),
				planet.y - canvas.height / 2,
			);
		});
	};
}

function paintPlanet(
	random: Random,
	vision: Vision,
	stage: Stage,
	planet: Planet,
	side: number,
): ReturnType<typeof sheet>["canvas"] {
	const { radius } = planet;
	const { palette } = vision;
	const { canvas, pen } = sheet(radius * 5.4, radius * 5.4);
	const noise = createNoise(random.fork("surface"));
	pen.translate(canvas.width / 2, canvas.height / 2);
	glow(pen, 0, 0, radius * 1.7, [
		[0.5, css(planet.colours[0], 0.34)],
		[1, css(planet.colours[0], 0)],
	]);
	const tilt = random.between(-0.45, -0.2) * side;
	if (planet.rings) rings(pen, random.fork("rings"), planet, tilt, palette.foam, true);
	pen.save();
	pen.beginPath();
	pen.arc(0, 0, radius, 0, Math.PI * 2);
	pen.clip();
	const columns = Math.min(220, Math.max(60, Math.round(radius)));
	const swatch = swatchOf(columns, columns, (u, v) => {
		const x = u * 2 - 1;
		const y = v * 2 - 1;
		const inside = Math.min(1, x * x + y * y);
		const z = Math.sqrt(1 - inside);
		// Latitude on the tilted ball, so that bands curve.
		const across = x * Math.cos(tilt) + y * Math.sin(tilt);
		const latitude = (-x * Math.sin(tilt) + y * Math.cos(tilt)) * 1.02 + z * 0.18;
		const warp = noise.fbm(across * 1.4 + z, latitude * 3, 3);
		const pattern = planet.banded
			? 0.5 + 0.5 * Math.sin(latitude * 15 + warp * 3.2)
			: clamp01(0.5 + noise.fbm(across * 2.2 + z * 1.2, latitude * 2.2, 5) * 1.5);
		const surface = ramp(
			[
				mix(planet.colours[0], palette.ink, 0.3),
				planet.colours[0],
				mix(planet.colours[0], planet.colours[1], 0.55),
				planet.colours[2],
			],
			pattern,
		);
		const light = clamp01(x * 0.62 * side - y * 0.5 + z * 0.55);
		const shaded = mix(mix(surface, palette.sky[0], 0.86), surface, smoothstep(0.02, 0.55, light));
		return {
			colour: mix(shaded, palette.light, smoothstep(0.72, 1, light) * 0.3 + (1 - z) ** 3 * 0.3 * light),
			alpha: 1,
		};
	});
	washSwatch(pen, swatch, -radius, -radius, radius * 2, radius * 2);
	paintStrokes(pen, random.fork("strokes"), {
		swatch,
		left: -radius,
		top: -radius,
		width: radius * 2,
		height: radius * 2,
		count: 900,
		lengthPx: radius * 0.32,
		widthPx: radius * 0.05,
		alpha: 0.45,
		shake: 6,
		angle: (x, y) => tilt + (x / radius) * 0.25 * (y < 0 ? -1 : 1) * 0.6,
	});
	pen.restore();
	if (planet.rings) rings(pen, random.fork("rings"), planet, tilt, palette.foam, false);
	return canvas;
}

function rings(pen: Pen, random: Random, planet: Planet, tilt: number, white: Colour, back: boolean): void {
	pen.save();
	pen.rotate(tilt);
	pen.scale(1, 0.24);
	for (let ring = 0; ring < 15; ring++) {
		const t = ring / 14;
		const alpha = random.between(0.2, 0.85) * (t > 0.52 && t < 0.6 ? 0.05 : 1);
		pen.strokeStyle = css(mix(mix(planet.colours[1], white, 0.5), planet.colours[0], t * 0.5), alpha);
		pen.lineWidth = planet.radius * 0.052;
		pen.beginPath();
		pen.arc(0, 0, planet.radius * lerp(1.35, 2.15, t), back ? Math.PI : 0, back ? Math.PI * 2 : Math.PI);
		pen.stroke();
	}
	pen.restore();
}

/** The ground of a world seen from above: a curved edge with air. */
export function worldEdgeLayer(vision: Vision, stage: Stage): Layer {
	const { width, height, unit } = stage;
	const { palette } = vision;
	return still(stage, 0.3, (pen) => {
		const radius = width * 1.5;
		const x = width * 0.5;
		const y = height * 0.9 + radius;
		glow(pen, x, y, radius * 1.06, [
			[0.93, css(palette.accents[1], 0)],
			[0.945, css(palette.accents[1], 0.55)],
			[1, css(palette.accents[1], 0)],
		]);
		const ground = pen.createLinearGradient(0, height * 0.9, 0, height);
		ground.addColorStop(0, css(mix(palette.accents[1], palette.sky[1], 0.55)));
		ground.addColorStop(0.16, css(mix(palette.waterFar, palette.sky[0], 0.45)));
		ground.addColorStop(1, css(lighten(palette.sky[0], 0.02)));
		pen.fillStyle = ground;
		pen.beginPath();
		pen.arc(x, y, radius, 0, Math.PI * 2);
		pen.fill();
		pen.strokeStyle = css(palette.foam, 0.6);
		pen.lineWidth = unit * 0.16;
		pen.beginPath();
		pen.arc(x, y, radius, Math.PI * 1.25, Math.PI * 1.75);
		pen.stroke();
	});
}
