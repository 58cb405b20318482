import { clamp, lerp, smoothstep } from "../noise.ts";
import { css, mix, shiftColor, type Color } from "../palette.ts";
import { skyLayers } from "../sky.ts";
import {
	fillCircle,
	traceAreaBelow,
	withHaze,
	mist,
	raster,
	rasterColumns,
	stillLayer,
	type Layer,
	type Pen,
	type Stage,
	type Scene,
} from "../scene-canvas.ts";

/** Hills with bushes, grass and flowers. Constants are chosen by eye: fractions of the stage, or pixels times `unit`. */
export function createMeadow(stage: Stage): Scene {
	const { width, height, margin, unit, random, noise, palette, parsed, sun } = stage;
	const horizon = height * random.between(0.5, 0.57);
	const layers: Layer[] = [...skyLayers(stage, horizon + 20 * unit)];
	const hills = [
		{ offset: 0.0, swing: 34, distance: 0.72, depth: 0.1 },
		{ offset: 0.045, swing: 26, distance: 0.5, depth: 0.18 },
		{ offset: 0.1, swing: 20, distance: 0.3, depth: 0.28 },
		{ offset: 0.19, swing: 16, distance: 0.1, depth: 0.42 },
	];
	for (const [nth, { offset, swing, distance, depth }] of hills.entries()) {
		const seed = random.between(0, 99);
		const line = (x: number): number =>
			horizon + height * offset - noise.fractal((x / width) * lerp(1.1, 2, distance) + seed, nth, 2) * swing * unit;
		layers.push(stillLayer(stage, depth, (pen) => drawHill(pen, line, distance, seed)));
		if (nth < 3)
			layers.push(
				stillLayer(stage, depth, (pen) =>
					mist(stage, pen, horizon + height * (offset - 0.04), horizon + height * (offset + 0.08), 0.16),
				),
			);
	}
	const blossoms = flowerColors();
	return {
		layers: [...layers, grass(stage, horizon + height * 0.2, 0.5, blossoms)],
		foreground: [grass(stage, height * 0.9, 1, blossoms)],
		placementOf(subject, nth) {
			const x = width * (nth === 0 ? random.pick([0.33, 0.66]) : 0.5);
			if (subject === "rocket") return { x, y: height * 0.58, size: height * 0.44, depth: 0.3, tilt: 0.16 };
			if (subject === "boat") return { x, y: height * 0.8, size: height * 0.38, depth: 0.6 };
			const small = subject === "cat" || subject === "dog";
			return {
				x,
				y: height * (small ? 0.9 : 0.76),
				size: height * (small ? 0.36 : subject === "tree" ? 0.52 : 0.42),
				depth: small ? 0.7 : 0.5,
			};
		},
	};

	function drawHill(pen: Pen, line: (x: number) => number, distance: number, seed: number): void {
		pen.save();
		traceAreaBelow(stage, pen, line);
		pen.clip();
		const top = horizon - 40 * unit;
		const columns = rasterColumns(stage, 420);
		const sunSide = sun.x > width / 2 ? 1 : -1;
		const texture = raster(columns, 200, (u, v, setPixel) => {
			const x = u * (width + 2 * margin) - margin;
			const down = (v * (height - top) + top - line(x)) / height;
			const patch = noise.fractal(u * 5 + seed, v * 16 + seed, 4);
			const roll = noise.flat(u * 2.4 + seed + 0.12 * sunSide, down * 4) - noise.flat(u * 2.4 + seed, down * 4);
			const tone = clamp(
				0.72 - down * 2.1 + patch * 0.26 + roll * 0.6 - (line(x + 6) - line(x - 6)) * 0.012 * -sunSide,
			);
			const color = mix(
				mix(palette.ground, palette.foliage, 0.75),
				mix(palette.ground, palette.foliageLit, 0.65),
				tone,
			);
			setPixel(withHaze(stage, color, distance * 0.72), 1);
		});
		pen.drawImage(texture, -margin, top, width + 2 * margin, height - top);
		pen.restore();
		if (distance < 0.2) return;
		const count = Math.round(random.between(18, 40));
		for (let nth = 0; nth < count; nth++) {
			const x = random.between(-margin, width + margin);
			if (noise.flat(x / (width * 0.22), seed) < -0.05) continue;
			drawBush(pen, x, line(x) + 3 * unit, lerp(26, 9, distance) * unit * random.between(0.6, 1.5), distance);
		}
	}

	function drawBush(pen: Pen, x: number, y: number, size: number, distance: number): void {
		const side = sun.x > x ? 1 : -1;
		const color = withHaze(stage, mix(palette.foliage, palette.shadow, 0.22), distance * 0.8);
		for (const [dx, dy, r] of [
			[0, -0.6, 0.5],
			[-0.36, -0.38, 0.38],
			[0.36, -0.36, 0.4],
			[0.1, -0.95, 0.34],
		] as const) {
			const cx = x + dx * size;
			const cy = y + dy * size;
			const gradient = pen.createRadialGradient(cx + side * r * size * 0.5, cy - r * size * 0.5, 0, cx, cy, r * size);
			gradient.addColorStop(0, css(mix(color, palette.foliageLit, 0.85 * (1 - distance))));
			gradient.addColorStop(1, css(color));
			pen.fillStyle = gradient;
			fillCircle(pen, cx, cy, r * size);
		}
	}

	function flowerColors(): readonly Color[] {
		const { accents, sun: sunColor } = palette;
		if (parsed.weather === "snow") return [];
		if (parsed.colors.length > 0) return accents.slice(0, 2);
		const first = random.integer(0, 4);
		return [
			accents[first] ?? sunColor,
			accents[(first + 1) % 5] ?? sunColor,
			mix(sunColor, accents[first] ?? sunColor, 0.2),
		];
	}
}

