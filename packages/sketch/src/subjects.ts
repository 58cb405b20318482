import { createCanvas, Path2D } from "@napi-rs/canvas";
import { mix, css, oklch, shifted, type Color } from "./palette.ts";
import type { Place } from "./scenes/scene.ts";
import { glow, type Layer, type Pen, type Stage } from "./stage.ts";
import type { SubjectName } from "./words.ts";

/** What a part is made of; the palette and the light decide its color. */
type Tone = "body" | "pale" | "dark" | "accent" | "roof" | "wood" | "leaf" | "leafLit" | "glass" | "nose";
type Part = readonly [tone: Tone, path: string];

/** Paths in a box of 100 by 100, the ground at 100. */
const SHAPES: Readonly<Record<SubjectName, readonly Part[]>> = {
	lighthouse: [
		["pale", "M66 100V86L74 80L82 86V100Z"],
		["roof", "M63 87L74 77L85 87Z"],
		["glass", "M71 91h5v5h-5Z"],
		["pale", "M39 100L44 32H56L61 100Z"],
		["accent", "M39.9 88L41 73.500H59L60.100 88Z M41.900 61L42.900 47.500H57.100L58.100 61Z"],
		[
			"dark",
			"M47.500 100V93a2.500 2.500 0 0 1 5 0V100Z M48.800 80h2.400v4h-2.400Z M48.800 66h2.400v3.600h-2.400Z M48.800 53h2.400v3.600h-2.400Z",
		],
		[
			"dark",
			"M39.500 32H60.500V29.500H39.500Z M40.500 29.500V25H41.300V29.500Z M58.700 29.500V25H59.500V29.500Z M40.500 25.600H59.500V24.900H40.500Z",
		],
		["glass", "M44.500 29.500V18H55.500V29.500Z"],
		["dark", "M47.700 29.500V18h.8V29.500Z M51.600 29.500V18h.8V29.500Z"],
		["roof", "M42.500 18Q44 12.500 50 9.500Q56 12.500 57.500 18Z M49.500 9.500V5h1V9.500Z"],
	],
	castle: [
		["body", "M8 100V60H12V56H16V60H20V56H24V60H28V56H32V60H68V56H72V60H76V56H80V60H84V56H88V60H92V100Z"],
		["body", "M4 100V50H18V100Z M82 100V50H96V100Z"],
		["roof", "M1.500 51L11 26L20.500 51Z M79.500 51L89 26L98.500 51Z"],
		["body", "M30 100V40H44V100Z M58 100V34H72V100Z"],
		["roof", "M27.500 41L37 15L46.500 41Z M55.500 35L65 7L74.500 35Z"],
		["body", "M42 100V50H46V47H49V50H52V47H55V50H60V100Z"],
		["accent", "M37 15V7L44 9.500L37.600 12V15Z M65 7V0L73 2.500L65.600 5V7Z"],
		["dark", "M45 100V84a5.500 6.500 0 0 1 11 0V100Z M9.500 66h3v6h-3Z M87.500 66h3v6h-3Z"],
		[
			"glass",
			"M35.500 50h3v6a0 0 0 0 1 0 0h-3Z M63.500 44h3v6h-3Z M63.500 60h3v5h-3Z M35.500 66h3v5h-3Z M49 60h3v7h-3Z M24 74h2.600v5h-2.600Z M75 74h2.600v5h-2.600Z",
		],
	],
	cat: [
		["body", "M66 95C84 98 90 86 84 74C81 68 86 63 89 67C96 78 92 100 68 100Z"],
		["body", "M50 38C64 38 66 52 70 66C75 82 74 100 66 100H34C26 100 25 82 30 66C34 52 36 38 50 38Z"],
		["pale", "M50 48C58 48 60 60 57 72C55 80 45 80 43 72C40 60 42 48 50 48Z"],
		[
			"dark",
			"M44.600 100C44.200 90 44.200 82 45.400 76L46.200 76C45.600 84 45.800 92 46.200 100Z M55.400 100C55.800 90 55.800 82 54.600 76L53.800 76C54.400 84 54.200 92 53.800 100Z",
		],
		["pale", "M36 100C35 95 44.500 94 45 100Z M55 100C55.500 94 65 95 64 100Z"],
		[
			"body",
			"M31.500 27C30 18 30 8 32.500 5C37 6 42 11 44.500 15.500C48 14.300 52 14.300 55.500 15.500C58 11 63 6 67.500 5C70 8 70 18 68.500 27C71 37 62 45 50 45C38 45 29 37 31.500 27Z",
		],
		[
			"accent",
			"M34 19C33 14 33.200 11 34 9.500C36.500 11 39 14 40.500 17Z M66 19C67 14 66.800 11 66 9.500C63.500 11 61 14 59.500 17Z",
		],
		["pale", "M50 31C56 31 59 35 57 39C55 43 45 43 43 39C41 35 44 31 50 31Z"],
		[
			"glass",
			"M37.600 28.500C39 24.600 44.400 24.600 45.400 29C43.400 31.600 39 31.400 37.600 28.500Z M62.400 28.500C61 24.600 55.600 24.600 54.600 29C56.600 31.600 61 31.400 62.400 28.500Z",
		],
		[
			"nose",
			"M41 25.800h1.700v5h-1.700Z M57.300 25.800h1.700v5h-1.700Z M48 33.500H52L50 36Z M49.700 36C49.700 38 48 39.400 46 39L46.200 38.300C47.800 38.600 49.300 37.600 49.700 36Z M50.300 36C50.300 38 52 39.400 54 39L53.800 38.300C52.200 38.600 50.700 37.600 50.300 36Z",
		],
		[
			"pale",
			"M43 36L29 33.800L29 34.200L43 36.600Z M43 37.600L29.500 38.600L29.500 39L43 38.200Z M57 36L71 33.800L71 34.200L57 36.600Z M57 37.600L70.500 38.600L70.500 39L57 38.200Z",
		],
	],
	dog: [
		["body", "M68 92C80 92 88 84 87 74C86.500 70 91 69 92 73C94 86 84 98 68 99Z"],
		["body", "M50 40C66 40 68 54 71 68C75 84 74 100 67 100H33C26 100 25 84 29 68C32 54 34 40 50 40Z"],
		["pale", "M50 46C60 47 62 60 58 74C55 83 45 83 42 74C38 60 40 47 50 46Z"],
		[
			"dark",
			"M44.200 100C43.600 90 43.800 84 45 78L45.900 78C45.200 86 45.400 92 45.900 100Z M55.800 100C56.400 90 56.200 84 55 78L54.100 78C54.800 86 54.600 92 54.100 100Z",
		],
		["pale", "M33 100C32 94 44 93 45 100Z M55 100C56 93 68 94 67 100Z"],
		[
			"body",
			"M50 7C62 7 68 14 68 24C68 30 64 34 62 38C60 44 55 48 50 48C45 48 40 44 38 38C36 34 32 30 32 24C32 14 38 7 50 7Z",
		],
		[
			"dark",
			"M37 11C29 10 24 17 24 26C24 34 26.500 41 30 41C35 40 35 32 36 25C36.800 19 38.500 15 40.500 12Z M63 11C71 10 76 17 76 26C76 34 73.500 41 70 41C65 40 65 32 64 25C63.200 19 61.500 15 59.500 12Z",
		],
		[
			"pale",
			"M50 8C53 8 54 18 54 26C60 29 62 35 60 40C58 45.500 54 48 50 48C46 48 42 45.500 40 40C38 35 40 29 46 26C46 18 47 8 50 8Z",
		],
		[
			"accent",
			"M46.500 43H53.500V49C53.500 54 46.500 54 46.500 49Z M38 51C44 55 56 55 62 51L63 54.500C56 59 44 59 37 54.500Z",
		],
		[
			"nose",
			"M45 32.500C45 30 55 30 55 32.500C55 36 51.500 38 50 38C48.500 38 45 36 45 32.500Z M49.600 38V42C47 44.400 44 43.600 42.500 41.500L43 41C45 43 47.600 43 49.600 41.500Z M50.400 38V42C53 44.400 56 43.600 57.500 41.500L57 41C55 43 52.400 43 50.400 41.500Z",
		],
		[
			"nose",
			"M40 24a2.700 3 0 1 0 5.400 0a2.700 3 0 1 0 -5.400 0Z M54.600 24a2.700 3 0 1 0 5.400 0a2.700 3 0 1 0 -5.400 0Z",
		],
		["glass", "M42.700 22.600a1 1 0 1 0 2 0a1 1 0 1 0 -2 0Z M57.300 22.600a1 1 0 1 0 2 0a1 1 0 1 0 -2 0Z"],
	],
	rocket: [
		["accent", "M37 52C28 58 25 68 26 80L38 72Z M63 52C72 58 75 68 74 80L62 72Z"],
		["dark", "M42 76H58L60 82H40Z"],
		["pale", "M50 6C61 17 65 32 65 48C65 60 63 70 60 77H40C37 70 35 60 35 48C35 32 39 17 50 6Z"],
		["accent", "M50 6C55.500 11.500 59.400 18 61.800 25H38.200C40.600 18 44.500 11.500 50 6Z"],
		["dark", "M41.500 40a8.500 8.500 0 1 0 17 0a8.500 8.500 0 1 0 -17 0Z"],
		["glass", "M43.500 40a6.500 6.500 0 1 0 13 0a6.500 6.500 0 1 0 -13 0Z"],
		["accent", "M48.400 58H51.600L52 82H48Z"],
		["dark", "M35.700 56H64.300V57H35.700Z M38 68H62V69H38Z"],
	],
	boat: [
		["wood", "M49.200 12H50.800V82H49.200Z M30 76H74V77.200H30Z"],
		["pale", "M52 14C70 30 80 52 80 74H52Z"],
		["body", "M48 20C47 44 40 62 24 74H48Z"],
		["accent", "M50.800 12V6L60 8.500L50.800 11Z M66 31L52 31V38L70.500 38Z"],
		["accent", "M12 80H88C86 88 82 94 76 97H26C18 94 14 88 12 80Z"],
		["pale", "M12.300 80H87.700L87.300 83H13Z"],
		["dark", "M26 97H76C80 95 82 93 83.500 91H18.500C20 93 22 95 26 97Z"],
	],
	tree: [
		[
			"wood",
			"M46 100C48 88 47 76 45 62L50 66L56 58C54 74 54 88 58 100Z M48 72L34 56L36 54L50 66Z M52 68L68 52L70 54L54 72Z",
		],
		[
			"leaf",
			"M50 74C34 80 14 74 13 58C3 48 8 32 22 30C24 14 42 6 54 12C68 6 84 16 82 32C94 38 96 54 86 60C86 74 64 80 50 74Z",
		],
		[
			"leafLit",
			"M24 56C14 52 14 40 26 38C38 36 42 50 34 55Z M44 40C36 32 40 18 54 18C66 18 68 34 60 40Z M58 62C52 54 60 44 72 46C84 48 84 60 74 64Z",
		],
		[
			"leafLit",
			"M30 30C28 24 34 18 40 21C44 24 40 32 34 32Z M66 30C66 24 74 22 77 28C78 34 70 37 66 30Z M40 66C36 62 42 56 47 60C51 64 46 69 40 66Z",
		],
	],
	house: [
		["body", "M68 42V22H77V50Z"],
		["dark", "M66.500 22H78.500V19H66.500Z"],
		["pale", "M16 100V56L50 26L84 56V100Z"],
		["roof", "M8 60L50 20L92 60L88 64L50 28.500L12 64Z"],
		["accent", "M44 100V76H57V100Z"],
		["dark", "M54 87.500h1.600v2h-1.600Z M16 98H84V100H16Z"],
		["glass", "M23 66H37V80H23Z M63 66H77V80H63Z M45.500 46a4.500 4.500 0 1 1 9 0V54H45.500Z"],
		["pale", "M29.500 66h1.200V80h-1.200Z M23 72.500H37v1.100H23Z M69.500 66h1.200V80h-1.200Z M63 72.500H77v1.100H63Z"],
	],
};

