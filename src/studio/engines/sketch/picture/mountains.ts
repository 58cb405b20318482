import { randomOf, type Vision } from "../vision.ts";
import { lerp, lighten, mix } from "./colour.ts";
import { hazeLayer, hillLayer, rangeLayer } from "./land.ts";
import type { Luminary } from "./sky.ts";
import { still, type Layer, type Stage } from "./stage.ts";
import { paintConifer } from "./trees.ts";

export function isWintry(vision: Vision): boolean {
	return vision.weather === "snow" || vision.features.has("winter") || vision.paletteName === "winterDay";
}

/** Ranges behind each other, air between them; `baseY` is where they meet the ground. */
export function mountainRanges(
	vision: Vision,
	stage: Stage,
	luminary: Luminary,
	baseY: number,
	grandeur: number,
): readonly Layer[] {
	const random = randomOf(vision, "ranges");
	const wintry = isWintry(vision);
	const snowLine = wintry ? 0.22 : random.between(0.5, 0.62);
	const rugged = vision.setting === "mountains" || wintry ? 1 : random.between(0.35, 0.8);
	return [
		rangeLayer(vision, stage, luminary, {
			name: "far",
			baseY,
			heightUnits: 36 * grandeur,
			depth: 0.08,
			rugged: rugged * 0.8,
			snowLine: snowLine + 0.05,
			summit: vision.focusX < 0.5 ? 0.14 : 0.86,
		}),
		hazeLayer(vision, stage, baseY, 9, 0.35),
		rangeLayer(vision, stage, luminary, {
			name: "middle",
			baseY,
			heightUnits: 52 * grandeur,
			depth: 0.22,
			rugged,
			snowLine,
			summit: vision.focusX,
		}),
		hazeLayer(vision, stage, baseY, 7, 0.4),
	];
}

/** Hills before the mountains, with firs that grow larger towards the viewer. */
export function foothills(
	vision: Vision,
	stage: Stage,
	fromY: number,
): { readonly layers: readonly Layer[]; groundY: (x: number) => number } {
	const { palette } = vision;
	const wintry = isWintry(vision);
	const night = vision.time === "night" || vision.time === "dusk";
	const ground = wintry
		? mix(palette.foam, palette.sky[1], night ? 0.62 : 0.26)
		: mix(palette.foliage, palette.landNear, night ? 0.55 : 0.25);
	const layers: Layer[] = [];
	let groundY = (_x: number): number => fromY;
	const tiers = 3;
	for (let tier = 0; tier < tiers; tier++) {
		const t = tier / (tiers - 1);
		const baseY = lerp(fromY, stage.height * 0.93, t ** 1.15) + stage.unit * 2;
		const hill = hillLayer(vision, stage, {
			name: `foot ${tier}`,
			baseY,
			heightUnits: lerp(5, 9, t),
			depth: lerp(0.32, 0.85, t),
			bottom: stage.height + 2,
			colour: lighten(ground, lerp(0.03, wintry ? 0.02 : -0.06, t)),
			lengthUnits: lerp(40, 75, t),
		});
		layers.push(hill.layer);
		layers.push(firs(vision, stage, `firs ${tier}`, hill.topAt, lerp(0.32, 0.85, t), t, wintry));
		if (tier < tiers - 1) layers.push(hazeLayer(vision, stage, baseY + stage.unit * 6, 6, 0.16 * (1 - t)));
		if (tier === 1) groundY = hill.topAt;
	}
	return { layers, groundY };
}

function firs(
	vision: Vision,
	stage: Stage,
	name: string,
	topAt: (x: number) => number,
	depth: number,
	nearness: number,
	wintry: boolean,
): Layer {
	const random = randomOf(vision, name);
	const { palette } = vision;
	const { unit } = stage;
	const night = vision.time === "night" || vision.time === "dusk";
	const far = mix(palette.landFar, palette.sky[3], 0.2);
	const dark = mix(mix(palette.foliage, palette.ink, 0.6), far, lerp(0.5, 0, nearness ** 0.6));
	const lit = mix(mix(palette.foliage, palette.light, 0.2), far, lerp(0.4, 0, nearness));
	const side = vision.focusX < 0.5 ? 1 : -1;
	const count = Math.round(lerp(64, 15, nearness));
	const clumps = Array.from({ length: 4 }, () => random.between(0, 1));
	return still(stage, depth, (pen) => {
		const places = Array.from({ length: count }, () => {
			const clump = clumps[random.integer(0, clumps.length - 1)] ?? 0.5;
			const u =
				nearness > 0.9 ? edgeOf(random.next(), vision.focusX) : clump + (random.next() + random.next() - 1) * 0.28;
			const x = u * stage.width;
			return { x, y: topAt(x) + unit * random.between(0.3, lerp(1.5, 5, nearness)), tall: random.between(0.55, 1.15) };
		}).toSorted((a, b) => a.y - b.y);
		for (const place of places) {
			paintConifer(pen, random, place.x, place.y, unit * lerp(6.5, 30, nearness ** 1.2) * place.tall, {
				colour: dark,
				lit,
				snow: wintry ? mix(palette.foam, palette.sky[1], night ? 0.45 : 0.12) : null,
				side,
			});
		}
	});
}

/** Near trees frame the picture: they stand at the sides and leave the middle open. */
function edgeOf(u: number, focusX: number): number {
	const wide = focusX < 0.5 ? 0.26 : 0.16;
	const narrow = focusX < 0.5 ? 0.16 : 0.26;
	return u < 0.6 ? 1.02 - (u / 0.6) * wide : -0.02 + ((u - 0.6) / 0.4) * narrow;
}
