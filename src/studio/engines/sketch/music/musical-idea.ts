import { type Mood, findMentions, readMood } from "../mood.ts";
import { type Random, createRandom } from "../random.ts";
import { chooseProgressions, type Progressions } from "./harmony.ts";
import { INSTRUMENT_BY_WORD, type InstrumentWord, LEAD_ALTERNATIVES } from "./instrument-words.ts";
import type { InstrumentName } from "./instruments/orchestra.ts";
import {
	type BassMotion,
	type Comping,
	type Meter,
	STYLE_BY_WORD,
	STYLES,
	type Style,
	type StyleName,
} from "./styles.ts";
import { type Key, type ScaleName, hasMajorThird } from "./theory.ts";
import { clamp, mix } from "./dsp.ts";

/** What a composer settles before the first note is written. */
export interface Idea {
	readonly mood: Mood;
	readonly styleName: StyleName;
	readonly style: Style;
	readonly key: Key;
	readonly meter: Meter;
	/** Quarter notes a minute. */
	readonly tempoBpm: number;
	/** The person named a tempo: it is kept to the digit. */
	readonly tempoIsAsked: boolean;
	readonly progressions: Progressions;
	readonly lead: InstrumentName;
	readonly chords: InstrumentName;
	readonly comping: Comping;
	readonly pad: InstrumentName | null;
	readonly bass: InstrumentName;
	readonly bassMotion: BassMotion;
	readonly hasDrums: boolean;
}

export function imagine(prompt: string, seed: number): Idea {
	const random = createRandom("music", prompt, seed);
	const mood = readMood(prompt);
	const styleName = chooseStyle(prompt, mood, random.fork("style"));
	const style = STYLES[styleName];
	const key = chooseKey(prompt, mood, style, random.fork("key"));
	const tempo = chooseTempo(prompt, mood, style, random.fork("tempo"));
	const instruments = random.fork("instruments");
	const wishes = findMentions(prompt, INSTRUMENT_BY_WORD);
	const wanted = (word: InstrumentWord): boolean => wishes.some(({ value, negated }) => value === word && !negated);
	const unwanted = (word: InstrumentWord): boolean => wishes.some(({ value, negated }) => value === word && negated);
	const asked = LEAD_ALTERNATIVES.filter(({ word }) => wanted(word)).map(({ instrument }) => instrument);
	const drumsByNature = style.drums !== null;
	const lead = asked[0] ?? instruments.fork("lead").pick(style.lead);
	const pad = wanted("choir") ? "choir" : instruments.fork("pad").pick(style.pad);
	return {
		mood,
		styleName,
		style,
		key,
		meter: instruments.fork("meter").pick(style.meters),
		...tempo,
		progressions: chooseProgressions(key.scale, style, random.fork("harmony")),
		lead,
		chords: asked[1] ?? accompanistOf(lead, style, instruments.fork("chords")),
		comping: instruments.fork("comping").pick(style.comping),
		// A pad of the melody's own sound would hide it.
		pad: pad === lead ? null : pad,
		bass: instruments.fork("bass").pick(style.bass),
		bassMotion: instruments.fork("bass motion").pick(style.bassMotion),
		hasDrums: (drumsByNature || wanted("drums")) && !unwanted("drums"),
	};
}

/** Somebody else than who has the melody, where the style knows another. */
function accompanistOf(lead: InstrumentName, style: Style, random: Random): InstrumentName {
	const picked = random.pick(style.chords);
	return picked === lead ? (style.chords.find((name) => name !== lead) ?? picked) : picked;
}

function chooseStyle(prompt: string, mood: Mood, random: Random): StyleName {
	const votes = new Map<StyleName, number>();
	for (const { value, negated } of findMentions(prompt, STYLE_BY_WORD)) {
		votes.set(value, (votes.get(value) ?? 0) + (negated ? -5 : 1));
	}
	const [best] = [...votes].filter(([, count]) => count > 0).toSorted((one, other) => other[1] - one[1]);
	if (best !== undefined) return best[0];
	const fitting = stylesFor(mood);
	const [first, ...rest] = fitting.filter((style) => !votes.has(style));
	return first === undefined ? "pop" : random.pick([first, ...rest]);
}

/** Nobody named a style: what the mood alone asks for. */
function stylesFor({ valence, energy, darkness }: Mood): readonly StyleName[] {
	const isTroubled = valence < -0.1;
	const isDark = darkness > 0.49;
	if (energy < 0.24)
		return isTroubled ? ["ambient", "ballad", "orchestral"] : ["ambient", "ambient", "lullaby", "ballad"];
	if (energy > 0.72) {
		if (isTroubled) return isDark ? ["orchestral", "orchestral", "rock", "techno"] : ["rock", "techno", "orchestral"];
		return isDark ? ["synthwave", "techno", "orchestral"] : ["pop", "chiptune", "march", "folk"];
	}
	if (isTroubled && energy > 0.5)
		return isDark ? ["orchestral", "synthwave", "orchestral"] : ["rock", "orchestral", "waltz"];
	if (isTroubled) return isDark ? ["orchestral", "lofi", "ballad"] : ["ballad", "waltz", "lofi"];
	if (isDark) return ["lofi", "jazz", "synthwave"];
	return valence > 0.5 ? ["folk", "bossa", "pop", "waltz"] : ["lofi", "folk", "pop", "bossa", "jazz"];
}

