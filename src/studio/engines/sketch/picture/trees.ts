import type { Random } from "../random.ts";
import { blobPoints, traceBlob } from "./brush.ts";
import { css, lighten, mix, type Colour } from "./colour.ts";
import type { Pen } from "./stage.ts";

/** A fir: tiers of drooping branches, each a ragged fan of strokes, light on one side, snow if there is any. */
export function paintConifer(
	pen: Pen,
	random: Random,
	x: number,
	baseY: number,
	height: number,
	look: { readonly colour: Colour; readonly lit: Colour; readonly snow: Colour | null; readonly side: number },
): void {
	const width = height * random.between(0.19, 0.25);
	pen.fillStyle = css(lighten(look.colour, -0.05));
	pen.fillRect(x - height * 0.014, baseY - height * 0.12, height * 0.028, height * 0.13);
	const tiers = Math.max(6, Math.round(10 + random.between(-1, 2)));
	for (let tier = 0; tier < tiers; tier++) {
		const t = tier / (tiers - 1);
		const y = baseY - height * (0.08 + 0.86 * t);
		const half = width * (1 - t) ** 0.85 + height * 0.012;
		const drop = height * 0.085 * (1.15 - t * 0.5);
		const points: [number, number][] = [[x, y - height * 0.085]];
		const teeth = 5;
		for (let tooth = 0; tooth <= teeth; tooth++) {
			const u = 1 - (2 * tooth) / teeth;
			const reach = half * u * random.between(0.85, 1.12);
			points.push([x + reach, y + drop * (0.35 + 0.65 * Math.abs(u)) * random.between(0.75, 1.15)]);
			if (tooth < teeth) points.push([x + half * (u - 1 / teeth) * 0.92, y + drop * 0.22]);
		}
		pen.fillStyle = css(mix(look.colour, look.lit, 0.1 + 0.22 * t + random.between(-0.06, 0.06)));
		pen.beginPath();
		points.forEach(([px, py], index) => (index === 0 ? pen.moveTo(px, py) : pen.lineTo(px, py)));
		pen.closePath();
		pen.fill();
		pen.strokeStyle = css(look.snow ?? look.lit, look.snow === null ? 0.4 : 0.9);
		pen.lineWidth = Math.max(0.4, height * (look.snow === null ? 0.008 : 0.017));
		pen.lineCap = "round";
		pen.beginPath();
		for (const [from, to] of look.snow === null
			? ([[0.15, 0.85]] as const)
			: ([
					[0.1, 0.92],
					[-0.25, -0.8],
				] as const)) {
			const direction = look.side;
			pen.moveTo(x + half * from * direction, y - height * 0.05 * (1 - Math.abs(from)) + drop * 0.2);
			pen.quadraticCurveTo(x + half * to * 0.5 * direction, y, x + half * to * direction, y + drop * 0.7);
		}
		pen.stroke();
	}
}

export interface Crown {
	readonly shade: Colour;
	readonly mid: Colour;
	readonly lit: Colour;
}

