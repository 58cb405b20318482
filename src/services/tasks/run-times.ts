import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import { createInFlight } from "../../in-flight.ts";
import { CorruptDocument } from "../store/keyv-store.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import { fitRunTimes, type Estimate, type Observation, type Prior } from "./fit-run-times.ts";

/** From submit to end; from submit until it is being made; from there to its end. */
const SPANS = ["whole", "queued", "running"] as const;
type Span = (typeof SPANS)[number];

/**
 * What looks have taught about how long makings take, for each kind of making (a model in a size). It is kept in the store,
 * so that a restart starts with it and several processes share it, but written seldom: what the last minute taught may
 * be lost, and a store that is away takes nothing from it.
 */
export interface RunTimes {
	estimate(kind: string, span: Span, prior: Prior): Estimate;
	record(kind: string, span: Span, observation: Observation): void;
	/** Reads what was learned before. */
	load(): Promise<void>;
	/** Writes what was learned since. */
	stop(): Promise<void>;
}

interface RunTimesDeps {
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
}

const PREFIX = "runtimes:";
/** With half the weight every twenty observations, the last of so many counts for nothing. */
const OBSERVATIONS_MAX = 96;
/** Kinds that were not made for the longest time are forgotten, in memory as in the store. */
const KINDS_MAX = 500;
const SAVE_EVERY_MS = 60_000;
const SAVE_ATTEMPTS_MAX = 5;
const STOP_MS_MAX = 2_000;
/** A fit costs half a millisecond: with many observations one more changes little. */
const REFIT_SHARE = 16;

interface Dated extends Observation {
	readonly atMs: number;
}

interface Learned {
	observations: readonly Dated[];
	/** Since the fit below. */
	unseen: number;
	fit: Estimate | undefined;
}

interface Kind {
	readonly spans: Record<Span, Learned>;
	isDirty: boolean;
	savedAtMs: number;
	isSaving: boolean;
}

const observationSchema = z.tuple([z.number(), z.number().min(0), z.number().min(0).nullable()]);
const observationsSchema = z.array(observationSchema).max(4 * OBSERVATIONS_MAX);
const documentSchema = z.object({
	kind: z.string(),
	whole: observationsSchema,
	queued: observationsSchema,
	running: observationsSchema,
});

export function createRunTimes({ store, clock, logger }: RunTimesDeps): RunTimes {
	// The longest unused first.
	const kinds = new Map<string, Kind>();
	const underWay = createInFlight({ clock });

	function open(name: string): Kind {
		const known = kinds.get(name);
		kinds.delete(name);
		const kind = known ?? {
			spans: { whole: nothingLearned(), queued: nothingLearned(), running: nothingLearned() },
			isDirty: false,
			savedAtMs: clock.nowMs(),
			isSaving: false,
		};
		kinds.set(name, kind);
		for (const oldest of kinds.keys()) {
			if (kinds.size <= KINDS_MAX) break;
			kinds.delete(oldest);
			inBackground(store.delete(keyOf(oldest)), oldest);
		}
		return kind;
	}

	function inBackground(work: Promise<void>, kind: string): void {
		underWay.add(work.catch((error: unknown) => logger.warn({ err: error, kind }, "run times not kept")));
	}

	async function save(name: string, kind: Kind): Promise<void> {
		kind.isSaving = true;
		kind.isDirty = false;
		kind.savedAtMs = clock.nowMs();
		try {
			for (let attempt = 0; attempt < SAVE_ATTEMPTS_MAX; attempt++) {
				const stored = await read(name);
				merge(kind, stored?.value);
				if ((await store.compareAndSet(keyOf(name), stored?.raw, documentOf(name, kind))) !== undefined) return;
			}
			kind.isDirty = true;
		} catch (error) {
			kind.isDirty = true;
			throw error;
		} finally {
			kind.isSaving = false;
		}
	}

	/** What cannot be read is worth less than what can be learned anew. */
	async function read(name: string): Promise<StoredDocument | undefined> {
		try {
			return await store.get(keyOf(name));
		} catch (error) {
			if (!(error instanceof CorruptDocument)) throw error;
			onCorrupt(keyOf(name), error);
			await store.delete(keyOf(name));
			return undefined;
		}
	}

	function onCorrupt(key: string, error: unknown): void {
		logger.warn({ err: error, key }, "run times damaged, learning anew");
	}

	function merge(kind: Kind, value: unknown): void {
		const parsed = documentSchema.safeParse(value);
		if (!parsed.success) return;
		for (const span of SPANS) {
			const learned = kind.spans[span];
			const known = new Set(learned.observations.map(identityOf));
			const others = parsed.data[span]
				.map(([atMs, lowerMs, upperMs]) => ({ atMs, lowerMs, upperMs }))
				.filter((other) => !known.has(identityOf(other)));
			if (others.length === 0) continue;
			learned.observations = latest([...others, ...learned.observations]);
			learned.unseen += others.length;
		}
	}

	return {
		estimate(name, span, prior) {
			const learned = open(name).spans[span];
			const isStale = learned.unseen > learned.observations.length / REFIT_SHARE;
			if (!learned.fit || isStale) {
				learned.fit = fitRunTimes(learned.observations, prior, learned.fit);
				learned.unseen = 0;
			}
			return learned.fit;
		},
		record(name, span, { lowerMs, upperMs }) {
			const kind = open(name);
			const learned = kind.spans[span];
			const atMs = clock.nowMs();
			const dated = {
				atMs,
				lowerMs: Math.round(lowerMs),
				upperMs: upperMs === null ? null : Math.round(upperMs),
			};
			learned.observations = latest([...learned.observations, dated]);
			learned.unseen++;
			kind.isDirty = true;
			if (kind.isSaving || atMs - kind.savedAtMs < SAVE_EVERY_MS) return;
			inBackground(save(name, kind), name);
		},
		async load() {
			for await (const { value } of store.scan(PREFIX, { onCorrupt })) {
				const parsed = documentSchema.safeParse(value);
				if (parsed.success) merge(open(parsed.data.kind), value);
			}
		},
		async stop() {
			await underWay.drain(STOP_MS_MAX);
			for (const [name, kind] of kinds) if (kind.isDirty && !kind.isSaving) inBackground(save(name, kind), name);
			await underWay.drain(STOP_MS_MAX);
		},
	};
}

function nothingLearned(): Learned {
	return { observations: [], unseen: 0, fit: undefined };
}

/** Models may be named with anything, at any length. */
function keyOf(kind: string): string {
	return PREFIX + createHash("sha256").update(kind).digest("hex").slice(0, 32);
}

function identityOf({ atMs, lowerMs, upperMs }: Dated): string {
	return `${atMs} ${lowerMs} ${upperMs}`;
}

function latest(observations: readonly Dated[]): readonly Dated[] {
	return observations.toSorted((a, b) => a.atMs - b.atMs).slice(-OBSERVATIONS_MAX);
}

function documentOf(name: string, { spans }: Kind): z.infer<typeof documentSchema> {
	const rows = (span: Span): [number, number, number | null][] =>
		spans[span].observations.map(({ atMs, lowerMs, upperMs }) => [atMs, lowerMs, upperMs]);
	return { kind: name, whole: rows("whole"), queued: rows("queued"), running: rows("running") };
}
