import { clamp } from "./dsp.ts";
import type { Idea } from "./musical-idea.ts";
import type { Meter } from "./styles.ts";
import type { Chord } from "./theory.ts";

/** A piece is an intro, verses A with variations, a bridge B, a break where long enough, an outro, and one last chord. */
export type SectionName = "intro" | "A" | "B" | "break" | "outro";

const ROLES = ["lead", "chords", "pad", "bass", "drums"] as const;
export type Role = (typeof ROLES)[number];

export interface Bar {
	readonly index: number;
	readonly section: SectionName;
	/** How often this section has been heard before: the second A is A'. */
	readonly repeat: number;
	readonly barInSection: number;
	readonly barsInSection: number;
	readonly chord: Chord;
	/** 0 thin, 1 full. */
	readonly intensity: number;
	readonly roles: ReadonlySet<Role>;
}

export interface Plan {
	readonly bars: readonly Bar[];
	/** A step is a sixteenth note. */
	readonly stepsPerBar: number;
	readonly stepsPerBeat: number;
	readonly secondsPerStep: number;
	/** When the last chord is struck; it rings to the end. */
	readonly finalStartSeconds: number;
	readonly durationSeconds: number;
	readonly finalChord: Chord;
}

const STEPS: Readonly<Record<Meter, { readonly perBar: number; readonly perBeat: number }>> = {
	"4/4": { perBar: 16, perBeat: 4 },
	"3/4": { perBar: 12, perBeat: 4 },
	"6/8": { perBar: 12, perBeat: 6 },
};

/** The tempo may give way by this share, so that the last bar ends where the last chord should begin. */
const TEMPO_GIVE = 0.07;

export function planForm(idea: Idea, durationSeconds: number): Plan {
	const steps = STEPS[idea.meter];
	const barSeconds = (steps.perBar / 4) * (60 / idea.tempoBpm);
	const wantedRingSeconds = clamp(durationSeconds * 0.14, 0.8, 2.2 + idea.style.reverbSeconds * 0.5);
	const barsFit = Math.round((durationSeconds - wantedRingSeconds) / barSeconds);
	const barCount = Math.max(0, barsFit);
	const give = idea.tempoIsAsked ? 0 : TEMPO_GIVE;
	const stretch =
		barCount === 0 ? 1 : clamp((durationSeconds - wantedRingSeconds) / (barCount * barSeconds), 1 - give, 1 + give);
	// With an asked tempo the last bar may come so late that nothing can ring: better one bar less.
	const isTooLate = barCount * barSeconds * stretch > durationSeconds - Math.min(0.5, wantedRingSeconds);
	const count = isTooLate ? Math.max(0, barCount - 1) : barCount;
	const finalStartSeconds = Math.min(count * barSeconds * stretch, durationSeconds);
	return {
		bars: layOutBars(idea, count),
		stepsPerBar: steps.perBar,
		stepsPerBeat: steps.perBeat,
		secondsPerStep: (barSeconds * stretch) / steps.perBar,
		finalStartSeconds,
		durationSeconds,
		finalChord: idea.progressions.tonic,
	};
}

interface Section {
	readonly name: SectionName;
	readonly repeat: number;
	readonly bars: number;
}

const PHRASE_BARS = 4;

/** Pieces too short for three phrases of four bars still depart and come home. */
const SHORT_FORMS: Readonly<Record<number, readonly number[]>> = { 6: [2, 2, 2], 8: [4, 2, 2], 10: [4, 2, 4] };

function sectionsFor(barCount: number): readonly Section[] {
	const sections: Section[] = [];
	const add = (name: SectionName, bars: number): void => {
		if (bars <= 0) return;
		const repeat = sections.filter((section) => section.name === name).length;
		sections.push({ name, repeat, bars });
	};
	const introWanted = barCount >= 24 ? 4 : barCount >= 12 ? 2 : barCount >= 5 ? 1 : 0;
	const outroWanted = barCount >= 20 ? 4 : barCount >= 9 ? 2 : 0;
	const body = barCount - introWanted - outroWanted;
	const isLong = body >= 3 * PHRASE_BARS;
	const unit = isLong ? PHRASE_BARS : body >= 6 ? 2 : 1;
	const spare = body % unit;
	const spareForIntro = spare >= 2 ? 2 : 0;
	add("intro", introWanted + spareForIntro);
	if (isLong) for (const name of phraseNames((body - spare) / PHRASE_BARS)) add(name, PHRASE_BARS);
	else {
		const [first = body - spare, bridge = 0, last = 0] = SHORT_FORMS[body - spare] ?? [];
		add("A", first);
		add("B", bridge);
		add("A", last);
	}
	add("outro", outroWanted + spare - spareForIntro);
	return sections;
}

