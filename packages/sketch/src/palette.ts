import { clampChroma, converter, interpolate } from "culori";
import type { ParsedPrompt } from "./parse-prompt.ts";
import { clamp, lerp } from "./noise.ts";
import type { Random } from "./random.ts";

/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];
/** A color of the OKLCH space: lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. */
type Lch = readonly [lightness: number, chroma: number, hue: number];

const toRgb = converter("rgb");
const toOklch = converter("oklch");

/** Returns the color; a chroma that RGB cannot show is reduced. */
export function oklch(l: number, c: number, h: number): Color {
	const { r, g, b } = toRgb(clampChroma({ mode: "oklch", l: clamp(l), c: Math.max(0, c), h }, "oklch"));
	return [byte(r), byte(g), byte(b)];
}

const byte = (value: number): number => Math.round(clamp(value) * 255);
const toCulori = ([r, g, b]: Color) => ({ mode: "rgb" as const, r: r / 255, g: g / 255, b: b / 255 });

export const css = ([r, g, b]: Color, alpha = 1): string => `rgba(${r},${g},${b},${alpha})`;

/** Interpolates the stops in a perceptually uniform space. */
export function ramp(stops: readonly Color[], steps = 256): (t: number) => Color {
	const between = interpolate(stops.map(toCulori), "oklab");
	const table = Array.from({ length: steps }, (_, step): Color => {
		const { r, g, b } = toRgb(between(step / (steps - 1)));
		return [byte(r), byte(g), byte(b)];
	});
	return (t) => table[Math.round(clamp(t) * (steps - 1))] ?? [0, 0, 0];
}

export function mix([r, g, b]: Color, [r2, g2, b2]: Color, t: number): Color {
	return [Math.round(lerp(r, r2, t)), Math.round(lerp(g, g2, t)), Math.round(lerp(b, b2, t))];
}

/** Adds `l` to the lightness, multiplies the chroma by `c`, and adds `h` to the hue. */
export function shiftColor(color: Color, l: number, c = 1, h = 0): Color {
	const from = toOklch(toCulori(color));
	return oklch(from.l + l, from.c * c, (from.h ?? 0) + h);
}

export interface Palette {
	/** Zenith to horizon. */
	readonly sky: readonly Color[];
	readonly sun: Color;
	readonly glow: Color;
	readonly cloudLit: Color;
	readonly cloudShade: Color;
	/** The color of distant objects. */
	readonly haze: Color;
	readonly ground: Color;
	readonly foliage: Color;
	readonly foliageLit: Color;
	readonly rock: Color;
	readonly water: Color;
	readonly shadow: Color;
	readonly accents: readonly Color[];
	readonly isNight: boolean;
	/** The brightness of the daylight, 0 to 1. */
	readonly light: number;
}

interface Daylight {
	readonly sky: readonly Lch[];
	readonly sun: Lch;
	readonly glow: Lch;
	readonly lit: Lch;
	readonly shade: Lch;
	readonly light: number;
}

const DAYLIGHT: Readonly<Record<ParsedPrompt["time"], Daylight>> = {
	dawn: {
		sky: [
			[0.52, 0.075, 270],
			[0.68, 0.075, 305],
			[0.8, 0.085, 25],
			[0.91, 0.08, 70],
		],
		sun: [0.98, 0.06, 85],
		glow: [0.88, 0.11, 60],
		lit: [0.9, 0.08, 45],
		shade: [0.56, 0.06, 300],
		light: 0.74,
	},
	day: {
		sky: [
			[0.5, 0.125, 252],
			[0.63, 0.115, 245],
			[0.78, 0.075, 232],
			[0.91, 0.035, 215],
		],
		sun: [1, 0.02, 95],
		glow: [0.96, 0.05, 90],
		lit: [0.99, 0.01, 90],
		shade: [0.71, 0.035, 250],
		light: 1,
	},
	sunset: {
		sky: [
			[0.36, 0.1, 285],
			[0.52, 0.135, 345],
			[0.7, 0.16, 40],
			[0.86, 0.13, 75],
		],
		sun: [0.97, 0.09, 88],
		glow: [0.8, 0.16, 55],
		lit: [0.82, 0.14, 45],
		shade: [0.4, 0.09, 320],
		light: 0.66,
	},
	dusk: {
		sky: [
			[0.21, 0.07, 272],
			[0.34, 0.1, 285],
			[0.52, 0.12, 330],
			[0.72, 0.12, 35],
		],
		sun: [0.95, 0.04, 80],
		glow: [0.68, 0.13, 25],
		lit: [0.6, 0.11, 350],
		shade: [0.27, 0.07, 285],
		light: 0.42,
	},
	night: {
		sky: [
			[0.11, 0.035, 268],
			[0.17, 0.055, 264],
			[0.26, 0.07, 257],
			[0.38, 0.075, 245],
		],
		sun: [0.97, 0.02, 220],
		glow: [0.6, 0.07, 240],
		lit: [0.44, 0.05, 250],
		shade: [0.17, 0.04, 265],
		light: 0.25,
	},
};

