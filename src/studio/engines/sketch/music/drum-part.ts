import type { Random } from "../random.ts";
import type { Bar, Plan } from "./form.ts";
import type { DrumName } from "./instruments/drums.ts";
import type { Idea } from "./musical-idea.ts";
import type { PlacedNote } from "./placed-note.ts";
import type { DrumGroove } from "./styles.ts";

export type DrumParts = ReadonlyMap<DrumName, readonly PlacedNote[]>;

/** Rows of sixteenths: X accent, x stroke, o ghost, - nothing. */
type Rows = Partial<Record<DrumName, string>>;

interface Groove {
	readonly verse: Rows;
	/** What the fuller bridge plays instead. */
	readonly bridge: Rows;
	readonly fill: DrumName;
	readonly crash: DrumName | null;
}

const GROOVES: Readonly<Record<DrumGroove, Groove>> = {
	pop: {
		verse: { kickAcoustic: "X-----x-X-x-----", snareAcoustic: "----X-------X---", hatClosed: "x-o-x-o-x-o-x-o-" },
		bridge: {
			kickAcoustic: "X--x--x-X-x--x--",
			snareAcoustic: "----X-------X--o",
			hatClosed: "xoxoxoxoxoxoxo-o",
			hatOpen: "--------------x-",
		},
		fill: "tom",
		crash: "crash",
	},
	rock: {
		verse: { kickAcoustic: "X-------X-x-----", snareAcoustic: "----X-------X---", hatClosed: "X-x-X-x-X-x-X-x-" },
		bridge: { kickAcoustic: "X-x---x-X-x---x-", snareAcoustic: "----X-------X--o", ride: "X-x-X-x-X-x-X-x-" },
		fill: "tom",
		crash: "crash",
	},
	boombap: {
		verse: { kickSoft: "X------x--x-----", snareSoft: "----X--o----X---", hatClosed: "x-o-x-oox-o-x-o-" },
		bridge: {
			kickSoft: "X--x---x--x--o--",
			snareSoft: "----X--o-o--X---",
			hatClosed: "xoo-x-o-xoo-x-oo",
			rim: "----------x-----",
		},
		fill: "snareSoft",
		crash: null,
	},
	fourOnTheFloor: {
		verse: {
			kickElectronic: "X---X---X---X---",
			hatOpen: "--x---x---x---x-",
			hatClosed: "x-o-x-o-x-o-x-oo",
			clap: "----x-------x---",
		},
		bridge: {
			kickElectronic: "X---X---X---X--x",
			hatOpen: "--X---X---X---X-",
			hatClosed: "xoxoxoxoxoxoxoxo",
			clap: "----X-------X--o",
			rim: "---x--x----x--x-",
		},
		fill: "snareElectronic",
		crash: "crash",
	},
	gated: {
		verse: { kickElectronic: "X-------X-------", snareElectronic: "----X-------X---", hatClosed: "x-x-x-x-x-x-x-x-" },
		bridge: {
			kickElectronic: "X-----x-X-------",
			snareElectronic: "----X-------X---",
			hatClosed: "xoxoxoxoxoxoxoxo",
			hatOpen: "--------------x-",
		},
		fill: "tom",
		crash: "crash",
	},
	chip: {
		verse: { kickElectronic: "X---x---X---x---", noiseSnare: "----X-------X---", noiseHat: "--x---x---x---x-" },
		bridge: { kickElectronic: "X-x---x-X-x---x-", noiseSnare: "----X-------X-xx", noiseHat: "x-x-x-x-x-x-x-x-" },
		fill: "noiseSnare",
		crash: null,
	},
	swing: {
		verse: {
			ride: "X---x-o-X---x-o-",
			hatClosed: "----x-------x---",
			kickSoft: "o-------o-------",
			brush: "----o-------o---",
		},
		bridge: {
			ride: "X---x-o-X-o-x-o-",
			hatClosed: "----x-------x---",
			kickSoft: "x-----o-o-------",
			brush: "----x--o----x---",
		},
		fill: "snareSoft",
		crash: null,
	},
	brushes: {
		verse: { kickSoft: "x-------o-------", brush: "o---x---o---x---" },
		bridge: { kickSoft: "X-----o-x-------", brush: "o-o-X-o-o-o-X-o-", shaker: "o-o-o-o-o-o-o-o-" },
		fill: "brush",
		crash: null,
	},
	bossa: {
		verse: { kickSoft: "x-----ox------o-", rim: "x--x--x---x--x--", shaker: "xoxoxoxoxoxoxoxo" },
		bridge: {
			kickSoft: "x-----ox------o-",
			rim: "x--x--x---x--x--",
			shaker: "XoxoXoxoXoxoXoxo",
			hatClosed: "----x-------x---",
		},
		fill: "rim",
		crash: null,
	},
	hand: {
		verse: { kickSoft: "x-------x-------", shaker: "x-o-x-o-x-o-x-o-" },
		bridge: { kickSoft: "X-----x-x-------", shaker: "xoxoxoxoxoxoxoxo", clap: "----o-------o---" },
		fill: "tom",
		crash: null,
	},
	marching: {
		verse: { snareMarch: "X--xx-x-X--xx-xx", kickAcoustic: "X-------X-------" },
		bridge: { snareMarch: "X-xxX-xxX-xxXxxx", kickAcoustic: "X-------X-------", crash: "X---------------" },
		fill: "snareMarch",
		crash: "crash",
	},
	timpani: {
		verse: { tom: "X---------x-----" },
		bridge: { tom: "X--x--x-X--x--x-", snareMarch: "o-oooo-oo-oooo-o" },
		fill: "tom",
		crash: "crash",
	},
};

