import { readFileSync } from "node:fs";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import { mix, css, oklch, shiftColor, type Color } from "./palette.ts";
import { glow, type Layer, type Pen, type Stage, type SubjectPlacement } from "./scene-canvas.ts";
import { SUBJECTS, type SubjectName } from "./parse-prompt.ts";

/** The material of a part. Its color follows from the palette and the light. */
type Tone = "body" | "pale" | "dark" | "accent" | "roof" | "wood" | "leaf" | "leafLit" | "glass" | "nose";
type Part = readonly [tone: Tone, outline: Path2D];

/**
 * Reads the parts of a subject from its SVG file. The view box is 100 by 100, the base is at y = 100, and the class of a
 * path is its tone. The fill of a path is for SVG editors only.
 */
function readShape(name: SubjectName): readonly Part[] {
	const svg = readFileSync(new URL(`../assets/subjects/${name}.svg`, import.meta.url), "utf8");
	return [...svg.matchAll(/<path class="(\w+)"[^>]* d="([^"]+)"/g)].map(([, tone, d]) => [
		tone as Tone,
		new Path2D(d ?? ""),
	]);
}

const shapes = new Map(SUBJECTS.map((name) => [name, readShape(name)]));

const FUR: readonly Color[] = [
	oklch(0.66, 0.12, 60),
	oklch(0.5, 0.03, 60),
	oklch(0.34, 0.02, 260),
	oklch(0.78, 0.05, 75),
	oklch(0.48, 0.08, 50),
];

export function subjectLayer(stage: Stage, name: SubjectName, place: SubjectPlacement): Layer {
	const { palette, sun } = stage;
	const { x, y, size, depth, floats = false, tilt = 0 } = place;
	const isAnimal = name === "cat" || name === "dog";
	const sprite = paintSprite();
	return {
		depth,
		paint(pen, seconds) {
			pen.save();
			pen.translate(x, y);
			if (!floats && tilt === 0) shadow(pen);
			if (tilt !== 0) {
				pen.translate(Math.sin(seconds * 0.9) * size * 0.02, Math.cos(seconds * 1.1) * size * 0.025);
				pen.rotate(tilt);
			}
			if (name === "rocket" && tilt !== 0) drawFlame(stage, pen, size, seconds);
			if (floats) {
				pen.translate(0, Math.sin(seconds * 1.7) * size * 0.012);
				pen.rotate(Math.sin(seconds * 1.25 + 1) * 0.03);
				pen.save();
				pen.scale(1, -0.55);
				pen.globalAlpha = 0.34;
				pen.drawImage(sprite, -size / 2, -size * 0.95, size, size);
				pen.restore();
			}
			pen.drawImage(sprite, -size / 2, -size + (floats ? size * 0.05 : 0), size, size);
			pen.restore();
			if (name === "lighthouse") drawBeam(stage, pen, x, y - size * 0.765, seconds);
		},
	};

	function shadow(pen: Pen): void {
		pen.save();
		const lean = Math.max(-1.4, Math.min(1.4, (x - sun.x) / (stage.width * 0.4)));
		pen.transform(1, 0, lean, 1, 0, 0);
		pen.scale(1, isAnimal ? 0.1 : 0.07);
		const wide = size * (isAnimal ? 0.42 : name === "castle" ? 0.6 : name === "tree" ? 0.4 : 0.34);
		glow(pen, -lean * size * 0.1, 0, wide * 1.5, palette.shadow, 0.75);
		pen.restore();
	}

	function paintSprite() {
		const pixels = Math.max(16, Math.ceil(size));
		const canvas = createCanvas(pixels, pixels);
		const pen = canvas.getContext("2d");
		pen.scale(pixels / 100, pixels / 100);
		const colors = tones(stage, name, place);
		const side = sun.x > x ? 1 : -1;
		for (const [tone, outline] of shapes.get(name) ?? []) {
			const color = colors[tone];
			const emits = tone === "glass";
			const gradient = pen.createLinearGradient(50 - side * 40, 60, 50 + side * 40, 30);
			const contrast = emits ? 0.05 : tone === "dark" || tone === "nose" ? 0.1 : 0.42;
			gradient.addColorStop(0, css(mix(color, palette.shadow, contrast)));
			gradient.addColorStop(0.55, css(color));
			gradient.addColorStop(1, css(mix(color, palette.sun, contrast * 0.5)));
			pen.fillStyle = gradient;
			pen.save();
			pen.clip(outline);
			pen.fillRect(0, 0, 100, 100);
			if (tone === "leaf" || tone === "leafLit" || (tone === "body" && isAnimal)) texture(pen, color, tone, side);
			pen.restore();
		}
		// Darkens the base, and lights the edge on the side of the sun.
		pen.globalCompositeOperation = "source-atop";
		const foot = pen.createLinearGradient(0, 55, 0, 100);
		foot.addColorStop(0, css(palette.shadow, 0));
		foot.addColorStop(1, css(palette.shadow, floats || tilt ? 0.15 : 0.45));
		pen.fillStyle = foot;
		pen.fillRect(0, 0, 100, 100);
		const rim = createCanvas(pixels, pixels);
		const edge = rim.getContext("2d");
		edge.drawImage(canvas, 0, 0);
		edge.globalCompositeOperation = "destination-out";
		edge.drawImage(canvas, -side * pixels * 0.012, pixels * 0.008);
		edge.globalCompositeOperation = "source-in";
		edge.fillStyle = css(mix(palette.sun, palette.glow, 0.4), palette.isNight ? 0.6 : 0.75);
		edge.fillRect(0, 0, pixels, pixels);
		pen.drawImage(rim, 0, 0, 100, 100);
		return canvas;
	}

	/** Draws fur or leaves. */
	function texture(pen: Pen, color: Color, tone: Tone, side: number): void {
		const random = stage.random.fork(`texture/${tone}`);
		const leafy = tone !== "body";
		for (let nth = 0; nth < (leafy ? 1500 : 260); nth++) {
			const [tx, ty] = [random.between(0, 100), random.between(0, 100)];
			const lit = random.next() * 0.5 + (side * (tx - 50)) / 160 + (50 - ty) / 160;
			pen.fillStyle = css(
				leafy
					? mix(color, lit > 0.2 ? palette.foliageLit : palette.shadow, Math.min(1, Math.abs(lit - 0.2) * 1.2))
					: shiftColor(color, (lit - 0.2) * 0.14),
				0.55,
			);
			pen.beginPath();
			pen.ellipse(tx, ty, leafy ? 1.5 : 0.35, leafy ? 0.8 : 2.2, leafy ? random.between(0, 3) : (tx - 50) / 60, 0, 6.3);
			pen.fill();
		}
	}
}