const FUR: readonly Color[] = [
	oklch(0.66, 0.12, 60),
	oklch(0.5, 0.03, 60),
	oklch(0.34, 0.02, 260),
	oklch(0.78, 0.05, 75),
	oklch(0.48, 0.08, 50),
];

export function subjectLayer(stage: Stage, name: SubjectName, place: Place): Layer {
	const { palette, sun } = stage;
	const { x, y, size, depth, floats = false, tilt = 0 } = place;
	const animal = name === "cat" || name === "dog";
	const sprite = paintSprite(stage, name, size, place);
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
			if (name === "rocket") flame(stage, pen, size, seconds, tilt !== 0);
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
			if (name === "lighthouse") beam(stage, pen, x, y - size * 0.765, seconds);
			if (name === "house") chimneySmoke(stage, pen, x + size * 0.225, y - size * 0.81, size, seconds);
		},
	};

	function shadow(pen: Pen): void {
		pen.save();
		const lean = Math.max(-1.4, Math.min(1.4, (x - sun.x) / (stage.width * 0.4)));
		pen.transform(1, 0, lean, 1, 0, 0);
		pen.scale(1, animal ? 0.1 : 0.07);
		const wide = size * (animal ? 0.42 : name === "castle" ? 0.6 : name === "tree" ? 0.4 : 0.34);
		glow(pen, -lean * size * 0.1, 0, wide * 1.5, palette.shadow, 0.75);
		pen.restore();
	}

	function paintSprite(s: Stage, subject: SubjectName, height: number, at: Place) {
		const pixels = Math.max(16, Math.ceil(height * 1.0));
		const canvas = createCanvas(pixels, pixels);
		const pen = canvas.getContext("2d");
		pen.scale(pixels / 100, pixels / 100);
		const colors = tones(s, subject, at);
		const side = sun.x > at.x ? 1 : -1;
		for (const [tone, d] of SHAPES[subject]) {
			const outline = new Path2D(d);
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
			if (tone === "leaf" || tone === "leafLit" || (tone === "body" && animal)) texture(s, pen, color, tone, side);
			pen.restore();
		}
		// Darker toward the ground, and a rim of light on the side of the sun.
		pen.globalCompositeOperation = "source-atop";
		const foot = pen.createLinearGradient(0, 55, 0, 100);
		foot.addColorStop(0, css(palette.shadow, 0));
		foot.addColorStop(1, css(palette.shadow, at.floats || at.tilt ? 0.15 : 0.45));
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

	/** Strokes of fur, or leaves. */
	function texture(s: Stage, pen: Pen, color: Color, tone: Tone, side: number): void {
		const random = s.random.fork(`texture/${tone}`);
		const leafy = tone !== "body";
		for (let nth = 0; nth < (leafy ? 1500 : 260); nth++) {
			const [tx, ty] = [random.between(0, 100), random.between(0, 100)];
			const lit = random.next() * 0.5 + (side * (tx - 50)) / 160 + (50 - ty) / 160;
			pen.fillStyle = css(
				leafy
					? mix(color, lit > 0.2 ? palette.foliageLit : palette.shadow, Math.min(1, Math.abs(lit - 0.2) * 1.2))
					: shifted(color, (lit - 0.2) * 0.14),
				0.55,
			);
			pen.beginPath();
			pen.ellipse(tx, ty, leafy ? 1.5 : 0.35, leafy ? 0.8 : 2.2, leafy ? random.between(0, 3) : (tx - 50) / 60, 0, 6.3);
			pen.fill();
		}
	}
}

