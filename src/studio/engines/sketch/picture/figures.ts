import type { Figure } from "../vocabulary.ts";
import { randomOf, type Vision } from "../vision.ts";
import { birdsLayer, sittingAnimal, SITTERS, standingAnimal, type Sitter } from "./animals.ts";
import { css, lighten, mix, oklch, type Colour } from "./colour.ts";
import { airBalloonLayer, rocketLayer, sailboatLayer, whaleLayer } from "./craft.ts";
import { cabinLayer, castleLayer, tentLayer, windmillLayer, type Site } from "./dwellings.ts";
import { cakeLayer, confettiLayer, heartLayer, toyBalloonsLayer } from "./festive.ts";
import { firefliesLayer } from "./lights.ts";
import { createLighthouse } from "./lighthouse.ts";
import { driftLayer } from "./meadow.ts";
import type { Luminary } from "./sky.ts";
import { planetsLayer } from "./space.ts";
import { still, type Layer, type Stage } from "./stage.ts";
import { paintLeafTree, paintPalm } from "./trees.ts";
import type { Sea } from "./waves.ts";

/** What figures stand on. */
export interface Ground {
	topAt: (x: number) => number;
	/** How near the ground at the figures' feet is, 0..1. */
	readonly depth: number;
	readonly sea: Sea | null;
}

export interface FigureLayers {
	/** Behind the land: planets, balloons far off, a lighthouse's beam. */
	readonly far: readonly Layer[];
	readonly middle: readonly Layer[];
	readonly near: readonly Layer[];
}

interface Placement {
	far?: Layer;
	middle?: Layer;
	near?: Layer;
}

/** Everything that the prompt names, each where it belongs; then what drifts in the air. */
export function figureLayers(vision: Vision, stage: Stage, luminary: Luminary, ground: Ground): FigureLayers {
	const placed = withCompany(vision).map((figure, index) =>
		place(vision, stage, ground, figure.kind, figure.colour, index),
	);
	return {
		far: placed.flatMap(({ far }) => far ?? []),
		middle: placed.flatMap(({ middle }) => middle ?? []),
		near: [...placed.flatMap(({ near }) => near ?? []), ...air(vision, stage)],
	};
}

/** A party has a cake and a rocket has somewhere to go, even if nobody said so. */
function withCompany(vision: Vision): Vision["figures"] {
	const has = (kind: Figure): boolean => vision.figures.some((figure) => figure.kind === kind);
	const more: Figure[] = [];
	if (vision.setting === "party" && !has("cake")) more.push("cake");
	if (vision.setting === "space" && !has("planet")) more.push("planet");
	return [...vision.figures, ...more.map((kind) => ({ kind, colour: null }))];
}

