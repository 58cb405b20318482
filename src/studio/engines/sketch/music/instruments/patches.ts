import { carve, type Patch } from "./subtractive.ts";

type Shape = Pick<Patch, "attackSeconds" | "decaySeconds" | "sustain" | "releaseSeconds">;

const shape = (attackSeconds: number, decaySeconds: number, sustain: number, releaseSeconds: number): Shape => ({
	attackSeconds,
	decaySeconds,
	sustain,
	releaseSeconds,
});

const saws = (...detuneCents: readonly number[]): Patch["oscillators"] =>
	detuneCents.map((cents) => ({ wave: "saw", detuneCents: cents, level: 0.6 / Math.sqrt(detuneCents.length) }));

const lowPass = (
	cutoffHz: number,
	openOctaves: number,
	openSeconds: number,
	closeSeconds: number,
	follow: number,
	quality: number,
): Patch["filter"] => ({ cutoffHz, openOctaves, openSeconds, closeSeconds, follow, quality });

const PLAIN = { noise: 0, vibrato: null };

export const warmPad = carve({
	...PLAIN,
	...shape(0.7, 2, 0.85, 1.6),
	oscillators: saws(-9, 8),
	filter: lowPass(760, 1.5, 1.4, 3, 0.4, 0.75),
});

export const glassPad = carve({
	...PLAIN,
	...shape(0.9, 2, 0.8, 2),
	oscillators: [
		{ wave: "triangle", detuneCents: -5, level: 0.5 },
		{ wave: "triangle", detuneCents: 6, level: 0.5 },
		{ wave: "sine", detuneCents: 1204, level: 0.2 },
	],
	filter: lowPass(1400, 0.8, 1.8, 4, 0.5, 0.7),
});

export const strings = carve({
	noise: 0.004,
	...shape(0.22, 1.5, 0.88, 0.5),
	oscillators: saws(-11, 1, 10),
	filter: lowPass(1600, 0.9, 0.35, 2.5, 0.45, 0.7),
	vibrato: { hz: 5.1, cents: 7, delaySeconds: 0.3 },
});

export const spiccato = carve({
	noise: 0.012,
	...shape(0.015, 0.16, 0.25, 0.14),
	oscillators: saws(-8, 7),
	filter: lowPass(1000, 1.2, 0.02, 0.15, 0.45, 0.7),
	vibrato: null,
});

export const violin = carve({
	noise: 0.014,
	...shape(0.09, 1.2, 0.85, 0.22),
	oscillators: saws(-3, 4),
	filter: lowPass(2300, 0.6, 0.15, 1.5, 0.5, 0.9),
	vibrato: { hz: 5.6, cents: 16, delaySeconds: 0.18 },
});

export const flute = carve({
	noise: 0.05,
	...shape(0.06, 0.8, 0.85, 0.16),
	oscillators: [
		{ wave: "sine", detuneCents: 0, level: 0.75 },
		{ wave: "triangle", detuneCents: 2, level: 0.2 },
		{ wave: "sine", detuneCents: 1200, level: 0.13 },
	],
	filter: lowPass(2600, 0.5, 0.08, 1, 0.7, 0.7),
	vibrato: { hz: 4.9, cents: 11, delaySeconds: 0.25 },
});

export const clarinet = carve({
	noise: 0.012,
	...shape(0.05, 0.8, 0.85, 0.12),
	oscillators: [{ wave: "square", detuneCents: 0, level: 0.6 }],
	filter: lowPass(2200, 0.5, 0.1, 1, 0.6, 0.7),
	vibrato: { hz: 4.6, cents: 5, delaySeconds: 0.4 },
});

export const trumpet = carve({
	noise: 0.01,
	...shape(0.045, 0.5, 0.8, 0.1),
	oscillators: saws(-2, 3),
	filter: lowPass(800, 1.9, 0.07, 0.9, 0.5, 0.9),
	vibrato: { hz: 5.3, cents: 9, delaySeconds: 0.35 },
});

export const horn = carve({
	...PLAIN,
	...shape(0.12, 0.8, 0.85, 0.3),
	oscillators: saws(-4, 0, 5),
	filter: lowPass(620, 1.6, 0.2, 1.5, 0.5, 0.75),
});

