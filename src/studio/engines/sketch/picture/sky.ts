import { randomOf, type Vision } from "../vision.ts";
import { paintStrokes, swatchOf, washSwatch, type Swatch } from "./brush.ts";
import { clamp01, css, lerp, lighten, mix, ramp, smoothstep, type Colour } from "./colour.ts";
import { createNoise, type Noise } from "./noise.ts";
import { cameraShift, glow, moving, overscanOf, sheet, still, type Layer, type Stage } from "./stage.ts";

/** Where the sun or the moon stands, and whether it can be seen. */
export interface Luminary {
	readonly x: number;
	readonly y: number;
	readonly radius: number;
	readonly kind: "sun" | "moon" | "hidden";
}

export function luminaryOf(vision: Vision, stage: Stage): Luminary {
	const random = randomOf(vision, "luminary");
	const { width, height, unit } = stage;
	const horizonY = height * vision.horizon;
	// Opposite the chief thing, so that the two balance.
	const x = width * (vision.focusX < 0.5 ? random.between(0.62, 0.72) : random.between(0.28, 0.38));
	const cloaked = vision.weather === "storm" || vision.weather === "rain" || vision.paletteName === "grey";
	const asked = vision.features.has("moon") || vision.features.has("sun");
	const indoors = vision.setting === "space" || vision.setting === "party" || vision.setting === "abstract";
	if (indoors || ((cloaked || vision.features.has("aurora") || vision.features.has("fireworks")) && !asked)) {
		return { x, y: horizonY * 0.8, radius: 0, kind: "hidden" };
	}
	switch (vision.time) {
		case "night":
			return { x, y: height * random.between(0.16, 0.24), radius: unit * random.between(4.2, 5.4), kind: "moon" };
		case "dusk":
			return { x, y: horizonY - unit * random.between(13, 19), radius: unit * 4, kind: "moon" };
		case "sunset":
			return {
				x,
				y:
					horizonY -
					unit *
						(vision.setting === "sea" || vision.setting === "desert" ? random.between(4, 9) : random.between(17, 22)),
				radius: unit * random.between(6.5, 8.5),
				kind: "sun",
			};
		case "dawn":
			return { x, y: horizonY - unit * random.between(9, 15), radius: unit * random.between(5, 6.5), kind: "sun" };
		case "day":
			return { x, y: height * random.between(0.15, 0.22), radius: unit * random.between(4.2, 5.2), kind: "sun" };
	}
}

/** The first sheet: colour from the zenith to the horizon, laid on in broad strokes. */
export function skyLayer(vision: Vision, stage: Stage, luminary: Luminary): Layer {
	const random = randomOf(vision, "sky");
	const noise = createNoise(random.fork("noise"));
	const margin = overscanOf(stage);
	const { palette } = vision;
	// The sky reaches down to whatever hides it.
	const share = { space: 1, abstract: 1, party: 0.84, city: 0.78 }[vision.setting as string] ?? vision.horizon + 0.06;
	const bottom = stage.height * share;
	return still(
		stage,
		0,
		(pen) => {
			const left = -margin;
			const width = stage.width + 2 * margin;
			const swatch = skySwatch(vision, noise, luminary, stage, left, width, bottom);
			washSwatch(pen, swatch, left, 0, width, bottom);
			const swirl = 0.25 + vision.wind * 0.9;
			paintStrokes(pen, random, {
				swatch,
				left,
				top: 0,
				width,
				height: bottom,
				count: 2600,
				lengthPx: stage.unit * 9,
				widthPx: stage.unit * 1.5,
				alpha: 0.34,
				shake: 7,
				angle: (x, y) => noise.fbm(x / stage.unit / 46, y / stage.unit / 26, 2) * swirl * 2.4,
			});
			if (luminary.kind !== "hidden") paintLuminary(pen, luminary, palette.light, stage, vision);
		},
		{ top: 0, bottom },
	);
}

function skySwatch(
	vision: Vision,
	noise: Noise,
	luminary: Luminary,
	stage: Stage,
	left: number,
	width: number,
	bottom: number,
): Swatch {
	const columns = 160;
	const rows = Math.max(40, Math.round((columns * bottom) / width));
	const reach = stage.unit * 55;
	const warmth = vision.time === "night" ? 0.16 : 0.42;
	return swatchOf(columns, rows, (u, v) => {
		const x = left + u * width;
		const y = v * bottom;
		const waver = noise.fbm(u * 3, v * 5, 3) * 0.07;
		const near = Math.exp(-(((x - luminary.x) / reach) ** 2) - ((y - luminary.y) / (reach * 0.75)) ** 2);
		return { colour: mix(ramp(vision.palette.sky, v / 0.95 + waver), vision.palette.light, near * warmth), alpha: 1 };
	});
}

