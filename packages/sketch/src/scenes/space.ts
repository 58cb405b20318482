import { clamp, smoothstep } from "../noise.ts";
import { css, mix, oklch, ramp } from "../palette.ts";
import { skyLayers } from "../sky.ts";
import { glow, raster, rasterColumns, stillLayer, type Layer, type Stage, type Scene } from "../scene-canvas.ts";

/** A nebula, a planet and the ground of a moon. Constants are chosen by eye: fractions of the stage, or pixels times `unit`. */
export function createSpace(stage: Stage): Scene {
	const { width, height, random, parsed } = stage;
	const hasGround = parsed.subjects.some((subject) => subject !== "rocket");
	const planetX = width * (random.chance(0.5) ? random.between(0.2, 0.32) : random.between(0.68, 0.8));
	// The sky of a space scene is a nebula with the stars of other scenes.
	const [, stars] = skyLayers(stage, height);
	const hue = parsed.colors[0]?.hue ?? random.between(200, 360);
	const planet = {
		x: planetX,
		y: height * random.between(0.34, 0.5),
		radius: Math.min(width, height) * random.between(0.17, 0.25),
	};
	return {
		layers: [
			nebula(stage, hue),
			...(stars ? [stars] : []),
			globe(stage, { ...planet, hue: hue + random.between(60, 200), ringed: random.chance(0.65), depth: 0.22 }),
			...(hasGround ? [surface(stage, hue)] : []),
		],
		foreground: [],
		placementOf(subject, nth) {
			const x = width - planetX;
			if (subject === "rocket")
				return { x, y: height * 0.72, size: height * 0.5, depth: 0.6, tilt: planetX < x ? -0.35 : 0.35 };
			return { x: nth === 0 ? x : planetX, y: height * 0.86, size: height * 0.34, depth: 0.8 };
		},
	};
}

function nebula(stage: Stage, hue: number): Layer {
	const { noise, random, width, height, margin } = stage;
	const columns = rasterColumns(stage, 520);
	const rows = Math.round((columns * height) / (width + 2 * margin));
	const aspect = width / height;
	const [sx, sy] = [random.between(0, 99), random.between(0, 99)];
	const slope = random.between(-0.7, 0.7);
	const gas = ramp([
		oklch(0.09, 0.03, hue),
		oklch(0.22, 0.1, hue + 10),
		oklch(0.42, 0.15, hue - 20),
		oklch(0.66, 0.15, hue - 60),
		oklch(0.9, 0.08, hue - 95),
	]);
	const second = ramp([
		oklch(0.09, 0.03, hue),
		oklch(0.26, 0.09, hue + 110),
		oklch(0.55, 0.12, hue + 125),
		oklch(0.85, 0.07, hue + 140),
	]);
	const canvas = raster(columns, rows, (u, v, setPixel) => {
		const [x, y] = [u * aspect * 1.5 + sx, v * 1.5 + sy];
		const wx = noise.fractal(x, y, 3);
		const wy = noise.fractal(x + 5.2, y + 1.3, 3);
		const cloud = noise.fractal(x + wx * 0.9, y + wy * 0.9, 5) * 0.5 + 0.5;
		const dark = noise.ridged(x * 1.3 + wy, y * 1.3 + wx * 0.6, 4);
		const band = Math.exp(-(((v - 0.5 + (u - 0.5) * slope) / 0.34) ** 2));
		const bright =
			clamp((cloud - 0.28) * 1.5) ** 1.5 * (0.28 + 0.95 * band) - smoothstep(0.62, 0.95, dark) * 0.22 * band;
		setPixel(mix(gas(bright), second(bright), smoothstep(-0.15, 0.45, wx)), 1);
	});
	return stillLayer(stage, 0, (pen) => {
		pen.imageSmoothingQuality = "high";
		pen.drawImage(canvas, -margin, 0, width + 2 * margin, height);
		pen.globalCompositeOperation = "screen";
		for (let star = 0; star < 900; star++) {
			const u = random.next();
			const y = height * (0.5 - (u - 0.5) * slope + (random.next() + random.next() + random.next() - 1.5) * 0.36);
			pen.fillStyle = css(oklch(0.92, 0.05, random.pick([40, 250, 280])), random.between(0.1, 0.6));
			const size = random.between(0.5, 1.3) * stage.unit;
			pen.fillRect(u * width, y, size, size);
		}
	});
}

interface Globe {
	readonly x: number;
	readonly y: number;
	readonly radius: number;
	readonly hue: number;
	readonly ringed: boolean;
	readonly depth: number;
}

