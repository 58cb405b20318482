import type { Random } from "../random.ts";
import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, lighten, mix, oklch, type Colour } from "./colour.ts";
import { moving, still, type Layer, type Pen, type Stage } from "./stage.ts";

export const SITTERS = ["cat", "dog", "fox", "rabbit", "bear", "owl"] as const;
export type Sitter = (typeof SITTERS)[number];

interface Coat {
	readonly fur: Colour;
	readonly chest: Colour;
	readonly eye: Colour;
	readonly stripes: boolean;
}

function coatOf(kind: Sitter, colour: Colour | null, random: Random): Coat {
	const amber = oklch(0.8, 0.15, 85);
	const green = oklch(0.78, 0.15, 135);
	const own: Record<Sitter, readonly Coat[]> = {
		cat: [
			{ fur: oklch(0.68, 0.13, 58), chest: oklch(0.94, 0.03, 80), eye: green, stripes: true },
			{ fur: oklch(0.3, 0.02, 280), chest: oklch(0.36, 0.02, 280), eye: amber, stripes: false },
			{ fur: oklch(0.6, 0.015, 260), chest: oklch(0.92, 0.01, 260), eye: amber, stripes: true },
		],
		dog: [
			{ fur: oklch(0.66, 0.1, 65), chest: oklch(0.93, 0.03, 80), eye: oklch(0.35, 0.06, 50), stripes: false },
			{ fur: oklch(0.5, 0.02, 255), chest: oklch(0.94, 0.01, 255), eye: oklch(0.7, 0.09, 240), stripes: false },
		],
		fox: [{ fur: oklch(0.64, 0.16, 48), chest: oklch(0.95, 0.02, 80), eye: amber, stripes: false }],
		rabbit: [
			{ fur: oklch(0.78, 0.03, 70), chest: oklch(0.97, 0.01, 80), eye: oklch(0.3, 0.04, 30), stripes: false },
			{ fur: oklch(0.96, 0.01, 70), chest: oklch(0.99, 0.005, 80), eye: oklch(0.45, 0.12, 10), stripes: false },
		],
		bear: [{ fur: oklch(0.42, 0.06, 55), chest: oklch(0.6, 0.06, 65), eye: oklch(0.2, 0.03, 50), stripes: false }],
		owl: [{ fur: oklch(0.52, 0.06, 65), chest: oklch(0.84, 0.05, 80), eye: amber, stripes: true }],
	};
	const coats = own[kind];
	const coat = coats[random.integer(0, coats.length - 1)] ?? coats[0];
	if (coat === undefined) throw new Error(`no coat for ${kind}`);
	if (colour === null) return coat;
	return { ...coat, fur: colour, chest: lighten(mix(colour, coat.chest, 0.75), colour.l < 0.35 ? -0.5 : 0) };
}

