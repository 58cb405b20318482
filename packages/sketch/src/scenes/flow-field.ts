import { lerp } from "../noise.ts";
import { css, mix, oklch, ramp, shiftColor } from "../palette.ts";
import { glow, stillLayer, verticalGradient, type Layer, type Stage, type Scene } from "../scene-canvas.ts";

/**
 * Threads that follow a vector field, in the colors of the prompt. Constants are chosen by eye: fractions of the stage, or
 * pixels times `unit`.
 */
export function createFlowField(stage: Stage): Scene {
	const { width, height, unit, random, noise, margin, parsed } = stage;
	const isDark = parsed.time === "night" || parsed.time === "dusk" || random.chance(0.6);
	const hue = parsed.colors[0]?.hue ?? random.between(0, 360);
	const second = parsed.colors[1]?.hue;
	const spread =
		second === undefined ? random.pick([60, 110, 170]) * (parsed.colors.length > 0 ? 0.5 : 1) : second - hue;
	const chroma = parsed.colors[0]?.chroma ?? 0.15;
	const colors = ramp([
		oklch(0.36, chroma, hue - 25),
		oklch(0.58, chroma, hue),
		oklch(0.74, second === undefined ? chroma : 0.03, hue + spread * 0.5),
		oklch(0.88, chroma * 0.75, hue + spread),
		oklch(0.7, chroma, hue + spread * (second === undefined ? 1.5 : 1)),
	]);
	const paper = isDark ? oklch(0.14, 0.035, hue + 40) : oklch(0.955, 0.018, hue + 60);
	const scale = random.between(0.7, 1.5) / (420 * unit);
	const turns = random.between(0.9, 1.8);
	const seed = random.between(0, 99);
	const vortices = Array.from({ length: random.integer(1, 3) }, () => ({
		x: width * random.between(0.15, 0.85),
		y: height * random.between(0.2, 0.8),
		spin: random.pick([-1, 1]),
		reach: height * random.between(0.18, 0.4),
	}));

	function direction(x: number, y: number): number {
		let angle = noise.fractal(x * scale + seed, y * scale, 2) * Math.PI * turns;
		for (const vortex of vortices) {
			const [dx, dy] = [x - vortex.x, y - vortex.y];
			const pull = Math.exp(-(dx * dx + dy * dy) / vortex.reach ** 2);
			angle += pull * (Math.atan2(dy, dx) + (vortex.spin * Math.PI) / 2 - angle);
		}
		return angle;
	}

	function thread(x: number, y: number, steps: number): readonly (readonly [number, number])[] {
		const points: [number, number][] = [];
		for (let step = 0; step < steps; step++) {
			points.push([x, y]);
			const angle = direction(x, y);
			x += Math.cos(angle) * 8 * unit;
			y += Math.sin(angle) * 8 * unit;
		}
		return points;
	}

	const backdrop = stillLayer(stage, 0, (pen) => {
		pen.fillStyle = verticalGradient(pen, 0, height, [
			[0, css(paper)],
			[1, css(mix(paper, colors(0.3), isDark ? 0.25 : 0.12))],
		]);
		pen.fillRect(-margin, 0, width + 2 * margin, height);
		pen.globalCompositeOperation = isDark ? "screen" : "multiply";
		for (const { x, y, reach } of vortices)
			glow(pen, x, y, reach * 2.4, colors(isDark ? 0.4 : 0.7), isDark ? 0.5 : 0.35);
	});
	const sheets = [0.2, 0.5, 0.85].map((depth, sheet): Layer =>
		stillLayer(stage, depth, (pen) => {
			pen.lineCap = "round";
			pen.lineJoin = "round";
			const count = [460, 620, 170][sheet] ?? 0;
			for (let nth = 0; nth < count; nth++) {
				const [x, y] = [random.between(-0.1, 1.1) * width, random.between(-0.1, 1.1) * height];
				const points = thread(x, y, random.integer(14, 52));
				const tone =
					noise.fractal(x * scale * 1.4 + 40, y * scale * 1.4 + seed, 2) * 0.5 + 0.5 + random.between(-0.12, 0.12);
				const color = shiftColor(
					colors(tone),
					sheet === 2 ? (isDark ? 0.12 : -0.06) : sheet === 0 && isDark ? -0.16 : 0,
				);
				const wide = [random.between(4, 15), random.between(1, 5), random.between(0.6, 1.8)][sheet] ?? 1;
				ribbon(points, wide * unit, (part) => css(color, part * [0.35, 0.7, 0.95][sheet]!));
			}
			function ribbon(
				points: readonly (readonly [number, number])[],
				wide: number,
				paint: (alpha: number) => string,
			): void {
				const edge = (side: number) =>
					points.map(([x, y], index) => {
						const [nx, ny] = normalAt(points, index);
						const distance = (side * wide * Math.sin((Math.PI * index) / (points.length - 1))) / 2;
						return [x + nx * distance, y + ny * distance] as const;
					});
				pen.beginPath();
				for (const [x, y] of [...edge(1), ...edge(-1).toReversed()]) pen.lineTo(x, y);
				pen.closePath();
				const [[x0, y0], [x1, y1]] = [points[0]!, points.at(-1)!];
				const along = pen.createLinearGradient(x0, y0, x1 + 0.01, y1);
				along.addColorStop(0, paint(0.25));
				along.addColorStop(0.6, paint(1));
				along.addColorStop(1, paint(0.7));
				pen.fillStyle = along;
				pen.fill();
			}
		}),
	);
	const sparks = Array.from({ length: 90 }, () => ({
		path: thread(width * random.next(), height * random.next(), 60),
		startStep: random.between(0, 60),
		size: random.between(1.2, 3.4) * unit,
		tone: random.next(),
	}));
	return {
		layers: [backdrop, ...sheets],
		foreground: [
			{
				depth: 0.9,
				paint(pen, seconds) {
					pen.globalCompositeOperation = isDark ? "screen" : "source-over";
					for (const { path, startStep, size, tone } of sparks) {
						const position = (startStep + seconds * 14) % (path.length - 1);
						const [x, y] = path[Math.floor(position)]!;
						const [nx, ny] = path[Math.floor(position) + 1]!;
						glow(
							pen,
							lerp(x, nx, position % 1),
							lerp(y, ny, position % 1),
							size * 4.5,
							shiftColor(colors(tone), 0.15),
							0.8 * Math.sin((Math.PI * position) / path.length),
						);
					}
					pen.globalCompositeOperation = "source-over";
				},
			},
		],
		placementOf: (_subject, nth) => ({
			x: width * (nth === 0 ? 0.5 : 0.25),
			y: height * 0.82,
			size: height * 0.55,
			depth: 0.5,
			// Not 0: the subject hovers, and casts no shadow.
			tilt: 0.001,
		}),
	};
}

function normalAt(points: readonly (readonly [number, number])[], index: number): readonly [number, number] {
	const [x0, y0] = points[Math.max(0, index - 1)]!;
	const [x1, y1] = points[Math.min(points.length - 1, index + 1)]!;
	const length = Math.hypot(x1 - x0, y1 - y0) || 1;
	return [-(y1 - y0) / length, (x1 - x0) / length];
}