/** Returns the color of each material: from the prompt, the subject and the light. */
function tones(stage: Stage, name: SubjectName, place: SubjectPlacement): Readonly<Record<Tone, Color>> {
	const { palette, random, parsed } = stage;
	const subjectRandom = random.fork(name);
	const promptColor = parsed.subjectColors.get(name);
	const isAnimal = name === "cat" || name === "dog";
	// These scenes light their subjects even at night.
	const hasOwnLight = parsed.scene === "city" || parsed.scene === "space" || parsed.scene === "flow";
	const light = 0.3 + 0.7 * Math.max(palette.light, hasOwnLight ? 0.75 : 0);
	const inLight = (color: Color): Color =>
		mix(mix(palette.shadow, color, light), palette.haze, place.depth < 0.45 ? 0.14 : 0.04);
	const chosenColor = promptColor
		? oklch(promptColor.chroma < 0.02 ? 0.3 : 0.58, promptColor.chroma, promptColor.hue)
		: undefined;
	const body = bodyColor();
	const accent = accentColor();
	const leaf = name === "tree" && chosenColor ? inLight(chosenColor) : palette.foliage;
	return {
		body: inLight(body),
		pale: inLight(
			isAnimal ? shiftColor(body, 0.2, 0.45) : name === "house" && chosenColor ? chosenColor : oklch(0.93, 0.018, 80),
		),
		dark: inLight(isAnimal ? shiftColor(body, -0.12) : oklch(0.3, 0.03, 265)),
		accent: inLight(accent),
		roof: inLight(name === "castle" ? oklch(0.42, 0.09, subjectRandom.pick([20, 255, 285])) : oklch(0.44, 0.12, 30)),
		wood: inLight(oklch(0.38, 0.05, 55)),
		leaf,
		leafLit: mix(leaf, palette.foliageLit, chosenColor ? 0.12 : 0.22),
		glass: glassColor(),
		nose: inLight(oklch(0.17, 0.02, 30)),
	};

	function bodyColor(): Color {
		if (isAnimal) return chosenColor ?? subjectRandom.pick(FUR);
		return name === "castle" ? (chosenColor ?? oklch(0.68, 0.03, 70)) : oklch(0.86, 0.03, 85);
	}

	function accentColor(): Color {
		if (isAnimal) return oklch(0.62, 0.13, 20);
		if (chosenColor) return chosenColor;
		if (name === "lighthouse" || name === "rocket") return oklch(0.56, 0.19, 27);
		return oklch(0.5, 0.13, subjectRandom.pick([25, 250, 160]));
	}

	/** The eyes of an animal, or windows, which are lit when it is dark. */
	function glassColor(): Color {
		if (name === "dog") return [250, 250, 245];
		if (name === "cat")
			return subjectRandom.pick([oklch(0.84, 0.16, 110), oklch(0.82, 0.14, 75), oklch(0.78, 0.12, 200)]);
		return palette.light < 0.7 ? oklch(0.9, 0.12, 82) : inLight(oklch(0.62, 0.06, 235));
	}
}

