import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, lighten, mix, type Colour } from "./colour.ts";
import { glow, moving, still, type Layer, type Pen, type Stage } from "./stage.ts";

interface Building {
	readonly x: number;
	readonly width: number;
	readonly top: number;
	readonly crown: "flat" | "step" | "spire" | "slant" | "tank";
	readonly sign: Colour | null;
}

/** Rows of houses against the sky, from haze to near walls with lit windows and signs. */
export function cityLayers(vision: Vision, stage: Stage, groundY: number): readonly Layer[] {
	const { palette } = vision;
	const neon = vision.paletteName === "neon";
	const lit = vision.time !== "day" && vision.time !== "dawn";
	const layers: Layer[] = [];
	const rows = 4;
	for (let row = 0; row < rows; row++) {
		const t = row / (rows - 1);
		const random = randomOf(vision, `city ${row}`);
		const depth = lerp(0.08, 0.5, t);
		const buildings = plan(random, vision, stage, groundY, t, neon && t > 0.4);
		const wall = mix(mix(palette.landFar, palette.sky[3], 0.45), mix(palette.landNear, palette.ink, 0.35), t ** 0.7);
		layers.push(
			still(stage, depth, (pen) => {
				for (const building of buildings) paintBuilding(pen, random, vision, stage, building, groundY, wall, t, lit);
			}),
		);
		layers.push(twinkling(vision, stage, buildings, groundY, depth, t, lit));
		layers.push((pen) => {
			const veil = pen.createLinearGradient(0, groundY - stage.unit * 34, 0, groundY);
			const air = mix(palette.sky[3], neon ? palette.accents[0] : palette.light, 0.18);
			veil.addColorStop(0, css(air, 0));
			veil.addColorStop(1, css(air, lerp(0.34, 0.05, t)));
			pen.fillStyle = veil;
			pen.fillRect(0, groundY - stage.unit * 34, stage.width, stage.unit * 34);
		});
	}
	return layers;
}

function plan(
	random: ReturnType<typeof randomOf>,
	vision: Vision,
	stage: Stage,
	groundY: number,
	t: number,
	signs: boolean,
): readonly Building[] {
	const { unit } = stage;
	const buildings: Building[] = [];
	let x = -unit * random.between(6, 14);
	while (x < stage.width + unit * 8) {
		const width = unit * random.between(5, 11) * lerp(0.75, 1.5, t);
		const middle = (x + width / 2) / stage.width;
		// Streets open towards the focus: near houses stand at the sides, the far ones tower in the middle.
		const off = Math.abs(middle - vision.focusX);
		const rise = t < 0.4 ? lerp(0.62, 0.3, Math.min(1, off * 1.6)) : lerp(0.12, 0.62, Math.min(1, off * 1.5));
		// Fireworks need the sky.
		const share = vision.features.has("fireworks") ? 0.68 : 1;
		const tall = groundY * rise * share * random.between(0.72, 1.3);
		const roll = random.next();
		const crown = roll < 0.34 ? "flat" : roll < 0.56 ? "step" : roll < 0.7 ? "spire" : roll < 0.85 ? "slant" : "tank";
		buildings.push({
			x,
			width,
			top: groundY - Math.max(unit * 7, Math.min(tall, groundY * 0.9)),
			crown,
			sign: signs && random.chance(0.75) ? vision.palette.accents[random.integer(0, 2) as 0 | 1 | 2] : null,
		});
		x += width + (random.chance(0.25) ? unit * random.between(0.5, 3) : -unit * 0.2);
	}
	return buildings;
}

function paintBuilding(
	pen: Pen,
	random: ReturnType<typeof randomOf>,
	vision: Vision,
	stage: Stage,
	building: Building,
	groundY: number,
	wall: Colour,
	t: number,
	lit: boolean,
): void {
	const { unit } = stage;
	const { palette } = vision;
	const { x, width, top } = building;
	const tint = lighten(wall, random.between(-0.025, 0.025));
	const body = pen.createLinearGradient(0, top, 0, groundY);
	body.addColorStop(0, css(tint));
	body.addColorStop(1, css(lighten(mix(tint, palette.sky[3], 0.1 * (1 - t)), 0.015)));
	pen.fillStyle = body;
	pen.fillRect(x, top, width, groundY - top + unit);
	const middle = x + width / 2;
	switch (building.crown) {
		case "flat":
			pen.fillRect(x - unit * 0.25, top, width + unit * 0.5, unit * 0.5);
			break;
		case "step":
			pen.fillRect(x + width * 0.18, top - unit * 2.2, width * 0.64, unit * 2.4);
			pen.fillRect(x + width * 0.34, top - unit * 4, width * 0.32, unit * 2);
			break;
		case "spire":
			pen.beginPath();
			pen.moveTo(x + width * 0.3, top);
			pen.lineTo(middle, top - unit * 7);
			pen.lineTo(x + width * 0.7, top);
			pen.fill();
			pen.fillRect(middle - unit * 0.12, top - unit * 11, unit * 0.24, unit * 5);
			break;
		case "slant":
			pen.beginPath();
			pen.moveTo(x, top + 1);
			pen.lineTo(x + width, top - unit * 3.6);
			pen.lineTo(x + width, top + 1);
			pen.fill();
			break;
		case "tank":
			pen.fillRect(x + width * 0.2, top - unit * 1.1, unit * 0.3, unit * 1.2);
			pen.fillRect(x + width * 0.2 + unit * 1.9, top - unit * 1.1, unit * 0.3, unit * 1.2);
			pen.fillRect(x + width * 0.2 - unit * 0.2, top - unit * 3.2, unit * 2.6, unit * 2.2);
			break;
	}
	// A lighter edge where the sky's glow meets the wall.
	pen.fillStyle = css(palette.sky[3], 0.1 + 0.08 * t);
	pen.fillRect(vision.focusX * stage.width > middle ? x + width - unit * 0.22 : x, top, unit * 0.22, groundY - top);

	const cell = unit * lerp(0.85, 1.75, t);
	const columns = Math.max(2, Math.floor((width - unit * 0.8) / cell));
	const floors = Math.floor((groundY - top - unit * 1.2) / (cell * 1.2));
	const gap = (width - columns * cell) / 2;
	const warmth = random.next();
	for (let floor = 0; floor < floors; floor++) {
		for (let column = 0; column < columns; column++) {
			const on = lit ? random.chance(lerp(0.34, 0.5, t)) : random.chance(0.8);
			const tone = random.next();
			if (!on) continue;
			const glass = lit
				? tone < 0.72
					? mix(palette.accents[warmth < 0.7 ? 1 : 2], palette.light, tone)
					: palette.accents[tone < 0.86 ? 2 : 0]
				: mix(palette.sky[1], palette.light, tone * 0.5);
			pen.fillStyle = css(glass, lit ? lerp(0.4, 0.92, t) * random.between(0.45, 1) : 0.4);
			pen.fillRect(
				x + gap + column * cell + cell * 0.2,
				top + unit * 0.9 + floor * cell * 1.2,
				cell * 0.6,
				cell * 0.68,
			);
		}
	}
	if (building.sign !== null) paintSign(pen, random, stage, building, building.sign, palette.foam);
}