const STROKES: Readonly<Record<string, number>> = { X: 0.95, x: 0.72, o: 0.4 };

export function writeDrums(idea: Idea, plan: Plan, random: Random): DrumParts {
	const parts = new Map<DrumName, PlacedNote[]>();
	const add = (drum: DrumName, step: number, velocity: number, pitch = 36): void => {
		const notes = parts.get(drum) ?? [];
		notes.push({ step, lengthSteps: 1, pitch, velocity: Math.min(1, velocity) });
		parts.set(drum, notes);
	};
	if (!idea.hasDrums) return parts;
	const groove = GROOVES[idea.style.drums ?? "hand"];
	const liveliness = 0.55 + 0.5 * idea.mood.energy;
	for (const bar of plan.bars) {
		if (!bar.roles.has("drums")) continue;
		const barStep = bar.index * plan.stepsPerBar;
		const fillFrom = isBeforeNewSection(bar, plan) ? fillStart(plan, random) : plan.stepsPerBar;
		const rows = bar.section === "B" || (bar.section === "A" && bar.repeat > 1) ? groove.bridge : groove.verse;
		for (const [drum, row] of Object.entries(rows) as [DrumName, string][]) {
			if (isThin(bar) && !isTimekeeper(drum, idea)) continue;
			for (const [step, velocity] of strokesOf(row, plan)) {
				if (step >= fillFrom && !drum.startsWith("kick")) continue;
				add(drum, barStep + step, velocity * liveliness * random.between(0.9, 1.05), tomPitch(drum, step));
			}
		}
		for (let step = fillFrom; step < plan.stepsPerBar; step++) {
			const progress = (step - fillFrom) / (plan.stepsPerBar - fillFrom);
			if (step % 2 === 0 || random.chance(0.35 + 0.4 * idea.mood.energy)) {
				add(groove.fill, barStep + step, liveliness * (0.5 + 0.45 * progress), 46 - Math.round(progress * 10));
			}
		}
		const opensSection = bar.barInSection === 0 && bar.index > 0 && !isThin(bar);
		if (opensSection && groove.crash !== null) add(groove.crash, barStep, 0.6 * liveliness);
	}
	const end = plan.bars.length * plan.stepsPerBar;
	const lastKick = Object.keys(groove.verse).find((drum) => drum.startsWith("kick"));
	if (lastKick !== undefined) add(lastKick as DrumName, end, 0.8 * liveliness);
	if (groove.crash !== null) add(groove.crash, end, 0.6 * liveliness);
	return parts;
}

const isThin = (bar: Bar): boolean => bar.section === "intro" || bar.section === "break";

/** Thin bars keep the pulse only; where people dance the pulse is the kick. */
const isTimekeeper = (drum: DrumName, idea: Idea): boolean =>
	/hat|shaker|ride|brush|rim|snareMarch/iu.test(drum) || (idea.styleName === "techno" && drum.startsWith("kick"));

/** A fill announces what comes; before the last chord it announces the end. */
const isBeforeNewSection = (bar: Bar, plan: Plan): boolean =>
	bar.barInSection === bar.barsInSection - 1 && (bar.section !== "outro" || bar.index === plan.bars.length - 1);

const fillStart = (plan: Plan, random: Random): number =>
	plan.stepsPerBar - (random.chance(0.3) ? 2 : 1) * Math.max(4, plan.stepsPerBeat);

const tomPitch = (drum: DrumName, step: number): number => (drum === "tom" && step % 8 !== 0 ? 41 : 36);

/** Rows are written for sixteen steps; bars of twelve drop the third beat, which keeps the downbeat and the close. */
function strokesOf(row: string, plan: Plan): readonly (readonly [step: number, velocity: number])[] {
	const fitted = plan.stepsPerBar === 16 ? row : row.slice(0, 8) + row.slice(12);
	return Array.from(fitted).flatMap((sign, step) => {
		const velocity = STROKES[sign];
		return velocity === undefined ? [] : [[step, velocity] as const];
	});
}
