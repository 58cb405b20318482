import styles from "../../assets/music/styles.json" with { type: "json" };
import type { Random } from "../random.ts";
import type { ParsedPrompt, MusicStyle } from "../parse-prompt.ts";
import type { PatchName, PlayedNote } from "./synth.ts";

/** Semitones above the tonic. */
const MODES = {
	ionian: [0, 2, 4, 5, 7, 9, 11],
	dorian: [0, 2, 3, 5, 7, 9, 10],
	lydian: [0, 2, 4, 6, 7, 9, 11],
	mixolydian: [0, 2, 4, 5, 7, 9, 10],
	aeolian: [0, 2, 3, 5, 7, 8, 10],
} as const;

type ModeName = keyof typeof MODES;

interface Style {
	/** Beats per minute, for the calmest and the wildest prompt. */
	readonly tempo: readonly [number, number];
	readonly beats: 3 | 4;
	readonly bright: ModeName;
	readonly dark: ModeName;
	/** Degrees of the scale, one per bar. */
	readonly progressions: readonly (readonly number[])[];
	readonly hasSevenths: boolean;
	readonly lead: PatchName;
	readonly chords: PatchName;
	readonly bass: PatchName;
	/** The sixteenths of a bar at which the chord is played. */
	readonly chordRhythm: readonly number[];
	/** True if the chord is played as single notes, one after the other. */
	readonly isArpeggio: boolean;
	/** One character per sixteenth: r root, f fifth, o octave. */
	readonly bassLine: string;
	/** One character per sixteenth: x loud, o soft. */
	readonly drums: Partial<Record<"kick" | "snare" | "hat" | "tom", string>>;
	/** The sixteenths at which the notes of a melody start. */
	readonly melodyRhythms: readonly (readonly number[])[];
	/** The delay of every second sixteenth, as a fraction of a sixteenth. */
	readonly swing: number;
}

const STYLES = styles as unknown as Readonly<Record<MusicStyle, Style>>;

/** Semitones above the root, by the characters of a bass line. */
const BASS_INTERVALS: Readonly<Record<string, number>> = { r: 0, f: 7, o: 12 };

/** Semitones by which instruments play the melody lower or higher than the others. */
const LEAD_TRANSPOSITIONS: Partial<Record<PatchName, number>> = { brass: -6, bell: 5 };

const LAST_CHORD_SECONDS_MAX = 1.8;

