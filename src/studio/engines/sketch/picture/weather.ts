import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, mix, smoothstep } from "./colour.ts";
import { createNoise } from "./noise.ts";
import { glow, moving, type Layer, type Pen, type Stage } from "./stage.ts";

const FLASH_FADE_S = 0.9;

/** Two flashes close together, and a glow that fades. */
function strengthOf(sinceS: number): number {
	if (sinceS < 0 || sinceS > FLASH_FADE_S) return 0;
	if (sinceS < 0.08) return 1;
	if (sinceS < 0.13) return 0.45;
	return sinceS < 0.22 ? 0.95 : 1 - smoothstep(0.22, FLASH_FADE_S, sinceS);
}

/** Lightning strikes at the start, so that the first frame and the picture show it, and then from time to time. */
export function createLightning(
	vision: Vision,
	stage: Stage,
): { readonly sky: Layer; flash: (seconds: number) => number } {
	const random = randomOf(vision, "lightning");
	const strikes: {
		readonly atS: number;
		readonly x: number;
		readonly branches: readonly (readonly [number, number])[][];
	}[] = [];
	let atS = -0.16;
	while (atS < 14) {
		const side = vision.focusX < 0.5 ? random.between(0.58, 0.86) : random.between(0.14, 0.42);
		strikes.push({ atS, x: side * stage.width, branches: bolt(random, side * stage.width, stage) });
		atS += random.between(2.2, 4.2);
	}
	function bolt(chance: typeof random, startX: number, size: Stage): (readonly [number, number])[][] {
		const groundY = size.height * vision.horizon;
		const main: (readonly [number, number])[] = [];
		const twigs: (readonly [number, number])[][] = [];
		const steps = 17;
		let x = startX;
		for (let step = 0; step <= steps; step++) {
			const y = size.height * 0.1 + ((groundY - size.height * 0.1) * step) / steps;
			main.push([x, y]);
			x += chance.between(-2.6, 2.6) * size.unit;
			if (step > 2 && step < steps - 3 && chance.chance(0.32)) {
				const twig: (readonly [number, number])[] = [[x, y]];
				const lean = chance.chance(0.5) ? 1 : -1;
				let tx = x;
				let ty = y;
				for (let knot = 0; knot < chance.integer(3, 6); knot++) {
					tx += lean * chance.between(0.6, 2.8) * size.unit;
					ty += chance.between(0.8, 2.6) * size.unit;
					twig.push([tx, ty]);
				}
				twigs.push(twig);
			}
		}
		return [main, ...twigs];
	}
	const glare = mix(vision.palette.foam, vision.palette.light, 0.25);
	return {
		sky: moving(stage, 0.05, (pen, seconds) => {
			for (const strike of strikes) {
				const strength = strengthOf(seconds - strike.atS);
				if (strength <= 0.02) continue;
				glow(pen, strike.x, stage.height * vision.horizon * 0.55, stage.unit * 62, [
					[0, css(glare, 0.5 * strength)],
					[0.4, css(glare, 0.16 * strength)],
					[1, css(glare, 0)],
				]);
				pen.save();
				pen.lineCap = "round";
				pen.lineJoin = "round";
				for (const [widthUnits, alpha] of [
					[1.6, 0.1],
					[0.7, 0.28],
					[0.24, 1],
				] as const) {
					strike.branches.forEach((branch, index) => {
						pen.strokeStyle = css(glare, alpha * strength * (index === 0 ? 1 : 0.6));
						pen.lineWidth = stage.unit * widthUnits * (index === 0 ? 1 : 0.5);
						pen.beginPath();
						branch.forEach(([x, y], at) => (at === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
						pen.stroke();
					});
				}
				pen.restore();
			}
		}),
		flash: (seconds) => strikes.reduce((most, strike) => Math.max(most, strengthOf(seconds - strike.atS)), 0),
	};
}

/** What falls and flashes in front of everything, whatever the picture shows. */
export function weatherLayers(vision: Vision, stage: Stage): readonly Layer[] {
	switch (vision.weather) {
		case "storm": {
			const lightning = createLightning(vision, stage);
			return [rainLayer(vision, stage), flashLayer(vision, stage, lightning.flash)];
		}
		case "rain":
			return [rainLayer(vision, stage)];
		case "snow":
			return [snowLayer(vision, stage)];
		case "fog":
			return [fogLayer(vision, stage, stage.height * 0.35, stage.height, 0.34, "front")];
		case "cloudy":
		case "clear":
			return [];
	}
}

/** Lightning lights up the land for a moment. */
export function flashLayer(vision: Vision, stage: Stage, flashAt: (seconds: number) => number): Layer {
	return (pen, seconds) => {
		const flash = flashAt(seconds);
		if (flash <= 0.02) return;
		pen.save();
		pen.globalCompositeOperation = "screen";
		pen.fillStyle = css(vision.palette.sky[3], flash * 0.13);
		pen.fillRect(0, 0, stage.width, stage.height);
		pen.restore();
	};
}

/** Rain in three distances; all streaks of one distance are one path, which costs little. */
export function rainLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "rain");
	const lean = lerp(0.06, 0.46, vision.wind) * (vision.focusX < 0.5 ? -1 : 1);
	const colour = mix(vision.palette.foam, vision.palette.sky[2], 0.25);
	const curtains = [
		{ count: 260, length: 3.2, width: 0.07, alpha: 0.26, speed: 70 },
		{ count: 150, length: 5.5, width: 0.11, alpha: 0.3, speed: 95 },
		{ count: 46, length: 9.5, width: 0.17, alpha: 0.24, speed: 130 },
	].map((curtain) => ({
		...curtain,
		drops: Array.from(
			{ length: curtain.count },
			() => [random.next(), random.next(), random.between(0.6, 1.3)] as const,
		),
	}));
	const strength = vision.weather === "storm" ? 1 : 0.85;
	return (pen, seconds) => {
		const { width, height, unit } = stage;
		const spanX = width + Math.abs(lean) * height;
		pen.save();
		pen.lineCap = "butt";
		for (const curtain of curtains) {
			pen.strokeStyle = css(colour, curtain.alpha * strength);
			pen.lineWidth = unit * curtain.width;
			pen.beginPath();
			for (const [u, v, size] of curtain.drops) {
				const length = unit * curtain.length * size;
				const y =
					((v * (height + length * 2) + seconds * curtain.speed * unit * size) % (height + length * 2)) - length;
				const x = u * spanX - (lean > 0 ? lean * height : 0) + lean * y;
				pen.moveTo(x, y);
				pen.lineTo(x + lean * length, y + length);
			}
			pen.stroke();
		}
		pen.restore();
	};
}

