/**
 * Colours in OKLCH (Bjorn Ottosson, "A perceptual color space for image processing"): lightness 0..1, chroma 0..0.37, hue
 * in degrees. Equal steps look equal, so a palette can be tinted, dimmed or mixed and stays harmonious.
 */
export interface Colour {
	readonly l: number;
	readonly c: number;
	readonly h: number;
}

export const oklch = (l: number, c: number, h: number): Colour => ({ l, c, h });

const DEGREE = Math.PI / 180;

function linearRgb(l: number, a: number, b: number): [number, number, number] {
	const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
	return [
		4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
		-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
		-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
	];
}

const inGamut = (channels: readonly number[]): boolean => channels.every((x) => x >= -0.001 && x <= 1.001);

function encodeChannel(linear: number): number {
	const x = Math.min(1, Math.max(0, linear));
	const gamma = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
	return Math.round(gamma * 255);
}

/** The nearest colour that a screen can show: lightness and hue are kept, chroma gives way. */
export function toRgb(colour: Colour): readonly [red: number, green: number, blue: number] {
	const l = Math.min(1, Math.max(0, colour.l));
	const cos = Math.cos(colour.h * DEGREE);
	const sin = Math.sin(colour.h * DEGREE);
	let chroma = colour.c;
	let linear = linearRgb(l, chroma * cos, chroma * sin);
	for (let step = 0; step < 12 && !inGamut(linear); step++) {
		chroma *= 0.88;
		linear = linearRgb(l, chroma * cos, chroma * sin);
	}
	return [encodeChannel(linear[0]), encodeChannel(linear[1]), encodeChannel(linear[2])];
}

export function css(colour: Colour, alpha = 1): string {
	const [red, green, blue] = toRgb(colour);
	return alpha >= 1 ? `rgb(${red},${green},${blue})` : `rgba(${red},${green},${blue},${alpha.toFixed(4)})`;
}

/** Straight through OKLab, as paint mixes: opposite hues meet in grey and not in a third hue. */
export function mix(from: Colour, to: Colour, amount: number): Colour {
	const t = Math.min(1, Math.max(0, amount));
	const a = lerp(from.c * Math.cos(from.h * DEGREE), to.c * Math.cos(to.h * DEGREE), t);
	const b = lerp(from.c * Math.sin(from.h * DEGREE), to.c * Math.sin(to.h * DEGREE), t);
	const hue = Math.atan2(b, a) / DEGREE;
	return { l: lerp(from.l, to.l, t), c: Math.hypot(a, b), h: hue < 0 ? hue + 360 : hue };
}

/** A colour somewhere along evenly spaced stops. */
export function ramp(stops: readonly [Colour, ...Colour[]], position: number): Colour {
	const scaled = Math.min(0.9999, Math.max(0, position)) * (stops.length - 1);
	const index = Math.floor(scaled);
	const from = stops[index] ?? stops[0];
	return mix(from, stops[index + 1] ?? from, scaled - index);
}

export const lighten = (colour: Colour, by: number): Colour => ({
	...colour,
	l: Math.min(1, Math.max(0, colour.l + by)),
});

export const lerp = (from: number, to: number, t: number): number => from + (to - from) * t;

export const clamp01 = (x: number): number => Math.min(1, Math.max(0, x));

export function smoothstep(from: number, to: number, x: number): number {
	const t = clamp01((x - from) / (to - from));
	return t * t * (3 - 2 * t);
}