/** A leafy tree: a trunk that forks, and clouds of dabs, dark below and light towards the sun. */
export function paintLeafTree(
	pen: Pen,
	random: Random,
	x: number,
	baseY: number,
	height: number,
	look: { readonly bark: Colour; readonly crown: Crown; readonly side: number; readonly airy: boolean },
): void {
	const tips: { x: number; y: number; radius: number }[] = [];
	pen.lineCap = "round";
	const grow = (px: number, py: number, angle: number, length: number, width: number, level: number): void => {
		const bend = random.between(-0.18, 0.18);
		const ex = px + Math.cos(angle) * length;
		const ey = py + Math.sin(angle) * length;
		pen.strokeStyle = css(mix(look.bark, look.crown.lit, level * 0.03));
		pen.lineWidth = width;
		pen.beginPath();
		pen.moveTo(px, py);
		pen.quadraticCurveTo(
			px + Math.cos(angle + bend) * length * 0.5,
			py + Math.sin(angle + bend) * length * 0.5,
			ex,
			ey,
		);
		pen.stroke();
		if (level >= 2) tips.push({ x: ex, y: ey, radius: height * random.between(0.09, 0.15) });
		if (level >= 4) return;
		const arms = level === 0 ? 3 : random.integer(2, 3);
		for (let arm = 0; arm < arms; arm++) {
			const spread = (arm - (arms - 1) / 2) * random.between(0.5, 0.78);
			// Branches strive up again after they have spread.
			const upward = (-Math.PI / 2 - (angle + spread)) * 0.12;
			grow(ex, ey, angle + spread + upward, length * random.between(0.66, 0.82), width * 0.6, level + 1);
		}
	};
	// Roots hold the ground.
	pen.fillStyle = css(look.bark);
	pen.beginPath();
	pen.moveTo(x - height * 0.07, baseY + height * 0.012);
	pen.quadraticCurveTo(x - height * 0.03, baseY - height * 0.01, x - height * 0.027, baseY - height * 0.08);
	pen.lineTo(x + height * 0.027, baseY - height * 0.08);
	pen.quadraticCurveTo(x + height * 0.03, baseY - height * 0.01, x + height * 0.08, baseY + height * 0.012);
	pen.fill();
	grow(x, baseY, -Math.PI / 2 + random.between(-0.1, 0.1), height * 0.27, height * 0.062, 0);
	const dabs: { x: number; y: number; size: number; height: number }[] = [];
	for (const tip of tips) {
		for (let dab = 0; dab < (look.airy ? 38 : 44); dab++) {
			const angle = random.between(0, Math.PI * 2);
			const reach = Math.sqrt(random.next()) * tip.radius;
			const dx = tip.x + Math.cos(angle) * reach * 1.25;
			const dy = tip.y + Math.sin(angle) * reach * 0.85;
			const lit = -Math.sin(angle) * 0.6 + Math.cos(angle) * 0.35 * look.side + random.between(-0.4, 0.4);
			dabs.push({ x: dx, y: dy, size: height * random.between(0.007, look.airy ? 0.0155 : 0.021), height: lit });
		}
	}
	dabs.sort((a, b) => a.height - b.height);
	for (const dab of dabs) {
		const tone = (dab.height + 1) / 2;
		pen.fillStyle = css(
			tone < 0.5 ? mix(look.crown.shade, look.crown.mid, tone * 2) : mix(look.crown.mid, look.crown.lit, tone * 2 - 1),
			0.92,
		);
		traceBlob(pen, blobPoints(random, dab.x, dab.y, dab.size * 1.25, dab.size, 0.3, 6));
		pen.fill();
	}
}

/** A palm that leans, with a crown of feathered leaves. */
export function paintPalm(
	pen: Pen,
	random: Random,
	x: number,
	baseY: number,
	height: number,
	lean: number,
	bark: Colour,
	leaf: Colour,
	lit: Colour,
): void {
	const topX = x + lean * height;
	const topY = baseY - height;
	pen.strokeStyle = css(bark);
	pen.lineCap = "round";
	const rings = 26;
	for (let ring = 0; ring < rings; ring++) {
		const at = (t: number): [number, number] => [x + lean * height * t * t, baseY - height * t];
		pen.lineWidth = height * (0.05 - 0.022 * (ring / rings));
		pen.strokeStyle = css(mix(bark, lit, ring % 2 === 0 ? 0.05 : 0.22));
		pen.beginPath();
		pen.moveTo(...at(ring / rings));
		pen.lineTo(...at((ring + 1) / rings));
		pen.stroke();
	}
	for (let frond = 0; frond < 11; frond++) {
		const angle = -Math.PI * (frond / 10) + random.between(-0.12, 0.12);
		const length = height * random.between(0.4, 0.52);
		const endX = topX + Math.cos(angle) * length;
		const endY = topY + Math.sin(angle) * length * 0.5 + length * 0.42;
		const bendX = topX + Math.cos(angle) * length * 0.6;
		const bendY = topY + Math.sin(angle) * length * 0.75 - length * 0.08;
		for (let barb = 0; barb < 18; barb++) {
			const t = barb / 18;
			const px = (1 - t) ** 2 * topX + 2 * t * (1 - t) * bendX + t * t * endX;
			const py = (1 - t) ** 2 * topY + 2 * t * (1 - t) * bendY + t * t * endY;
			pen.strokeStyle = css(mix(leaf, lit, (1 - t) * 0.4 * (frond % 2)));
			pen.lineWidth = height * 0.012;
			const droop = length * 0.2 * (1 - t * 0.6);
			pen.beginPath();
			pen.moveTo(px, py);
			pen.quadraticCurveTo(
				px + Math.cos(angle) * droop * 0.5,
				py + droop * 0.2,
				px + Math.cos(angle) * droop * 0.7,
				py + droop,
			);
			pen.stroke();
		}
	}
}
