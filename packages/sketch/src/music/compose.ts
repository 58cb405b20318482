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
	/** Beats a minute for calm and for wild prompts. */
	readonly tempo: readonly [number, number];
	readonly beats: 3 | 4;
	readonly bright: ModeName;
	readonly dark: ModeName;
	/** Degrees of the scale, a bar each. */
	readonly progressions: readonly (readonly number[])[];
	readonly sevenths: boolean;
	readonly lead: PatchName;
	readonly chords: PatchName;
	readonly bass: PatchName;
	/** Sixteenths where the chord is struck; it is broken into single notes where `broken`. */
	readonly comp: readonly number[];
	readonly broken: boolean;
	/** One character a sixteenth: r root, f fifth, o octave. */
	readonly bassLine: string;
	/** One character a sixteenth: x strong, o soft. */
	readonly drums: Partial<Record<"kick" | "snare" | "hat" | "tom", string>>;
	readonly rhythms: readonly (readonly number[])[];
	/** How far every second sixteenth is late, as a part of one. */
	readonly swing: number;
}

const STYLES = styles as unknown as Readonly<Record<MusicStyle, Style>>;

/** Semitones above the root, by the characters of a bass line. */
const BASS_INTERVALS: Readonly<Record<string, number>> = { r: 0, f: 7, o: 12 };

/** The last chord rings for so long. */
const TAIL_SECONDS = 1.8;

