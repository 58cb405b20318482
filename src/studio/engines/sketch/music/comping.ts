import type { Random } from "../random.ts";
import type { Plan } from "./form.ts";
import { voiceChords } from "./harmony.ts";
import type { Idea } from "./musical-idea.ts";
import type { PlacedNote } from "./placed-note.ts";
import type { Comping } from "./styles.ts";
import { chordPitchClasses, modulo } from "./theory.ts";

/** One stroke in a bar: all notes of the chord, or some of them by their place in it. */
interface Stroke {
	readonly step: number;
	readonly lengthSteps: number;
	readonly velocity: number;
	readonly voices?: readonly number[];
	/** Seconds between the strings; negative is an upstroke. */
	readonly spreadSeconds?: number;
}

const CHORDS_CENTRE_PITCH = 65;
const PAD_CENTRE_PITCH = 61;

export function writeChords(idea: Idea, plan: Plan, random: Random): readonly PlacedNote[] {
	const centre = idea.styleName === "rock" ? 50 : idea.comping === "ostinato" ? 60 : CHORDS_CENTRE_PITCH;
	const voicings = voiceChords(idea.key, [...plan.bars.map(({ chord }) => chord), plan.finalChord], centre);
	const pattern = random.fork("pattern");
	const verse = strokesFor(idea.comping, plan, pattern.fork("verse"));
	const bridge = strokesFor(idea.comping, plan, pattern.fork("bridge"));
	const notes = plan.bars.flatMap((bar) => {
		if (!bar.roles.has("chords")) return [];
		const voicing = voicings[bar.index] ?? [];
		const strokes = bar.section === "B" ? bridge : verse;
		const chord = idea.styleName === "rock" ? powerChord(idea, voicing, bar.chord) : voicing;
		return strokes.flatMap((stroke) =>
			strike(stroke, chord, bar.index * plan.stepsPerBar, 0.72 + 0.35 * bar.intensity),
		);
	});
	const lastVoicing = voicings.at(-1) ?? [];
	const last = idea.styleName === "rock" ? powerChord(idea, lastVoicing, plan.finalChord) : lastVoicing;
	const final: Stroke = {
		step: 0,
		lengthSteps: Number.POSITIVE_INFINITY,
		velocity: 0.6,
		spreadSeconds: 0.035,
	};
	return [...notes, ...strike(final, last, plan.bars.length * plan.stepsPerBar, 1)];
}

/** Root, fifth and octave, low enough to growl. */
function powerChord(
	idea: Idea,
	voicing: readonly number[],
	chord: Parameters<typeof chordPitchClasses>[1],
): readonly number[] {
	const [root = 0] = chordPitchClasses(idea.key, chord);
	const low = 40 + modulo(root - 40, 12);
	return voicing.length === 0 ? [] : [low, low + 7, low + 12];
}

/** The pad holds every chord and lets common notes sound on. */
export function writePad(idea: Idea, plan: Plan): readonly PlacedNote[] {
	const voicings = voiceChords(idea.key, [...plan.bars.map(({ chord }) => chord), plan.finalChord], PAD_CENTRE_PITCH);
	const notes: PlacedNote[] = [];
	for (const [index, voicing] of voicings.entries()) {
		const bar = plan.bars[index];
		if (bar !== undefined && !bar.roles.has("pad")) continue;
		const velocity = 0.5 + 0.3 * (bar?.intensity ?? 0.5);
		for (const pitch of voicing) {
			const held = notes.findLastIndex(
				(note) => note.pitch === pitch && note.step + note.lengthSteps === index * plan.stepsPerBar,
			);
			const before = notes[held];
			const lengthSteps = bar === undefined ? Number.POSITIVE_INFINITY : plan.stepsPerBar;
			if (before === undefined) notes.push({ step: index * plan.stepsPerBar, lengthSteps, pitch, velocity });
			else notes[held] = { ...before, lengthSteps: before.lengthSteps + lengthSteps };
		}
	}
	return notes;
}

function strike(stroke: Stroke, voicing: readonly number[], barStep: number, loudness: number): readonly PlacedNote[] {
	const voices = stroke.voices ?? voicing.map((_, index) => index);
	return voices.flatMap((voice, order) => {
		const pitch = voicing[voice % Math.max(1, voicing.length)];
		if (pitch === undefined) return [];
		const octave = 12 * Math.floor(voice / voicing.length);
		const spread = stroke.spreadSeconds ?? 0;
		const place = spread < 0 ? voices.length - 1 - order : order;
		return {
			step: barStep + stroke.step,
			lengthSteps: stroke.lengthSteps,
			pitch: pitch + octave,
			velocity: Math.min(1, stroke.velocity * loudness),
			delaySeconds: Math.abs(spread) * place,
		};
	});
}

const every = (plan: Plan, stepsApart: number): readonly number[] =>
	Array.from({ length: Math.ceil(plan.stepsPerBar / stepsApart) }, (_, index) => index * stepsApart);