export const tuba = carve({
	...PLAIN,
	...shape(0.03, 0.3, 0.6, 0.1),
	oscillators: saws(0),
	filter: lowPass(420, 1.3, 0.05, 0.3, 0.4, 0.8),
});

export const organ = carve({
	...PLAIN,
	...shape(0.02, 1, 1, 0.12),
	oscillators: [
		{ wave: "sine", detuneCents: 0, level: 0.5 },
		{ wave: "sine", detuneCents: 1200, level: 0.35 },
		{ wave: "sine", detuneCents: 1902, level: 0.2 },
		{ wave: "sine", detuneCents: 2400, level: 0.14 },
	],
	filter: null,
	vibrato: { hz: 6.2, cents: 5, delaySeconds: 0 },
});

export const accordion = carve({
	noise: 0.004,
	...shape(0.05, 0.6, 0.9, 0.12),
	oscillators: saws(-12, 0, 13),
	filter: lowPass(2300, 0.5, 0.1, 1, 0.5, 0.8),
	vibrato: null,
});

export const sawLead = carve({
	...PLAIN,
	...shape(0.012, 0.5, 0.7, 0.25),
	oscillators: saws(-7, 6, 0),
	filter: lowPass(1300, 1.7, 0.03, 0.5, 0.5, 1.2),
	vibrato: { hz: 5.4, cents: 8, delaySeconds: 0.35 },
});

export const softLead = carve({
	...PLAIN,
	...shape(0.05, 0.8, 0.75, 0.4),
	oscillators: [
		{ wave: "triangle", detuneCents: -4, level: 0.6 },
		{ wave: "saw", detuneCents: 5, level: 0.2 },
	],
	filter: lowPass(1800, 0.8, 0.1, 1, 0.6, 0.8),
	vibrato: { hz: 4.8, cents: 8, delaySeconds: 0.3 },
});

export const synthPluck = carve({
	...PLAIN,
	...shape(0.004, 0.18, 0.12, 0.2),
	oscillators: saws(-6, 7),
	filter: lowPass(420, 3.2, 0.004, 0.13, 0.5, 1.4),
});

export const synthBrass = carve({
	...PLAIN,
	...shape(0.03, 0.6, 0.7, 0.3),
	oscillators: saws(-10, 9, 1),
	filter: lowPass(600, 2, 0.08, 0.5, 0.4, 0.9),
});

export const stab = carve({
	...PLAIN,
	...shape(0.004, 0.12, 0.08, 0.18),
	oscillators: saws(-14, 12, 0),
	filter: lowPass(500, 2.6, 0.004, 0.1, 0.4, 1.6),
});

export const subBass = carve({
	...PLAIN,
	...shape(0.015, 0.9, 0.75, 0.1),
	oscillators: [
		{ wave: "sine", detuneCents: 0, level: 0.9 },
		{ wave: "triangle", detuneCents: 0, level: 0.25 },
	],
	filter: null,
});

export const synthBass = carve({
	...PLAIN,
	...shape(0.005, 0.25, 0.5, 0.07),
	oscillators: [
		{ wave: "saw", detuneCents: 0, level: 0.5 },
		{ wave: "square", detuneCents: -1203, level: 0.4 },
	],
	filter: lowPass(240, 2.6, 0.006, 0.16, 0.3, 1.3),
});

export const acidBass = carve({
	...PLAIN,
	...shape(0.003, 0.2, 0.4, 0.05),
	oscillators: [{ wave: "saw", detuneCents: 0, level: 0.8 }],
	filter: lowPass(210, 3.4, 0.004, 0.12, 0.3, 5),
});

export const chipLead = carve({
	...PLAIN,
	...shape(0.002, 0.4, 0.6, 0.03),
	oscillators: [{ wave: "pulse", detuneCents: 0, level: 0.5 }],
	filter: null,
	vibrato: { hz: 6, cents: 14, delaySeconds: 0.2 },
});

export const chipArpeggio = carve({
	...PLAIN,
	...shape(0.002, 0.12, 0.3, 0.02),
	oscillators: [{ wave: "square", detuneCents: 0, level: 0.4 }],
	filter: null,
});

export const chipBass = carve({
	...PLAIN,
	...shape(0.003, 1, 0.9, 0.03),
	oscillators: [{ wave: "triangle", detuneCents: 0, level: 0.9 }],
	filter: null,
});