const PHRASES: Readonly<Record<number, readonly SectionName[]>> = {
	3: ["A", "B", "A"],
	4: ["A", "A", "B", "A"],
	5: ["A", "A", "B", "B", "A"],
	6: ["A", "A", "B", "break", "A", "A"],
};

const CYCLE: readonly SectionName[] = ["A", "A", "B", "B", "A", "A", "break", "B"];

/** Long pieces turn in circles that breathe in the middle, and come home with a break and the last two A. */
function phraseNames(count: number): readonly SectionName[] {
	const written = PHRASES[count];
	if (written !== undefined) return written;
	const turns = Array.from({ length: count - 3 }, (_, index) => CYCLE[index % CYCLE.length] ?? "A");
	return [...turns, "break", "A", "A"];
}

const SECTION_INTENSITY: Readonly<Record<SectionName, number>> = {
	intro: 0.35,
	A: 0.62,
	B: 0.85,
	break: 0.4,
	outro: 0.45,
};

function layOutBars(idea: Idea, barCount: number): readonly Bar[] {
	const sections = sectionsFor(barCount);
	const hasDevelopment = sections.length > 3;
	const bars = sections.flatMap((section, sectionIndex) =>
		Array.from({ length: section.bars }, (_, barInSection): Omit<Bar, "chord"> & { chord: Chord | undefined } => {
			const growth = section.name === "A" ? Math.min(0.3, 0.12 * section.repeat) : 0;
			const build = section.name === "break" || section.name === "intro" ? 0.2 * (barInSection / section.bars) : 0;
			const isLastA = section.name === "A" && !sections.slice(sectionIndex + 1).some(({ name }) => name === "A");
			return {
				index: 0,
				section: section.name,
				repeat: section.repeat,
				barInSection,
				barsInSection: section.bars,
				chord: chordFor(idea, section, barInSection),
				intensity: SECTION_INTENSITY[section.name] + growth + build + (isLastA && hasDevelopment ? 0.1 : 0),
				roles: rolesFor(idea, section, barInSection, hasDevelopment),
			};
		}),
	);
	return bars.map((bar, index) => {
		const fromEnd = barCount - index;
		const cadence = barCount >= 3 && fromEnd <= 2 ? idea.progressions.cadence[2 - fromEnd] : undefined;
		return {
			...bar,
			index,
			intensity: clamp(bar.intensity, 0, 1),
			chord: cadence ?? bar.chord ?? idea.progressions.tonic,
		};
	});
}

function chordFor(idea: Idea, section: Section, barInSection: number): Chord | undefined {
	const { verse, bridge } = idea.progressions;
	return section.name === "B" ? bridge[barInSection % bridge.length] : verse[barInSection % verse.length];
}

function rolesFor(idea: Idea, section: Section, barInSection: number, hasDevelopment: boolean): ReadonlySet<Role> {
	const half = barInSection >= section.bars / 2;
	switch (section.name) {
		case "intro":
			// Without a pad nothing holds the first bar together but the bass.
			if (half && section.bars > 1) return new Set<Role>(["chords", "pad", "bass", "drums"]);
			if (idea.styleName === "techno") return new Set<Role>(["chords", "pad", "drums"]);
			return new Set<Role>(idea.pad === null ? ["chords", "bass"] : ["chords", "pad"]);
		case "A":
			return new Set<Role>(ROLES);
		case "B":
			return new Set<Role>(ROLES);
		case "break":
			return new Set<Role>(half ? ["lead", "chords", "pad", "drums"] : ["lead", "chords", "pad"]);
		case "outro":
			return new Set<Role>(half && hasDevelopment ? ["lead", "chords", "pad", "bass"] : ROLES);
	}
}
