import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, lighten, mix, type Colour } from "./colour.ts";
import { glow, moving, type Layer, type Pen, type Stage } from "./stage.ts";

/** A boat under sail that rides the swell. */
export function sailboatLayer(
	vision: Vision,
	stage: Stage,
	place: {
		readonly x: number;
		readonly depth: number;
		readonly scale: number;
		surfaceY(x: number, seconds: number): number;
	},
	colour: Colour | null,
): Layer {
	const { palette } = vision;
	const hull = mix(colour ?? palette.accents[0], palette.ink, vision.time === "day" ? 0.1 : 0.34);
	const canvas = mix(palette.foam, palette.sky[3], 0.25);
	const facing = vision.focusX < 0.5 ? 1 : -1;
	return moving(stage, place.depth, (pen, seconds) => {
		const u = stage.unit * place.scale;
		const reach = u * 6;
		const bow = place.surfaceY(place.x + reach, seconds);
		const stern = place.surfaceY(place.x - reach, seconds);
		const y = (bow + stern + place.surfaceY(place.x, seconds) * 2) / 4;
		pen.save();
		pen.translate(place.x, y);
		pen.rotate(Math.atan2(bow - stern, reach * 2) * 0.7 + (vision.wind > 0.6 ? 0.1 : 0.03) * facing);
		pen.scale(u * facing, u);
		pen.strokeStyle = css(mix(palette.ink, hull, 0.2));
		pen.lineWidth = 0.36;
		pen.beginPath();
		pen.moveTo(0, -1);
		pen.lineTo(0, -21.5);
		pen.stroke();
		const belly = 1 + 0.08 * Math.sin(seconds * 2);
		const sail = (points: readonly [number, number, number, number, number, number], tone: Colour): void => {
			const [footX, footY, headX, headY, clewX, clewY] = points;
			const cloth = pen.createLinearGradient(footX, 0, clewX, 0);
			cloth.addColorStop(0, css(lighten(tone, -0.1)));
			cloth.addColorStop(0.45, css(tone));
			cloth.addColorStop(1, css(mix(tone, palette.light, 0.3)));
			pen.fillStyle = cloth;
			pen.beginPath();
			pen.moveTo(footX, footY);
			pen.lineTo(headX, headY);
			pen.quadraticCurveTo(((headX + clewX) / 2) * 1.55 * belly, (headY + clewY) / 2 + 1.5, clewX, clewY);
			pen.quadraticCurveTo((footX + clewX) / 2, Math.max(footY, clewY) + 0.6, footX, footY);
			pen.fill();
		};
		sail([-0.5, -3.2, -0.4, -20.6, -8.6, -3.6], canvas);
		sail([0.6, -3, 0.4, -18.6, 7.6, -2.9], mix(canvas, colour ?? palette.accents[1], 0.32));
		pen.fillStyle = css(palette.accents[0]);
		pen.beginPath();
		pen.moveTo(0, -21.5);
		pen.lineTo(-2.6, -20.9 + 0.3 * Math.sin(seconds * 7));
		pen.lineTo(0, -20.3);
		pen.fill();
		const planks = pen.createLinearGradient(0, -2.4, 0, 1.8);
		planks.addColorStop(0, css(lighten(hull, 0.08)));
		planks.addColorStop(1, css(lighten(hull, -0.12)));
		pen.fillStyle = planks;
		pen.beginPath();
		pen.moveTo(-7, -2);
		pen.quadraticCurveTo(0, -1.1, 8.6, -2.7);
		pen.quadraticCurveTo(6.5, 1.6, 3.6, 2);
		pen.lineTo(-4.4, 2);
		pen.quadraticCurveTo(-6.5, 1.2, -7, -2);
		pen.fill();
		pen.strokeStyle = css(palette.foam, 0.85);
		pen.lineWidth = 0.34;
		pen.beginPath();
		pen.moveTo(-7, -2);
		pen.quadraticCurveTo(0, -1.1, 8.6, -2.7);
		pen.stroke();
		if (vision.time === "night" || vision.time === "dusk" || vision.weather === "storm") {
			glow(pen, 0, -5, 6, [
				[0, css(palette.light, 0.75)],
				[0.2, css(palette.light, 0.28)],
				[1, css(palette.light, 0)],
			]);
		}
		pen.restore();
	});
}