/** Flakes that sway as they fall; near ones are large and soft. */
export function snowLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "snow");
	const flakes = Array.from({ length: 330 }, () => {
		const near = random.next() ** 2.6;
		return { u: random.next(), v: random.next(), near, phase: random.between(0, 6.28), sway: random.between(0.5, 1.5) };
	});
	const drift = lerp(1.5, 16, vision.wind);
	return (pen, seconds) => {
		const { width, height, unit } = stage;
		for (const tier of [0, 1, 2]) {
			pen.fillStyle = css(vision.palette.foam, [0.62, 0.75, 0.5][tier] ?? 0.6);
			pen.beginPath();
			for (const flake of flakes) {
				const its = flake.near < 0.22 ? 0 : flake.near < 0.72 ? 1 : 2;
				if (its !== tier) continue;
				const radius = unit * lerp(0.1, 0.72, flake.near);
				const speed = unit * lerp(4, 13, flake.near);
				const y = ((flake.v * (height + 4 * radius) + seconds * speed) % (height + 4 * radius)) - 2 * radius;
				const swayed =
					flake.u * width +
					seconds * drift * unit * (0.3 + flake.near) +
					Math.sin(seconds * flake.sway + flake.phase) * unit;
				const x = ((swayed % width) + width) % width;
				pen.moveTo(x + radius, y);
				pen.arc(x, y, radius, 0, Math.PI * 2);
			}
			pen.fill();
		}
	};
}

/** Level veils that slide past each other. */
export function fogLayer(
	vision: Vision,
	stage: Stage,
	fromY: number,
	toY: number,
	density: number,
	name: string,
): Layer {
	const random = randomOf(vision, `fog ${name}`);
	const noise = createNoise(random);
	const colour = mix(vision.palette.sky[3], vision.palette.cloudLit, 0.5);
	const veils = Array.from({ length: 9 }, () => ({
		x: random.between(-0.2, 1.2),
		y: random.next(),
		reach: random.between(28, 60),
		thick: random.between(6, 13),
		speed: random.between(0.4, 1.4) * (random.chance(0.5) ? 1 : -1),
	}));
	return (pen, seconds) => {
		for (const veil of veils) {
			const x =
				veil.x * stage.width + seconds * veil.speed * stage.unit + noise.at(seconds * 0.1, veil.y * 9) * stage.unit;
			veilOf(
				pen,
				x,
				lerp(fromY, toY, veil.y),
				veil.reach * stage.unit,
				veil.thick * stage.unit,
				css(colour, density),
				css(colour, 0),
			);
		}
	};
}

function veilOf(pen: Pen, x: number, y: number, radiusX: number, radiusY: number, core: string, edge: string): void {
	pen.save();
	pen.translate(x, y);
	pen.scale(1, radiusY / radiusX);
	const gradient = pen.createRadialGradient(0, 0, 0, 0, 0, radiusX);
	gradient.addColorStop(0, core);
	gradient.addColorStop(1, edge);
	pen.fillStyle = gradient;
	pen.fillRect(-radiusX, -radiusX, radiusX * 2, radiusX * 2);
	pen.restore();
}
