import type { Random } from "../random.ts";
import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, lighten, mix, type Colour } from "./colour.ts";
import { createNoise } from "./noise.ts";
import { moving, still, type Layer, type Pen, type Stage } from "./stage.ts";

interface Blade {
	readonly x: number;
	readonly y: number;
	readonly height: number;
	readonly lean: number;
	readonly colour: string;
	readonly width: number;
	readonly phase: number;
}

interface Bloom {
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly stem: number;
	readonly colour: Colour;
	readonly kind: "daisy" | "poppy" | "tulip" | "lavender";
	readonly phase: number;
	readonly turn: number;
}

/** Grass and flowers from `fromY` to the lower edge; rows nearer to the viewer are larger and sway in the wind. */
export function meadowLayers(
	vision: Vision,
	stage: Stage,
	options: { readonly fromY: number; readonly flowers: number; readonly clearX?: number; readonly nearOnly?: boolean },
): { readonly behind: Layer; readonly before: Layer } {
	const random = randomOf(vision, "meadow");
	const noise = createNoise(random.fork("noise"));
	const { width, height, unit } = stage;
	const { palette } = vision;
	const night = vision.time === "night" || vision.time === "dusk";
	const shade = mix(palette.foliage, palette.landNear, night ? 0.65 : 0.5);
	const bright = mix(lighten(palette.foliage, 0.12), palette.light, night ? 0.1 : 0.3);
	const span = height * 1.06 - options.fromY;
	const blades = (count: number, from: number, to: number): readonly Blade[] =>
		Array.from({ length: count }, () => {
			const near = lerp(from, to, random.next());
			const x = random.between(-0.05, 1.05) * width;
			const y = options.fromY + span * near;
			const patch = noise.fbm(x / unit / 22, near * 6, 3) + random.between(-0.25, 0.25);
			return {
				x,
				y,
				height: unit * lerp(0.9, 11, near ** 1.3) * random.between(0.6, 1.3),
				lean: noise.at(x / unit / 14, near * 4) * 0.5 + random.between(-0.25, 0.25),
				colour: css(mix(shade, bright, 0.45 + patch * 0.75 - near * 0.18), 0.92),
				width: unit * lerp(0.14, 0.62, near) * random.between(0.6, 1.2),
				phase: x / unit / 12 + random.between(0, 0.8),
			};
		}).toSorted((a, b) => a.y - b.y);
	const kinds = ["daisy", "poppy", "tulip", "lavender"] as const;
	const chief = random.pick(kinds);
	const blooms = (count: number, from: number, to: number): readonly Bloom[] =>
		Array.from({ length: Math.round(count * options.flowers) }, () => {
			const near = lerp(from, to, random.next());
			const x = random.between(-0.04, 1.04) * width;
			const drift = noise.fbm(x / unit / 18 + 50, near * 5, 2);
			const hue = palette.accents[drift > 0.12 ? 0 : drift > -0.14 ? 1 : 2];
			const colour = random.chance(0.16)
				? mix(palette.foam, palette.accents[random.integer(0, 2) as 0 | 1 | 2], 0.12)
				: hue;
			const kind: Bloom["kind"] = random.chance(0.6) ? chief : random.pick(kinds);
			return {
				x,
				y: options.fromY + span * near,
				size: unit * lerp(0.32, 2.35, near ** 1.4) * random.between(0.75, 1.25),
				stem: unit * lerp(0.8, 12, near ** 1.3) * random.between(0.75, 1.2),
				colour: night ? mix(colour, palette.sky[1], 0.28) : colour,
				kind,
				phase: x / unit / 12,
				turn: random.between(-0.5, 0.5),
			};
		}).toSorted((a, b) => a.y - b.y);
	const paintRow = (pen: Pen, row: readonly Blade[], flowers: readonly Bloom[], seconds: number): void => {
		const gust = (phase: number): number =>
			vision.wind * (0.35 * Math.sin(seconds * 1.6 - phase) + 0.2 * Math.sin(seconds * 2.7 - phase * 1.7));
		pen.lineCap = "round";
		for (const blade of row) {
			const lean = blade.lean + gust(blade.phase);
			pen.strokeStyle = blade.colour;
			pen.lineWidth = blade.width;
			pen.beginPath();
			pen.moveTo(blade.x, blade.y);
			pen.quadraticCurveTo(
				blade.x + lean * blade.height * 0.2,
				blade.y - blade.height * 0.6,
				blade.x + lean * blade.height,
				blade.y - blade.height,
			);
			pen.stroke();
		}
		for (const bloom of flowers) {
			const sway = (gust(bloom.phase) + bloom.turn * 0.3) * bloom.stem * 0.6;
			pen.strokeStyle = css(mix(shade, bright, 0.35));
			pen.lineWidth = Math.max(0.5, bloom.size * 0.13);
			pen.beginPath();
			pen.moveTo(bloom.x, bloom.y);
			pen.quadraticCurveTo(bloom.x, bloom.y - bloom.stem * 0.5, bloom.x + sway, bloom.y - bloom.stem);
			pen.stroke();
			paintBloom(pen, bloom, bloom.x + sway, bloom.y - bloom.stem, palette.light, palette.ink);
		}
	};
	const farBlades = blades(1900, 0, 0.55);
	const farBlooms = blooms(330, 0.02, 0.5);
	const middleBlades = blades(620, 0.42, 0.78);
	const middleBlooms = blooms(105, 0.42, 0.76);
	const nearBlades = blades(stage.film ? 330 : 460, 0.74, 1.12);
	const nearBlooms = blooms(46, 0.78, 1.1).filter(
		(bloom) =>
			options.clearX === undefined || Math.abs(bloom.x - options.clearX) > unit * 17 || bloom.y > height * 1.02,
	);
	const behind = still(stage, 0.72, (pen) => {
		paintRow(pen, farBlades, farBlooms, 0);
		paintRow(pen, middleBlades, middleBlooms, 0);
	});
	const before = moving(stage, 1, (pen, seconds) => paintRow(pen, nearBlades, nearBlooms, seconds));
	return { behind, before };
}