/** An animal that sits and looks at the viewer; its tail moves. `x`, `y` is where it sits, `height` how tall it is. */
export function sittingAnimal(
	vision: Vision,
	stage: Stage,
	kind: Sitter,
	place: { readonly x: number; readonly y: number; readonly height: number; readonly depth: number },
	colour: Colour | null,
): Layer {
	const random = randomOf(vision, `animal ${kind}`);
	const coat = coatOf(kind, colour, random);
	const night = vision.time === "night" || vision.time === "dusk";
	const dim = (tone: Colour): Colour => mix(tone, vision.palette.sky[1], night ? 0.26 : 0.06);
	const worn: Coat = { ...coat, fur: dim(coat.fur), chest: dim(coat.chest) };
	const ink = mix(vision.palette.ink, worn.fur, 0.12);
	const side = vision.focusX < 0.5 ? 1 : -1;
	const enter = (pen: Pen): void => {
		pen.save();
		pen.translate(place.x, place.y);
		pen.scale(place.height, place.height);
	};
	const tail = moving(stage, place.depth, (pen, seconds) => {
		if (kind === "owl" || kind === "bear" || kind === "rabbit") return;
		enter(pen);
		const sway = Math.sin(seconds * 1.7) * 0.05;
		const thick = kind === "fox" ? 0.17 : kind === "dog" ? 0.1 : 0.078;
		pen.lineCap = "round";
		for (const [width, tone] of [
			[thick, lighten(worn.fur, -0.08)],
			[thick * 0.62, lighten(worn.fur, 0.02)],
		] as const) {
			pen.strokeStyle = css(tone);
			pen.lineWidth = width;
			pen.beginPath();
			pen.moveTo(side * 0.2, -0.05);
			pen.bezierCurveTo(
				side * 0.52,
				-0.02,
				side * (0.56 + sway),
				-0.24,
				side * (0.44 + sway * 1.6),
				-0.4 - Math.abs(sway),
			);
			pen.stroke();
		}
		if (kind === "fox") {
			pen.fillStyle = css(worn.chest);
			pen.beginPath();
			pen.arc(side * (0.44 + sway * 1.6), -0.42 - Math.abs(sway), 0.085, 0, Math.PI * 2);
			pen.fill();
		}
		pen.restore();
	});
	const body = still(stage, place.depth, (pen) => {
		enter(pen);
		pen.fillStyle = css(vision.palette.ink, 0.32);
		pen.beginPath();
		pen.ellipse(0, 0.005, 0.42, 0.055, 0, 0, Math.PI * 2);
		pen.fill();
		paintBody(pen, random.fork("fur"), worn, vision.palette.light, side, kind);
		if (kind === "owl") paintOwlFace(pen, worn, ink);
		else paintHead(pen, random.fork("head"), kind, worn, ink, vision.palette.light, side);
		pen.restore();
	});
	return (pen, seconds) => {
		tail(pen, seconds);
		body(pen, seconds);
	};
}

function bodyPath(pen: Pen, kind: Sitter): void {
	const wide = kind === "bear" ? 1.25 : kind === "owl" ? 1.05 : kind === "rabbit" ? 1.02 : 1;
	pen.beginPath();
	pen.moveTo(-0.27 * wide, 0);
	pen.bezierCurveTo(-0.37 * wide, -0.2, -0.28 * wide, -0.47, -0.15 * wide, -0.66);
	pen.lineTo(0.15 * wide, -0.66);
	pen.bezierCurveTo(0.28 * wide, -0.47, 0.37 * wide, -0.2, 0.27 * wide, 0);
	pen.bezierCurveTo(0.2, 0.03, -0.2, 0.03, -0.27 * wide, 0);
	pen.closePath();
}

