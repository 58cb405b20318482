import type { Random } from "../random.ts";
import type { Bar, Plan } from "./form.ts";
import { centreOf } from "./instruments/orchestra.ts";
import type { Idea } from "./musical-idea.ts";
import type { PlacedNote } from "./placed-note.ts";
import { type Chord, chordPitchClasses, nearestPitch } from "./theory.ts";

interface Step {
	readonly step: number;
	readonly lengthSteps: number;
	readonly velocity: number;
	/** Which note of the chord: 0 root, 1 third, 2 fifth; "approach" slides into the next root. */
	readonly tone: 0 | 1 | 2 | "approach";
	readonly octave?: 1;
}

export function writeBass(idea: Idea, plan: Plan, random: Random): readonly PlacedNote[] {
	const centre = centreOf(idea.bass) > 48 ? 43 : centreOf(idea.bass);
	const rolling = rollingPattern(random.fork("rolling"));
	const rootOf = (chord: Chord): number => nearestPitch(chordPitchClasses(idea.key, chord)[0] ?? 0, centre);
	const notes = plan.bars.flatMap((bar) => {
		if (!bar.roles.has("bass")) return [];
		const nextRoot = rootOf(plan.bars[bar.index + 1]?.chord ?? plan.finalChord);
		const steps = idea.bassMotion === "rolling" ? rolling : stepsFor(idea, bar, plan, random.fork(`bar ${bar.index}`));
		return steps.map((step): PlacedNote => {
			const pitch =
				step.tone === "approach"
					? approach(rootOf(bar.chord), nextRoot)
					: tonePitch(idea, bar.chord, step.tone, rootOf(bar.chord));
			return {
				step: bar.index * plan.stepsPerBar + step.step,
				lengthSteps: step.lengthSteps,
				pitch: pitch + 12 * (step.octave ?? 0),
				velocity: step.velocity * (0.85 + 0.2 * bar.intensity),
			};
		});
	});
	const last: PlacedNote = {
		step: plan.bars.length * plan.stepsPerBar,
		lengthSteps: Number.POSITIVE_INFINITY,
		pitch: rootOf(plan.finalChord),
		velocity: 0.75,
	};
	return [...notes, last];
}

function tonePitch(idea: Idea, chord: Chord, tone: 0 | 1 | 2, root: number): number {
	// A power chord has no third, so its second note is the fifth already.
	const pitchClasses = chordPitchClasses(idea.key, chord);
	const wanted = pitchClasses[Math.min(tone, pitchClasses.length - 1)] ?? 0;
	return nearestPitch(wanted, root + (tone === 0 ? 0 : 4));
}

/** A semitone from where the next bar begins, from the side the line comes from. */
const approach = (from: number, nextRoot: number): number => (from > nextRoot ? nextRoot + 1 : nextRoot - 1);

/** Sixteenths with holes and octave jumps, the same in every bar: that is what makes it hypnotic. */
function rollingPattern(random: Random): readonly Step[] {
	return Array.from({ length: 16 }, (_, step) => step).flatMap((step): readonly Step[] => {
		if (step % 4 === 0 || (step % 4 !== 2 && random.chance(0.3))) return [];
		const jump = random.chance(0.2) ? { octave: 1 as const } : {};
		return [{ step, lengthSteps: 0.9, velocity: step % 4 === 2 ? 0.85 : 0.68, tone: 0, ...jump }];
	});
}

function stepsFor(idea: Idea, bar: Bar, plan: Plan, random: Random): readonly Step[] {
	const isLastOfSection = bar.barInSection === bar.barsInSection - 1;
	const beat = plan.stepsPerBeat;
	const beats = Array.from({ length: plan.stepsPerBar / beat }, (_, index) => index * beat);
	switch (idea.bassMotion) {
		case "drone":
			return [{ step: 0, lengthSteps: plan.stepsPerBar, velocity: 0.7, tone: 0 }];
		case "roots":
			return [
				{ step: 0, lengthSteps: plan.stepsPerBar / 2, velocity: 0.8, tone: 0 },
				{ step: plan.stepsPerBar / 2, lengthSteps: plan.stepsPerBar / 2, velocity: 0.66, tone: random.pick([0, 2, 0]) },
			];
		case "oompah":
			return beats
				.filter((_, index) => (plan.stepsPerBar === 16 ? index % 2 === 0 : index === 0))
				.map((step, index) => ({
					step,
					lengthSteps: beat * 0.9,
					velocity: 0.8,
					tone: (plan.stepsPerBar === 16 ? index : bar.index) % 2 === 0 ? 0 : 2,
				}));
		case "walking": {
			// The beats between root and approach take third and fifth, in either order.
			const inner = random.chance(0.5) ? ([1, 2] as const) : ([2, 1] as const);
			return beats.map((step, index) => ({
				step,
				lengthSteps: beat * 0.92,
				velocity: 0.74 + (index % 2) * 0.06,
				tone: index === 0 ? 0 : index === beats.length - 1 ? "approach" : (inner[index - 1] ?? 0),
			}));
		}
		case "eighths":
			return Array.from({ length: plan.stepsPerBar / 2 }, (_, index) => ({
				step: index * 2,
				lengthSteps: 1.8,
				velocity: index % 4 === 0 ? 0.85 : 0.7,
				tone: isLastOfSection && index >= plan.stepsPerBar / 2 - 2 ? (2 as const) : (0 as const),
			}));
		case "octaves":
			return Array.from({ length: plan.stepsPerBar / 2 }, (_, index) => ({
				step: index * 2,
				lengthSteps: 1.6,
				velocity: index % 2 === 0 ? 0.82 : 0.66,
				tone: 0 as const,
				...(index % 2 === 1 && { octave: 1 as const }),
			}));
		case "galloping":
			return beats.flatMap((step) => [
				{ step, lengthSteps: 1.8, velocity: 0.84, tone: 0 as const },
				{ step: step + 2, lengthSteps: 0.9, velocity: 0.62, tone: 0 as const },
				{ step: step + 3, lengthSteps: 0.9, velocity: 0.68, tone: random.chance(0.2) ? (2 as const) : (0 as const) },
			]);
		case "syncopated":
			return plan.stepsPerBar === 16
				? [
						{ step: 0, lengthSteps: 5, velocity: 0.84, tone: 0 },
						{ step: 6, lengthSteps: 2, velocity: 0.66, tone: random.pick([0, 2]) },
						{ step: 8, lengthSteps: 5, velocity: 0.76, tone: random.pick([2, 0]) },
						{ step: 14, lengthSteps: 2, velocity: 0.62, tone: random.chance(0.4) ? "approach" : 2 },
					]
				: [{ step: 0, lengthSteps: 8, velocity: 0.8, tone: 0 }];
		case "rolling":
			return [];
	}
}
