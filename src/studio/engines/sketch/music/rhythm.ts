import type { Random } from "../random.ts";

/** A note's place in its bar. */
export interface Onset {
	readonly step: number;
	readonly lengthSteps: number;
}

/** How a beat of four steps may be filled, from one long note to four short ones; a negative length is a rest. */
const QUARTER_CELLS: readonly (readonly number[])[] = [[4], [-2, 2], [3, 1], [2, 2], [2, 1, 1], [1, 1, 2], [1, 2, 1]];
/** The same for the beat of six steps of a jig. */
const DOTTED_CELLS: readonly (readonly number[])[] = [[6], [4, 2], [2, 2, 2], [3, 1, 2], [2, 1, 1, 2]];

/** The rhythm of one bar: busier with density, with longer notes where the density is low. */
export function inventRhythm(
	random: Random,
	stepsPerBar: number,
	stepsPerBeat: number,
	density: number,
): readonly Onset[] {
	const cells = stepsPerBeat === 6 ? DOTTED_CELLS : QUARTER_CELLS;
	const busiest = Math.min(cells.length - 1, 1 + Math.floor(density * cells.length));
	const onsets: Onset[] = [];
	for (let beat = 0; beat < stepsPerBar; beat += stepsPerBeat) {
		const last = onsets.at(-1);
		const mayHold = last !== undefined && last.step + last.lengthSteps === beat;
		if (mayHold && random.chance(0.75 - 0.85 * density)) {
			onsets[onsets.length - 1] = { ...last, lengthSteps: last.lengthSteps + stepsPerBeat };
			continue;
		}
		let step = beat;
		const cell = cells[Math.min(random.integer(0, busiest), random.integer(0, busiest + 1))] ?? [stepsPerBeat];
		for (const length of cell) {
			if (length > 0) onsets.push({ step, lengthSteps: length });
			step += Math.abs(length);
		}
	}
	return onsets;
}

/** The end of a phrase: a little movement, then a note that stays and a breath. */
export function cadenceRhythm(
	random: Random,
	stepsPerBar: number,
	stepsPerBeat: number,
	density: number,
): readonly Onset[] {
	const breath = 2;
	if (density < 0.25 || random.chance(0.35)) return [{ step: 0, lengthSteps: stepsPerBar - breath }];
	const half = stepsPerBeat / 2;
	const pickup: Onset[] = random.chance(0.5)
		? [{ step: 0, lengthSteps: stepsPerBeat }]
		: [
				{ step: 0, lengthSteps: half },
				{ step: half, lengthSteps: stepsPerBeat - half },
			];
	return [...pickup, { step: stepsPerBeat, lengthSteps: stepsPerBar - stepsPerBeat - breath }];
}

/** As many notes as a line has syllables, spread over some bars; the last is held, then there is a breath. */
export function rhythmOfSyllables(syllables: number, stepsTotal: number): readonly Onset[] {
	if (syllables <= 0) return [];
	const heldSteps = Math.max(2, Math.floor(stepsTotal / 5));
	const breathSteps = Math.max(1, Math.floor(stepsTotal / 12));
	const moving = stepsTotal - heldSteps - breathSteps;
	const grid = (syllables - 1) * 2 <= moving ? 2 : 1;
	const slots = Math.floor(moving / grid);
	const count = Math.min(syllables, slots + 1);
	const steps = Array.from({ length: count }, (_, index) =>
		index === count - 1 && count > 1 ? moving : Math.floor((index * slots) / Math.max(1, count - 1)) * grid,
	);
	return steps.map((step, index) => {
		const next = steps[index + 1] ?? stepsTotal - breathSteps;
		return { step, lengthSteps: Math.max(1, next - step) };
	});
}
