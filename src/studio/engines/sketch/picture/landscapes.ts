import { randomOf, type Vision } from "../vision.ts";
import { cityLayers } from "./city.ts";
import { css, lighten, mix } from "./colour.ts";
import type { Landscape } from "./compose.ts";
import { duneLayers } from "./dunes.ts";
import { villageLayer } from "./dwellings.ts";
import { bokehLayer, buntingLayer, confettiLayer, tableLayer } from "./festive.ts";
import { hazeLayer, hillLayer } from "./land.ts";
import { shaftsLayer } from "./lights.ts";
import { meadowLayers } from "./meadow.ts";
import { foothills, isWintry, mountainRanges } from "./mountains.ts";
import type { Luminary } from "./sky.ts";
import { worldEdgeLayer } from "./space.ts";
import { still, type Layer, type Stage } from "./stage.ts";
import { glitterLayer, mirrorLayer } from "./water.ts";
import { createSea, ROW_SPACING } from "./waves.ts";
import { forestLayers } from "./woods.ts";

/** The world around the figures. */
export function landscapeOf(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	switch (vision.setting) {
		case "sea":
			return sea(vision, stage, luminary);
		case "lake":
			return lake(vision, stage, luminary);
		case "mountains":
			return mountains(vision, stage, luminary);
		case "forest":
			return forest(vision, stage, luminary);
		case "meadow":
			return meadow(vision, stage, luminary);
		case "city":
			return city(vision, stage, luminary);
		case "desert": {
			const dunes = duneLayers(vision, stage, luminary, stage.height * vision.horizon);
			return { behind: dunes.layers, before: [], ground: { topAt: dunes.groundY, depth: 0.5, sea: null } };
		}
		case "village":
			return village(vision, stage, luminary);
		case "space":
			return { behind: [worldEdgeLayer(vision, stage)], before: [], ground: groundAt(stage, 0.86, 0.5) };
		case "party":
			return {
				behind: [
					bokehLayer(vision, stage, 44),
					buntingLayer(vision, stage),
					tableLayer(vision, stage, stage.height * 0.8),
				],
				before: [confettiLayer(vision, stage, 130)],
				ground: groundAt(stage, 0.86, 0.5),
			};
		case "abstract":
			return { behind: [], before: [], ground: groundAt(stage, 0.8, 0.5) };
	}
}

const groundAt = (stage: Stage, share: number, depth: number): Landscape["ground"] => ({
	topAt: () => stage.height * share,
	depth,
	sea: null,
});

function sea(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const horizonY = stage.height * vision.horizon;
	// Rocks reach a little below their foot; the rows from there on lie before them.
	const footShare = (stage.height * 0.035 + stage.unit * 4) / (stage.height - horizonY);
	const water = createSea(vision, stage, footShare ** (1 / ROW_SPACING));
	const calm = vision.wind < 0.6;
	return {
		behind: [water.behind, ...(calm ? [glitterLayer(vision, stage, luminary, horizonY, stage.height)] : [])],
		before: [water.before],
		ground: { topAt: () => stage.height * (vision.horizon + 0.035), depth: 0.32, sea: water },
	};
}

function lake(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const shoreY = stage.height * vision.horizon;
	const far = hillLayer(vision, stage, {
		name: "far shore",
		baseY: shoreY + stage.unit * 0.6,
		heightUnits: 3.2,
		depth: 0.25,
		bottom: shoreY + stage.unit,
		colour: mix(vision.palette.foliage, vision.palette.landNear, 0.5),
		lengthUnits: 30,
	});
	return {
		behind: [
			...mountainRanges(vision, stage, luminary, shoreY, 0.62),
			far.layer,
			hazeLayer(vision, stage, shoreY - stage.unit, 4, 0.3),
			mirrorLayer(vision, stage, {
				fromY: Math.round(shoreY),
				toY: stage.height,
				tear: vision.wind > 0.6 ? 3 : 1.2,
				cover: [0.12, 0.5],
				smear: 1,
			}),
			glitterLayer(vision, stage, luminary, shoreY, stage.height),
		],
		before: [reedsLayer(vision, stage)],
		ground: { topAt: () => shoreY + stage.unit * 0.8, depth: 0.3, sea: null },
	};
}

/** Reeds at the near corner: something dark and close gives the water its breadth. */
function reedsLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "reeds");
	const { width, height, unit } = stage;
	const left = vision.focusX >= 0.5;
	const dark = mix(vision.palette.landNear, vision.palette.ink, 0.5);
	const reeds = Array.from({ length: 95 }, () => {
		const inward = random.next() ** 1.7;
		return {
			x: left ? inward * width * 0.34 - unit * 3 : width - inward * width * 0.34 + unit * 3,
			tall: unit * random.between(9, 27) * (1 - inward * 0.65),
			lean: random.between(-0.22, 0.3) * (left ? 1 : -1),
			wide: unit * random.between(0.16, 0.5),
			tone: css(lighten(mix(dark, vision.palette.foliage, random.next() * 0.35), random.between(-0.02, 0.03))),
			head: random.chance(0.22),
			phase: random.between(0, 6.28),
		};
	});
	return (pen, seconds) => {
		pen.lineCap = "round";
		for (const reed of reeds) {
			const bend =
				(reed.lean + (stage.film ? Math.sin(seconds * 1.1 + reed.phase) * 0.05 * (0.4 + vision.wind) : 0)) * reed.tall;
			const tipX = reed.x + bend;
			const tipY = height + unit - reed.tall;
			pen.strokeStyle = reed.tone;
			pen.lineWidth = reed.wide;
			pen.beginPath();
			pen.moveTo(reed.x, height + unit);
			pen.quadraticCurveTo(reed.x + bend * 0.2, height - reed.tall * 0.5, tipX, tipY);
			pen.stroke();
			if (!reed.head) continue;
			pen.lineWidth = reed.wide * 3;
			pen.beginPath();
			pen.moveTo(tipX - bend * 0.03, tipY + unit * 0.4);
			pen.lineTo(tipX - bend * 0.12, tipY + unit * 2.8);
			pen.stroke();
		}
	};
}