function paintBody(pen: Pen, random: Random, coat: Coat, light: Colour, side: number, kind: Sitter): void {
	const shade = pen.createLinearGradient(-0.3 * side, 0, 0.3 * side, 0);
	shade.addColorStop(0, css(lighten(coat.fur, -0.14)));
	shade.addColorStop(0.55, css(coat.fur));
	shade.addColorStop(1, css(mix(lighten(coat.fur, 0.05), light, 0.14)));
	pen.fillStyle = shade;
	bodyPath(pen, kind);
	pen.fill();
	pen.save();
	bodyPath(pen, kind);
	pen.clip();
	// Haunches.
	for (const leg of [-1, 1]) {
		pen.fillStyle = css(lighten(coat.fur, leg === side ? 0.025 : -0.07), 0.9);
		pen.beginPath();
		pen.ellipse(leg * 0.2, -0.13, 0.13, 0.16, leg * 0.25, 0, Math.PI * 2);
		pen.fill();
	}
	pen.fillStyle = css(coat.chest);
	pen.beginPath();
	pen.moveTo(-0.1, -0.66);
	pen.bezierCurveTo(-0.16, -0.46, -0.09, -0.28, 0, -0.2);
	pen.bezierCurveTo(0.09, -0.28, 0.16, -0.46, 0.1, -0.66);
	pen.fill();
	pen.lineCap = "round";
	for (let hair = 0; hair < 260; hair++) {
		const x = random.between(-0.33, 0.33);
		const y = random.between(-0.66, 0);
		const onChest = Math.abs(x) < 0.1 && y < -0.24;
		pen.strokeStyle = css(lighten(onChest ? coat.chest : coat.fur, random.between(-0.09, 0.09)), 0.5);
		pen.lineWidth = random.between(0.004, 0.011);
		pen.beginPath();
		pen.moveTo(x, y);
		pen.quadraticCurveTo(x * 1.06, y + 0.025, x * 1.1 + random.between(-0.012, 0.012), y + random.between(0.03, 0.065));
		pen.stroke();
	}
	if (coat.stripes) {
		pen.strokeStyle = css(lighten(coat.fur, -0.17), 0.75);
		pen.lineWidth = 0.024;
		for (let stripe = 0; stripe < 5; stripe++) {
			const y = -0.52 + stripe * 0.1;
			for (const flank of [-1, 1]) {
				pen.beginPath();
				pen.moveTo(flank * 0.4, y - 0.03);
				pen.quadraticCurveTo(flank * 0.24, y + 0.015, flank * (0.15 + 0.012 * stripe), y + 0.03);
				pen.stroke();
			}
		}
	}
	pen.restore();
	if (kind === "owl") return;
	// Forelegs and paws.
	for (const leg of [-1, 1]) {
		pen.fillStyle = css(
			lighten(kind === "fox" ? mix(coat.fur, { l: 0.2, c: 0.02, h: 40 }, 0.6) : coat.fur, leg === side ? 0.03 : -0.04),
		);
		pen.beginPath();
		pen.roundRect(leg * 0.078 - 0.057, -0.34, 0.114, 0.35, 0.055);
		pen.fill();
		pen.fillStyle = css(kind === "fox" ? lighten(coat.fur, -0.3) : coat.chest);
		pen.beginPath();
		pen.ellipse(leg * 0.082, -0.005, 0.078, 0.042, 0, 0, Math.PI * 2);
		pen.fill();
	}
	pen.strokeStyle = css(light, 0.5);
	pen.lineWidth = 0.014;
	pen.beginPath();
	pen.moveTo(side * 0.3, -0.06);
	pen.bezierCurveTo(side * 0.345, -0.22, side * 0.27, -0.46, side * 0.155, -0.63);
	pen.stroke();
}