function paintBloom(pen: Pen, bloom: Bloom, x: number, y: number, light: Colour, ink: Colour): void {
	const { size, colour } = bloom;
	const deep = mix(colour, ink, 0.22);
	const pale = mix(colour, light, 0.35);
	switch (bloom.kind) {
		case "daisy": {
			const petals = 9;
			for (let petal = 0; petal < petals; petal++) {
				const angle = (petal / petals) * Math.PI * 2 + bloom.turn;
				pen.fillStyle = css(petal % 2 === 0 ? pale : colour);
				pen.beginPath();
				pen.ellipse(
					x + Math.cos(angle) * size * 0.62,
					y + Math.sin(angle) * size * 0.5,
					size * 0.46,
					size * 0.2,
					angle,
					0,
					Math.PI * 2,
				);
				pen.fill();
			}
			pen.fillStyle = css(mix(light, deep, 0.25));
			pen.beginPath();
			pen.ellipse(x, y, size * 0.3, size * 0.25, 0, 0, Math.PI * 2);
			pen.fill();
			return;
		}
		case "poppy":
			for (const [dx, dy, tone] of [
				[-0.42, 0.08, deep],
				[0.42, 0.08, colour],
				[0, -0.28, colour],
				[0, 0.3, pale],
			] as const) {
				pen.fillStyle = css(tone);
				pen.beginPath();
				pen.ellipse(x + dx * size, y + dy * size, size * 0.58, size * 0.46, bloom.turn + dx, 0, Math.PI * 2);
				pen.fill();
			}
			pen.fillStyle = css(ink, 0.8);
			pen.beginPath();
			pen.arc(x, y, size * 0.17, 0, Math.PI * 2);
			pen.fill();
			return;
		case "tulip":
			for (const [dx, turn, tone] of [
				[-0.28, -0.35, deep],
				[0.28, 0.35, colour],
				[0, 0, pale],
			] as const) {
				pen.fillStyle = css(tone);
				pen.beginPath();
				pen.ellipse(x + dx * size, y - size * 0.1, size * 0.34, size * 0.72, turn, 0, Math.PI * 2);
				pen.fill();
			}
			return;
		case "lavender":
			for (let bud = 0; bud < 9; bud++) {
				const t = bud / 8;
				pen.fillStyle = css(bud % 2 === 0 ? colour : pale);
				pen.beginPath();
				pen.ellipse(
					x + (bud % 2 === 0 ? -1 : 1) * size * 0.2 * (1.1 - t),
					y + size * (0.9 - t * 2),
					size * 0.26 * (1.15 - t * 0.6),
					size * 0.2,
					0,
					0,
					Math.PI * 2,
				);
				pen.fill();
			}
	}
}

/** Petals, leaves or sparks that drift through the air. */
export function driftLayer(
	vision: Vision,
	stage: Stage,
	drift: {
		readonly name: string;
		readonly count: number;
		readonly colours: readonly [Colour, ...Colour[]];
		readonly sizeUnits: number;
		readonly shape: "petal" | "leaf";
	},
): Layer {
	const random: Random = randomOf(vision, drift.name);
	const { width, height, unit } = stage;
	const pieces = Array.from({ length: drift.count }, () => ({
		u: random.next(),
		v: random.next(),
		near: random.next() ** 1.8,
		spin: random.between(0.6, 2.6) * (random.chance(0.5) ? 1 : -1),
		phase: random.between(0, 6.28),
		colour: css(
			drift.colours[random.integer(0, drift.colours.length - 1)] ?? drift.colours[0],
			random.between(0.75, 1),
		),
	}));
	const wind = lerp(2.5, 16, vision.wind);
	return (pen, seconds) => {
		for (const piece of pieces) {
			const size = unit * drift.sizeUnits * lerp(0.4, 1.7, piece.near);
			const fall = unit * lerp(1.6, 5, piece.near);
			const y = ((piece.v * height * 1.1 + seconds * fall) % (height * 1.1)) - height * 0.05;
			const raw =
				piece.u * width * 1.1 +
				seconds * wind * unit * lerp(0.5, 1.2, piece.near) +
				Math.sin(seconds * 1.2 + piece.phase) * unit * 2;
			const x = (raw % (width * 1.1)) - width * 0.05;
			const turn = piece.phase + seconds * piece.spin;
			pen.save();
			pen.translate(x, y);
			pen.rotate(turn);
			pen.scale(1, 0.35 + 0.6 * Math.abs(Math.sin(turn * 0.7 + piece.phase)));
			pen.fillStyle = piece.colour;
			pen.beginPath();
			if (drift.shape === "petal") {
				pen.moveTo(0, -size);
				pen.bezierCurveTo(size * 0.95, -size * 0.7, size * 0.7, size * 0.6, 0, size);
				pen.bezierCurveTo(-size * 0.7, size * 0.6, -size * 0.95, -size * 0.7, 0, -size);
			} else {
				pen.moveTo(0, -size * 1.2);
				pen.quadraticCurveTo(size * 0.9, -size * 0.2, 0, size * 1.2);
				pen.quadraticCurveTo(-size * 0.9, -size * 0.2, 0, -size * 1.2);
			}
			pen.fill();
			pen.restore();
		}
	};
}