/** Composes melody, chords, bass and drums in the style and the mood of the prompt. */
export function composeMusic(parsed: ParsedPrompt, random: Random, seconds: number): readonly PlayedNote[] {
	const style = STYLES[parsed.musicStyle];
	const isBright = parsed.mood > 0 || (parsed.mood === 0 && random.chance(0.5));
	const mode = isBright ? style.bright : style.dark;
	const tonic = random.integer(0, 11);
	const steps = style.beats * 4;
	const [slow, fast] = style.tempo;
	const tempo = slow + (fast - slow) * (0.5 + 0.5 * parsed.energy) * random.between(0.9, 1.1);
	const lastChordSeconds = Math.min(LAST_CHORD_SECONDS_MAX, seconds / 4);
	const bars = Math.max(2, Math.round(((seconds - lastChordSeconds) * tempo) / 60 / style.beats));
	const barSeconds = (seconds - lastChordSeconds) / bars;
	const stepSeconds = barSeconds / steps;
	const scale = MODES[mode].map((step) => (tonic + step) % 12);
	const verse = random.pick(style.progressions);
	const chorus = random.pick(style.progressions.filter((progression) => progression !== verse));
	const motifs = [random.pick(style.melodyRhythms), random.pick(style.melodyRhythms)];
	const contour = Array.from({ length: 8 }, () => random.integer(-2, 2));
	const notes: PlayedNote[] = [];

	const secondsAt = (bar: number, step: number): number =>
		bar * barSeconds + (step + (step % 2 === 1 ? style.swing : 0)) * stepSeconds + random.between(0, 0.006);
	const addNote = (note: Omit<PlayedNote, "pan"> & { pan?: number }): void => void notes.push({ pan: 0, ...note });

	for (let bar = 0; bar <= bars; bar++) {
		const isLastBar = bar === bars;
		const inChorus = Math.floor(bar / 4) % 4 === 2;
		const degree = isLastBar ? 0 : ((inChorus ? chorus : verse)[bar % 4] ?? 0);
		// Stacks thirds of the scale.
		const chord = (style.hasSevenths ? [0, 2, 4, 6] : [0, 2, 4]).map((third) => scale[(degree + third) % 7] ?? 0);
		const root = chord[0] ?? 0;
		const isIntro = bars >= 8 && bar < 2;
		addChord(bar, chord, isLastBar);
		addBass(bar, root, isLastBar, isIntro);
		if (!isLastBar && !(isIntro && bar === 0)) addDrums(bar, isIntro);
		if (!isIntro) addMelody(bar, chord, isLastBar, inChorus);
	}
	return notes.filter(({ startSeconds }) => startSeconds < seconds - 0.05);

	function addChord(bar: number, chord: readonly number[], isEnd: boolean): void {
		const voicing = chord.map((chroma, nth) => closestPitch(chroma, 57 + nth * 3)).toSorted((a, b) => a - b);
		const onsets = isEnd ? [0] : style.chordRhythm;
		for (const [nth, step] of onsets.entries()) {
			const next = onsets[nth + 1] ?? steps;
			const pitches =
				style.isArpeggio && !isEnd
					? [voicing[[0, 1, 2, 1][nth % 4]! % voicing.length]! + (nth % 8 >= 4 ? 12 : 0)]
					: voicing;
			for (const [noteIndex, midi] of pitches.entries())
				addNote({
					part: "chords",
					patch: style.chords,
					startSeconds: secondsAt(bar, step) + noteIndex * 0.008,
					seconds: isEnd ? lastChordSeconds : (next - step) * stepSeconds * 0.96,
					midi,
					velocity: (step === 0 ? 0.8 : 0.62) * (style.isArpeggio ? 1 : 0.9),
					pan:
						(noteIndex / Math.max(1, pitches.length - 1) - 0.5) * (pitches.length > 1 ? 0.7 : 0) +
						(style.isArpeggio ? -0.25 : 0),
				});
		}
	}

	function addBass(bar: number, root: number, isEnd: boolean, isIntro: boolean): void {
		const onsets = isEnd || isIntro ? [0] : [...style.bassLine.matchAll(/[rfo]/g)].map(({ index }) => index);
		for (const [nth, step] of onsets.entries()) {
			const next = onsets[nth + 1] ?? steps;
			const interval = BASS_INTERVALS[style.bassLine[step] ?? "r"] ?? 0;
			addNote({
				part: "bass",
				patch: style.bass,
				startSeconds: secondsAt(bar, step),
				seconds: isEnd ? lastChordSeconds : (next - step) * stepSeconds * 0.9,
				midi: closestPitch(root, 38) + interval,
				velocity: step === 0 ? 0.95 : 0.8,
			});
		}
	}

	function addDrums(bar: number, isIntro: boolean): void {
		const isFill = bar % 4 === 3;
		for (const [drum, pattern] of Object.entries(style.drums)) {
			for (let step = 0; step < steps; step++) {
				const mark = pattern[step % pattern.length];
				if (mark === undefined || mark === "." || (isIntro && drum !== "hat")) continue;
				if (drum === "tom" && !isFill && parsed.musicStyle !== "epic") continue;
				addNote({
					part: "drums",
					patch: drum as PatchName,
					startSeconds: secondsAt(bar, step),
					seconds: 0.3,
					midi: drum === "tom" ? 45 - (step % 3) * 3 : 36,
					velocity: (mark === "x" ? 0.9 : 0.5) * random.between(0.88, 1),
					pan: drum === "hat" ? 0.22 : drum === "tom" ? (step % 3) * 0.3 - 0.3 : 0,
				});
			}
		}
	}

	/** Alternates two motifs and follows the chords; every fourth bar ends with a rest. */
	function addMelody(bar: number, chord: readonly number[], isEnd: boolean, inChorus: boolean): void {
		const motif = motifs[bar % 2] ?? [0];
		const rhythm = isEnd ? [0] : motif;
		const center = 70 + (inChorus ? 4 : 0) + (LEAD_TRANSPOSITIONS[style.lead] ?? 0);
		let pitch = closestPitch(chord[bar % chord.length] ?? 0, center);
		for (const [nth, step] of rhythm.entries()) {
			const next = rhythm[nth + 1] ?? steps;
			if (bar % 4 === 3 && nth > 1 && nth === rhythm.length - 1) continue;
			const isStrongBeat = step % 4 === 0;
			const moved = pitch + (contour[(nth + (bar % 2) * 4) % contour.length] ?? 0) * 2;
			let allowed = scale;
			if (isStrongBeat) allowed = [...chord];
			if (isEnd) allowed = [tonic];
			pitch = closestPitchOf(allowed, Math.min(center + 9, Math.max(center - 9, moved)));
			addNote({
				part: "melody",
				patch: style.lead,
				startSeconds: secondsAt(bar, step),
				seconds: isEnd ? lastChordSeconds : Math.min((next - step) * stepSeconds * 0.94, 2.2),
				midi: pitch,
				velocity: isStrongBeat ? 0.9 : 0.75,
				pan: 0.08,
			});
		}
	}
}

/** Returns the pitch with this chroma (its position in the octave, 0 to 11) that is closest to the pitch `midi`. */
function closestPitch(chroma: number, midi: number): number {
	// Adds 18 and subtracts 6, so that the distance is between -6 and 5 semitones.
	const distance = ((((chroma - midi) % 12) + 18) % 12) - 6;
	return midi + distance;
}

function closestPitchOf(chromas: readonly number[], midi: number): number {
	return (
		chromas
			.map((chroma) => closestPitch(chroma, midi))
			.toSorted((a, b) => Math.abs(a - midi) - Math.abs(b - midi))[0] ?? midi
	);
}