/** An upright sign with strokes that read as writing in no language. */
function paintSign(
	pen: Pen,
	random: ReturnType<typeof randomOf>,
	stage: Stage,
	building: Building,
	colour: Colour,
	white: Colour,
): void {
	const { unit } = stage;
	const tall = unit * random.between(8, 17);
	const wide = unit * random.between(1.9, 2.9);
	const x = building.x + (random.chance(0.5) ? building.width - wide * 0.55 : -wide * 0.45);
	const y = building.top + unit * random.between(2, 9);
	glow(pen, x + wide / 2, y + tall / 2, tall * 1.25, [
		[0, css(colour, 0.5)],
		[0.45, css(colour, 0.16)],
		[1, css(colour, 0)],
	]);
	pen.fillStyle = css(mix(colour, { l: 0.12, c: 0.04, h: colour.h }, 0.78), 0.94);
	pen.beginPath();
	pen.roundRect(x, y, wide, tall, unit * 0.35);
	pen.fill();
	pen.lineCap = "round";
	pen.lineJoin = "round";
	const glyphs = Math.max(2, Math.floor(tall / (wide * 1.02)));
	for (const [widthUnits, tone] of [
		[0.5, css(colour, 0.55)],
		[0.2, css(mix(colour, white, 0.6))],
	] as const) {
		pen.lineWidth = unit * widthUnits;
		pen.strokeStyle = tone;
		pen.strokeRect(x + unit * 0.25, y + unit * 0.25, wide - unit * 0.5, tall - unit * 0.5);
	}
	for (let glyph = 0; glyph < glyphs; glyph++) {
		const left = x + wide * 0.27;
		const right = x + wide * 0.73;
		const top = y + ((glyph + 0.24) * tall) / glyphs;
		const bottom = y + ((glyph + 0.78) * tall) / glyphs;
		const strokes = Array.from({ length: random.integer(2, 4) }, () => {
			const level = lerp(top, bottom, random.next());
			return random.chance(0.55)
				? ([left, level, right, level] as const)
				: ([lerp(left, right, random.next()), top, lerp(left, right, random.next()), bottom] as const);
		});
		for (const [widthUnits, tone] of [
			[0.55, css(colour, 0.5)],
			[0.22, css(mix(colour, white, 0.72))],
		] as const) {
			pen.lineWidth = unit * widthUnits;
			pen.strokeStyle = tone;
			pen.beginPath();
			for (const [fromX, fromY, toX, toY] of strokes) {
				pen.moveTo(fromX, fromY);
				pen.lineTo(toX, toY);
			}
			pen.stroke();
		}
	}
}

/** A few windows that go on and off, and red lamps on the spires. */
function twinkling(
	vision: Vision,
	stage: Stage,
	buildings: readonly Building[],
	groundY: number,
	depth: number,
	t: number,
	lit: boolean,
): Layer {
	if (!lit || !stage.film) return () => undefined;
	const random = randomOf(vision, `twinkle ${t}`);
	const { unit } = stage;
	const cell = unit * lerp(0.85, 1.75, t);
	const windows = buildings.flatMap((building) =>
		Array.from({ length: 3 }, () => ({
			x: building.x + cell + random.next() * Math.max(0, building.width - 2 * cell),
			y: lerp(building.top + unit * 2, groundY - unit * 2, random.next()),
			phase: random.between(0, 6.28),
			speed: random.between(0.5, 1.7),
		})),
	);
	const colour = mix(vision.palette.accents[1], vision.palette.light, 0.5);
	return moving(stage, depth, (pen, seconds) => {
		for (const window of windows) {
			const on = Math.sin(seconds * window.speed + window.phase);
			if (on < 0.1) continue;
			pen.fillStyle = css(colour, Math.min(0.9, on * 2) * lerp(0.4, 0.9, t));
			pen.fillRect(window.x, window.y, cell * 0.6, cell * 0.68);
		}
		for (const building of buildings) {
			if (building.crown !== "spire") continue;
			const pulse = Math.max(0, Math.sin(seconds * 2.2 + building.x));
			glow(pen, building.x + building.width / 2, building.top - unit * 11, unit * 1.6, [
				[0, css(vision.palette.accents[0], 0.9 * pulse)],
				[1, css(vision.palette.accents[0], 0)],
			]);
		}
	});
}
