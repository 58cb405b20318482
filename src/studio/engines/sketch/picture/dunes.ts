import { randomOf, type Vision } from "../vision.ts";
import { clamp01, css, lerp, lighten, mix, ramp, smoothstep } from "./colour.ts";
import { paintMass } from "./land.ts";
import { createNoise } from "./noise.ts";
import type { Luminary } from "./sky.ts";
import { still, type Layer, type Stage } from "./stage.ts";

/** Dunes with a bright and a dark side along a sharp crest, and the wind's ripples on them. */
export function duneLayers(
	vision: Vision,
	stage: Stage,
	luminary: Luminary,
	fromY: number,
): { readonly layers: readonly Layer[]; groundY: (x: number) => number } {
	const { palette } = vision;
	const { unit, height, width } = stage;
	const sunSide = luminary.x < width / 2 ? -1 : 1;
	const night = vision.time === "night" || vision.time === "dusk";
	const sand = mix(palette.landFar, palette.accents[1], night ? 0.12 : 0.3);
	const layers: Layer[] = [];
	let groundY = (_x: number): number => fromY;
	const tiers = 5;
	for (let tier = 0; tier < tiers; tier++) {
		const t = tier / (tiers - 1);
		const random = randomOf(vision, `dune ${tier}`);
		const noise = createNoise(random.fork("noise"));
		const baseY = lerp(fromY, height * 0.9, t ** 1.1);
		const length = lerp(34, 72, t) * unit;
		const tall = lerp(5, 17, t) * unit;
		const phase = random.between(0, 6.28);
		// A long slope to windward and a short one to lee.
		const saw = (x: number): number => {
			const at = x / length + phase + noise.at(x / length, tier * 3) * 0.5;
			const cycle = at - Math.floor(at);
			return cycle < 0.7 ? smoothstep(0, 0.72, cycle) : 1 - smoothstep(0.7, 1, cycle);
		};
		const topAt = (x: number): number =>
			baseY - tall * saw(x) * (0.55 + 0.45 * noise.at(x / length / 1.7, tier + 20)) + unit;
		const crestOf = (x: number, below: number): number => {
			// The ridge runs down towards the viewer: its place shifts with depth.
			const at = (x + below * 1.5 * sunSide) / length + phase + noise.at((x + below) / length, tier * 3) * 0.5;
			return at - Math.floor(at);
		};
		const haze = mix(palette.sky[3], palette.light, 0.2);
		layers.push(
			still(stage, lerp(0.1, 0.85, t), (pen) =>
				paintMass(pen, stage, random, {
					bottom: height + 2,
					topAt,
					colourAt(x, y, below) {
						const cycle = crestOf(x, below);
						const lee = smoothstep(0.66, 0.72, cycle) * (1 - smoothstep(0.97, 1, cycle));
						const facing = sunSide > 0 ? lee : 1 - lee;
						const ripple = Math.sin((y / unit) * 4.2 + noise.fbm(x / unit / 9, y / unit / 5, 2) * 9) * 0.06 * t;
						const lit = clamp01(
							lerp(0.2, 0.86, facing) +
								ripple -
								smoothstep(0, 46, below / unit) * 0.25 +
								Math.exp(-below / unit / 2) * 0.12,
						);
						const tone = ramp(
							[
								mix(palette.landNear, palette.sky[0], 0.2),
								mix(sand, palette.landNear, 0.45),
								sand,
								mix(lighten(sand, 0.1), palette.light, 0.35),
							],
							lit,
						);
						return mix(tone, haze, lerp(0.55, 0, t ** 0.5));
					},
					angle: (x, y) => 0.12 * Math.sin(x / length) + noise.at(x / unit / 12, y / unit / 9) * 0.4,
					strokeLengthUnits: lerp(3, 6, t),
					strokeWidthUnits: lerp(0.35, 0.6, t),
					strokesPerSquareUnit: 0.7,
				}),
			),
		);
		if (tier === 2) groundY = topAt;
	}
	layers.push(cactusLayer(vision, stage));
	return { layers, groundY };
}

function cactusLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "cactus");
	const { palette } = vision;
	const { unit, width, height } = stage;
	const green = mix(palette.foliage, palette.landNear, 0.35);
	const side = vision.focusX < 0.5 ? 1 : -1;
	return still(stage, 0.85, (pen) => {
		for (const [u, tall] of [
			[vision.focusX < 0.5 ? 0.88 : 0.12, 24],
			[vision.focusX < 0.5 ? 0.96 : 0.04, 14],
		] as const) {
			const x = u * width;
			const y = height * random.between(0.9, 0.95);
			pen.lineCap = "round";
			pen.lineJoin = "round";
			for (const [wide, tone, dx] of [
				[3.2, lighten(green, -0.09), 0],
				[2.2, green, -0.3 * side],
				[0.5, mix(green, palette.light, 0.45), -1.1 * side],
			] as const) {
				pen.strokeStyle = css(tone);
				pen.lineWidth = unit * wide * (tall / 24);
				pen.beginPath();
				const px = x + dx * unit;
				const step = (unit * tall) / 24;
				pen.moveTo(px, y);
				pen.lineTo(px, y - 24 * step);
				pen.moveTo(px, y - 9 * step);
				pen.quadraticCurveTo(px + 6 * step, y - 9 * step, px + 6 * step, y - 16.5 * step);
				pen.moveTo(px, y - 12 * step);
				pen.quadraticCurveTo(px - 5 * step, y - 12 * step, px - 5 * step, y - 19 * step);
				pen.stroke();
			}
		}
	});
}
