import type { Random } from "../random.ts";
import { randomOf, type Vision } from "../vision.ts";
import { paintStrokes, swatchOf, washSwatch } from "./brush.ts";
import { clamp01, css, lerp, lighten, mix, ramp, smoothstep, type Colour } from "./colour.ts";
import { createNoise, type Noise } from "./noise.ts";
import type { Luminary } from "./sky.ts";
import { overscanOf, still, type Layer, type Pen, type Stage } from "./stage.ts";

/** A body of land below an outline, painted stroke by stroke. */
export interface Mass {
	readonly bottom: number;
	/** The upper edge at a place across. */
	topAt: (x: number) => number;
	colourAt: (x: number, y: number, below: number) => Colour;
	angle: (x: number, y: number) => number;
	readonly strokeLengthUnits: number;
	readonly strokeWidthUnits: number;
	readonly strokesPerSquareUnit: number;
}

const SWATCH_COLUMNS = 260;

export function paintMass(pen: Pen, stage: Stage, random: Random, mass: Mass): void {
	const margin = overscanOf(stage) + 2;
	const left = -margin;
	const width = stage.width + 2 * margin;
	const step = Math.max(1, stage.unit * 0.25);
	let top = mass.bottom;
	pen.save();
	pen.beginPath();
	pen.moveTo(left, mass.bottom);
	for (let x = left; x <= left + width + step; x += step) {
		const y = mass.topAt(x);
		top = Math.min(top, y);
		pen.lineTo(x, y);
	}
	pen.lineTo(left + width, mass.bottom);
	pen.closePath();
	pen.clip();
	const height = mass.bottom - top;
	const rows = Math.max(8, Math.round((SWATCH_COLUMNS * height) / width));
	const swatch = swatchOf(SWATCH_COLUMNS, rows, (u, v) => {
		const x = left + u * width;
		const y = top + v * height;
		return { colour: mass.colourAt(x, y, y - mass.topAt(x)), alpha: 1 };
	});
	washSwatch(pen, swatch, left, top, width, height);
	paintStrokes(pen, random, {
		swatch,
		left,
		top,
		width,
		height,
		count: Math.round(((width * height) / stage.unit / stage.unit) * mass.strokesPerSquareUnit),
		lengthPx: mass.strokeLengthUnits * stage.unit,
		widthPx: mass.strokeWidthUnits * stage.unit,
		alpha: 0.8,
		shake: 5,
		angle: mass.angle,
	});
	pen.restore();
}

export interface Range {
	readonly name: string;
	readonly baseY: number;
	readonly heightUnits: number;
	/** 0 at the horizon, 1 at the viewer's feet. */
	readonly depth: number;
	/** How jagged: 1 alpine, 0 rolling. */
	readonly rugged: number;
	/** From where up there is snow, as a share of the height; above 1 there is none. */
	readonly snowLine: number;
	/** Where the chief summit stands, 0..1 across. */
	readonly summit: number;
}

/** A mountain range with lit and shaded faces, snow above, haze below. */
export function rangeLayer(vision: Vision, stage: Stage, luminary: Luminary, range: Range): Layer {
	const random = randomOf(vision, `range ${range.name}`);
	const noise = createNoise(random.fork("noise"));
	const topAt = rangeTop(noise, stage, range);
	const { palette } = vision;
	const { unit } = stage;
	const height = range.heightUnits * unit;
	const side = Math.sign(luminary.x - stage.width * range.summit) || 1;
	const haze = mix(palette.sky[3], palette.landFar, 0.3);
	const night = vision.time === "night" || vision.time === "dusk";
	const snowLit = night ? mix(palette.foam, palette.sky[2], 0.42) : mix(palette.foam, palette.light, 0.35);
	const snowShade = mix(palette.sky[1], palette.foam, night ? 0.18 : 0.42);
	const face = (x: number, y: number): number =>
		noise.ridged((x + (y - range.baseY) * 0.55) / unit / 15, y / unit / 24 + 5, 5);
	return still(
		stage,
		range.depth,
		(pen) =>
			paintMass(pen, stage, random, {
				bottom: range.baseY + unit * 2,
				topAt,
				colourAt(x, y, below) {
					const slope = topAt(x + unit * 1.6) - topAt(x - unit * 1.6);
					const relief = (face(x, y) - face(x + side * unit * 1.3, y - unit * 0.8)) * 3.2 * range.rugged;
					const lit = clamp01(0.46 + relief + (slope / unit / 10) * side * Math.exp(-below / unit / 9));
					const tone = mix(
						mix(palette.landNear, palette.landFar, 0.25),
						mix(palette.landFar, palette.light, 0.22),
						Math.round(lit * 5) / 5,
					);
					const altitude = (range.baseY - y) / height;
					const ragged = noise.fbm(x / unit / 4, y / unit / 5, 3) * 0.22 + (lit - 0.5) * 0.16;
					const snowy = smoothstep(range.snowLine - 0.05, range.snowLine + 0.07, altitude + ragged);
					const rock = mix(tone, mix(snowShade, snowLit, smoothstep(0.3, 0.62, lit)), snowy);
					const distance = lerp(0.62, 0.05, range.depth ** 0.6);
					const mist = smoothstep(0.62, 0, altitude) * 0.5 * (1 - range.depth * 0.7);
					return mix(rock, haze, clamp01(distance * (1 - snowy * 0.35) + mist));
				},
				angle: (x, y) =>
					(noise.at(x / unit / 9, y / unit / 9) > 0 ? 1 : -1) * 0.95 + noise.at(x / unit / 6 + 40, y / unit / 6) * 0.5,
				strokeLengthUnits: lerp(1.8, 2.8, range.depth),
				strokeWidthUnits: lerp(0.34, 0.6, range.depth),
				strokesPerSquareUnit: 1.1,
			}),
		{ top: range.baseY - height * 1.35, bottom: range.baseY + unit * 3 },
	);
}

