import type { Random } from "../random.ts";
import { randomOf, type Vision } from "../vision.ts";
import { fillShape, paintStrokes, swatchOf, washSwatch } from "./brush.ts";
import { clamp01, css, lerp, lighten, mix, ramp, smoothstep, type Colour } from "./colour.ts";
import { createNoise } from "./noise.ts";
import { glow, moving, still, type Layer, type Pen, type Stage } from "./stage.ts";

const TURN_S = 7;

export interface Lighthouse {
	/** The beam where it sweeps away from the viewer, behind the tower. */
	readonly beam: Layer;
	readonly tower: Layer;
	readonly spray: Layer;
}

/** A striped tower on its rock, with a lamp that turns. */
export function createLighthouse(vision: Vision, stage: Stage, colour: Colour | null): Lighthouse {
	const random = randomOf(vision, "lighthouse");
	const { unit } = stage;
	const x = stage.width * vision.focusX;
	const baseY = stage.height * (vision.horizon + 0.035);
	const rockHeight = unit * 13;
	const footY = baseY - rockHeight * 0.86;
	// The lamp stays in the picture, whatever its shape.
	const towerHeight = Math.min(unit * 38, footY - stage.height * 0.17);
	const lampY = footY - towerHeight;
	const side = vision.focusX < 0.5 ? 1 : -1;
	const lamp = { x, y: lampY - unit * 2.1 };
	const dark = vision.time !== "day" && vision.time !== "dawn";
	const power = vision.weather === "storm" || vision.weather === "fog" ? 1 : dark ? 0.85 : 0.35;

	return {
		beam: moving(stage, 0.32, (pen, seconds) => {
			// The first frame has the beam out to the open side.
			const angle = (seconds / TURN_S) * Math.PI * 2 + (side > 0 ? 0.32 : Math.PI - 0.32);
			paintBeam(pen, lamp, angle, stage, vision.palette.light, power);
			paintBeam(pen, lamp, angle + Math.PI, stage, vision.palette.light, power * 0.45);
			const towardViewer = Math.max(0, -Math.sin(angle)) ** 6 + Math.max(0, Math.sin(angle)) ** 6 * 0.6;
			glow(pen, lamp.x, lamp.y, unit * (17 + 16 * towardViewer), [
				[0, css(vision.palette.light, 0.85 * power)],
				[0.12, css(vision.palette.light, 0.45 * power)],
				[0.4, css(vision.palette.light, 0.13 * power)],
				[1, css(vision.palette.light, 0)],
			]);
		}),
		tower: still(stage, 0.32, (pen) => {
			paintRock(pen, random.fork("rock"), vision, stage, x, baseY, rockHeight, side);
			paintCottage(pen, vision, stage, x + side * unit * -9.5, footY + unit * 1.2, dark);
			paintTower(pen, vision, stage, x, footY, lampY, side, colour ?? vision.palette.accents[0], dark);
		}),
		spray: sprayLayer(vision, stage, x, baseY, side),
	};
}

function paintBeam(
	pen: Pen,
	lamp: { x: number; y: number },
	angle: number,
	stage: Stage,
	light: Colour,
	power: number,
): void {
	const across = Math.cos(angle);
	const length = stage.width * 1.15 * Math.abs(across);
	if (length < stage.unit * 4) return;
	const direction = Math.sign(across);
	// Seen from below, the beam rises a little as it turns away.
	const tilt = -0.1 - 0.05 * Math.sin(angle);
	const spread = 0.085;
	pen.save();
	pen.globalCompositeOperation = "screen";
	pen.translate(lamp.x, lamp.y);
	const gradient = (alpha: number): ReturnType<Pen["createLinearGradient"]> => {
		const fade = pen.createLinearGradient(0, 0, direction * length, tilt * length);
		fade.addColorStop(0, css(light, alpha));
		fade.addColorStop(0.25, css(light, alpha * 0.62));
		fade.addColorStop(0.65, css(light, alpha * 0.22));
		fade.addColorStop(1, css(light, 0));
		return fade;
	};
	for (const [share, alpha] of [
		[1, 0.15],
		[0.86, 0.11],
		[0.7, 0.12],
		[0.5, 0.2],
		[0.26, 0.42],
	] as const) {
		pen.fillStyle = gradient(alpha * power);
		const half = spread * share * length;
		fillShape(pen, [
			[0, -stage.unit * 0.8 * share],
			[direction * length, tilt * length - half],
			[direction * length, tilt * length + half],
			[0, stage.unit * 0.8 * share],
		]);
	}
	pen.restore();
}