function tones(stage: Stage, name: SubjectName, place: Place): Readonly<Record<Tone, Color>> {
	const { palette, random, reading } = stage;
	const own = random.fork(name);
	const named = reading.subjectColors.get(name);
	const isAnimal = name === "cat" || name === "dog";
	const light =
		0.3 +
		0.7 *
			Math.max(
				palette.light,
				reading.scene === "city" || reading.scene === "space" || reading.scene === "flow" ? 0.75 : palette.light,
			);
	const under = (color: Color): Color =>
		mix(mix(palette.shadow, color, light), palette.haze, place.depth < 0.45 ? 0.14 : 0.04);
	const chosen = named ? oklch(named.chroma < 0.02 ? 0.3 : 0.58, named.chroma, named.hue) : undefined;
	const body = isAnimal
		? (chosen ?? own.pick(FUR))
		: name === "castle"
			? (chosen ?? oklch(0.68, 0.03, 70))
			: oklch(0.86, 0.03, 85);
	const accent = isAnimal
		? oklch(0.62, 0.13, 20)
		: (chosen ??
			(name === "lighthouse" || name === "rocket"
				? oklch(0.56, 0.19, 27)
				: oklch(0.5, 0.13, own.pick([25, 250, 160]))));
	const dusky = palette.light < 0.7;
	const leaf = name === "tree" && chosen ? under(chosen) : palette.foliage;
	return {
		body: under(body),
		pale: under(isAnimal ? shifted(body, 0.2, 0.45) : name === "house" && chosen ? chosen : oklch(0.93, 0.018, 80)),
		dark: under(isAnimal ? shifted(body, -0.12) : oklch(0.3, 0.03, 265)),
		accent: under(accent),
		roof: under(name === "castle" ? oklch(0.42, 0.09, own.pick([20, 255, 285])) : oklch(0.44, 0.12, 30)),
		wood: under(oklch(0.38, 0.05, 55)),
		leaf,
		leafLit: mix(leaf, palette.foliageLit, chosen ? 0.12 : 0.22),
		glass: isAnimal
			? name === "dog"
				? [250, 250, 245]
				: own.pick([oklch(0.84, 0.16, 110), oklch(0.82, 0.14, 75), oklch(0.78, 0.12, 200)])
			: dusky
				? oklch(0.9, 0.12, 82)
				: under(oklch(0.62, 0.06, 235)),
		nose: under(oklch(0.17, 0.02, 30)),
	};
}

function beam(stage: Stage, pen: Pen, x: number, y: number, seconds: number): void {
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

function flame(stage: Stage, pen: Pen, size: number, seconds: number, flies: boolean): void {
	if (!flies) return;
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

function chimneySmoke(stage: Stage, pen: Pen, x: number, y: number, size: number, seconds: number): void {
	for (let puff = 0; puff < 14; puff++) {
		const t = ((puff + seconds * 1.6) % 14) / 14;
		glow(
			pen,
			x + size * (0.05 * Math.sin(puff * 2.4 + t * 3) + t * 0.16),
			y - size * t * 0.42,
			size * (0.025 + 0.075 * t),
			mix(stage.palette.haze, stage.palette.cloudLit, 0.5),
			0.55 * (1 - t),
		);
	}
}
