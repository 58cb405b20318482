import type { Random } from "../random.ts";

export interface Noise {
	/** Smooth, about -1..1. */
	at(x: number, y: number): number;
	/** Octaves summed: clouds, coast lines; about -1..1. */
	fbm(x: number, y: number, octaves: number): number;
	/** Sharp crests, soft valleys: rock and mountain; 0..1. */
	ridged(x: number, y: number, octaves: number): number;
}

const TABLE_SIZE = 256;

/** Gradient noise after Perlin, with its own shuffled table. */
export function createNoise(random: Random): Noise {
	const order = Uint8Array.from({ length: TABLE_SIZE }, (_, index) => index);
	for (let index = TABLE_SIZE - 1; index > 0; index--) {
		const other = random.integer(0, index);
		const held = order[index] ?? 0;
		order[index] = order[other] ?? 0;
		order[other] = held;
	}
	const table = new Uint8Array(TABLE_SIZE * 2);
	table.set(order, 0);
	table.set(order, TABLE_SIZE);
	const gradientX = Float64Array.from({ length: TABLE_SIZE }, (_, index) =>
		Math.cos((index / TABLE_SIZE) * 2 * Math.PI),
	);
	const gradientY = Float64Array.from({ length: TABLE_SIZE }, (_, index) =>
		Math.sin((index / TABLE_SIZE) * 2 * Math.PI),
	);

	function corner(cellX: number, cellY: number, dx: number, dy: number): number {
		const hash = table[(table[cellX & 255] ?? 0) + (cellY & 255)] ?? 0;
		return (gradientX[hash] ?? 0) * dx + (gradientY[hash] ?? 0) * dy;
	}

	function at(x: number, y: number): number {
		const cellX = Math.floor(x);
		const cellY = Math.floor(y);
		const dx = x - cellX;
		const dy = y - cellY;
		const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10);
		const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10);
		const top = corner(cellX, cellY, dx, dy) * (1 - u) + corner(cellX + 1, cellY, dx - 1, dy) * u;
		const bottom = corner(cellX, cellY + 1, dx, dy - 1) * (1 - u) + corner(cellX + 1, cellY + 1, dx - 1, dy - 1) * u;
		return (top * (1 - v) + bottom * v) * 1.5;
	}

	function fbm(x: number, y: number, octaves: number): number {
		let sum = 0;
		let amplitude = 0.5;
		let frequency = 1;
		for (let octave = 0; octave < octaves; octave++) {
			// The shift keeps the lattice points of the octaves from falling together.
			sum += amplitude * at(x * frequency + octave * 17.3, y * frequency + octave * 9.1);
			amplitude *= 0.5;
			frequency *= 2.03;
		}
		return sum;
	}

	function ridged(x: number, y: number, octaves: number): number {
		let sum = 0;
		let amplitude = 0.5;
		let frequency = 1;
		let weight = 1;
		for (let octave = 0; octave < octaves; octave++) {
			const crest = (1 - Math.abs(at(x * frequency + octave * 31.7, y * frequency + octave * 11.9))) ** 2 * weight;
			sum += crest * amplitude;
			weight = Math.min(1, crest * 1.6);
			amplitude *= 0.5;
			frequency *= 2.1;
		}
		return Math.min(1, sum);
	}

	return { at, fbm, ridged };
}