const NOTE_NAMES: ReadonlyMap<string, number> = new Map([
	["c", 0],
	["d", 2],
	["e", 4],
	["f", 5],
	["g", 7],
	["a", 9],
	["b", 11],
	["h", 11],
]);

/** "in D minor", "F# dorian", "e-moll": a letter alone is an article, so the mode must follow. */
const NAMED_KEY =
	/(?:^|[^\p{L}\p{N}])([a-h])\s?(♯|#|sharp|♭|b|flat)?[\s-]?(major|minor|dur|moll|majeur|mineur|mayor|menor|maior|dorian|lydian|mixolydian|phrygian)/iu;
const NAMED_MODE =
	/(?:^|[^\p{L}])(major|minor|dur|moll|majeur|mineur|mayor|menor|maior|dorian|lydian|mixolydian|phrygian)(?!\p{L})/iu;

function scaleNamed(name: string): ScaleName {
	const lower = name.toLowerCase();
	if (lower === "dorian" || lower === "lydian" || lower === "mixolydian" || lower === "phrygian") return lower;
	return lower.startsWith("mi") || lower === "moll" || lower === "menor" ? "minor" : "major";
}

function chooseKey(prompt: string, mood: Mood, style: Style, random: Random): Key {
	const named = NAMED_KEY.exec(prompt);
	const letter = NOTE_NAMES.get(named?.[1]?.toLowerCase() ?? "");
	if (named !== null && letter !== undefined) {
		const sign = named[2]?.toLowerCase();
		const alteration = sign === undefined ? 0 : /♯|#|sharp/u.test(sign) ? 1 : -1;
		return { tonic: (letter + alteration + 12) % 12, scale: scaleNamed(named[3] ?? "major") };
	}
	// Guitars, voices and memory prefer these keys; the darker the mood, the flatter.
	const tonic = mood.darkness > 0.5 ? random.pick([0, 2, 3, 5, 7, 9, 10, 8]) : random.pick([0, 2, 4, 5, 7, 9, 11]);
	const mode = NAMED_MODE.exec(prompt)?.[1];
	return { tonic, scale: mode === undefined ? scaleFor(mood, style, random) : scaleNamed(mode) };
}

/** Below this the music is in a minor mode. */
const MINOR_BELOW = 0.1;

function scaleFor(mood: Mood, style: Style, random: Random): ScaleName {
	const brightness = mood.valence - style.gloom - 0.08 * mood.darkness;
	if (brightness >= MINOR_BELOW - 0.08) {
		if (brightness > 0.5 && mood.energy < 0.4) return random.pick(["major", "lydian", "major"]);
		return random.pick(["major", "major", "major", "mixolydian"]);
	}
	if (brightness < -0.6 && mood.energy > 0.45) return random.pick(["minor", "phrygian", "minor"]);
	return brightness > -0.35 ? random.pick(["minor", "dorian"]) : "minor";
}

const NAMED_TEMPO = /(?<!\d)(\d{2,3})\s?bpm/iu;
const ASKED_BPM_MIN = 40;
const ASKED_BPM_MAX = 220;

const PACE: ReadonlyMap<string, number> = new Map(
	[
		["slow slowly langsam lent lente lento lenta devagar adagio largo ゆっくり 慢 느린 느리게", 0.82],
		["fast quick rapid speedy uptempo schnell rapide vite rápido rápida presto vivace allegro 速い 快 빠른 🏎", 1.14],
	].flatMap(([words, factor]) =>
		String(words)
			.split(" ")
			.map((word) => [word, Number(factor)] as const),
	),
);

function chooseTempo(
	prompt: string,
	mood: Mood,
	style: Style,
	random: Random,
): { readonly tempoBpm: number; readonly tempoIsAsked: boolean } {
	const named = Number(NAMED_TEMPO.exec(prompt)?.[1]);
	if (named > 0) return { tempoBpm: clamp(named, ASKED_BPM_MIN, ASKED_BPM_MAX), tempoIsAsked: true };
	const [slowest, fastest] = style.tempoBpm;
	const pace = findMentions(prompt, PACE).reduce(
		(product, { value, negated }) => product * (negated ? 1 / value : value),
		1,
	);
	const byMood = mix(slowest, fastest, mood.energy) * random.between(0.97, 1.03);
	return { tempoBpm: Math.round(byMood * clamp(pace, 0.8, 1.2)), tempoIsAsked: false };
}

export const isMinor = (idea: Idea): boolean => !hasMajorThird(idea.key.scale);
