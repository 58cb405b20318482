import { lerp } from "../noise.ts";
import { css, mix, oklch, shiftColor, type Color } from "../palette.ts";
import { skyLayers } from "../sky.ts";
import {
	withHaze,
	glow,
	mist,
	reflection,
	stillLayer,
	verticalGradient,
	type Layer,
	type Pen,
	type Stage,
	type Scene,
} from "../scene-canvas.ts";
import { water } from "./sea.ts";

/**
 * A skyline behind water. The darker the time of day, the more windows are lit. Constants are chosen by eye: fractions of
 * the stage, or pixels times `unit`.
 */
export function createCity(stage: Stage): Scene {
	const { width, height, unit, palette, random, parsed } = stage;
	const shore = Math.round(height * random.between(0.7, 0.75));
	const lights = windowColorsOf(stage);
	const darkness = 1 - palette.light;
	const layers: Layer[] = [...skyLayers(stage, shore)];
	layers.push(
		stillLayer(stage, 0.05, (pen) => {
			pen.globalCompositeOperation = "screen";
			for (const [x, color] of [
				[0.25, lights[0]],
				[0.7, lights.at(-1)],
			] as const)
				glow(pen, width * x, shore, height * 0.62, color ?? palette.glow, 0.5 * darkness);
		}),
	);
	const planes = [
		{ distance: 0.68, tall: 0.42, wide: 34, depth: 0.12 },
		{ distance: 0.42, tall: 0.5, wide: 46, depth: 0.2 },
		{ distance: 0.14, tall: 0.36, wide: 62, depth: 0.3 },
	];
	const center = random.between(0.35, 0.65);
	for (const { distance, tall, wide, depth } of planes) {
		layers.push(
			stillLayer(stage, depth, (pen) => {
				for (let x = -stage.margin - 20; x < width + stage.margin;) {
					const towerWidth = wide * unit * random.between(0.6, 1.35);
					const mound = Math.exp(-(((x / width - center) / 0.3) ** 2));
					const towerHeight = height * tall * random.between(0.3, 0.72) * (0.5 + 0.95 * mound);
					tower(stage, pen, { x, y: shore, towerWidth, towerHeight, distance, lights, darkness });
					x += towerWidth * random.between(0.94, 1.12);
				}
				mist(stage, pen, shore - height * 0.22, shore + height * 0.06, 0.3 + 0.4 * distance);
			}),
		);
	}
	layers.push(quay(stage, shore, lights, darkness));
	layers.push(water(stage, shore, 0));
	layers.push(reflection(stage, shore, 0.72));
	const roof = height * 0.93;
	const hasRoof = parsed.subjects.some((subject) => subject !== "boat" && subject !== "rocket");
	if (hasRoof) layers.push(terrace(stage, roof - height * 0.035));
	return {
		layers,
		foreground: [],
		placementOf(subject, nth) {
			if (subject === "boat")
				return { x: width * 0.4, y: shore + height * 0.15, size: height * 0.3, depth: 0.6, floats: true };
			if (subject === "rocket") return { x: width * 0.5, y: height * 0.5, size: height * 0.4, depth: 0.3, tilt: 0.2 };
			return {
				x: width * (nth === 0 ? 0.3 : 0.68),
				y: roof,
				size: height * (subject === "castle" ? 0.5 : 0.42),
				depth: 0.9,
			};
		},
	};
}

function windowColorsOf({ parsed, palette }: Stage): readonly Color[] {
	if (parsed.colors.length > 0)
		return parsed.colors.flatMap(({ hue, chroma }) => [oklch(0.8, chroma, hue), oklch(0.88, chroma * 0.6, hue + 15)]);
	if (parsed.finish === "neon")
		return [oklch(0.76, 0.21, 340), oklch(0.85, 0.14, 200), oklch(0.72, 0.19, 300), oklch(0.88, 0.16, 100)];
	return [
		oklch(0.86, 0.12, 75),
		oklch(0.82, 0.13, 62),
		oklch(0.92, 0.06, 95),
		oklch(0.85, 0.07, 210),
		palette.accents[0] ?? palette.sun,
	];
}

interface Tower {
	readonly x: number;
	/** The height of the shore on which the tower stands. */
	readonly y: number;
	readonly towerWidth: number;
	readonly towerHeight: number;
	/** 0 near the viewer, 1 at the horizon. */
	readonly distance: number;
	readonly lights: readonly Color[];
	/** 0 by day, 1 at night: how many windows are lit. */
	readonly darkness: number;
}