/** Blades and flowers: many small ones far away, and few large ones in front. */
function grass(stage: Stage, from: number, near: number, blossoms: readonly Color[]): Layer {
	const { width, height, margin, unit, palette, noise, sun } = stage;
	const random = stage.random.fork(`grass/${near}`);
	const seed = random.between(0, 99);
	const isFront = near === 1;
	const paintBlades = (pen: Pen, sway: number): void => {
		const bladeRandom = random.fork("blades");
		const rows = isFront ? 5 : 26;
		for (let row = 0; row < rows; row++) {
			const down = (row + 1) / rows;
			const y = lerp(from, isFront ? height * 1.1 : height * 1.0, down);
			const scale = isFront ? lerp(0.9, 1.5, down) : lerp(0.12, 0.8, down);
			const blades = Math.round(((width + 2 * margin) / (lerp(5, 9, scale) * unit)) * (isFront ? 0.8 : 1));
			for (let blade = 0; blade < blades; blade++) {
				const x = bladeRandom.between(-margin, width + margin);
				const long = bladeRandom.between(22, 58) * scale * unit;
				const lean =
					(noise.flat(x / (170 * unit), row + seed) * 0.5 +
						bladeRandom.between(-0.3, 0.3) +
						sway * (0.7 + 0.3 * Math.sin(x))) *
					long;
				const lit = bladeRandom.next() * clamp(1.15 - Math.abs(x - sun.x) / (width * 1.1)) + 0.1;
				const foot = y + bladeRandom.between(-8, 8) * scale * unit;
				const color = mix(
					mix(palette.foliage, palette.foliageLit, lit),
					palette.shadow,
					isFront ? 0.25 + 0.35 * bladeRandom.next() : 0.12 * bladeRandom.next() + 0.2 * (1 - down),
				);
				pen.fillStyle = css(color, isFront ? 0.95 : 0.85);
				const wide = bladeRandom.between(0.9, 2.1) * scale * unit;
				pen.beginPath();
				pen.moveTo(x - wide, foot);
				pen.quadraticCurveTo(x - wide * 0.4, foot - long * 0.6, x + lean, foot - long);
				pen.quadraticCurveTo(x + wide * 0.9, foot - long * 0.5, x + wide, foot);
				pen.fill();
			}
			const flowers =
				blossoms.length === 0
					? 0
					: Math.round((width / (isFront ? 75 : lerp(8, 26, down)) / unit) * (isFront ? 0.7 : 1));
			for (let flower = 0; flower < flowers; flower++) {
				const x = bladeRandom.between(-margin, width + margin);
				const flowerY = y - bladeRandom.between(14, 44) * scale * unit;
				const clump = noise.fractal(x / (190 * unit), row * 0.35 + seed, 2);
				const color = bladeRandom.pick(blossoms);
				if (!isFront && clump < -0.12) continue;
				blossom(
					stage,
					pen,
					x + sway * 20 * scale * unit,
					flowerY,
					bladeRandom.between(3, 6.2) * scale * unit * (isFront ? 1.25 : 1),
					shiftColor(color, bladeRandom.between(-0.06, 0.07)),
					bladeRandom.between(0, 6),
					bladeRandom.between(0.4, 0.95),
				);
			}
		}
	};
	if (!stage.isVideo || !isFront) return stillLayer(stage, near, (pen) => paintBlades(pen, 0));
	// Cross-fading a few painted phases looks like wind, and is cheap.
	const phases = [-0.05, 0, 0.05, 0.1].map((sway) => stillLayer(stage, near, (pen) => paintBlades(pen, sway)));
	return {
		depth: near,
		paint(pen, seconds) {
			const phase = 1.5 + 1.49 * Math.sin(seconds * 1.4);
			phases[Math.floor(phase)]?.paint(pen, seconds);
			pen.globalAlpha = phase % 1;
			phases[Math.floor(phase) + 1]?.paint(pen, seconds);
			pen.globalAlpha = 1;
		},
	};
}

function blossom(
	stage: Stage,
	pen: Pen,
	x: number,
	y: number,
	size: number,
	color: Color,
	turn: number,
	squash: number,
): void {
	const { palette } = stage;
	pen.save();
	pen.translate(x, y);
	pen.scale(1, lerp(0.55, 0.95, squash));
	for (let petal = 0; petal < 6; petal++) {
		const angle = turn + (petal * Math.PI) / 3;
		pen.fillStyle = css(
			mix(color, petal % 2 === 0 ? palette.sun : palette.shadow, 0.14 + 0.1 * smoothstep(0, 1, Math.sin(angle))),
		);
		pen.beginPath();
		pen.ellipse(
			Math.cos(angle) * size * 0.62,
			Math.sin(angle) * size * 0.62,
			size * 0.62,
			size * 0.38,
			angle,
			0,
			2 * Math.PI,
		);
		pen.fill();
	}
	pen.fillStyle = css(mix(palette.sun, [230, 170, 40], 0.65));
	fillCircle(pen, 0, 0, size * 0.3);
	pen.restore();
}