function paintRock(
	pen: Pen,
	random: Random,
	vision: Vision,
	stage: Stage,
	x: number,
	baseY: number,
	height: number,
	side: number,
): void {
	const { unit } = stage;
	const { palette } = vision;
	const noise = createNoise(random.fork("stone"));
	const farEdge = side > 0 ? -stage.width * 0.06 - unit * 8 : stage.width * 1.06 + unit * 8;
	// The rock runs from the picture's edge out to a broken point.
	const reach = unit * 19;
	const outline: [number, number][] = [];
	const steps = 90;
	for (let step = 0; step <= steps; step++) {
		const t = step / steps;
		const px = lerp(farEdge, x + side * reach, t);
		const outward = ((px - x) / unit) * side;
		const plateau = outward < 5 ? 1 : Math.max(0, 1 - (outward - 5) / 14) ** 1.15;
		const inland = outward < -12 ? lerp(1, 1.25, Math.min(1, (-12 - outward) / 40)) : 1;
		const broken =
			noise.fbm(px / unit / 5, 3.3, 3) * (outward > 4 ? 4.2 : 1) +
			(outward < -14 ? noise.fbm(px / unit / 16, 8.1, 2) * 5 : 0);
		// Steps in the stone where it comes down to the sea.
		const ledge =
			outward > 5
				? Math.round((height * plateau) / unit / 2.4) * 2.4 * unit * 0.6 + height * plateau * 0.4
				: height * plateau * inland;
		outline.push([px, baseY - Math.max(-unit * 2, ledge + broken * unit)]);
	}
	const bottom = baseY + unit * 14;
	const left = Math.min(farEdge, x + side * (reach + unit * 4));
	const width = Math.abs(farEdge - x) + reach + unit * 4;
	const top = baseY - height * 1.25 - unit * 5;
	pen.save();
	pen.beginPath();
	pen.moveTo(farEdge, bottom);
	for (const [px, py] of outline) pen.lineTo(px, py);
	pen.lineTo(x + side * (reach + unit * 4), bottom);
	pen.closePath();
	pen.fillStyle = css(mix(palette.landNear, palette.ink, 0.4));
	pen.fill();
	pen.clip();
	const rows = Math.round((200 * (bottom - top)) / width);
	const swatch = swatchOf(200, rows, (u, v) => {
		const px = (left + u * width) / unit;
		const py = (top + v * (bottom - top)) / unit;
		// Upright clefts, tilted beds: light catches the planes that look out to sea.
		const cleft = (qx: number, qy: number): number => noise.ridged((qx + qy * 0.35 * side) / 8, qy / 15, 4);
		const lit = clamp01(
			0.4 + (cleft(px, py) - cleft(px + side * 0.7, py - 0.5)) * 3.4 + noise.fbm(px / 3, py / 1.4, 2) * 0.25,
		);
		const tone = Math.round(lit * 4) / 4;
		const seaward = smoothstep(-30, 19, ((px * unit - x) / unit) * side);
		const stone = ramp(
			[
				palette.ink,
				palette.landNear,
				mix(palette.landNear, palette.landFar, 0.75),
				mix(palette.landFar, palette.sky[3], 0.3),
			],
			tone * lerp(0.5, 0.95, seaward),
		);
		return { colour: stone, alpha: 1 };
	});
	washSwatch(pen, swatch, left, top, width, bottom - top);
	paintStrokes(pen, random.fork("stone strokes"), {
		swatch,
		left,
		top,
		width,
		height: bottom - top,
		count: Math.round(((width * (bottom - top)) / unit / unit) * 1.5),
		lengthPx: unit * 2.4,
		widthPx: unit * 0.7,
		alpha: 0.85,
		shake: 6,
		angle: (px, py) => 1.25 * side + noise.at(px / unit / 7, py / unit / 7) * 0.8,
	});
	const turfEnd = outline.findLastIndex(([px]) => ((px - x) / unit) * side < 6);
	// Turf on top, combed by the wind.
	for (let index = 0; index < 520; index++) {
		const [px, py] = outline[random.integer(0, turfEnd)] ?? [x, baseY];
		pen.strokeStyle = css(
			lighten(mix(palette.foliage, palette.landNear, random.between(0.2, 0.85)), random.between(-0.05, 0.07)),
			0.85,
		);
		pen.lineWidth = unit * random.between(0.12, 0.32);
		const gx = px + random.between(-2, 2) * unit;
		const gy = py + random.between(-0.1, 1.7) * unit;
		pen.beginPath();
		pen.moveTo(gx, gy);
		pen.quadraticCurveTo(
			gx,
			gy - unit,
			gx + side * -1 * random.between(0.6, 1.8) * unit,
			gy - random.between(0.3, 1.2) * unit,
		);
		pen.stroke();
	}
	pen.restore();
	pen.strokeStyle = css(mix(palette.sky[3], palette.landFar, 0.4), 0.55);
	pen.lineWidth = unit * 0.22;
	pen.beginPath();
	outline.forEach(([px, py], index) => (index === 0 ? pen.moveTo(px, py) : pen.lineTo(px, py)));
	pen.stroke();
}