function place(
	vision: Vision,
	stage: Stage,
	ground: Ground,
	kind: Figure,
	colour: Colour | null,
	index: number,
): Placement {
	const { width, height, unit } = stage;
	// The chief figure has the focus; others go to the other side and further back.
	const x = width * (index === 0 ? vision.focusX : index === 1 ? 1 - vision.focusX * 0.94 : 0.5);
	const site: Site = { x, y: ground.topAt(x) + unit * 1.5, scale: index === 0 ? 1.35 : 1, depth: ground.depth };
	const stands = ground.depth > 0.7;
	switch (kind) {
		case "lighthouse": {
			const house = createLighthouse(vision, stage, colour);
			return {
				far: house.beam,
				middle: (pen, seconds) => {
					house.tower(pen, seconds);
					house.spray(pen, seconds);
				},
			};
		}
		case "sailboat": {
			const { sea } = ground;
			const surfaceY = (at: number, seconds: number): number =>
				sea?.surfaceY(at, 0.42, seconds) ?? ground.topAt(at) + unit * 5;
			// Beside a lighthouse it sails far out, alone it is what the picture is about.
			return {
				middle: sailboatLayer(vision, stage, { x, depth: 0.4, scale: index === 0 ? 1.2 : 0.55, surfaceY }, colour),
			};
		}
		case "island":
			return {
				middle: islandLayer(vision, stage, x, ground.sea === null ? ground.topAt(x) : height * (vision.horizon + 0.05)),
			};
		case "castle":
			return {
				middle: castleLayer(
					vision,
					stage,
					{ ...site, y: site.y - unit * (stands ? 14 : 0), scale: site.scale * 0.95 },
					colour,
				),
			};
		case "cabin":
			return {
				middle: cabinLayer(
					vision,
					stage,
					{ ...site, y: site.y - (stands ? unit * 8 : 0), scale: site.scale * 1.05 },
					colour,
				),
			};
		case "windmill":
			return {
				middle: windmillLayer(
					vision,
					stage,
					{ ...site, y: site.y - (stands ? unit * 16 : 0), scale: site.scale * 0.95 },
					colour,
				),
			};
		case "tent":
			return {
				middle: tentLayer(
					vision,
					stage,
					{ ...site, y: site.y + unit * 3 - (stands ? unit * 8 : 0), scale: site.scale * 0.95 },
					colour,
				),
			};
		case "cat":
		case "dog":
		case "fox":
		case "rabbit":
		case "bear":
		case "owl":
			return { middle: sitter(vision, stage, ground, kind, colour, x, index) };
		case "deer":
		case "horse":
			return {
				middle: standingAnimal(
					vision,
					stage,
					kind,
					{
						x,
						y: stands ? height * 0.9 : ground.topAt(x) + unit * 2.4,
						height: unit * (stands ? 34 : 24),
						depth: ground.depth,
					},
					colour,
				),
			};
		case "whale":
			return { middle: whaleLayer(vision, stage, x, height * (vision.horizon + 0.16), colour) };
		case "rocket":
			return { near: rocketLayer(vision, stage, colour) };
		case "planet":
			return { far: planetsLayer(vision, stage, vision.setting === "space" ? 4 : 1) };
		case "balloon":
			return vision.setting === "party"
				? { middle: toyBalloonsLayer(vision, stage, 13, colour) }
				: { near: airBalloons(vision, stage, colour) };
		case "cake":
			return {
				middle: withBalloons(
					vision,
					stage,
					cakeLayer(vision, stage, width / 2, height * 0.88, Math.min(1.25, (height * 0.66) / unit / 35), colour),
				),
			};
		case "heart":
			return { near: heartLayer(vision, stage, { x: width / 2, y: height * 0.5, size: unit * 42 }, colour) };
		case "blossom":
		case "tree":
			return { middle: treeLayer(vision, stage, ground, kind, index === 0 ? x : width * (1 - vision.focusX)) };
	}
}

function sitter(
	vision: Vision,
	stage: Stage,
	ground: Ground,
	kind: Sitter,
	colour: Colour | null,
	x: number,
	index: number,
): Layer {
	const tall =
		stage.unit *
		(ground.depth > 0.7 ? 42 : 25) *
		(index === 0 ? 1 : 0.72) *
		(SITTERS.indexOf(kind) < 0 ? 1 : kind === "rabbit" ? 0.74 : 1);
	const y = ground.depth > 0.7 ? stage.height * 0.945 : ground.topAt(x) + stage.unit * 5;
	return sittingAnimal(vision, stage, kind, { x, y, height: tall, depth: ground.depth }, colour);
}

function withBalloons(vision: Vision, stage: Stage, cake: Layer): Layer {
	if (vision.figures.some((figure) => figure.kind === "balloon")) return cake;
	const balloons = toyBalloonsLayer(vision, stage, 11, null);
	return (pen, seconds) => {
		balloons(pen, seconds);
		cake(pen, seconds);
	};
}

function airBalloons(vision: Vision, stage: Stage, colour: Colour | null): Layer {
	const random = randomOf(vision, "air balloons");
	const { width, height } = stage;
	const [first, second, third] = vision.palette.accents;
	const layers = [
		{
			x: width * (1 - vision.focusX) + stage.unit * 8,
			y: height * 0.3,
			scale: 0.34,
			depth: 0.15,
			tones: [third, second] as const,
		},
		{
			x: width * 0.5 + (vision.focusX < 0.5 ? 1 : -1) * stage.unit * 28,
			y: height * 0.46,
			scale: 0.22,
			depth: 0.1,
			tones: [second, first] as const,
		},
		{
			x: width * vision.focusX,
			y: height * 0.47,
			scale: 1.15,
			depth: 0.5,
			tones: [colour ?? first, mix(second, oklch(0.97, 0.02, 90), 0.45)] as const,
		},
	].map((balloon) =>
		airBalloonLayer(vision, stage, { ...balloon, phase: random.between(0, 6) }, balloon.tones[0], balloon.tones[1]),
	);
	return (pen, seconds) => {
		for (const layer of layers) layer(pen, seconds);
	};
}