function paintHead(
	pen: Pen,
	random: Random,
	kind: Exclude<Sitter, "owl">,
	coat: Coat,
	ink: Colour,
	light: Colour,
	side: number,
): void {
	const cy = -0.77;
	const wide = kind === "bear" ? 0.24 : kind === "rabbit" ? 0.18 : kind === "dog" ? 0.2 : 0.215;
	const tall = kind === "rabbit" ? 0.17 : 0.165;
	for (const ear of [-1, 1]) {
		const tone = lighten(coat.fur, ear === side ? 0.03 : -0.06);
		const inner = mix(coat.fur, oklch(0.75, 0.09, 15), 0.5);
		pen.fillStyle = css(tone);
		switch (kind) {
			case "cat":
			case "fox": {
				const lift = kind === "fox" ? 0.05 : 0;
				for (const [scale, fill] of [
					[1, tone],
					[0.58, kind === "fox" ? lighten(coat.fur, -0.3) : inner],
				] as const) {
					pen.fillStyle = css(fill);
					pen.beginPath();
					pen.moveTo(ear * (0.13 - 0.085 * scale), cy - 0.12);
					pen.quadraticCurveTo(
						ear * 0.12,
						cy - 0.2 * scale - 0.06 - lift,
						ear * (0.13 + 0.045 * scale),
						cy - 0.11 - (0.155 + lift) * scale,
					);
					pen.quadraticCurveTo(ear * (0.15 + 0.075 * scale), cy - 0.1, ear * (0.13 + 0.075 * scale), cy - 0.05);
					pen.fill();
				}
				break;
			}
			case "dog":
				pen.fillStyle = css(lighten(coat.fur, -0.13));
				pen.beginPath();
				pen.moveTo(ear * 0.1, cy - 0.14);
				pen.bezierCurveTo(ear * 0.24, cy - 0.2, ear * 0.31, cy - 0.02, ear * 0.25, cy + 0.1);
				pen.bezierCurveTo(ear * 0.2, cy + 0.1, ear * 0.17, cy, ear * 0.13, cy - 0.06);
				pen.fill();
				break;
			case "rabbit":
				for (const [width, fill] of [
					[0.062, tone],
					[0.033, inner],
				] as const) {
					pen.fillStyle = css(fill);
					pen.beginPath();
					pen.ellipse(ear * 0.095, cy - 0.31, width, 0.21, ear * 0.14, 0, Math.PI * 2);
					pen.fill();
				}
				break;
			case "bear":
				for (const [radius, fill] of [
					[0.082, tone],
					[0.045, inner],
				] as const) {
					pen.fillStyle = css(fill);
					pen.beginPath();
					pen.arc(ear * 0.17, cy - 0.135, radius, 0, Math.PI * 2);
					pen.fill();
				}
		}
	}
	const face = pen.createRadialGradient(side * 0.07, cy - 0.06, 0.02, 0, cy, wide * 1.15);
	face.addColorStop(0, css(mix(lighten(coat.fur, 0.05), light, 0.12)));
	face.addColorStop(0.65, css(coat.fur));
	face.addColorStop(1, css(lighten(coat.fur, -0.1)));
	pen.fillStyle = face;
	pen.beginPath();
	if (kind === "fox") {
		pen.moveTo(0, cy + 0.17);
		pen.bezierCurveTo(-0.1, cy + 0.13, -0.25, cy + 0.08, -0.235, cy + 0.01);
		pen.bezierCurveTo(-0.2, cy - 0.17, 0.2, cy - 0.17, 0.235, cy + 0.01);
		pen.bezierCurveTo(0.25, cy + 0.08, 0.1, cy + 0.13, 0, cy + 0.17);
	} else {
		pen.ellipse(0, cy, wide, tall, 0, 0, Math.PI * 2);
	}
	pen.fill();
	// Muzzle and cheeks.
	pen.fillStyle = css(coat.chest);
	if (kind === "fox") {
		for (const cheek of [-1, 1]) {
			pen.beginPath();
			pen.moveTo(0, cy + 0.165);
			pen.bezierCurveTo(cheek * 0.1, cy + 0.125, cheek * 0.22, cy + 0.09, cheek * 0.22, cy + 0.03);
			pen.bezierCurveTo(cheek * 0.14, cy + 0.02, cheek * 0.05, cy + 0.04, 0, cy + 0.08);
			pen.fill();
		}
	} else {
		pen.beginPath();
		pen.ellipse(0, cy + 0.07, kind === "cat" ? 0.085 : 0.1, kind === "dog" ? 0.085 : 0.066, 0, 0, Math.PI * 2);
		pen.fill();
	}
	pen.lineCap = "round";
	for (let hair = 0; hair < 90; hair++) {
		const angle = random.between(0, Math.PI * 2);
		const reach = random.between(0.6, 1);
		const x = Math.cos(angle) * wide * reach;
		const y = cy + Math.sin(angle) * tall * reach;
		pen.strokeStyle = css(lighten(coat.fur, random.between(-0.08, 0.08)), 0.4);
		pen.lineWidth = 0.006;
		pen.beginPath();
		pen.moveTo(x, y);
		pen.lineTo(x * 1.1, y + 0.025);
		pen.stroke();
	}
	if (coat.stripes) {
		pen.strokeStyle = css(lighten(coat.fur, -0.18), 0.85);
		pen.lineWidth = 0.018;
		for (const dx of [-0.05, 0, 0.05]) {
			pen.beginPath();
			pen.moveTo(dx, cy - 0.145);
			pen.lineTo(dx * 0.72, cy - 0.075);
			pen.stroke();
		}
		for (const cheek of [-1, 1]) {
			pen.beginPath();
			pen.moveTo(cheek * 0.2, cy + 0.01);
			pen.lineTo(cheek * 0.135, cy + 0.025);
			pen.moveTo(cheek * 0.19, cy + 0.06);
			pen.lineTo(cheek * 0.135, cy + 0.06);
			pen.stroke();
		}
	}
	for (const eye of [-1, 1]) {
		const ex = eye * (kind === "bear" ? 0.085 : 0.088);
		const ey = cy - 0.012;
		const round = kind === "cat" || kind === "fox";
		pen.fillStyle = css(ink);
		pen.beginPath();
		pen.ellipse(
			ex,
			ey,
			round ? 0.043 : 0.032,
			round ? 0.041 : 0.034,
			eye * (kind === "fox" ? 0.35 : 0.12),
			0,
			Math.PI * 2,
		);
		pen.fill();
		if (round) {
			pen.fillStyle = css(coat.eye);
			pen.beginPath();
			pen.ellipse(ex, ey, 0.035, 0.034, 0, 0, Math.PI * 2);
			pen.fill();
			pen.fillStyle = css(ink);
			pen.beginPath();
			pen.ellipse(ex, ey, 0.014, 0.03, 0, 0, Math.PI * 2);
			pen.fill();
		}
		pen.fillStyle = "rgba(255,255,255,0.92)";
		pen.beginPath();
		pen.arc(ex + 0.011, ey - 0.013, 0.0085, 0, Math.PI * 2);
		pen.fill();
	}
	const noseY = cy + (kind === "fox" ? 0.145 : 0.048);
	pen.fillStyle = css(kind === "cat" || kind === "rabbit" ? oklch(0.66, 0.11, 15) : ink);
	pen.beginPath();
	pen.moveTo(-0.024, noseY - 0.012);
	pen.quadraticCurveTo(0, noseY - 0.022, 0.024, noseY - 0.012);
	pen.quadraticCurveTo(0.012, noseY + 0.016, 0, noseY + 0.017);
	pen.quadraticCurveTo(-0.012, noseY + 0.016, -0.024, noseY - 0.012);
	pen.fill();
	pen.strokeStyle = css(ink, 0.75);
	pen.lineWidth = 0.0085;
	pen.beginPath();
	if (kind !== "fox") {
		pen.moveTo(0, noseY + 0.016);
		pen.lineTo(0, noseY + 0.03);
		pen.moveTo(-0.045, noseY + 0.036);
		pen.quadraticCurveTo(-0.02, noseY + 0.06, 0, noseY + 0.03);
		pen.quadraticCurveTo(0.02, noseY + 0.06, 0.045, noseY + 0.036);
	}
	pen.stroke();
	if (kind === "cat" || kind === "rabbit" || kind === "fox") {
		pen.strokeStyle = "rgba(255,255,255,0.7)";
		pen.lineWidth = 0.0045;
		pen.beginPath();
		for (const whisker of [-1, 1]) {
			for (const rise of [-0.022, 0.002, 0.026]) {
				pen.moveTo(whisker * 0.06, noseY + 0.02 + rise * 0.4);
				pen.quadraticCurveTo(whisker * 0.16, noseY + rise * 1.2, whisker * 0.265, noseY + 0.01 + rise * 2);
			}
		}
		pen.stroke();
	}
}