function paintCottage(pen: Pen, vision: Vision, stage: Stage, x: number, y: number, lit: boolean): void {
	const { unit } = stage;
	const { palette } = vision;
	const wall = mix(palette.foam, palette.landFar, lit ? 0.55 : 0.2);
	pen.fillStyle = css(wall);
	pen.fillRect(x - unit * 4.2, y - unit * 3.6, unit * 8.4, unit * 4.4);
	pen.fillStyle = css(lighten(wall, -0.12));
	pen.fillRect(x - unit * 4.2, y - unit * 3.6, unit * 2.4, unit * 4.4);
	pen.fillStyle = css(mix(palette.accents[0], palette.ink, 0.45));
	fillShape(pen, [
		[x - unit * 5, y - unit * 3.4],
		[x - unit * 2.6, y - unit * 6.3],
		[x + unit * 3.4, y - unit * 6.3],
		[x + unit * 5, y - unit * 3.4],
	]);
	pen.fillStyle = css(mix(palette.landNear, palette.ink, 0.3));
	pen.fillRect(x + unit * 1.7, y - unit * 7.8, unit * 1.1, unit * 2.2);
	for (const offset of [-0.6, 2]) {
		pen.fillStyle = css(lit ? lighten(palette.accents[1], 0.04) : palette.landNear);
		pen.fillRect(x + unit * offset, y - unit * 2.5, unit * 1.2, unit * 1.4);
		if (lit) {
			glow(pen, x + unit * (offset + 0.6), y - unit * 1.8, unit * 4.5, [
				[0, css(palette.accents[1], 0.5)],
				[1, css(palette.accents[1], 0)],
			]);
		}
	}
}

function paintTower(
	pen: Pen,
	vision: Vision,
	stage: Stage,
	x: number,
	footY: number,
	topY: number,
	side: number,
	stripe: Colour,
	lit: boolean,
): void {
	const { unit } = stage;
	const { palette } = vision;
	const foot = unit * 4.4;
	const neck = unit * 2.5;
	const halfAt = (t: number): number => lerp(foot, neck, t ** 0.8);
	const white = mix(palette.foam, palette.sky[2], lit ? 0.22 : 0.06);
	const bands = 7;
	const rows = 40;
	for (let band = 0; band < bands; band++) {
		const points: [number, number][] = [];
		for (let row = 0; row <= rows / bands; row++) {
			const t = (band + row / (rows / bands)) / bands;
			points.push([x - halfAt(t), lerp(footY + unit, topY, t)]);
		}
		for (let row = Math.floor(rows / bands); row >= 0; row--) {
			const t = (band + row / (rows / bands)) / bands;
			points.push([x + halfAt(t), lerp(footY + unit, topY, t)]);
		}
		pen.fillStyle = css(band % 2 === 0 ? white : lit ? mix(stripe, palette.sky[0], 0.16) : stripe);
		fillShape(pen, points);
	}
	// Round: dark on the side away from the bright sky, a soft edge of light on the other.
	const shade = pen.createLinearGradient(x - foot, 0, x + foot, 0);
	const [near, far] = side > 0 ? [1, 0] : [0, 1];
	shade.addColorStop(near, css(palette.sky[3], 0.12));
	shade.addColorStop(lerp(near, far, 0.22), css(palette.sky[3], 0));
	shade.addColorStop(lerp(near, far, 0.45), css(palette.ink, 0.08));
	shade.addColorStop(lerp(near, far, 0.8), css(palette.ink, 0.52));
	shade.addColorStop(far, css(palette.ink, 0.66));
	pen.fillStyle = shade;
	fillShape(pen, [
		[x - foot, footY + unit],
		...Array.from(
			{ length: 21 },
			(_, index) => [x - halfAt(index / 20), lerp(footY + unit, topY, index / 20)] as const,
		),
		...Array.from(
			{ length: 21 },
			(_, index) => [x + halfAt(1 - index / 20), lerp(topY, footY + unit, index / 20)] as const,
		),
	]);
	for (const t of [0.2, 0.46, 0.7]) {
		const wy = lerp(footY, topY, t);
		pen.fillStyle = css(lit ? palette.accents[1] : palette.ink);
		pen.beginPath();
		pen.roundRect(x - unit * 0.55 + side * unit * 0.5, wy - unit * 1.1, unit * 1.1, unit * 1.9, unit * 0.5);
		pen.fill();
	}
	pen.fillStyle = css(palette.ink);
	pen.beginPath();
	pen.roundRect(x - unit * 1.1, footY - unit * 3, unit * 2.2, unit * 4, [unit, unit, 0, 0]);
	pen.fill();

	// Gallery, lantern, dome.
	const iron = mix(palette.ink, palette.landNear, 0.25);
	pen.fillStyle = css(iron);
	fillShape(pen, [
		[x - neck * 1.05, topY + unit * 1.1],
		[x - neck * 1.75, topY - unit * 0.1],
		[x + neck * 1.75, topY - unit * 0.1],
		[x + neck * 1.05, topY + unit * 1.1],
	]);
	pen.strokeStyle = css(iron);
	pen.lineWidth = unit * 0.2;
	pen.beginPath();
	for (let post = -4; post <= 4; post++) {
		pen.moveTo(x + (post / 4) * neck * 1.7, topY);
		pen.lineTo(x + (post / 4) * neck * 1.7, topY - unit * 1.3);
	}
	pen.moveTo(x - neck * 1.7, topY - unit * 1.3);
	pen.lineTo(x + neck * 1.7, topY - unit * 1.3);
	pen.stroke();
	const room = unit * 1.75;
	const roomTop = topY - unit * 4;
	const flame = pen.createLinearGradient(0, roomTop, 0, topY);
	flame.addColorStop(0, css(lighten(palette.light, 0.03)));
	flame.addColorStop(1, css(mix(palette.light, palette.accents[1], 0.6)));
	pen.fillStyle = flame;
	pen.fillRect(x - room, roomTop, room * 2, topY - roomTop);
	pen.strokeStyle = css(iron);
	pen.lineWidth = unit * 0.18;
	pen.beginPath();
	for (const bar of [-1, -0.35, 0.35, 1]) {
		pen.moveTo(x + bar * room, roomTop);
		pen.lineTo(x + bar * room, topY);
	}
	pen.stroke();
	pen.fillStyle = css(mix(stripe, palette.ink, 0.42));
	pen.beginPath();
	pen.moveTo(x - room * 1.35, roomTop);
	pen.quadraticCurveTo(x - room * 1.1, roomTop - unit * 2.5, x, roomTop - unit * 3);
	pen.quadraticCurveTo(x + room * 1.1, roomTop - unit * 2.5, x + room * 1.35, roomTop);
	pen.closePath();
	pen.fill();
	pen.fillStyle = css(iron);
	pen.fillRect(x - unit * 0.14, roomTop - unit * 5, unit * 0.28, unit * 2.4);
	pen.beginPath();
	pen.arc(x, roomTop - unit * 3.1, unit * 0.45, 0, Math.PI * 2);
	pen.fill();
}

