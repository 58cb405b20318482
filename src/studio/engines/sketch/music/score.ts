import type { Random } from "../random.ts";
import { createRandom } from "../random.ts";
import { writeBass } from "./bass-line.ts";
import { writeChords, writePad } from "./comping.ts";
import { writeDrums } from "./drum-part.ts";
import { type Plan, type Role, planForm } from "./form.ts";
import type { Tone } from "./instruments/instrument.ts";
import type { DrumName } from "./instruments/drums.ts";
import type { InstrumentName } from "./instruments/orchestra.ts";
import { writeMelody } from "./melody.ts";
import type { Idea } from "./musical-idea.ts";
import type { PlacedNote } from "./placed-note.ts";
import type { LyricLine } from "./syllables.ts";

export interface Note extends Tone {
	readonly startSeconds: number;
	/** Not of the scale, on purpose: it leads to its neighbour. */
	readonly passing?: true;
}

export type Track = { readonly notes: readonly Note[] } & (
	| { readonly role: Exclude<Role, "drums">; readonly instrument: InstrumentName }
	| { readonly role: "drums"; readonly instrument: DrumName }
);

export interface Score {
	readonly plan: Plan;
	readonly tracks: readonly Track[];
}

/** Writes every part out, then lets players play it: a little late, a little early, never twice the same. */
export function writeScore(
	idea: Idea,
	durationSeconds: number,
	seedWords: readonly (string | number)[],
	lyrics: readonly LyricLine[],
): Score {
	const random = createRandom("score", ...seedWords);
	const plan = planForm(idea, durationSeconds);
	const perform = (role: Role, notes: readonly PlacedNote[]): readonly Note[] =>
		play(idea, plan, role, notes, random.fork(`hands ${role}`));
	const tracks: Track[] = [
		{
			role: "lead",
			instrument: idea.lead,
			notes: perform("lead", writeMelody(idea, plan, lyrics, random.fork("lead"))),
		},
		{
			role: "chords",
			instrument: idea.chords,
			notes: perform("chords", writeChords(idea, plan, random.fork("chords"))),
		},
		{ role: "bass", instrument: idea.bass, notes: perform("bass", writeBass(idea, plan, random.fork("bass"))) },
	];
	if (idea.pad !== null)
		tracks.push({ role: "pad", instrument: idea.pad, notes: perform("pad", writePad(idea, plan)) });
	for (const [drum, notes] of writeDrums(idea, plan, random.fork("drums"))) {
		tracks.push({ role: "drums", instrument: drum, notes: perform("drums", notes) });
	}
	return { plan, tracks };
}

/** Machines are exact; people are late and early by some milliseconds. */
const LOOSENESS_SECONDS: Readonly<Record<Role, number>> = {
	lead: 0.009,
	chords: 0.008,
	pad: 0.02,
	bass: 0.006,
	drums: 0.004,
};
const EXACT_STYLES: ReadonlySet<string> = new Set(["techno", "chiptune", "synthwave"]);

function play(idea: Idea, plan: Plan, role: Role, placed: readonly PlacedNote[], random: Random): readonly Note[] {
	const looseness = LOOSENESS_SECONDS[role] * (EXACT_STYLES.has(idea.styleName) ? 0.15 : 1);
	const end = plan.durationSeconds;
	return placed.flatMap((note): readonly Note[] => {
		const human = note.step === 0 ? 0 : random.between(-looseness, looseness);
		const startSeconds = Math.max(0, secondsAt(idea, plan, note.step) + human + (note.delaySeconds ?? 0));
		if (startSeconds >= end - 0.05) return [];
		const endSeconds = Math.min(
			end,
			Number.isFinite(note.lengthSteps) ? secondsAt(idea, plan, note.step + note.lengthSteps) : end,
		);
		return [
			{
				startSeconds,
				durationSeconds: Math.max(0.03, endSeconds - startSeconds - 0.008),
				pitch: note.pitch,
				velocity: Math.min(1, Math.max(0.05, note.velocity * random.between(0.94, 1.06))),
				...(note.passing && { passing: true as const }),
				...(note.vowel !== undefined && { vowel: note.vowel }),
			},
		];
	});
}

/** Swing makes every second note of the swinging grid wait. */
function secondsAt(idea: Idea, plan: Plan, step: number): number {
	const { stepsUnit, share } = idea.style.swing;
	const isOffbeat = Number.isInteger(step / stepsUnit) && (step / stepsUnit) % 2 === 1;
	return (step + (isOffbeat ? share * stepsUnit : 0)) * plan.secondsPerStep;
}
