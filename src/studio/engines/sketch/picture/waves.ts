import { randomOf, type Vision } from "../vision.ts";
import { clamp01, css, lerp, lighten, mix, smoothstep } from "./colour.ts";
import { createNoise, type Noise } from "./noise.ts";
import { cameraShift, overscanOf, type Layer, type Pen, type Stage } from "./stage.ts";

/** One row of waves, from the horizon (depth 0) to the viewer's feet (depth 1). */
interface Swell {
	readonly depth: number;
	readonly y: number;
	readonly amplitude: number;
	readonly waveLength: number;
	readonly phase: number;
	readonly speed: number;
}

/** The top edge of a row at one moment. */
interface Profile {
	readonly count: number;
	readonly x: Float64Array;
	readonly y: Float64Array;
	/** -1..1.3: how high the water stands, in amplitudes. */
	readonly height: Float64Array;
	/** 0..1: how much this is the face that the wave falls over. */
	readonly front: Float64Array;
}

export interface Sea {
	/** Rows behind what stands in the water, and rows before it. */
	readonly behind: Layer;
	readonly before: Layer;
	/** Height of the water at a place of the row at `depth`; ships ride on it. */
	surfaceY(x: number, depth: number, seconds: number): number;
}

const ROWS = 11;
/** Rows lie closer together towards the horizon, by this power of their depth. */
export const ROW_SPACING = 1.7;

/** Rows of swell, each a cut sheet with a lit crest and foam, as in a woodblock print. */
export function createSea(vision: Vision, stage: Stage, splitDepth: number): Sea {
	const random = randomOf(vision, "sea");
	const noise = createNoise(random.fork("noise"));
	const horizonY = stage.height * vision.horizon;
	const rough = lerp(0.1, 1, vision.wind);
	const swells: readonly Swell[] = Array.from({ length: ROWS }, (_, index) => {
		const depth = index / (ROWS - 1);
		const near = depth ** ROW_SPACING;
		return {
			depth,
			y: horizonY + (stage.height * 0.99 - horizonY) * near + near * stage.unit * 5 * rough,
			amplitude: stage.unit * (0.35 + near * 10) * rough,
			waveLength: stage.unit * (6 + near * 78) * random.between(0.85, 1.2),
			phase: random.between(0, 100),
			speed: lerp(0.5, 1, rough) * random.between(0.85, 1.15),
		};
	});
	const rows =
		(from: number, to: number): Layer =>
		(pen, seconds) => {
			for (const swell of swells) {
				if (swell.depth < from || swell.depth >= to) continue;
				pen.save();
				pen.translate(cameraShift(stage, swell.depth ** 1.5, seconds), 0);
				paintSwell(pen, vision, stage, noise, swell, rough, seconds);
				pen.restore();
			}
		};
	return {
		behind: rows(0, splitDepth),
		before: rows(splitDepth, 2),
		surfaceY(x, depth, seconds) {
			const swell = swells.reduce((best, next) =>
				Math.abs(next.depth - depth) < Math.abs(best.depth - depth) ? next : best,
			);
			return swell.y - swell.amplitude * waterAt(swell, noise, x, seconds).height;
		},
	};
}

/** Gerstner's wave: water moves in circles, which draws crests to a point; a group noise makes some waves tall. */
function waterAt(
	swell: Swell,
	noise: Noise,
	x: number,
	seconds: number,
): { height: number; shift: number; front: number } {
	const k = (Math.PI * 2) / swell.waveLength;
	const travel = seconds * swell.speed;
	const main = k * x + swell.phase - travel * 1.5;
	const second = k * 1.73 * x + swell.phase * 1.7 - travel * 2.1;
	const group =
		0.72 + 0.62 * noise.at((x / swell.waveLength) * 0.55 + swell.phase - travel * 0.12, swell.phase + seconds * 0.06);
	const ripple = noise.fbm((x / swell.waveLength) * 4.2 - travel * 0.5, swell.phase + seconds * 0.4, 2) * 0.16;
	const height = group * Math.sin(main) * 0.82 + 0.2 * Math.sin(second) + ripple;
	const lean = 0.34 * Math.max(0, height) ** 2;
	return {
		height,
		shift: group * Math.cos(main) * 0.82 + 0.16 * Math.cos(second) + lean,
		front: clamp01(0.5 - 0.9 * Math.cos(main)),
	};
}