function paintLuminary(
	pen: Parameters<typeof glow>[0],
	at: Luminary,
	light: Colour,
	stage: Stage,
	vision: Vision,
): void {
	const { x, y, radius } = at;
	const halo = at.kind === "moon" ? 7 : 6;
	glow(pen, x, y, radius * halo, [
		[0, css(light, 0.5)],
		[0.18, css(light, 0.3)],
		[0.5, css(light, 0.09)],
		[1, css(light, 0)],
	]);
	pen.fillStyle = css(at.kind === "moon" ? light : lighten(light, 0.02));
	pen.beginPath();
	pen.arc(x, y, radius, 0, Math.PI * 2);
	pen.fill();
	if (at.kind === "sun") {
		// Rings of paler and deeper light, as in a print.
		for (const [scale, alpha] of [
			[1.28, 0.28],
			[1.7, 0.14],
			[2.3, 0.07],
		] as const) {
			pen.fillStyle = css(light, alpha);
			pen.beginPath();
			pen.arc(x, y, radius * scale, 0, Math.PI * 2);
			pen.fill();
		}
		return;
	}
	const random = randomOf(vision, "craters");
	pen.save();
	pen.beginPath();
	pen.arc(x, y, radius, 0, Math.PI * 2);
	pen.clip();
	for (let index = 0; index < 9; index++) {
		pen.fillStyle = css(mix(light, vision.palette.sky[1], 0.3), 0.35);
		pen.beginPath();
		pen.ellipse(
			x + random.between(-0.8, 0.8) * radius,
			y + random.between(-0.8, 0.8) * radius,
			radius * random.between(0.08, 0.3),
			radius * random.between(0.06, 0.24),
			random.between(0, 3),
			0,
			Math.PI * 2,
		);
		pen.fill();
	}
	pen.restore();
}

/** Stars, and some of them twinkle. */
export function starsLayer(vision: Vision, stage: Stage, count: number, bottomY: number): Layer {
	const random = randomOf(vision, "stars");
	const stars = Array.from({ length: count }, () => {
		const bright = random.next() ** 5;
		return {
			x: random.between(-0.03, 1.03) * stage.width,
			y: random.next() ** 1.25 * bottomY,
			radius: stage.unit * (0.07 + bright * 0.24),
			alpha: 0.25 + 0.75 * random.next() ** 1.6,
			phase: random.between(0, 6.28),
			speed: random.between(0.8, 2.6),
			tint: mix(
				vision.palette.light,
				vision.palette.accents[random.integer(0, 2) as 0 | 1 | 2],
				random.between(0, 0.35),
			),
		};
	});
	const fade = (y: number): number => 1 - smoothstep(bottomY * 0.55, bottomY, y);
	const fixed = still(stage, 0.04, (pen) => {
		for (const star of stars) {
			pen.fillStyle = css(star.tint, star.alpha * 0.75 * fade(star.y));
			pen.beginPath();
			pen.arc(star.x, star.y, star.radius, 0, Math.PI * 2);
			pen.fill();
		}
	});
	const bright = stars.filter((star) => star.radius > stage.unit * 0.14);
	const twinkling = moving(stage, 0.04, (pen, seconds) => {
		for (const star of bright) {
			const pulse = 0.6 + 0.4 * Math.sin(seconds * star.speed + star.phase);
			glow(pen, star.x, star.y, star.radius * 7, [
				[0, css(star.tint, 0.5 * pulse * fade(star.y))],
				[0.2, css(star.tint, 0.18 * pulse * fade(star.y))],
				[1, css(star.tint, 0)],
			]);
			const spike = star.radius * (3 + 2 * pulse);
			pen.strokeStyle = css(star.tint, 0.5 * pulse * fade(star.y));
			pen.lineWidth = stage.unit * 0.06;
			pen.beginPath();
			pen.moveTo(star.x - spike, star.y);
			pen.lineTo(star.x + spike, star.y);
			pen.moveTo(star.x, star.y - spike);
			pen.lineTo(star.x, star.y + spike);
			pen.stroke();
		}
	});
	return (pen, seconds) => {
		fixed(pen, seconds);
		twinkling(pen, seconds);
	};
}

/** Clouds out of warped noise, lit from the luminary's side, then painted over with strokes along the wind. */
export function cloudLayers(vision: Vision, stage: Stage, luminary: Luminary): readonly Layer[] {
	const amount = { storm: 0.74, rain: 0.64, snow: 0.5, fog: 0.42, cloudy: 0.5, clear: 0.34 }[vision.weather];
	const bottom = stage.height * (vision.horizon + 0.02);
	return [
		cloudBank(vision, stage, luminary, {
			name: "far",
			amount: amount * 0.92,
			scale: 1.5,
			depth: 0.06,
			bottom,
			speed: 0.35,
			alpha: 0.8,
		}),
		cloudBank(vision, stage, luminary, {
			name: "near",
			amount,
			scale: 1,
			depth: 0.12,
			bottom: bottom * (vision.weather === "storm" ? 0.86 : 0.8),
			speed: 0.8,
			alpha: 0.95,
		}),
	];
}

