import { randomOf, type Vision } from "../vision.ts";
import { blobPoints, traceBlob } from "./brush.ts";
import { css, lerp, lighten, mix } from "./colour.ts";
import { hillLayer } from "./land.ts";
import { isWintry } from "./mountains.ts";
import { still, type Layer, type Stage } from "./stage.ts";
import { paintConifer } from "./trees.ts";

/** Trunks and firs in many depths, with light between them; the middle stays open. */
export function forestLayers(
	vision: Vision,
	stage: Stage,
	fromY: number,
): { readonly layers: readonly Layer[]; readonly near: Layer; groundY: (x: number) => number } {
	const { palette } = vision;
	const { width, height, unit } = stage;
	const wintry = isWintry(vision);
	const autumn = vision.paletteName === "autumn" || vision.features.has("leaves");
	const night = vision.time === "night" || vision.time === "dusk";
	const air = mix(palette.sky[3], palette.light, night ? 0.08 : 0.3);
	const layers: Layer[] = [];
	let groundY = (_x: number): number => fromY;
	const tiers = 5;
	for (let tier = 0; tier < tiers; tier++) {
		const t = tier / (tiers - 1);
		const random = randomOf(vision, `wood ${tier}`);
		const baseY = lerp(fromY, height * 0.9, t ** 1.2);
		const ground = wintry ? mix(palette.foam, palette.sky[1], 0.35) : mix(palette.foliage, palette.landNear, 0.35);
		const hill = hillLayer(vision, stage, {
			name: `wood ${tier}`,
			baseY: baseY + unit * 3,
			heightUnits: lerp(2, 5, t),
			depth: lerp(0.1, 0.75, t),
			bottom: height + 2,
			colour: mix(ground, air, lerp(0.6, 0, t ** 0.6)),
		});
		layers.push(
			still(stage, lerp(0.1, 0.75, t), (pen) => {
				const count = Math.round(lerp(46, 11, t));
				for (let tree = 0; tree < count; tree++) {
					const u = random.next();
					// A glade: trees keep away from the focus, the more the nearer they stand.
					const away = Math.sign(u - vision.focusX) || 1;
					const x = (u + away * lerp(0.01, 0.2, t) * Math.exp(-(((u - vision.focusX) / 0.22) ** 2))) * width;
					const foot = hill.topAt(x) + unit * random.between(0.5, 2.5);
					const tall = unit * lerp(26, 62, t) * random.between(0.7, 1.2);
					const far = lerp(0.72, 0, t ** 0.7);
					const leafy = autumn ? random.chance(0.75) : random.chance(0.3);
					if (leafy) {
						paintTrunk(
							pen,
							random,
							x,
							foot,
							tall * 1.2,
							unit * lerp(0.6, 2.4, t),
							css(mix(mix(palette.ink, palette.landNear, 0.5), air, far)),
							css(mix(mix(palette.landFar, palette.light, 0.3), air, far), 0.6),
						);
						const leaf = autumn
							? mix(palette.foliage, palette.accents[random.integer(0, 2) as 0 | 1 | 2], random.next() * 0.7)
							: palette.foliage;
						for (let dab = 0; dab < lerp(34, 80, t); dab++) {
							const angle = random.between(0, Math.PI * 2);
							const reach = Math.sqrt(random.next()) * tall * 0.3;
							const dx = x + Math.cos(angle) * reach * 1.1;
							const dy = foot - tall * 0.86 + Math.sin(angle) * reach;
							pen.fillStyle = css(
								mix(lighten(leaf, random.between(-0.12, 0.1) - Math.sin(angle) * 0.05), air, far),
								0.9,
							);
							traceBlob(pen, blobPoints(random, dx, dy, tall * 0.035, tall * 0.026, 0.35, 6));
							pen.fill();
						}
					} else {
						paintConifer(pen, random, x, foot, tall, {
							colour: mix(mix(palette.foliage, palette.ink, 0.55), air, far),
							lit: mix(mix(palette.foliage, palette.light, 0.25), air, far),
							snow: wintry ? mix(palette.foam, air, far * 0.7) : null,
							side: vision.focusX < 0.5 ? 1 : -1,
						});
					}
				}
			}),
		);
		layers.push(hill.layer);
		layers.push((pen) => {
			const mist = pen.createLinearGradient(0, baseY - unit * 26, 0, baseY + unit * 5);
			mist.addColorStop(0, css(air, 0));
			mist.addColorStop(0.8, css(air, lerp(0.34, 0.02, t)));
			mist.addColorStop(1, css(air, 0));
			pen.fillStyle = mist;
			pen.fillRect(0, baseY - unit * 26, width, unit * 31);
		});
		if (tier === 3) groundY = hill.topAt;
	}
	// Dark trunks at the very front frame the view.
	const random = randomOf(vision, "frame trunks");
	const near = still(stage, 1, (pen) => {
		for (const u of vision.focusX < 0.5 ? [0.94, 0.8, -0.01] : [0.05, 0.19, 1.01]) {
			paintTrunk(
				pen,
				random,
				u * width,
				height * 1.03,
				height * 1.25,
				unit * random.between(4.2, 6.4),
				css(mix(palette.ink, palette.landNear, 0.25)),
				css(mix(palette.landFar, palette.light, 0.3), 0.5),
			);
		}
	});
	return { layers, near, groundY };
}

function paintTrunk(
	pen: Parameters<Layer>[0],
	random: ReturnType<typeof randomOf>,
	x: number,
	baseY: number,
	height: number,
	width: number,
	dark: string,
	lit: string,
): void {
	const lean = random.between(-0.035, 0.035) * height;
	pen.fillStyle = dark;
	pen.beginPath();
	pen.moveTo(x - width * 0.85, baseY);
	pen.quadraticCurveTo(x - width * 0.48, baseY - height * 0.08, x - width * 0.42 + lean * 0.4, baseY - height * 0.5);
	pen.lineTo(x - width * 0.25 + lean, baseY - height);
	pen.lineTo(x + width * 0.25 + lean, baseY - height);
	pen.lineTo(x + width * 0.42 + lean * 0.4, baseY - height * 0.5);
	pen.quadraticCurveTo(x + width * 0.48, baseY - height * 0.08, x + width * 0.85, baseY);
	pen.fill();
	pen.strokeStyle = lit;
	pen.lineCap = "round";
	for (let crack = 0; crack < 9; crack++) {
		const t = random.next();
		const y = baseY - height * t;
		pen.lineWidth = width * random.between(0.03, 0.09);
		const dx = random.between(0.05, 0.34) * width * (random.chance(0.8) ? 1 : -1);
		pen.beginPath();
		pen.moveTo(x + dx + lean * t, y);
		pen.lineTo(x + dx * 0.95 + lean * t, y - height * random.between(0.03, 0.09));
		pen.stroke();
	}
	pen.strokeStyle = dark;
	for (let twig = 0; twig < 5; twig++) {
		const t = random.between(0.45, 0.95);
		const away = random.chance(0.5) ? 1 : -1;
		pen.lineWidth = width * 0.16;
		pen.beginPath();
		pen.moveTo(x + lean * t, baseY - height * t);
		pen.quadraticCurveTo(
			x + away * width * 1.6 + lean * t,
			baseY - height * (t + 0.02),
			x + away * width * 2.8 + lean * t,
			baseY - height * (t + random.between(0.05, 0.12)),
		);
		pen.stroke();
	}
}