function paintOwlFace(pen: Pen, coat: Coat, ink: Colour): void {
	const cy = -0.72;
	pen.fillStyle = css(coat.fur);
	pen.beginPath();
	pen.moveTo(-0.25, cy - 0.24);
	pen.quadraticCurveTo(-0.12, cy - 0.15, 0, cy - 0.15);
	pen.quadraticCurveTo(0.12, cy - 0.15, 0.25, cy - 0.24);
	pen.bezierCurveTo(0.32, cy, 0.25, cy + 0.18, 0, cy + 0.2);
	pen.bezierCurveTo(-0.25, cy + 0.18, -0.32, cy, -0.25, cy - 0.24);
	pen.fill();
	for (const eye of [-1, 1]) {
		for (const [radius, fill] of [
			[0.115, coat.chest],
			[0.07, coat.eye],
			[0.036, ink],
		] as const) {
			pen.fillStyle = css(fill);
			pen.beginPath();
			pen.arc(eye * 0.105, cy, radius, 0, Math.PI * 2);
			pen.fill();
		}
		pen.fillStyle = "rgba(255,255,255,0.9)";
		pen.beginPath();
		pen.arc(eye * 0.105 + 0.018, cy - 0.02, 0.013, 0, Math.PI * 2);
		pen.fill();
	}
	pen.fillStyle = css(oklch(0.72, 0.13, 70));
	pen.beginPath();
	pen.moveTo(-0.03, cy + 0.03);
	pen.lineTo(0.03, cy + 0.03);
	pen.lineTo(0, cy + 0.11);
	pen.fill();
	for (let row = 0; row < 5; row++) {
		for (let feather = -3; feather <= 3; feather++) {
			pen.strokeStyle = css(lighten(coat.fur, -0.1), 0.65);
			pen.lineWidth = 0.012;
			pen.beginPath();
			pen.arc(feather * 0.055 + (row % 2) * 0.027, -0.42 + row * 0.075, 0.026, 0.2, Math.PI - 0.2);
			pen.stroke();
		}
	}
}

