import { randomOf, type Vision } from "../vision.ts";
import { clamp01, css, lerp, lighten, mix, ramp, smoothstep, type Colour } from "./colour.ts";
import { createNoise } from "./noise.ts";
import { glow, moving, still, type Layer, type Stage } from "./stage.ts";

/**
 * For words that the painter does not know: paint that flows. Ribbons follow a field of noise around a calm centre, broad
 * and dark first, thin and bright last.
 */
export function abstractLayers(vision: Vision, stage: Stage): readonly Layer[] {
	const random = randomOf(vision, "abstract");
	const noise = createNoise(random.fork("field"));
	const { width, height, unit } = stage;
	const { palette } = vision;
	const centre = { x: vision.focusX * width, y: height * random.between(0.38, 0.6) };
	const swirl = random.between(0.35, 1) * (random.chance(0.5) ? 1 : -1);
	const scale = random.between(30, 58);
	const turn = random.between(0, Math.PI * 2);
	const angleAt = (x: number, y: number): number => {
		const around = Math.atan2(y - centre.y, x - centre.x) + (Math.PI / 2) * Math.sign(swirl);
		const field = turn + noise.fbm(x / unit / scale, y / unit / scale, 3) * Math.PI * 1.9;
		const near = Math.abs(swirl) * Math.exp(-Math.hypot(x - centre.x, y - centre.y) / unit / 42);
		return Math.atan2(
			Math.sin(around) * near + Math.sin(field) * (1 - near),
			Math.cos(around) * near + Math.cos(field) * (1 - near),
		);
	};
	const inks: readonly [Colour, ...Colour[]] = [
		palette.sky[0],
		palette.sky[1],
		palette.accents[0],
		palette.sky[2],
		palette.accents[1],
		palette.sky[3],
		palette.accents[2],
		palette.light,
	];
	const colourAt = (x: number, y: number, shift: number): Colour => {
		const level = noise.fbm(x / unit / 62 + 30, y / unit / 62, 3) * 0.85 + 0.5 + shift;
		return ramp(inks, clamp01(level));
	};
	const follow = (x: number, y: number, steps: number, stride: number): readonly (readonly [number, number])[] => {
		const path: (readonly [number, number])[] = [[x, y]];
		let px = x;
		let py = y;
		for (let step = 0; step < steps; step++) {
			const angle = angleAt(px, py);
			px += Math.cos(angle) * stride;
			py += Math.sin(angle) * stride;
			path.push([px, py]);
		}
		return path;
	};
	const painting = still(stage, 0.1, (pen) => {
		pen.fillStyle = css(palette.sky[1]);
		pen.fillRect(-width, -height, width * 3, height * 3);
		pen.lineCap = "round";
		pen.lineJoin = "round";
		for (const [count, widthUnits, steps, alpha, spread] of [
			[900, 6.4, 15, 0.85, 0.1],
			[900, 2.4, 20, 0.8, 0.2],
			[1200, 0.95, 26, 0.8, 0.3],
			[700, 0.32, 34, 0.75, 0.42],
		] as const) {
			for (let ribbon = 0; ribbon < count; ribbon++) {
				const x = random.between(-0.1, 1.1) * width;
				const y = random.between(-0.1, 1.1) * height;
				const tone = lighten(colourAt(x, y, random.between(-spread, spread)), random.between(-0.04, 0.05));
				const path = follow(x, y, steps, unit * 0.9);
				const wide = widthUnits * unit * random.between(0.55, 1.25);
				const [first, ...rest] = path;
				if (first === undefined) continue;
				pen.strokeStyle = css(tone, alpha);
				pen.lineWidth = wide;
				pen.beginPath();
				pen.moveTo(...first);
				for (const [px, py] of rest) pen.lineTo(px, py);
				pen.stroke();
				if (widthUnits < 1 || !random.chance(0.3)) continue;
				// The bristles' edge.
				pen.strokeStyle = css(lighten(tone, 0.08), 0.5);
				pen.lineWidth = wide * 0.12;
				pen.beginPath();
				pen.moveTo(first[0], first[1] - wide * 0.4);
				for (const [px, py] of rest) pen.lineTo(px, py - wide * 0.4);
				pen.stroke();
			}
		}
		glow(pen, centre.x, centre.y, unit * 62, [
			[0, css(palette.light, 0.42)],
			[0.35, css(palette.light, 0.14)],
			[1, css(palette.light, 0)],
		]);
	});
	const motes = Array.from({ length: 130 }, () => ({
		path: follow(random.between(-0.05, 1.05) * width, random.between(-0.05, 1.05) * height, 90, unit * 0.7),
		phase: random.next(),
		speed: random.between(0.07, 0.17),
		wide: random.between(0.12, 0.5),
		colour: mix(palette.light, palette.accents[random.integer(0, 2) as 0 | 1 | 2], random.next() * 0.7),
	}));
	const flowing = moving(stage, 0.35, (pen, seconds) => {
		pen.lineCap = "round";
		for (const mote of motes) {
			const at = (mote.phase + seconds * mote.speed) % 1;
			const head = Math.floor(at * (mote.path.length - 16));
			const alpha = smoothstep(0, 0.15, at) * (1 - smoothstep(0.8, 1, at));
			for (let step = 0; step < 14; step += 2) {
				const from = mote.path[head + step];
				const to = mote.path[head + step + 2];
				if (from === undefined || to === undefined) break;
				pen.strokeStyle = css(mote.colour, alpha * lerp(0.05, 0.85, step / 14));
				pen.lineWidth = unit * mote.wide * lerp(0.3, 1, step / 14);
				pen.beginPath();
				pen.moveTo(from[0], from[1]);
				pen.lineTo(to[0], to[1]);
				pen.stroke();
			}
		}
	});
	return [painting, flowing];
}
