import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, mix, oklch, type Colour } from "./colour.ts";
import { createNoise } from "./noise.ts";
import { glow, moving, type Layer, type Pen, type Stage } from "./stage.ts";

/** Curtains of light: upright rays along winding bands. */
export function auroraLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "aurora");
	const noise = createNoise(random);
	const { width, height, unit } = stage;
	const [green, violet] =
		vision.paletteName === "aurora" ? vision.palette.accents : [oklch(0.86, 0.19, 158), oklch(0.7, 0.17, 305)];
	const horizonY = height * vision.horizon;
	const bands = [
		{ y: 0.5, tall: 0.62, alpha: 0.16, phase: 2.1, sway: 0.13 },
		{ y: 0.66, tall: 0.8, alpha: 0.27, phase: 0.4, sway: 0.2 },
		{ y: 0.34, tall: 0.5, alpha: 0.17, phase: 5.3, sway: 0.16 },
	];
	return moving(stage, 0.05, (pen, seconds) => {
		pen.save();
		pen.globalCompositeOperation = "screen";
		for (const band of bands) {
			// Each ray is a gradient of its own: film has half as many, twice as wide.
			const step = unit * (stage.film ? 1.1 : 0.55);
			for (let x = -unit * 4; x < width + unit * 4; x += step) {
				const u = x / unit / 34;
				const fold = noise.fbm(u + band.phase, band.phase + seconds * 0.07, 3);
				const bright =
					0.35 + 0.95 * Math.max(0, noise.fbm(u * 3.2 + fold * 2.2 - seconds * 0.12, band.phase * 3, 3) + 0.35);
				const foot =
					horizonY * (band.y + fold * band.sway * 1.6) +
					noise.at(x / unit / 2.5, band.phase + seconds * 0.3) * unit * 1.2;
				const tall =
					horizonY * band.tall * (0.55 + 0.6 * Math.max(0, 0.5 + noise.at(u * 1.7 + 9, band.phase + seconds * 0.1)));
				const ray = pen.createLinearGradient(0, foot, 0, foot - tall);
				ray.addColorStop(0, css(green, 0));
				ray.addColorStop(0.06, css(mix(green, oklch(0.97, 0.06, 150), 0.35), band.alpha * bright * 1.5));
				ray.addColorStop(0.24, css(green, band.alpha * bright));
				ray.addColorStop(0.6, css(mix(green, violet, 0.7), band.alpha * bright * 0.55));
				ray.addColorStop(1, css(violet, 0));
				pen.fillStyle = ray;
				// Exactly two rays lie on each other everywhere, or the eye sees stripes.
				pen.fillRect(x, foot - tall, step * 2, tall);
			}
		}
		pen.restore();
	});
}

interface Burst {
	readonly x: number;
	readonly y: number;
	readonly radius: number;
	readonly colours: readonly [Colour, Colour];
	/** When in the cycle it opens. */
	readonly atS: number;
	readonly sparks: readonly (readonly [angle: number, speed: number])[];
}

const CYCLE_S = 6;

/** Rockets that open into stars of sparks and fall; the first are open at the start. */
export function fireworksLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "fireworks");
	const { width, height, unit } = stage;
	const { accents, light } = vision.palette;
	const hues = [...accents, oklch(0.82, 0.17, 85), oklch(0.75, 0.19, 20), oklch(0.8, 0.15, 200)];
	const bursts: readonly Burst[] = Array.from({ length: 11 }, (_, index) => ({
		x: width * ((index * 0.37 + random.between(0.02, 0.2)) % 1) * 0.9 + width * 0.05,
		y: height * random.between(0.1, 0.32),
		radius: unit * random.between(13, 27),
		colours: [hues[random.integer(0, hues.length - 1)] ?? light, light],
		atS: index < 5 ? -0.4 - index * 0.2 : ((index - 3) * CYCLE_S) / 8,
		sparks: Array.from(
			{ length: 110 },
			() => [random.between(0, Math.PI * 2), random.between(0.3, 1) ** 0.45] as const,
		),
	}));
	return (pen, seconds) => {
		for (const burst of bursts) {
			const age = (((seconds - burst.atS) % CYCLE_S) + CYCLE_S) % CYCLE_S;
			if (age > 2.4) {
				rise(pen, burst, age - CYCLE_S + 0.9, height, unit, light);
				continue;
			}
			const open = 1 - Math.exp(-age * 3.2);
			const fade = Math.max(0, 1 - age / 2.4) ** 1.2;
			glow(pen, burst.x, burst.y, burst.radius * 1.7, [
				[0, css(burst.colours[0], 0.42 * fade)],
				[1, css(burst.colours[0], 0)],
			]);
			pen.save();
			pen.globalCompositeOperation = "screen";
			pen.lineCap = "round";
			for (const [index, [angle, speed]] of burst.sparks.entries()) {
				const reach = burst.radius * open * speed;
				const sink = unit * 2.6 * age * age * 0.6;
				const tail = burst.radius * (1 - Math.exp(-Math.max(0, age - 0.22) * 3.2)) * speed;
				pen.strokeStyle = css(mix(burst.colours[0], burst.colours[1], index % 4 === 0 ? 0.8 : 0.15), fade * 0.95);
				pen.lineWidth = unit * 0.2;
				pen.beginPath();
				pen.moveTo(burst.x + Math.cos(angle) * tail, burst.y + Math.sin(angle) * tail + sink * 0.7);
				pen.lineTo(burst.x + Math.cos(angle) * reach, burst.y + Math.sin(angle) * reach + sink);
				pen.stroke();
				if (index % 3 === 0) {
					pen.fillStyle = css(burst.colours[1], fade);
					pen.beginPath();
					pen.arc(
						burst.x + Math.cos(angle) * reach,
						burst.y + Math.sin(angle) * reach + sink,
						unit * 0.22,
						0,
						Math.PI * 2,
					);
					pen.fill();
				}
			}
			pen.restore();
		}
	};
}