function profileOf(swell: Swell, stage: Stage, noise: Noise, seconds: number): Profile {
	const margin = overscanOf(stage) + stage.unit * 4 + swell.amplitude * 2;
	const left = -margin;
	const step = Math.max(stage.unit * 0.26, Math.min(swell.waveLength / 26, stage.unit * 0.85));
	const count = Math.ceil((stage.width + 2 * margin) / step);
	const profile = {
		count,
		x: new Float64Array(count),
		y: new Float64Array(count),
		height: new Float64Array(count),
		front: new Float64Array(count),
	};
	// Wide waves stay rounder than their amplitude would allow, or the crests would fold over.
	const sharpness = Math.min(1, (0.78 * swell.waveLength) / (Math.PI * 2) / Math.max(swell.amplitude, 0.001));
	for (let index = 0; index < count; index++) {
		const x = left + index * step;
		const water = waterAt(swell, noise, x, seconds);
		profile.x[index] = x + water.shift * swell.amplitude * sharpness;
		profile.y[index] = swell.y - swell.amplitude * water.height;
		profile.height[index] = water.height;
		profile.front[index] = water.front;
	}
	return profile;
}

function paintSwell(
	pen: Pen,
	vision: Vision,
	stage: Stage,
	noise: Noise,
	swell: Swell,
	rough: number,
	seconds: number,
): void {
	const { palette } = vision;
	const { unit } = stage;
	const near = swell.depth ** 0.75;
	const profile = profileOf(swell, stage, noise, seconds);
	const body = mix(palette.waterFar, palette.waterNear, near);
	const lit = mix(mix(palette.waterFar, palette.sky[3], lerp(0.4, 0.26, near)), body, lerp(0.05, 0.12, near));
	const floor = swell.y + swell.amplitude * 1.2 + unit * (2 + 11 * swell.depth ** 1.5);
	const gradient = pen.createLinearGradient(0, swell.y - swell.amplitude * 1.15, 0, floor);
	gradient.addColorStop(0, css(lit));
	gradient.addColorStop(0.28, css(mix(body, lit, 0.45)));
	gradient.addColorStop(0.62, css(body));
	gradient.addColorStop(1, css(lighten(body, -0.06)));
	pen.fillStyle = gradient;
	pen.beginPath();
	pen.moveTo(profile.x[0] ?? 0, floor + unit * 9);
	for (let index = 0; index < profile.count; index++) pen.lineTo(profile.x[index] ?? 0, profile.y[index] ?? 0);
	pen.lineTo(profile.x[profile.count - 1] ?? 0, floor + unit * 9);
	pen.closePath();
	pen.fill();

	// The hollow face under the crest, cut darker with the same knife.
	pen.fillStyle = css(lighten(body, -0.07), 0.62);
	lens(pen, profile, -0.05, 0, (over, index) => swell.amplitude * over * 1.25 * (profile.front[index] ?? 0));
	pen.fillStyle = css(mix(lit, palette.foam, 0.16), 0.4);
	lens(
		pen,
		profile,
		0.18,
		0,
		(over, index) => swell.amplitude * over * 0.75 * (1 - 0.75 * (profile.front[index] ?? 0)),
	);
	contours(pen, profile, noise, swell, stage, seconds, css(lighten(lit, 0.03), 0.3), css(lighten(body, -0.085), 0.42));

	const foamy = smoothstep(0.3, 0.85, rough);
	if (foamy <= 0.02) {
		glints(pen, vision, stage, swell, profile, seconds);
		return;
	}
	pen.fillStyle = css(palette.foam, lerp(0.5, 0.94, foamy) * lerp(0.75, 1, swell.depth));
	lens(pen, profile, lerp(0.6, 0.34, foamy), unit * 0.07, (over, index) => {
		const fingers = noise.at((profile.x[index] ?? 0) / unit / (0.9 + 1.6 * swell.depth), swell.phase + seconds * 0.7);
		const fall = 0.35 + 1.1 * (profile.front[index] ?? 0);
		return Math.max(unit * 0.06, swell.amplitude * over * 0.8 * fall * Math.max(0.12, 0.62 + 0.85 * fingers));
	});
	if (swell.depth > 0.15) foamLace(pen, vision, stage, noise, swell, profile, foamy, seconds);
}

/** Fills the slivers where the wave is higher than a threshold. */
function lens(
	pen: Pen,
	profile: Profile,
	threshold: number,
	lift: number,
	thickness: (over: number, index: number) => number,
): void {
	const { x, y, height, count } = profile;
	pen.beginPath();
	let start = -1;
	for (let index = 0; index <= count; index++) {
		const over = index < count ? (height[index] ?? -1) - threshold : -1;
		if (over > 0 && start < 0) start = index;
		if (over > 0 || start < 0) continue;
		pen.moveTo(x[start] ?? 0, y[start] ?? 0);
		for (let at = start; at < index; at++) pen.lineTo(x[at] ?? 0, (y[at] ?? 0) - lift);
		for (let at = index - 1; at >= start; at--)
			pen.lineTo(x[at] ?? 0, (y[at] ?? 0) + thickness((height[at] ?? 0) - threshold, at));
		pen.closePath();
		start = -1;
	}
	pen.fill();
}