/** A rocket on a slanting course, with a plume that flickers. */
export function rocketLayer(vision: Vision, stage: Stage, colour: Colour | null): Layer {
	const random = randomOf(vision, "rocket");
	const { palette } = vision;
	const { width, height, unit } = stage;
	const body = mix(palette.foam, { l: 0.95, c: 0.01, h: 90 }, 0.6);
	const trim = colour ?? palette.accents[0];
	const side = vision.focusX < 0.5 ? 1 : -1;
	const puffs = Array.from({ length: 70 }, () => ({
		along: random.next(),
		across: random.between(-1, 1),
		size: random.between(0.5, 1.5),
		phase: random.between(0, 6.28),
	}));
	return moving(stage, 0.75, (pen, seconds) => {
		const lift = stage.film ? Math.sin(seconds * 0.8) * unit * 1.4 + seconds * unit * 0.9 : 0;
		const x = vision.focusX * width + side * (unit * 3 + lift);
		const y = height * 0.5 - lift * 0.8;
		pen.save();
		pen.translate(x, y);
		pen.rotate(side * 0.72);
		pen.scale(unit, unit);
		plume(pen, puffs, palette, seconds);
		const metal = pen.createLinearGradient(-4, 0, 4, 0);
		metal.addColorStop(side > 0 ? 0 : 1, css(mix(body, palette.sky[1], 0.5)));
		metal.addColorStop(0.5, css(body));
		metal.addColorStop(side > 0 ? 1 : 0, css(mix(body, palette.light, 0.4)));
		for (const fin of [-1, 1]) {
			pen.fillStyle = css(fin === side ? trim : lighten(trim, -0.14));
			pen.beginPath();
			pen.moveTo(fin * 3.1, 2.5);
			pen.quadraticCurveTo(fin * 7.6, 6, fin * 7, 13);
			pen.quadraticCurveTo(fin * 5, 10, fin * 2.4, 9.6);
			pen.fill();
		}
		pen.fillStyle = metal;
		pen.beginPath();
		pen.moveTo(0, -17);
		pen.bezierCurveTo(4.4, -11, 5.4, -2, 2.9, 10);
		pen.lineTo(-2.9, 10);
		pen.bezierCurveTo(-5.4, -2, -4.4, -11, 0, -17);
		pen.fill();
		pen.fillStyle = css(trim);
		pen.beginPath();
		pen.moveTo(0, -17);
		pen.quadraticCurveTo(2.3, -14, 3.25, -10.6);
		pen.quadraticCurveTo(0, -9.6, -3.25, -10.6);
		pen.quadraticCurveTo(-2.3, -14, 0, -17);
		pen.fill();
		pen.fillRect(-3.6, 6.4, 7.2, 1.1);
		pen.fillStyle = css(mix(trim, palette.ink, 0.5));
		pen.beginPath();
		pen.arc(0, -4.2, 2.35, 0, Math.PI * 2);
		pen.fill();
		const glass = pen.createRadialGradient(-0.5, -4.9, 0.2, 0, -4.2, 1.8);
		glass.addColorStop(0, css(palette.foam));
		glass.addColorStop(1, css(palette.accents[1]));
		pen.fillStyle = glass;
		pen.beginPath();
		pen.arc(0, -4.2, 1.75, 0, Math.PI * 2);
		pen.fill();
		pen.fillStyle = css(lighten(trim, -0.18));
		pen.beginPath();
		pen.moveTo(-0.7, 3);
		pen.lineTo(0.7, 3);
		pen.lineTo(0.9, 13);
		pen.lineTo(-0.9, 13);
		pen.fill();
		pen.fillStyle = css(mix(palette.ink, body, 0.2));
		pen.fillRect(-2.3, 9.8, 4.6, 1.5);
		pen.restore();
	});
}

function plume(
	pen: Pen,
	puffs: readonly { readonly along: number; readonly across: number; readonly size: number; readonly phase: number }[],
	palette: Vision["palette"],
	seconds: number,
): void {
	for (const puff of puffs) {
		const t = (puff.along + seconds * 0.55) % 1;
		const y = 13 + t * 46;
		const spread = 1.2 + t * 8.5;
		glow(pen, puff.across * spread, y, (2.2 + t * 6) * puff.size, [
			[
				0,
				css(
					mix(mix(palette.light, palette.accents[0], Math.min(1, t * 2)), palette.cloudLit, Math.max(0, t - 0.25)),
					0.3 * (1 - t),
				),
			],
			[1, css(palette.cloudLit, 0)],
		]);
	}
	const flicker = 1 + 0.12 * Math.sin(seconds * 31) + 0.08 * Math.sin(seconds * 47);
	for (const [wide, long, tone] of [
		[2.9, 17, mix(palette.accents[0], palette.light, 0.15)],
		[2, 12, mix(palette.accents[0], palette.light, 0.6)],
		[1.1, 7, { l: 0.99, c: 0.03, h: 95 }],
	] as const) {
		pen.fillStyle = css(tone, 0.92);
		pen.beginPath();
		pen.moveTo(-wide, 11);
		pen.quadraticCurveTo(-wide * 0.9, 11 + long * 0.5 * flicker, 0, 11 + long * flicker);
		pen.quadraticCurveTo(wide * 0.9, 11 + long * 0.5 * flicker, wide, 11);
		pen.fill();
	}
}