function tower(stage: Stage, pen: Pen, { x, y, towerWidth, towerHeight, distance, lights, darkness }: Tower): void {
	const { random, unit, palette, sun } = stage;
	const towerRandom = random.fork(`${x}/${distance}`);
	const wall = withHaze(
		stage,
		shiftColor(
			mix(palette.shadow, palette.rock, towerRandom.between(0.15, 0.5) + palette.light * 0.35),
			towerRandom.between(-0.03, 0.05),
		),
		distance * 0.85,
	);
	const steps = towerRandom.pick([1, 1, 2, 3]);
	let top = y - towerHeight;
	const parts: { x: number; top: number; towerWidth: number }[] = [{ x, top, towerWidth }];
	for (let step = 1; step < steps; step++) {
		const inset = towerWidth * 0.13 * step;
		top -= towerHeight * towerRandom.between(0.06, 0.16);
		parts.unshift({ x: x + inset, top, towerWidth: towerWidth - 2 * inset });
	}
	for (const part of parts) {
		const gradient = pen.createLinearGradient(part.x, 0, part.x + part.towerWidth, 0);
		const [near, far] = [
			shiftColor(mix(wall, palette.glow, 0.22 * palette.light + 0.05), 0.02),
			mix(wall, palette.shadow, 0.35),
		];
		gradient.addColorStop(0, css(sun.x < x ? near : far));
		gradient.addColorStop(1, css(sun.x < x ? far : near));
		pen.fillStyle = gradient;
		pen.fillRect(part.x, part.top, part.towerWidth, y - part.top);
	}
	const cell = lerp(7.5, 4.4, distance) * unit;
	const style = towerRandom.pick(["grid", "grid", "rows", "columns"] as const);
	const litShare = lerp(0.06, 0.5, darkness) * towerRandom.between(0.5, 1.3);
	const mainColor = towerRandom.pick(lights);
	for (const part of parts)
		for (let row = part.top + cell * 0.7; row < y - cell; row += cell * (style === "rows" ? 1.2 : 1.05)) {
			const rowLit = towerRandom.chance(style === "rows" ? litShare : 0.92);
			for (
				let column = part.x + cell * 0.5;
				column < part.x + part.towerWidth - cell * 0.7;
				column += cell * (style === "columns" ? 1.3 : 0.85)
			) {
				const isLit = style === "rows" ? rowLit && towerRandom.chance(0.85) : rowLit && towerRandom.chance(litShare);
				const color = isLit
					? towerRandom.chance(0.8)
						? mainColor
						: towerRandom.pick(lights)
					: mix(wall, palette.sky[1] ?? wall, 0.35);
				pen.fillStyle = css(
					color,
					isLit ? lerp(0.95, 0.5, distance) * towerRandom.between(0.55, 1) * (0.35 + darkness) : 0.35,
				);
				pen.fillRect(column, row, cell * (style === "columns" ? 0.6 : 0.5), cell * (style === "rows" ? 0.45 : 0.6));
			}
		}
	if (distance < 0.5 && darkness > 0.4 && towerRandom.chance(stage.parsed.finish === "neon" ? 0.6 : 0.22)) {
		const color = towerRandom.pick(stage.parsed.finish === "neon" ? lights : [...palette.accents, ...lights]);
		pen.save();
		pen.globalCompositeOperation = "screen";
		const [sx, sy] = [x + towerWidth * towerRandom.between(0.15, 0.6), y - towerHeight * towerRandom.between(0.4, 0.8)];
		glow(pen, sx + 4 * unit, sy + 20 * unit, 46 * unit, color, 0.6);
		pen.fillStyle = css(shiftColor(color, 0.12));
		pen.fillRect(sx, sy, 7 * unit, 40 * unit);
		pen.restore();
	}
}

/** A low wall along the shore, with a row of lamps. */
function quay(stage: Stage, shore: number, lights: readonly Color[], darkness: number): Layer {
	const { width, margin, unit, palette, random } = stage;
	return stillLayer(stage, 0.3, (pen) => {
		pen.fillStyle = css(mix(palette.shadow, palette.haze, 0.12));
		pen.fillRect(-margin, shore - 5 * unit, width + 2 * margin, 5 * unit);
		pen.globalCompositeOperation = "screen";
		for (let x = -margin; x < width + margin; x += 26 * unit) {
			const color = random.chance(0.75) ? (lights[0] ?? palette.sun) : random.pick(lights);
			glow(pen, x, shore - 9 * unit, 19 * unit, color, 0.75 * darkness);
			pen.fillStyle = css(shiftColor(color, 0.1), darkness);
			pen.fillRect(x - unit, shore - 10 * unit, 2 * unit, 2 * unit);
		}
	});
}

/** Subjects stand on a parapet on the near side of the water. */
function terrace(stage: Stage, top: number): Layer {
	const { width, height, margin, unit, palette } = stage;
	return stillLayer(stage, 0.9, (pen) => {
		const stone = mix(palette.shadow, palette.rock, 0.35);
		pen.fillStyle = verticalGradient(pen, top, height, [
			[0, css(shiftColor(mix(stone, palette.glow, 0.25), 0.04))],
			[0.25, css(stone)],
			[1, css(mix(stone, palette.shadow, 0.8))],
		]);
		pen.fillRect(-margin, top, width + 2 * margin, height - top);
		pen.fillStyle = css(palette.sun, 0.3);
		pen.fillRect(-margin, top, width + 2 * margin, 1.2 * unit);
	});
}