function traceStander(pen: Pen): void {
	const points: readonly (readonly [number, number])[] = [
		[-0.34, -0.5],
		[-0.3, -0.58],
		[-0.12, -0.575],
		[0.08, -0.585],
		[0.17, -0.62],
		[0.24, -0.76],
		[0.3, -0.86],
		[0.36, -0.9],
		[0.43, -0.86],
		[0.5, -0.79],
		[0.49, -0.755],
		[0.43, -0.755],
		[0.38, -0.765],
		[0.34, -0.68],
		[0.3, -0.53],
		[0.27, -0.42],
		[0.255, -0.3],
		[0.25, -0.15],
		[0.255, -0.02],
		[0.27, 0],
		[0.215, 0],
		[0.21, -0.15],
		[0.19, -0.31],
		[0.1, -0.33],
		[-0.08, -0.33],
		[-0.19, -0.35],
		[-0.21, -0.25],
		[-0.235, -0.14],
		[-0.22, -0.02],
		[-0.205, 0],
		[-0.262, 0],
		[-0.285, -0.15],
		[-0.29, -0.27],
		[-0.345, -0.38],
	];
	pen.beginPath();
	points.forEach(([x, y], index) => {
		const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
		if (index === 0) pen.moveTo((x + nextX) / 2, (y + nextY) / 2);
		else pen.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
	});
	pen.closePath();
}