/** A hot-air balloon, striped, with its basket; it floats. */
export function airBalloonLayer(
	vision: Vision,
	stage: Stage,
	place: {
		readonly x: number;
		readonly y: number;
		readonly scale: number;
		readonly depth: number;
		readonly phase: number;
	},
	colour: Colour,
	second: Colour,
): Layer {
	const { palette } = vision;
	const side = vision.focusX < 0.5 ? 1 : -1;
	return moving(stage, place.depth, (pen, seconds) => {
		const u = stage.unit * place.scale;
		pen.save();
		pen.translate(
			place.x + Math.sin(seconds * 0.5 + place.phase) * u * 1.5,
			place.y + (Math.sin(seconds * 0.7 + place.phase * 2) - Math.sin(place.phase * 2)) * u * 1.2,
		);
		pen.scale(u, u);
		const gores = 8;
		const air = mix(palette.sky[2], palette.sky[3], 0.5);
		const far = lerp(0.45, 0, Math.min(1, place.scale));
		// The widest first; each next one leaves a stripe of it.
		for (let gore = 0; gore < gores; gore++) {
			const from = Math.cos((gore / gores) * Math.PI) * 11;
			const tone = mix(gore % 2 === 0 ? colour : second, air, far);
			const lit = 1 - Math.abs((gore + 0.5) / gores - (side > 0 ? 0.3 : 0.7));
			pen.fillStyle = css(mix(lighten(tone, (lit - 0.75) * 0.2), palette.light, lit > 0.85 ? 0.12 : 0));
			pen.beginPath();
			pen.moveTo(0, -25);
			pen.bezierCurveTo(from * 1.15, -25, from * 1.32, -12, from * 0.24, 0);
			pen.lineTo(-11 * 0.24, 0);
			pen.bezierCurveTo(-11 * 1.32, -12, -11 * 1.15, -25, 0, -25);
			pen.fill();
		}
		pen.strokeStyle = css(mix(palette.ink, air, far));
		pen.lineWidth = 0.22;
		pen.beginPath();
		for (const line of [-1, -0.35, 0.35, 1]) {
			pen.moveTo(line * 2.5, 0);
			pen.lineTo(line * 1.6, 5);
		}
		pen.stroke();
		pen.fillStyle = css(mix(mix(palette.accents[1], palette.ink, 0.55), air, far));
		pen.beginPath();
		pen.roundRect(-1.9, 4.8, 3.8, 3, 0.6);
		pen.fill();
		glow(pen, 0, 1.5, 3.2, [
			[0, css(palette.light, 0.8)],
			[1, css(palette.light, 0)],
		]);
		pen.restore();
	});
}

/** A whale that shows its back and its tail, and blows. */
export function whaleLayer(vision: Vision, stage: Stage, x: number, y: number, colour: Colour | null): Layer {
	const { palette } = vision;
	const { unit } = stage;
	const skin = mix(colour ?? palette.waterNear, palette.ink, 0.35);
	const side = vision.focusX < 0.5 ? 1 : -1;
	return moving(stage, 0.55, (pen, seconds) => {
		const rise = Math.sin(seconds * 0.9) * unit * 0.8;
		pen.save();
		pen.translate(x, y + rise);
		pen.scale(unit * side * 1.25, unit * 1.25);
		const hide = pen.createLinearGradient(0, -8, 0, 3);
		hide.addColorStop(0, css(mix(skin, palette.sky[3], 0.35)));
		hide.addColorStop(0.3, css(skin));
		hide.addColorStop(1, css(lighten(skin, -0.08)));
		pen.fillStyle = hide;
		pen.beginPath();
		pen.moveTo(-15, 4);
		pen.bezierCurveTo(-10, -9, 7, -10, 15, -2);
		pen.quadraticCurveTo(18, 1, 17.5, 4);
		pen.fill();
		pen.beginPath();
		pen.moveTo(-20, 4);
		pen.quadraticCurveTo(-21.5, -4, -24.5, -7);
		pen.bezierCurveTo(-29, -7, -31, -9.5, -32, -12);
		pen.bezierCurveTo(-28, -11.6, -25, -11, -23.6, -9);
		pen.bezierCurveTo(-22, -11.5, -18, -12.5, -14.6, -11.8);
		pen.bezierCurveTo(-16.5, -8.5, -19, -7, -22, -6.6);
		pen.quadraticCurveTo(-18.6, -3, -17, 4);
		pen.fill();
		pen.strokeStyle = css(palette.foam, 0.5);
		pen.lineWidth = 0.3;
		pen.beginPath();
		for (let fold = 0; fold < 4; fold++) {
			pen.moveTo(9 + fold * 1.2, 3.6);
			pen.quadraticCurveTo(13 + fold * 0.6, 2.4 - fold * 0.5, 16.6, 1.6 - fold * 0.4);
		}
		pen.stroke();
		pen.fillStyle = css(palette.ink);
		pen.beginPath();
		pen.arc(11.6, -1.2, 0.5, 0, Math.PI * 2);
		pen.fill();
		for (let drop = 0; drop < 54; drop++) {
			const t = (drop / 54 + seconds * 0.45) % 1;
			const lean = ((drop * 7) % 13) / 6.5 - 1;
			pen.fillStyle = css(palette.foam, 0.75 * (1 - t));
			pen.beginPath();
			pen.arc(6 + lean * t * 6, -7.5 - 15 * t + 10 * t * t, 0.28 + 0.55 * t, 0, Math.PI * 2);
			pen.fill();
		}
		pen.restore();
	});
}