/** Brush lines that follow the water's shape, light above and dark below. */
function contours(
	pen: Pen,
	profile: Profile,
	noise: Noise,
	swell: Swell,
	stage: Stage,
	seconds: number,
	light: string,
	dark: string,
): void {
	// In motion fewer lines do the same, and each is a long path to fill.
	const lines = swell.depth < 0.12 ? 2 : stage.film ? 4 : 7;
	pen.lineCap = "round";
	for (let line = 0; line < lines; line++) {
		const t = (line + 0.5) / lines;
		pen.strokeStyle = line % 2 === 0 ? dark : light;
		pen.lineWidth = stage.unit * lerp(0.1, 0.42, swell.depth) * (0.6 + 0.8 * Math.abs(Math.sin(line * 3.7)));
		strand(pen, profile, 2, (index) => {
			const at = profile.x[index] ?? 0;
			const veil = noise.at(
				at / stage.unit / (5 + 9 * swell.depth) + line * 9.3,
				swell.phase + line * 2.7 + seconds * 0.12,
			);
			return veil < 0.08
				? null
				: stage.unit * 0.3 + (swell.amplitude * 1.5 + stage.unit * 2.5 * swell.depth) * t * (1 + 0.3 * veil);
		});
	}
}

/** A line along the water that sinks by `sink`, broken where it is null. */
function strand(pen: Pen, profile: Profile, stride: number, sink: (index: number) => number | null): void {
	pen.beginPath();
	let drawing = false;
	for (let index = 0; index < profile.count; index += stride) {
		const depth = sink(index);
		if (depth !== null) {
			// Further down, the crest's shape is felt less.
			const y = (profile.y[index] ?? 0) + depth;
			if (drawing) pen.lineTo(profile.x[index] ?? 0, y);
			else pen.moveTo(profile.x[index] ?? 0, y);
		}
		drawing = depth !== null;
	}
	pen.stroke();
}

/** Torn threads of foam that slide down the face of the wave, and spray above it. */
function foamLace(
	pen: Pen,
	vision: Vision,
	stage: Stage,
	noise: Noise,
	swell: Swell,
	profile: Profile,
	foamy: number,
	seconds: number,
): void {
	const { foam } = vision.palette;
	const { unit } = stage;
	pen.lineCap = "round";
	for (let line = 0; line < (stage.film ? 3 : 4); line++) {
		pen.strokeStyle = css(foam, (0.5 - line * 0.09) * foamy);
		pen.lineWidth = unit * lerp(0.08, 0.3, swell.depth) * (1 - line * 0.15);
		strand(pen, profile, 1, (index) => {
			const height = profile.height[index] ?? 0;
			const at = profile.x[index] ?? 0;
			const veil = noise.at(
				at / unit / (2.4 + 4.5 * swell.depth) + line * 7.7,
				swell.phase + line * 3.1 + seconds * 0.3,
			);
			const web = noise.at(at / unit / (0.8 + 1.4 * swell.depth), line * 5.1 + seconds * 0.5);
			if (veil < 0.12 || height < -0.25) return null;
			return swell.amplitude * (0.14 + line * 0.22 + 0.22 * veil + 0.07 * web) * (0.7 + height);
		});
	}
	pen.fillStyle = css(foam, 0.8 * foamy);
	pen.beginPath();
	for (let index = 0; index < profile.count; index += 1) {
		const over = (profile.height[index] ?? 0) - 0.55;
		if (over <= 0) continue;
		for (let drop = 0; drop < (stage.film ? 2 : 3); drop++) {
			const toss = noise.at(index * 0.73 + drop * 5.3, swell.phase + seconds * 1.2 + drop);
			if (toss < 0.16) continue;
			const radius = unit * (0.05 + 0.2 * swell.depth * toss);
			const x = (profile.x[index] ?? 0) + (toss * 1.1 - 0.1) * swell.amplitude * 0.8;
			const y = (profile.y[index] ?? 0) - swell.amplitude * (over * 0.4 + toss * 0.42 * (drop + 1) * 0.5);
			pen.moveTo(x + radius, y);
			pen.arc(x, y, radius, 0, Math.PI * 2);
		}
	}
	pen.fill();
}

/** Still water answers the light with short level strokes. */
function glints(pen: Pen, vision: Vision, stage: Stage, swell: Swell, profile: Profile, seconds: number): void {
	pen.strokeStyle = css(mix(vision.palette.foam, vision.palette.light, 0.4), 0.42);
	pen.lineWidth = stage.unit * lerp(0.1, 0.28, swell.depth);
	pen.lineCap = "round";
	pen.beginPath();
	for (let index = 3; index < profile.count; index += 4) {
		const shine = Math.sin(index * 12.9898 + swell.phase * 7 + seconds * 1.1);
		if (shine < 0.4) continue;
		const x = profile.x[index] ?? 0;
		const y = (profile.y[index] ?? 0) + stage.unit * (0.4 + 3 * swell.depth * Math.abs(Math.sin(index * 78.233)));
		pen.moveTo(x, y);
		pen.lineTo(x + stage.unit * (0.4 + 2.6 * swell.depth * shine), y);
	}
	pen.stroke();
}