/** A planet with clouds, a night side and an atmosphere. */
function globe(stage: Stage, { x, y, radius, hue, ringed, depth }: Globe): Layer {
	const { noise, random, sun, height } = stage;
	const banded = random.chance(0.5) || ringed;
	const seed = random.between(0, 99);
	const surfaceColors = ramp(
		banded
			? [
					oklch(0.42, 0.09, hue),
					oklch(0.68, 0.11, hue + 25),
					oklch(0.56, 0.12, hue + 5),
					oklch(0.86, 0.06, hue + 45),
					oklch(0.62, 0.12, hue + 20),
				]
			: [
					oklch(0.28, 0.08, hue + 190),
					oklch(0.42, 0.11, hue + 180),
					oklch(0.5, 0.1, hue),
					oklch(0.68, 0.1, hue + 30),
					oklch(0.94, 0.02, hue),
				],
	);
	const [lx, ly, lz] = normalize(sun.x - x, sun.y - y - height * 0.2, radius * 1.6);
	const tilt = random.between(-0.4, 0.4);
	const size = Math.max(24, Math.min(560, Math.round(radius * 2)));
	const air = oklch(0.8, 0.1, hue + 30);
	const canvas = raster(size, size, (u, v, setPixel) => {
		const [px, py] = [u * 2 - 1, v * 2 - 1];
		const r2 = px * px + py * py;
		if (r2 > 1) return setPixel(air, 0);
		const pz = Math.sqrt(1 - r2);
		const [qx, qy] = [px * Math.cos(tilt) - py * Math.sin(tilt), px * Math.sin(tilt) + py * Math.cos(tilt)];
		const swirl = noise.fractal(qx * 2.2 + seed, qy * 5 + pz, 4);
		const tone = banded
			? 0.5 + 0.5 * Math.sin(qy * 10 + swirl * 1.5 + seed) * 0.8 + noise.fractal(qx * 5 + seed, qy * 24, 3) * 0.14
			: 0.5 + noise.fractal((qx / (0.45 + pz)) * 1.6 + seed, (qy / (0.45 + pz)) * 1.6 + pz, 6) * 0.75;
		const sunlit = px * lx + py * ly + pz * lz;
		const light = smoothstep(-0.12, 0.85, sunlit);
		const rim = (1 - pz) ** 3;
		const color = mix([4, 5, 12], surfaceColors(tone), 0.03 + 0.97 * light);
		setPixel(mix(color, air, rim * 0.85 * smoothstep(-0.25, 0.6, sunlit)), smoothstep(1, 0.985, r2));
	});
	return stillLayer(stage, depth, (pen) => {
		pen.save();
		pen.globalCompositeOperation = "screen";
		glow(pen, x + lx * radius * 0.12, y + ly * radius * 0.12, radius * 1.5, air, 0.34);
		pen.restore();
		const ring = (front: boolean): void => {
			pen.save();
			pen.translate(x, y);
			pen.rotate(-tilt - 0.25);
			pen.scale(1, 0.24);
			for (let band = 0; band < 46; band++) {
				const ringRadius = 1.32 + (band / 46) * 0.9;
				const alpha =
					clamp(0.5 + noise.flat(band * 0.45, seed) * 0.5) * smoothstep(0, 0.12, (band / 46) * (1 - band / 46));
				pen.strokeStyle = css(mix(surfaceColors(0.75), air, band / 60), alpha * 0.75);
				pen.lineWidth = radius * 0.022;
				pen.beginPath();
				pen.arc(0, 0, radius * ringRadius, front ? 0 : Math.PI, front ? Math.PI : 2 * Math.PI);
				pen.stroke();
			}
			pen.restore();
		};
		if (ringed) ring(false);
		pen.imageSmoothingQuality = "high";
		pen.drawImage(canvas, x - radius, y - radius, 2 * radius, 2 * radius);
		if (ringed) ring(true);
	});
}

/** Returns the vector with the length 1. */
const normalize = (x: number, y: number, z: number): readonly [number, number, number] => {
	const length = Math.hypot(x, y, z) || 1;
	return [x / length, y / length, z / length];
};

/** The ground of a moon, on which subjects stand. */
function surface(stage: Stage, hue: number): Layer {
	const { width, height, margin, noise, random } = stage;
	const seed = random.between(0, 99);
	const colors = ramp([oklch(0.12, 0.03, hue), oklch(0.34, 0.05, hue), oklch(0.66, 0.06, hue - 40)]);
	const line = (u: number): number => 0.16 + noise.fractal(u * 2 + seed, 1, 4) * 0.08 + 0.5 * (u - 0.5) ** 2;
	return stillLayer(stage, 0.8, (pen) => {
		const texture = raster(rasterColumns(stage, 640), 170, (u, v, setPixel) => {
			const down = v - line(u);
			const z = 1 / (0.15 + Math.max(0, down));
			const bump = (offset: number): number =>
				noise.fractal(u * z * 2.2 + offset + seed, z * 2.5, 4) + 0.5 * noise.ridged(u * z + offset, z + seed, 2);
			setPixel(colors(0.46 + (bump(0) - bump(0.05)) * 2.2 - down * 0.35), smoothstep(-0.006, 0.006, down));
		});
		pen.drawImage(texture, -margin, height * 0.7, width + 2 * margin, height * 0.31);
	});
}