function mountains(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const baseY = stage.height * (vision.horizon + 0.06);
	const hills = foothills(vision, stage, baseY);
	return {
		behind: [...mountainRanges(vision, stage, luminary, baseY, 1), ...hills.layers],
		before: [],
		ground: { topAt: hills.groundY, depth: 0.58, sea: null },
	};
}

function forest(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const woods = forestLayers(vision, stage, stage.height * (vision.horizon + 0.02));
	const bright = vision.time !== "night" && vision.weather !== "storm" && vision.weather !== "rain";
	return {
		behind: woods.layers,
		before: [woods.near, ...(bright ? [shaftsLayer(vision, stage, luminary.x, 0.16)] : [])],
		ground: { topAt: woods.groundY, depth: 0.6, sea: null },
	};
}

function meadow(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const { palette } = vision;
	const { unit, height } = stage;
	const horizonY = height * vision.horizon;
	const far = hillLayer(vision, stage, {
		name: "meadow far",
		baseY: horizonY + unit * 2,
		heightUnits: 7,
		depth: 0.2,
		bottom: height,
		colour: mix(palette.foliage, palette.landFar, 0.4),
		lengthUnits: 44,
	});
	const near = hillLayer(vision, stage, {
		name: "meadow near",
		baseY: horizonY + unit * 6,
		heightUnits: 6,
		depth: 0.5,
		bottom: height + 2,
		colour: palette.foliage,
		lengthUnits: 70,
	});
	const plenty = vision.features.has("flowers") || vision.features.has("petals") || vision.features.has("spring");
	const grass = meadowLayers(vision, stage, {
		fromY: horizonY + unit * 8,
		flowers: plenty ? 1.7 : 0.8,
		clearX: vision.focusX * stage.width,
	});
	return {
		behind: [
			...mountainRanges(vision, stage, luminary, horizonY + unit * 2, 0.42),
			far.layer,
			hazeLayer(vision, stage, horizonY, 6, 0.22),
			near.layer,
			grass.behind,
		],
		before: [grass.before],
		ground: { topAt: () => height * 0.9, depth: 0.8, sea: null },
	};
}

function city(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const groundY = Math.round(stage.height * 0.74);
	const wet = vision.weather === "rain" || vision.weather === "storm" || vision.paletteName === "neon";
	const mirror = mirrorLayer(vision, stage, {
		fromY: groundY,
		toY: stage.height,
		tear: wet ? 0.9 : 1.5,
		cover: wet ? [0.18, 0.45] : [0.3, 0.62],
		smear: 2.1,
	});
	const kerb: Layer = still(stage, 0.5, (pen) => {
		pen.fillStyle = css(mix(vision.palette.ink, vision.palette.landNear, 0.4));
		pen.fillRect(-stage.unit * 8, groundY - stage.unit * 0.7, stage.width + stage.unit * 16, stage.unit * 0.9);
	});
	return {
		behind: [
			...cityLayers(vision, stage, groundY),
			kerb,
			mirror,
			glitterLayer(vision, stage, luminary, groundY, stage.height),
		],
		before: [],
		ground: { topAt: () => stage.height * 0.9, depth: 0.7, sea: null },
	};
}

function village(vision: Vision, stage: Stage, luminary: Luminary): Landscape {
	const baseY = stage.height * (vision.horizon + 0.02);
	const { palette } = vision;
	const night = vision.time === "night" || vision.time === "dusk";
	const ground = isWintry(vision)
		? mix(palette.foam, palette.sky[1], night ? 0.6 : 0.22)
		: mix(palette.foliage, palette.landNear, night ? 0.55 : 0.2);
	const slope = hillLayer(vision, stage, {
		name: "village slope",
		baseY: baseY + stage.unit * 4,
		heightUnits: 9,
		depth: 0.32,
		bottom: stage.height + 2,
		colour: ground,
		lengthUnits: 60,
	});
	const hills = foothills(vision, stage, stage.height * 0.78);
	return {
		behind: [
			...mountainRanges(vision, stage, luminary, baseY, 0.75),
			slope.layer,
			villageLayer(vision, stage, slope.topAt, 0.32, 6),
			villageLayer(vision, stage, (x) => slope.topAt(x) + stage.unit * 9, 0.45, 5),
			...hills.layers,
		],
		before: [],
		ground: { topAt: hills.groundY, depth: 0.58, sea: null },
	};
}
