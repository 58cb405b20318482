import { SAMPLE_RATE } from "./dsp.ts";

/** Lengths without common divisors, so that echoes never fall together. */
const LINE_SAMPLES = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797] as const;
const PRE_DELAY_SAMPLES = Math.round(0.018 * SAMPLE_RATE);
/** How dark the tail becomes: the share of the old sample that each round keeps. */
const DAMPING = 0.42;

/** A room: eight delay lines that feed one another through a lossless matrix. Adds its sound to left and right. */
export function addReverb(send: Float32Array, left: Float32Array, right: Float32Array, seconds: number): void {
	const size = Math.min(1.6, 0.7 + seconds * 0.2);
	const lines = LINE_SAMPLES.map((samples) => new Float32Array(Math.round(samples * size)));
	const losses = lines.map((line) => 10 ** ((-3 * line.length) / (seconds * SAMPLE_RATE)));
	const positions = new Int32Array(lines.length);
	const damped = new Float32Array(lines.length);
	for (let index = 0; index < send.length; index++) {
		const input = index < PRE_DELAY_SAMPLES ? 0 : send[index - PRE_DELAY_SAMPLES]! * 0.35;
		let sum = 0;
		for (let line = 0; line < 8; line++) {
			const out = lines[line]![positions[line]!]!;
			const soft = damped[line]! + (1 - DAMPING) * (out - damped[line]!);
			damped[line] = soft;
			sum += soft;
		}
		// Householder: every line gets its own echo less a quarter of all.
		const share = sum * 0.25;
		let wetLeft = 0;
		let wetRight = 0;
		for (let line = 0; line < 8; line++) {
			const buffer = lines[line]!;
			const position = positions[line]!;
			const echo = damped[line]!;
			const sign = (line & 2) === 0 ? 1 : -1;
			if ((line & 1) === 0) wetLeft += echo * sign;
			else wetRight += echo * sign;
			buffer[position] = (echo - share) * losses[line]! + input;
			positions[line] = position + 1 === buffer.length ? 0 : position + 1;
		}
		left[index]! += wetLeft;
		right[index]! += wetRight;
	}
}

/** Echoes that walk from side to side, each duller than the one before. */
export function addEcho(
	send: Float32Array,
	left: Float32Array,
	right: Float32Array,
	delaySeconds: number,
	feedback: number,
): void {
	const delay = Math.max(1, Math.round(delaySeconds * SAMPLE_RATE));
	const lines = [new Float32Array(delay), new Float32Array(delay)] as const;
	let position = 0;
	let softLeft = 0;
	let softRight = 0;
	for (let index = 0; index < send.length; index++) {
		softLeft += 0.5 * (lines[0][position]! - softLeft);
		softRight += 0.5 * (lines[1][position]! - softRight);
		left[index]! += softLeft;
		right[index]! += softRight;
		lines[0][position] = send[index]! + softRight * feedback;
		lines[1][position] = softLeft * feedback;
		position = position + 1 === delay ? 0 : position + 1;
	}
}