const ARPEGGIOS: readonly [readonly number[], ...(readonly number[])[]] = [
	[0, 1, 2, 3, 2, 1],
	[0, 2, 1, 3, 2, 1],
	[0, 1, 2, 3, 4, 3, 2, 1],
	[0, 2, 3, 2, 1, 2, 3, 2],
];

function arpeggio(
	plan: Plan,
	random: Random,
	stepsApart: number,
	lengthSteps: number,
	velocity: number,
): readonly Stroke[] {
	const order = random.pick(ARPEGGIOS);
	return every(plan, stepsApart).map((step, index) => ({
		step,
		lengthSteps,
		velocity: velocity * (index === 0 ? 1.1 : step % plan.stepsPerBeat === 0 ? 1 : 0.85),
		voices: [order[index % order.length] ?? 0],
	}));
}

const at = (
	steps: readonly number[],
	lengthSteps: number,
	velocity: number,
	spreadSeconds = 0.004,
): readonly Stroke[] =>
	steps.map((step, index) => ({ step, lengthSteps, velocity: velocity * (index === 0 ? 1.08 : 1), spreadSeconds }));

function strokesFor(comping: Comping, plan: Plan, random: Random): readonly Stroke[] {
	const beats = every(plan, plan.stepsPerBeat);
	const isLongBar = plan.stepsPerBar === 16;
	switch (comping) {
		case "sustained":
			return [{ step: 0, lengthSteps: plan.stepsPerBar, velocity: 0.6, spreadSeconds: 0.06 }];
		case "slowArpeggio":
			return arpeggio(plan, random, plan.stepsPerBeat === 6 ? 2 : 4, 10, 0.55);
		case "arpeggio":
			return arpeggio(plan, random, 2, 5, 0.6);
		case "fastArpeggio":
			return arpeggio(plan, random, 1, 1, 0.62);
		case "ostinato": {
			const pulse = every(plan, 2);
			return pulse.flatMap((step, index) => [
				{
					step,
					lengthSteps: 1.6,
					velocity: step % plan.stepsPerBeat === 0 ? 0.75 : 0.52,
					voices: [index % 2 === 0 ? 1 : 2],
				},
				...(step % plan.stepsPerBeat === 0 ? [{ step, lengthSteps: 1.8, velocity: 0.66, voices: [0, 3] }] : []),
			]);
		}
		case "blocks":
			if (!isLongBar) return at(beats, plan.stepsPerBeat, 0.58, 0.012);
			return random.pick([
				[...at([0], 7, 0.66, 0.014), ...at([7], 3, 0.5, 0.008), ...at([10], 6, 0.58, 0.012)],
				[...at([0], 6, 0.66, 0.014), ...at([6], 9, 0.56, 0.014)],
				[...at([0], 8, 0.64, 0.016), ...at([8], 4, 0.5), ...at([12], 4, 0.56)],
			]);
		case "charleston":
			return random.pick([
				[...at([0], 3, 0.66), ...at([6], 2, 0.6)],
				[...at([2], 2, 0.6), ...at([8], 4, 0.66)],
				[...at([0], 2, 0.62), ...at([6], 5, 0.62), ...at([14], 2, 0.52)],
			]);
		case "samba":
			return random.pick([
				[...at([0, 3], 2.5, 0.58), ...at([6, 10, 13], 2.5, 0.52)],
				[...at([0, 4], 2, 0.56), ...at([7, 10, 14], 2.5, 0.54)],
			]);
		case "stabs":
			return random.pick([
				at([3, 6, 11, 14], 1.5, 0.62),
				at([2, 6, 10, 14], 1.5, 0.6),
				at([0, 3, 6, 10, 12], 1.2, 0.6),
				at([4, 7, 12, 15], 1.5, 0.6),
			]);
		case "strum":
			if (!isLongBar) return [...at([0], 5, 0.7, 0.014), ...at([4, 8], 3, 0.52, -0.01), ...at([6], 2, 0.42, -0.01)];
			return [
				...at([0, 4], 4, 0.68, 0.014),
				...at([6, 10], 2, 0.46, -0.011),
				...at([12], 2, 0.6, 0.013),
				...at([14], 2, 0.45, -0.011),
			];
		case "eighths":
			return every(plan, 2).flatMap((step) => {
				const isAccent = step % 8 === 0 || step === 6;
				return at([step], isAccent ? 2.6 : 1.4, isAccent ? 0.74 : 0.5, 0.006);
			});
		case "fingerpicking": {
			const thumb = beats.map((step, index) => ({ step, lengthSteps: 6, velocity: 0.62, voices: [index % 2] }));
			const fingers = every(plan, 2)
				.filter((step) => step % plan.stepsPerBeat !== 0)
				.map((step, index) => ({ step, lengthSteps: 5, velocity: 0.5, voices: [index % 2 === 0 ? 3 : 2] }));
			return [...thumb, { step: 0, lengthSteps: 6, velocity: 0.5, voices: [3] }, ...fingers];
		}
		case "oompah":
			return plan.stepsPerBar === 16 ? at([4, 12], 2, 0.58) : at([4, 8], 2.6, 0.52, 0.008);
	}
}
