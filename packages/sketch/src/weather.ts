import { css, mix } from "./palette.ts";
import { fillCircle, glow, raster, verticalGradient, type Layer, type Stage } from "./scene-canvas.ts";

/**
 * Returns the layers of rain, snow, fog and lightning. Constants are chosen by eye: fractions of the stage, or pixels times
 * `unit`.
 */
export function weatherLayers(stage: Stage): readonly Layer[] {
	const { parsed } = stage;
	if (parsed.scene === "space" || parsed.scene === "flow") return [];
	switch (parsed.weather) {
		case "rain":
			return [rain(stage, 0.75)];
		case "storm":
			return [lightning(stage), rain(stage, 1)];
		case "snow":
			return [snow(stage)];
		case "fog":
			return [fog(stage)];
		case "clear":
		case "cloudy":
			return [];
	}
}

function rain(stage: Stage, strength: number): Layer {
	const { width, height, unit, palette, random } = stage;
	const drops = Array.from({ length: Math.round(420 * strength) }, () => ({
		x: random.next(),
		y: random.next(),
		near: random.next() ** 2,
	}));
	const color = css(mix(palette.haze, [255, 255, 255], 0.35));
	const slant = 0.16 + 0.14 * strength;
	return {
		depth: 0.8,
		paint(pen, seconds) {
			pen.strokeStyle = color;
			for (const { x, y, near } of drops) {
				const long = (14 + 46 * near) * unit;
				const fallen = (y + seconds * (1.5 + near)) % 1;
				const [px, py] = [((x - fallen * slant * 0.6 + 1) % 1) * width * 1.1, fallen * (height + long) - long];
				pen.globalAlpha = 0.1 + 0.26 * near;
				pen.lineWidth = (0.6 + 1.2 * near) * unit;
				pen.beginPath();
				pen.moveTo(px, py);
				pen.lineTo(px - long * slant, py + long);
				pen.stroke();
			}
			pen.globalAlpha = 1;
		},
	};
}

function snow(stage: Stage): Layer {
	const { width, height, unit, random, palette } = stage;
	const flakes = Array.from({ length: 330 }, () => ({
		x: random.next(),
		y: random.next(),
		near: random.next() ** 3,
		phase: random.between(0, 6),
	}));
	const color = mix(palette.cloudLit, [255, 255, 255], 0.5 + 0.4 * palette.light);
	return {
		depth: 0.8,
		paint(pen, seconds) {
			for (const { x, y, near, phase } of flakes) {
				const fallen = (y + seconds * (0.06 + 0.14 * near)) % 1;
				const px = x * width + Math.sin(seconds * 0.9 + phase) * (6 + 22 * near) * unit;
				const radius = (0.9 + 4.2 * near) * unit;
				if (near > 0.35) glow(pen, px, fallen * height, radius * 2.1, color, 0.75);
				else {
					pen.fillStyle = css(color, 0.75);
					fillCircle(pen, px, fallen * height, radius);
				}
			}
		},
	};
}

function fog(stage: Stage): Layer {
	const { width, height, margin, palette, noise, random } = stage;
	const seed = random.between(0, 99);
	const canvas = raster(240, 110, (u, v, setPixel) => {
		const bank = noise.fractal(u * 3.2 + seed, v * 5 + seed, 4) * 0.5 + 0.5;
		setPixel(
			palette.haze,
			Math.min(0.9, Math.max(0, bank - 0.25) * 1.35 * Math.sin(Math.PI * Math.min(1, 0.15 + v * 0.95)) ** 1.2),
		);
	});
	return {
		depth: 0.5,
		paint(pen, seconds) {
			pen.fillStyle = verticalGradient(pen, height * 0.25, height, [
				[0, css(palette.haze, 0)],
				[0.45, css(palette.haze, 0.4)],
				[1, css(palette.haze, 0.1)],
			]);
			pen.fillRect(-margin, 0, width + 2 * margin, height);
			pen.drawImage(
				canvas,
				-margin - width * 0.15 + seconds * width * 0.012,
				height * 0.2,
				width * 1.35,
				height * 0.85,
			);
		},
	};
}

const FLASH_INTERVAL_SECONDS = 2.3;
const FLASH_SECONDS = 0.3;

/** Draws forked lightning; a video shows it for a moment in each interval. */
function lightning(stage: Stage): Layer {
	const { width, height, unit, random, isVideo } = stage;
	const bolts = [0, 1, 2].map(() => bolt(width * random.between(0.12, 0.88)));
	function bolt(x: number): readonly (readonly [number, number, number, number, number])[] {
		const parts: [number, number, number, number, number][] = [];
		const grow = (fromX: number, fromY: number, steps: number, wide: number): void => {
			let [px, py] = [fromX, fromY];
			for (let step = 0; step < steps; step++) {
				const [nx, ny] = [px + random.between(-20, 20) * unit, py + random.between(8, 24) * unit];
				parts.push([px, py, nx, ny, wide]);
				if (wide > 1 && random.chance(0.2)) grow(nx, ny, Math.round(steps * 0.4), wide * 0.4);
				[px, py] = [nx, ny];
				if (py > height * 0.55) return;
			}
		};
		grow(x, height * 0.05, 22, 2.6);
		return parts;
	}
	return {
		depth: 0.05,
		paint(pen, seconds) {
			const secondsSinceFlash = isVideo ? (seconds + 0.6) % FLASH_INTERVAL_SECONDS : 0.05;
			if (secondsSinceFlash > FLASH_SECONDS) return;
			const flickers = isVideo && secondsSinceFlash > 0.1 && secondsSinceFlash < 0.15;
			const flash = (1 - secondsSinceFlash / FLASH_SECONDS) * (flickers ? 0.3 : 1);
			const parts = bolts[Math.floor(seconds / FLASH_INTERVAL_SECONDS) % bolts.length] ?? [];
			pen.globalCompositeOperation = "screen";
			const [top] = parts;
			if (top) glow(pen, top[0], top[1] + height * 0.1, height * 0.75, [190, 200, 255], 0.55 * flash);
			pen.lineCap = "round";
			for (const [spread, alpha] of [
				[7, 0.12],
				[3, 0.25],
				[1, 0.95],
			] as const)
				for (const [x0, y0, x1, y1, wide] of parts) {
					pen.strokeStyle = css([225, 228, 255], alpha * flash);
					pen.lineWidth = wide * spread * unit * 0.6;
					pen.beginPath();
					pen.moveTo(x0, y0);
					pen.lineTo(x1, y1);
					pen.stroke();
				}
			pen.globalCompositeOperation = "source-over";
		},
	};
}