function rangeTop(noise: Noise, stage: Stage, range: Range): (x: number) => number {
	const { unit } = stage;
	const height = range.heightUnits * unit;
	return (x) => {
		const at = x / unit;
		const from = (at - (range.summit * stage.width) / unit) / lerp(60, 38, range.rugged);
		const chief = Math.exp(-from * from) * 0.48;
		const peaks = lerp(noise.fbm(at / 34, 1.5, 3) * 0.5 + 0.36, noise.ridged(at / 40, 4.2, 5) * 0.62, range.rugged);
		const teeth = noise.fbm(at / 5, 7.7, 3) * 0.09 * range.rugged;
		return range.baseY - height * Math.max(0.06, chief * 0.9 + peaks * 0.72 + teeth);
	};
}

/** A rolling hill of grass, sand or snow: one colour with its lights and shadows. */
export function hillLayer(
	vision: Vision,
	stage: Stage,
	hill: {
		readonly name: string;
		readonly baseY: number;
		readonly heightUnits: number;
		readonly depth: number;
		readonly bottom: number;
		readonly colour: Colour;
		readonly lengthUnits?: number;
	},
): { readonly layer: Layer; topAt: (x: number) => number } {
	const random = randomOf(vision, `hill ${hill.name}`);
	const noise = createNoise(random.fork("noise"));
	const { unit } = stage;
	const { palette } = vision;
	const length = hill.lengthUnits ?? 52;
	const topAt = (x: number): number =>
		hill.baseY - unit * hill.heightUnits * (0.5 + noise.fbm(x / unit / length, 2.2, 2) * 1.1);
	const haze = mix(palette.sky[3], palette.landFar, 0.3);
	const night = vision.time === "night" || vision.time === "dusk";
	const lit = mix(lighten(hill.colour, night ? 0.05 : 0.1), palette.light, night ? 0.07 : 0.16);
	const shade = mix(lighten(hill.colour, -0.1), palette.landNear, 0.3);
	const layer = still(
		stage,
		hill.depth,
		(pen) =>
			paintMass(pen, stage, random, {
				bottom: hill.bottom,
				topAt,
				colourAt(x, y, below) {
					const roll = noise.fbm(x / unit / 26, y / unit / 9, 3) * 0.9 + (topAt(x + unit) - topAt(x - unit)) / unit / 3;
					const crest = Math.exp(-below / unit / 3.2);
					const tone = clamp01(0.5 + roll * 0.55 + crest * 0.35 - smoothstep(0, 40, below / unit) * 0.3);
					return mix(ramp([shade, hill.colour, lit], tone), haze, lerp(0.5, 0, hill.depth ** 0.55));
				},
				angle: (x, y) => (topAt(x + unit) - topAt(x - unit)) / unit / 2 + noise.at(x / unit / 8, y / unit / 6) * 0.35,
				strokeLengthUnits: lerp(2.2, 5, hill.depth),
				strokeWidthUnits: lerp(0.4, 0.85, hill.depth),
				strokesPerSquareUnit: lerp(1.1, 0.6, hill.depth),
			}),
		{ top: hill.baseY - unit * hill.heightUnits * 1.3, bottom: hill.bottom },
	);
	return { layer, topAt };
}

/** A soft band of air that lies between two sheets. */
export function hazeLayer(vision: Vision, stage: Stage, y: number, heightUnits: number, strength: number): Layer {
	const colour = mix(vision.palette.sky[3], vision.palette.light, 0.12);
	return (pen) => {
		const half = heightUnits * stage.unit;
		const gradient = pen.createLinearGradient(0, y - half, 0, y + half);
		gradient.addColorStop(0, css(colour, 0));
		gradient.addColorStop(0.5, css(colour, strength));
		gradient.addColorStop(1, css(colour, 0));
		pen.fillStyle = gradient;
		pen.fillRect(0, y - half, stage.width, half * 2);
	};
}