function drawBeam(stage: Stage, pen: Pen, x: number, y: number, seconds: number): void {
	const { palette, unit, width } = stage;
	if (palette.light > 0.92) return;
	const strength = 0.35 + 0.65 * (1 - palette.light);
	pen.save();
	pen.globalCompositeOperation = "screen";
	const turn = seconds * 0.9;
	for (const half of [0, Math.PI]) {
		const swing = Math.cos(turn + half + 0.35);
		const long = width * 0.95 * Math.max(0.12, Math.abs(swing));
		const side = Math.sign(swing) || 1;
		const far = pen.createLinearGradient(x, y, x + side * long, y);
		far.addColorStop(0, css([255, 240, 200], 0.62 * strength));
		far.addColorStop(0.35, css([255, 236, 190], 0.22 * strength));
		far.addColorStop(1, css([255, 236, 190], 0));
		pen.fillStyle = far;
		for (const spread of [0.035, 0.06, 0.09]) {
			pen.globalAlpha = 0.5;
			pen.beginPath();
			pen.moveTo(x, y - 2 * unit);
			pen.lineTo(x + side * long, y - long * (spread + 0.045));
			pen.lineTo(x + side * long, y + long * (spread - 0.045));
			pen.lineTo(x, y + 2 * unit);
			pen.fill();
		}
	}
	pen.globalAlpha = 1;
	glow(pen, x, y, 46 * unit * (1 + 0.12 * Math.sin(turn * 2)), [255, 238, 190], strength);
	glow(pen, x, y, 14 * unit, [255, 252, 235], 1);
	pen.restore();
}

function drawFlame(stage: Stage, pen: Pen, size: number, seconds: number): void {
	const flicker = 1 + 0.12 * Math.sin(seconds * 31) + 0.08 * Math.sin(seconds * 47);
	const top = -size * 0.2;
	pen.save();
	pen.globalCompositeOperation = "screen";
	const trail = pen.createLinearGradient(0, top, 0, top + size * 1.5);
	trail.addColorStop(0, "rgba(255,220,170,0.5)");
	trail.addColorStop(0.3, css(stage.palette.haze, 0.22));
	trail.addColorStop(1, css(stage.palette.haze, 0));
	pen.fillStyle = trail;
	pen.beginPath();
	pen.moveTo(-size * 0.07, top);
	pen.quadraticCurveTo(-size * 0.1, size * 0.5, -size * 0.22, size * 1.3);
	pen.lineTo(size * 0.22, size * 1.3);
	pen.quadraticCurveTo(size * 0.1, size * 0.5, size * 0.07, top);
	pen.fill();
	glow(pen, 0, top + size * 0.1, size * 0.34, [255, 150, 60], 0.9);
	for (const [wide, long, color] of [
		[0.085, 0.46, "255,120,40"],
		[0.06, 0.34, "255,190,80"],
		[0.032, 0.2, "255,250,225"],
	] as const) {
		pen.fillStyle = `rgba(${color},0.92)`;
		pen.beginPath();
		pen.moveTo(-size * wide, top);
		pen.quadraticCurveTo(-size * wide * 1.2, top + size * long * 0.5, 0, top + size * long * flicker);
		pen.quadraticCurveTo(size * wide * 1.2, top + size * long * 0.5, size * wide, top);
		pen.fill();
	}
	pen.restore();
}