function treeLayer(vision: Vision, stage: Stage, ground: Ground, kind: "blossom" | "tree", x: number): Layer {
	const random = randomOf(vision, `tree ${kind}`);
	const { palette } = vision;
	const night = vision.time === "night" || vision.time === "dusk";
	const pink = mix(oklch(0.82, 0.11, 358), palette.accents[0], 0.2);
	const mid = kind === "blossom" ? mix(pink, palette.sky[1], night ? 0.35 : 0) : palette.foliage;
	const stands = ground.depth > 0.7;
	const y = stands ? stage.height * 0.82 : ground.topAt(x) + stage.unit * 2;
	return still(stage, stands ? 0.6 : ground.depth, (pen) =>
		paintLeafTree(pen, random, x, y, stage.unit * (stands ? 60 : 40), {
			bark: mix(oklch(0.32, 0.04, 40), palette.ink, 0.3),
			crown: {
				shade: mix(lighten(mid, -0.17), palette.landNear, 0.15),
				mid,
				lit: mix(lighten(mid, 0.1), kind === "blossom" ? oklch(0.98, 0.02, 350) : palette.light, 0.5),
			},
			side: vision.focusX < 0.5 ? 1 : -1,
			airy: kind === "blossom",
		}),
	);
}

function islandLayer(vision: Vision, stage: Stage, x: number, y: number): Layer {
	const random = randomOf(vision, "island");
	const { palette } = vision;
	const { unit } = stage;
	const night = vision.time === "night" || vision.time === "dusk";
	const sand = mix(oklch(0.85, 0.07, 82), palette.landNear, night ? 0.5 : 0.1);
	const leaf = mix(mix(palette.foliage, oklch(0.5, 0.12, 145), 0.4), palette.ink, night ? 0.45 : 0.15);
	return still(stage, 0.35, (pen) => {
		pen.fillStyle = css(sand);
		pen.beginPath();
		pen.moveTo(x - unit * 25, y + unit * 3.5);
		pen.bezierCurveTo(x - unit * 14, y - unit * 3.4, x + unit * 12, y - unit * 4.4, x + unit * 25, y + unit * 3.5);
		pen.fill();
		pen.fillStyle = css(lighten(sand, -0.08), 0.6);
		pen.beginPath();
		pen.moveTo(x - unit * 25, y + unit * 3.5);
		pen.bezierCurveTo(x - unit * 10, y + unit * 0.4, x + unit * 10, y + unit * 0.2, x + unit * 25, y + unit * 3.5);
		pen.fill();
		for (let bush = 0; bush < 130; bush++) {
			pen.strokeStyle = css(lighten(leaf, random.between(-0.06, 0.09)));
			pen.lineWidth = unit * 0.4;
			pen.lineCap = "round";
			const bx = x + random.between(-12, 12) * unit;
			const by = y - unit * (1.4 - Math.abs(bx - x) / unit / 14);
			pen.beginPath();
			pen.moveTo(bx, by);
			pen.lineTo(bx + random.between(-1.4, 1.4) * unit, by - random.between(0.5, 3) * unit);
			pen.stroke();
		}
		const bark = mix(oklch(0.45, 0.06, 55), palette.ink, night ? 0.45 : 0.15);
		for (const [dx, tall, lean] of [
			[-5, 25, -0.34],
			[3, 32, 0.26],
			[7.5, 19, 0.5],
		] as const) {
			paintPalm(
				pen,
				random,
				x + dx * unit,
				y - unit * 1.6,
				tall * unit,
				lean,
				bark,
				leaf,
				mix(lighten(leaf, 0.1), palette.light, 0.4),
			);
		}
	});
}

/** What floats through the whole picture. */
function air(vision: Vision, stage: Stage): readonly Layer[] {
	const { features, palette } = vision;
	const layers: Layer[] = [];
	const blossoming = features.has("petals") || vision.figures.some((figure) => figure.kind === "blossom");
	const gulls = vision.setting === "sea" && vision.time !== "night" && vision.setting === "sea";
	if (features.has("birds") || gulls) layers.push(birdsLayer(vision, stage, features.has("birds") ? 17 : 6));
	if (blossoming) {
		const pink = oklch(0.86, 0.09, 357);
		layers.push(
			driftLayer(vision, stage, {
				name: "petals",
				count: 95,
				colours: [pink, lighten(pink, 0.07), mix(pink, palette.accents[0], 0.3)],
				sizeUnits: 0.85,
				shape: "petal",
			}),
		);
	}
	if (features.has("leaves")) {
		layers.push(
			driftLayer(vision, stage, {
				name: "leaves",
				count: 60,
				colours: [palette.accents[0], palette.accents[1], palette.foliage],
				sizeUnits: 1,
				shape: "leaf",
			}),
		);
	}
	if (features.has("fireflies")) layers.push(firefliesLayer(vision, stage, stage.height * 0.42));
	if (features.has("party") && vision.setting !== "party") layers.push(confettiLayer(vision, stage, 120));
	return layers;
}