/** Writes melody, harmony, bass and drums in the style and the mood of the prompt. */
export function composeTune(parsed: ParsedPrompt, random: Random, seconds: number): readonly PlayedNote[] {
	const style = STYLES[parsed.tune];
	const isBright = parsed.mood > 0 || (parsed.mood === 0 && random.chance(0.5));
	const mode = isBright ? style.bright : style.dark;
	const tonic = random.integer(0, 11);
	const steps = style.beats * 4;
	const [slow, fast] = style.tempo;
	const tempo = slow + (fast - slow) * (0.5 + 0.5 * parsed.energy) * random.between(0.9, 1.1);
	const tail = Math.min(TAIL_SECONDS, seconds / 4);
	const bars = Math.max(2, Math.round(((seconds - tail) * tempo) / 60 / style.beats));
	const barSeconds = (seconds - tail) / bars;
	const stepSeconds = barSeconds / steps;
	const scale = MODES[mode].map((step) => (tonic + step) % 12);
	const verse = random.pick(style.progressions);
	const chorus = random.pick(style.progressions.filter((progression) => progression !== verse));
	const motifs = [random.pick(style.rhythms), random.pick(style.rhythms)];
	const contour = Array.from({ length: 8 }, () => random.integer(-2, 2));
	const notes: PlayedNote[] = [];

	const at = (bar: number, step: number): number =>
		bar * barSeconds + (step + (step % 2 === 1 ? style.swing : 0)) * stepSeconds + random.between(0, 0.006);
	const add = (note: Omit<PlayedNote, "pan"> & { pan?: number }): void => void notes.push({ pan: 0, ...note });

	for (let bar = 0; bar <= bars; bar++) {
		const isEnd = bar === bars;
		const inChorus = Math.floor(bar / 4) % 4 === 2;
		const degree = isEnd ? 0 : ((inChorus ? chorus : verse)[bar % 4] ?? 0);
		// Thirds of the scale on top of each other.
		const chord = (style.sevenths ? [0, 2, 4, 6] : [0, 2, 4]).map((third) => scale[(degree + third) % 7] ?? 0);
		const root = chord[0] ?? 0;
		const isIntro = bars >= 8 && bar < 2;
		harmony(bar, chord, isEnd);
		bassOf(bar, root, isEnd, isIntro);
		if (!isEnd && !(isIntro && bar === 0)) drumsOf(bar, isIntro);
		if (!isIntro) melodyOf(bar, chord, isEnd, inChorus);
	}
	return notes.filter(({ startSeconds }) => startSeconds < seconds - 0.05);

	function harmony(bar: number, chord: readonly number[], isEnd: boolean): void {
		const voicing = chord.map((chroma, nth) => near(chroma, 57 + nth * 3)).toSorted((one, other) => one - other);
		const strikes = isEnd ? [0] : style.comp;
		for (const [nth, step] of strikes.entries()) {
			const next = strikes[nth + 1] ?? steps;
			const chosen =
				style.broken && !isEnd
					? [voicing[[0, 1, 2, 1][nth % 4]! % voicing.length]! + (nth % 8 >= 4 ? 12 : 0)]
					: voicing;
			for (const [string, midi] of chosen.entries())
				add({
					part: "chords",
					patch: style.chords,
					startSeconds: at(bar, step) + string * 0.008,
					seconds: isEnd ? tail : (next - step) * stepSeconds * 0.96,
					midi,
					velocity: (step === 0 ? 0.8 : 0.62) * (style.broken ? 1 : 0.9),
					pan:
						(string / Math.max(1, chosen.length - 1) - 0.5) * (chosen.length > 1 ? 0.7 : 0) +
						(style.broken ? -0.25 : 0),
				});
		}
	}

	function bassOf(bar: number, root: number, isEnd: boolean, isIntro: boolean): void {
		const strikes = isEnd || isIntro ? [0] : [...style.bassLine.matchAll(/[rfo]/g)].map(({ index }) => index);
		for (const [nth, step] of strikes.entries()) {
			const next = strikes[nth + 1] ?? steps;
			const interval = BASS_INTERVALS[style.bassLine[step] ?? "r"] ?? 0;
			add({
				part: "bass",
				patch: style.bass,
				startSeconds: at(bar, step),
				seconds: isEnd ? tail : (next - step) * stepSeconds * 0.9,
				midi: near(root, 38) + interval,
				velocity: step === 0 ? 0.95 : 0.8,
			});
		}
	}

	function drumsOf(bar: number, isIntro: boolean): void {
		const isFill = bar % 4 === 3;
		for (const [drum, pattern] of Object.entries(style.drums)) {
			for (let step = 0; step < steps; step++) {
				const mark = pattern[step % pattern.length];
				if (mark === undefined || mark === "." || (isIntro && drum !== "hat")) continue;
				if (drum === "tom" && !isFill && parsed.tune !== "epic") continue;
				add({
					part: "drums",
					patch: drum as PatchName,
					startSeconds: at(bar, step),
					seconds: 0.3,
					midi: drum === "tom" ? 45 - (step % 3) * 3 : 36,
					velocity: (mark === "x" ? 0.9 : 0.5) * random.between(0.88, 1),
					pan: drum === "hat" ? 0.22 : drum === "tom" ? (step % 3) * 0.3 - 0.3 : 0,
				});
			}
		}
		if (isFill && style.drums.snare !== undefined && !isIntro)
			for (const step of [steps - 3, steps - 2, steps - 1])
				add({
					part: "drums",
					patch: "snare",
					startSeconds: at(bar, step),
					seconds: 0.2,
					midi: 38,
					velocity: 0.35 + 0.12 * (step - steps + 3),
				});
	}

	/** A motif and its answer, led through the chords; a rest closes every fourth bar. */
	function melodyOf(bar: number, chord: readonly number[], isEnd: boolean, inChorus: boolean): void {
		const motif = motifs[bar % 2] ?? [0];
		const rhythm = isEnd ? [0] : motif;
		const center = 70 + (inChorus ? 4 : 0) + (style.lead === "brass" ? -6 : 0) + (style.lead === "bell" ? 5 : 0);
		let pitch = near(chord[bar % chord.length] ?? 0, center);
		for (const [nth, step] of rhythm.entries()) {
			const next = rhythm[nth + 1] ?? steps;
			if (bar % 4 === 3 && nth > 1 && nth === rhythm.length - 1) continue;
			const strong = step % 4 === 0;
			const moved = pitch + (contour[(nth + (bar % 2) * 4) % contour.length] ?? 0) * 2;
			pitch = nearest(
				strong || isEnd ? (isEnd ? [scale[0] ?? 0] : chord) : scale,
				Math.min(center + 9, Math.max(center - 9, moved)),
			);
			add({
				part: "melody",
				patch: style.lead,
				startSeconds: at(bar, step),
				seconds: isEnd ? tail : Math.min((next - step) * stepSeconds * 0.94, 2.2),
				midi: pitch,
				velocity: strong ? 0.9 : 0.75,
				pan: 0.08,
			});
		}
	}
}

/** The pitch with this chroma that is closest to another one. */
function near(chroma: number, midi: number): number {
	const distance = (((chroma - midi) % 12) + 18) % 12;
	return midi + distance - 6;
}

function nearest(chromas: readonly number[], midi: number): number {
	return (
		chromas
			.map((chroma) => near(chroma, midi))
			.toSorted((one, other) => Math.abs(one - midi) - Math.abs(other - midi))[0] ?? midi
	);
}