/** Factors of lightness and chroma for each weather. */
const WEATHER_TONE: Readonly<Record<ParsedPrompt["weather"], readonly [l: number, c: number]>> = {
	clear: [1, 1],
	cloudy: [0.97, 0.8],
	storm: [0.58, 0.62],
	rain: [0.74, 0.5],
	snow: [0.98, 0.6],
	fog: [0.97, 0.42],
};

const FOLIAGE: Readonly<Record<ParsedPrompt["season"], Lch>> = {
	spring: [0.62, 0.13, 132],
	summer: [0.52, 0.115, 142],
	autumn: [0.58, 0.13, 62],
	winter: [0.5, 0.035, 200],
};

export function paletteOf(parsed: ParsedPrompt, random: Random): Palette {
	const { time, weather, season, colors, scene } = parsed;
	const base = DAYLIGHT[time];
	const [lightness, chroma] = WEATHER_TONE[weather];
	const hueShift = random.between(-14, 14);
	const [promptColor, secondColor] = colors;

	/** Pulls a color toward the one that the prompt names. */
	function tone([l, c, h]: Lch, pull = 0.75): Color {
		const turned = h + hueShift;
		if (promptColor === undefined) return oklch(l * lightness, c * chroma, turned);
		const target = secondColor !== undefined && l > 0.6 ? secondColor : promptColor;
		const hue = turned + hueDifference(turned, target.hue) * pull;
		return oklch(l * lightness, lerp(c * chroma, target.chroma * (0.35 + 0.65 * (1 - Math.abs(l - 0.6))), pull), hue);
	}

	const sky = base.sky.map((color) => tone(color));
	const light = base.light * lightness;
	const [fl, fc, fh] = FOLIAGE[season];
	const night = 1 - light;
	/** Colors of objects: lit by the sky, less saturated at night. */
	const objectColor = (l: number, c: number, h: number): Color =>
		mix(tone([l * lerp(0.32, 1, light), c * lerp(0.55, 1, light), h], 0.3), sky[2] ?? [0, 0, 0], 0.08 + 0.2 * night);
	const accentHue = promptColor?.hue ?? random.between(0, 360);
	const snowy = weather === "snow";
	return {
		sky,
		sun: tone(base.sun, 0.2),
		glow: tone(base.glow, 0.5),
		cloudLit: tone(base.lit, 0.4),
		cloudShade: tone(base.shade, 0.6),
		haze: mix(sky[3] ?? [0, 0, 0], sky[2] ?? [0, 0, 0], 0.35),
		ground: snowy ? objectColor(0.9, 0.02, 245) : objectColor(fl * 0.9, fc, fh - 8),
		foliage: objectColor(fl * 0.72, fc * 0.85, fh + 6),
		foliageLit: objectColor(fl * 1.22, fc * 1.1, fh - 18),
		rock: objectColor(0.46, 0.03, 265),
		water: objectColor(time === "night" ? 0.4 : 0.42, scene === "sea" ? 0.075 : 0.055, 222),
		shadow: mix(tone([0.14, 0.04, 275], 0.3), sky[0] ?? [0, 0, 0], 0.15),
		accents: [0, 40, 160, 205, 300].map((offset, index) =>
			objectColor(index % 2 === 0 ? 0.75 : 0.82, 0.17, accentHue + offset + (promptColor ? offset * -0.6 : 0)),
		),
		isNight: time === "night",
		light,
	};
}

/** Returns the smaller angle between two hues, -180 to 180. */
const hueDifference = (from: number, to: number): number => ((((to - from) % 360) + 540) % 360) - 180;