interface CloudBank {
	readonly name: string;
	/** How much of the sky is covered, 0..1. */
	readonly amount: number;
	readonly scale: number;
	readonly depth: number;
	readonly bottom: number;
	/** Units a second in a gale. */
	readonly speed: number;
	readonly alpha: number;
}

function cloudBank(vision: Vision, stage: Stage, luminary: Luminary, bank: CloudBank): Layer {
	const random = randomOf(vision, `clouds ${bank.name}`);
	const noise = createNoise(random.fork("noise"));
	// Clouds drift out of the picture, so the sheet is longer than the picture is wide.
	const driftMax = stage.film ? stage.unit * 26 * bank.speed * (0.3 + vision.wind) : 0;
	const margin = overscanOf(stage);
	const left = -margin - driftMax;
	const width = stage.width + 2 * margin + driftMax;
	const swatch = cloudSwatch(vision, noise, luminary, stage, bank, left, width);
	const paint: (pen: Parameters<Layer>[0]) => void = (pen) => {
		washSwatch(pen, swatch, left, 0, width, bank.bottom);
		const swirl = 0.6 + vision.wind * 1.4;
		paintStrokes(pen, random.fork("strokes"), {
			swatch,
			left,
			top: 0,
			width,
			height: bank.bottom,
			count: Math.round(3400 * (width / stage.width)),
			lengthPx: stage.unit * 6,
			widthPx: stage.unit * 0.95,
			alpha: 0.5,
			shake: 9,
			angle: (x, y) => noise.fbm(x / stage.unit / 40, y / stage.unit / 22, 2) * swirl * 2,
		});
	};
	if (!stage.film) return paint;
	const kept = sheet(width, bank.bottom);
	kept.pen.translate(-left, 0);
	paint(kept.pen);
	const speed = driftMax / 26;
	return (pen, seconds) => {
		const drift = Math.min(driftMax, speed * seconds * 2);
		pen.drawImage(kept.canvas, left + drift + cameraShift(stage, bank.depth, seconds), 0);
	};
}

function cloudSwatch(
	vision: Vision,
	noise: Noise,
	luminary: Luminary,
	stage: Stage,
	bank: CloudBank,
	left: number,
	width: number,
): Swatch {
	const columns = Math.min(420, Math.round(300 * (width / stage.width)));
	const rows = Math.max(60, Math.round((columns * bank.bottom) / width));
	const { palette } = vision;
	const stormy = vision.weather === "storm";
	const density = (x: number, y: number): number => {
		const u = x / stage.unit / (34 * bank.scale);
		const v = y / stage.unit / (17 * bank.scale);
		const warpX = noise.fbm(u + 3.1, v + 1.7, 2) * 0.9;
		const warpY = noise.fbm(u + 8.3, v + 2.8, 2) * 0.9;
		return noise.fbm(u + warpX, v + warpY, 5) * 0.5 + 0.5;
	};
	const edge = 0.74 - bank.amount * 0.52;
	const step = stage.unit * 3.2;
	return swatchOf(columns, rows, (u, v) => {
		const x = left + u * width;
		const y = v * bank.bottom;
		// Thinner towards the horizon, where clouds are seen from the side; a storm is torn open around its light.
		const cover = stormy ? 1 - smoothstep(0.72, 1, v) * 0.9 : 1 - smoothstep(0.5, 1, v) * 0.75;
		const torn = stormy
			? Math.exp(-(((x - luminary.x) / (stage.unit * 30)) ** 2) - ((y - luminary.y) / (stage.unit * 12)) ** 2) * 0.2
			: 0;
		const here = density(x, y) - (1 - cover) * 0.22 - torn;
		const alpha = smoothstep(edge, edge + (stormy ? 0.22 : 0.16), here) * bank.alpha * (1 - smoothstep(0.86, 0.99, v));
		if (alpha <= 0) return null;
		const towardX = (luminary.x - x) / stage.width;
		const towardY = (luminary.y - y) / stage.height - 0.25;
		const norm = Math.hypot(towardX, towardY) + 0.001;
		const there = density(x + (towardX / norm) * step, y + (towardY / norm) * step);
		const lit = clamp01(
			0.42 +
				(here + torn - there) * (stormy ? 7 : 5.5) -
				smoothstep(edge, edge + 0.4, here) * 0.3 +
				(stormy ? (v - 0.55) * 0.6 : 0),
		);
		const near = Math.exp(
			-(((x - luminary.x) / (stage.width * 0.4)) ** 2) - ((y - luminary.y) / (stage.height * 0.4)) ** 2,
		);
		const body = mix(palette.cloudShade, palette.cloudLit, lit);
		const warmed = mix(body, palette.light, near * lit * (vision.time === "night" ? 0.12 : stormy ? 0.22 : 0.35));
		// Distance takes clouds back into the sky.
		return { colour: mix(warmed, ramp(palette.sky, v * 0.9), lerp(0.05, stormy ? 0.3 : 0.45, v)), alpha };
	});
}