function rise(pen: Pen, burst: Burst, since: number, height: number, unit: number, light: Colour): void {
	if (since < 0 || since > 0.9) return;
	const t = since / 0.9;
	const y = lerp(height * 0.8, burst.y, 1 - (1 - t) ** 2);
	pen.strokeStyle = css(light, 0.7);
	pen.lineWidth = unit * 0.2;
	pen.beginPath();
	pen.moveTo(burst.x, y + unit * 5 * (1 - t));
	pen.lineTo(burst.x, y);
	pen.stroke();
}

export function rainbowLayer(vision: Vision, stage: Stage): Layer {
	const { width, height, unit } = stage;
	const hues = [25, 55, 95, 145, 225, 270, 310];
	const x = width * (vision.focusX < 0.5 ? 0.62 : 0.38);
	const y = height * (vision.horizon + 0.1);
	return moving(stage, 0.1, (pen) => {
		pen.save();
		pen.globalCompositeOperation = "screen";
		const radius = Math.min(width * 0.52, height * 0.62);
		hues.forEach((hue, index) => {
			pen.strokeStyle = css(oklch(0.74, 0.15, hue), 0.34);
			pen.lineWidth = unit * 1.35;
			pen.beginPath();
			pen.arc(x, y, radius - index * unit * 1.2, Math.PI, Math.PI * 2);
			pen.stroke();
		});
		pen.restore();
	});
}

/** Small lights that wander and breathe. */
export function firefliesLayer(vision: Vision, stage: Stage, fromY: number): Layer {
	const random = randomOf(vision, "fireflies");
	const { width, height, unit } = stage;
	const colour = mix(vision.palette.accents[1], oklch(0.93, 0.14, 105), 0.6);
	const flies = Array.from({ length: 46 }, () => ({
		x: random.next(),
		y: random.next(),
		size: random.between(0.4, 1.3),
		phase: random.between(0, 6.28),
		speed: random.between(0.4, 1.1),
	}));
	return (pen, seconds) => {
		for (const fly of flies) {
			const pulse = 0.35 + 0.65 * Math.max(0, Math.sin(seconds * fly.speed * 2 + fly.phase));
			const x = fly.x * width + Math.sin(seconds * fly.speed + fly.phase) * unit * 3;
			const y = lerp(fromY, height, fly.y) + Math.cos(seconds * fly.speed * 0.8 + fly.phase) * unit * 2;
			glow(pen, x, y, unit * fly.size * 3.4, [
				[0, css(colour, 0.95 * pulse)],
				[0.12, css(colour, 0.6 * pulse)],
				[0.4, css(colour, 0.16 * pulse)],
				[1, css(colour, 0)],
			]);
		}
	};
}

/** Shafts of light through trees or clouds, from a point above. */
export function shaftsLayer(vision: Vision, stage: Stage, fromX: number, strength: number): Layer {
	const random = randomOf(vision, "shafts");
	const { height, unit } = stage;
	const shafts = Array.from({ length: 8 }, () => ({
		lean: random.between(-0.5, 0.5),
		wide: random.between(2, 7),
		alpha: random.between(0.35, 1),
		phase: random.between(0, 6.28),
	}));
	return (pen, seconds) => {
		pen.save();
		pen.globalCompositeOperation = "screen";
		for (const shaft of shafts) {
			const alpha = strength * shaft.alpha * (0.7 + 0.3 * Math.sin(seconds * 0.7 + shaft.phase));
			const fade = pen.createLinearGradient(0, 0, 0, height * 0.9);
			fade.addColorStop(0, css(vision.palette.light, alpha));
			fade.addColorStop(1, css(vision.palette.light, 0));
			pen.fillStyle = fade;
			const topX = fromX + shaft.lean * unit * 14;
			const lowX = fromX + shaft.lean * unit * 95;
			pen.beginPath();
			pen.moveTo(topX, -unit * 4);
			pen.lineTo(topX + shaft.wide * unit * 0.4, -unit * 4);
			pen.lineTo(lowX + shaft.wide * unit * 1.6, height * 0.9);
			pen.lineTo(lowX - shaft.wide * unit, height * 0.9);
			pen.fill();
		}
		pen.restore();
	};
}