/** Water thrown up where the sea meets the rock; every few seconds a wave breaks. */
function sprayLayer(vision: Vision, stage: Stage, x: number, baseY: number, side: number): Layer {
	if (vision.wind < 0.6) return () => undefined;
	const random = randomOf(vision, "spray");
	const { unit } = stage;
	const period = 3.4;
	const drops = Array.from({ length: 620 }, () => {
		const place = random.next() ** 0.8;
		return {
			x: x + side * unit * lerp(6, 21, place),
			out: random.between(-0.5, 1) * side,
			up: random.between(0.15, 1) ** 0.8 * lerp(0.6, 1, 1 - Math.abs(place - 0.55) * 1.6),
			radius: random.next() ** 3.5,
			late: random.between(0, 0.45),
		};
	});
	const mist = drops.filter((_, index) => index % (stage.film ? 32 : 16) === 0);
	const { foam } = vision.palette;
	const placeOf = (drop: (typeof drops)[number], age: number): { px: number; py: number; rise: number } => {
		const rise = unit * (33 * drop.up * age - 15 * age * age);
		return { px: drop.x + drop.out * age * unit * 4.2 - side * age * unit * 2.4, py: baseY + unit * 2 - rise, rise };
	};
	return moving(stage, 0.36, (pen, seconds) => {
		// At the start the breaker stands high.
		const since = (seconds + 0.78) % period;
		for (const drop of mist) {
			const age = since - drop.late;
			if (age < 0 || age > 2.2) continue;
			const { px, py } = placeOf(drop, age * 0.8);
			const veil = (stage.film ? 0.13 : 0.075) * (1 - age / 2.2);
			glow(pen, px, py, unit * (4.5 + 3 * age), [
				[0, css(foam, veil)],
				[0.5, css(foam, veil * 0.4)],
				[1, css(foam, 0)],
			]);
		}
		pen.fillStyle = css(foam, 0.9);
		pen.beginPath();
		for (const drop of drops) {
			const age = since - drop.late;
			if (age < 0 || age > 2) continue;
			const { px, py, rise } = placeOf(drop, age);
			const radius = unit * (0.07 + drop.radius * 0.42) * (1 - age / 2);
			if (radius <= 0 || rise < -unit * 2) continue;
			pen.moveTo(px + radius, py);
			pen.arc(px, py, radius, 0, Math.PI * 2);
		}
		pen.fill();
	});
}