/** A deer or a horse, standing, seen from the side: dark against the light, with a bright edge. */
export function standingAnimal(
	vision: Vision,
	stage: Stage,
	kind: "deer" | "horse",
	place: { readonly x: number; readonly y: number; readonly height: number; readonly depth: number },
	colour: Colour | null,
): Layer {
	const { palette } = vision;
	const fur = mix(
		colour ?? (kind === "deer" ? oklch(0.45, 0.08, 55) : oklch(0.4, 0.06, 45)),
		palette.ink,
		vision.time === "day" ? 0.15 : 0.5,
	);
	const facing = vision.focusX < 0.5 ? 1 : -1;
	return still(stage, place.depth, (pen) => {
		pen.save();
		pen.translate(place.x, place.y);
		pen.scale(place.height * facing, place.height);
		// The far legs.
		pen.fillStyle = css(lighten(fur, -0.05));
		for (const x of [0.15, -0.16]) {
			pen.beginPath();
			pen.moveTo(x - 0.035, -0.36);
			pen.lineTo(x - 0.012, -0.01);
			pen.lineTo(x + 0.035, -0.01);
			pen.lineTo(x + 0.045, -0.36);
			pen.fill();
		}
		const body = pen.createLinearGradient(0, -0.9, 0, 0);
		body.addColorStop(0, css(lighten(fur, 0.07)));
		body.addColorStop(0.6, css(fur));
		body.addColorStop(1, css(lighten(fur, -0.08)));
		pen.fillStyle = body;
		traceStander(pen);
		pen.fill();
		pen.save();
		traceStander(pen);
		pen.clip();
		// Only back and head catch the light.
		pen.beginPath();
		pen.rect(-1, -2, 2, 1.66);
		pen.clip();
		pen.strokeStyle = css(palette.light, 0.6);
		pen.lineWidth = 0.022;
		traceStander(pen);
		pen.translate(-0.012, 0.014);
		pen.stroke();
		pen.restore();
		pen.strokeStyle = css(lighten(fur, kind === "deer" ? 0.1 : -0.1));
		pen.lineCap = "round";
		if (kind === "deer") {
			for (const [dx, width] of [
				[0, 0.02],
				[0.045, 0.017],
			] as const) {
				pen.lineWidth = width;
				pen.beginPath();
				pen.moveTo(0.34 + dx, -0.9);
				pen.bezierCurveTo(0.27 + dx, -1, 0.24 + dx, -1.08, 0.31 + dx, -1.22);
				for (const [fromX, fromY, toX, toY] of [
					[0.28, -1.0, 0.38, -1.06],
					[0.265, -1.09, 0.2, -1.17],
					[0.285, -1.15, 0.37, -1.2],
				] as const) {
					pen.moveTo(fromX + dx, fromY);
					pen.lineTo(toX + dx, toY);
				}
				pen.stroke();
			}
		} else {
			// Mane and tail in the wind.
			for (let lock = 0; lock < 12; lock++) {
				const t = lock / 11;
				pen.lineWidth = 0.028;
				pen.beginPath();
				pen.moveTo(lerp(0.35, 0.15, t), lerp(-0.9, -0.6, t));
				pen.quadraticCurveTo(lerp(0.22, 0.04, t), lerp(-0.92, -0.62, t), lerp(0.16, 0.0, t), lerp(-0.82, -0.5, t));
				pen.stroke();
			}
			for (let lock = 0; lock < 7; lock++) {
				pen.lineWidth = 0.03;
				pen.beginPath();
				pen.moveTo(-0.33, -0.53);
				pen.bezierCurveTo(-0.46, -0.55, -0.5 - lock * 0.012, -0.36, -0.44 - lock * 0.025, -0.18 + lock * 0.012);
				pen.stroke();
			}
		}
		pen.fillStyle = css(fur);
		pen.beginPath();
		pen.ellipse(0.315, -0.92, 0.024, 0.055, -0.7, 0, Math.PI * 2);
		pen.fill();
		pen.restore();
	});
}

/** A flock far off: each bird two strokes that beat. */
export function birdsLayer(vision: Vision, stage: Stage, count: number): Layer {
	const random = randomOf(vision, "birds");
	const { width, height, unit } = stage;
	const facing = vision.focusX < 0.5 ? 1 : -1;
	const centreX = vision.focusX < 0.5 ? 0.58 : 0.42;
	const birds = Array.from({ length: count }, (_, index) => ({
		x: centreX * width + (random.between(-1, 1) * 17 - index * 0.6) * unit,
		y: height * 0.28 + random.between(-1, 1) * 8 * unit,
		size: unit * random.between(0.8, 2.3),
		phase: random.between(0, 6.28),
		beat: random.between(4.5, 7),
	}));
	const tone = mix(vision.palette.ink, vision.palette.sky[1], vision.weather === "storm" ? 0.15 : 0.3);
	const white = vision.setting === "sea" && vision.time !== "sunset";
	return (pen, seconds) => {
		pen.lineCap = "round";
		for (const bird of birds) {
			const x = bird.x + facing * seconds * unit * 2.2;
			const y = bird.y + Math.sin(seconds * 0.8 + bird.phase) * unit * 0.6;
			const lift = Math.sin(seconds * bird.beat + bird.phase);
			pen.strokeStyle = css(white ? mix(vision.palette.foam, vision.palette.sky[2], 0.15) : tone, 0.92);
			pen.lineWidth = Math.max(0.7, bird.size * 0.17);
			pen.beginPath();
			for (const wing of [-1, 1]) {
				pen.moveTo(x, y);
				pen.quadraticCurveTo(
					x + wing * bird.size * 0.55,
					y - bird.size * (0.42 + 0.35 * lift),
					x + wing * bird.size * 1.25,
					y - bird.size * 0.3 * lift,
				);
			}
			pen.stroke();
		}
	};
}
