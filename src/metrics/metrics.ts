/**
 * The only module that uses prom-client: a registry for each app, and one for Node.js itself. Labels declare their
 * values, and any other value is counted as `other`, so that series never grow with servers, members or tasks.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Logger } from "pino";

/** The values of a label: a fixed list, or the first ones that occur, up to a maximum. */
type LabelValues = readonly string[] | { readonly max: number };
type Labels<Name extends string> = Readonly<Record<Name, LabelValues>>;
type Values<Name extends string> = Readonly<Record<Name, string>>;

/** `undefined` if unknown: the series is not shown. */
type ReadValue = number | undefined;

interface Reading<Name extends string> {
	readonly labels: Values<Name>;
	readonly value: ReadValue;
}

interface MetricCounter<Name extends string> {
	add(labels: Values<Name>, by?: number): void;
}

interface MetricHistogram<Name extends string> {
	observe(labels: Values<Name>, value: number): void;
}

/** Reads the present values of a metric. */
type Read<Name extends string> = () => readonly Reading<Name>[] | Promise<readonly Reading<Name>[]>;

/** Metrics of a process. Names end in their unit, those of counters in `_total`. */
export interface Metrics {
	readonly contentType: string;
	/** Every series with known label values starts at 0, so that the first event shows as an increase. */
	counter<Name extends string>(name: string, help: string, labels: Labels<Name>): MetricCounter<Name>;
	histogram<Name extends string>(
		name: string,
		help: string,
		labels: Labels<Name>,
		buckets: readonly number[],
	): MetricHistogram<Name>;
	/** `read` runs at each scrape, so it has to be cheap: no scan of the store. */
	gauge<Name extends string>(name: string, help: string, labels: Labels<Name>, read: Read<Name>): void;
	/** Registers a gauge without labels. */
	value(name: string, help: string, read: () => ReadValue | Promise<ReadValue>): void;
	/** Returns all metrics in Prometheus' text format. */
	scrape(): Promise<string>;
}

export const NO_LABELS = {} as const;

export function secondsOf(ms: number | undefined): number | undefined {
	return ms === undefined ? undefined : ms / 1000;
}

/** For durations of milliseconds to seconds. */
export const SECONDS_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5, 10] as const;
const OTHER = "other";
/** Coarse, because a more frequent timer costs processor time. */
const LOOP_RESOLUTION_MS = 20;

/** The metrics of Node.js itself: registered once, because prom-client never removes its observers. */
let sharedProcessRegistry: Registry | undefined;

function processRegistry(): Registry {
	if (sharedProcessRegistry) return sharedProcessRegistry;
	sharedProcessRegistry = new Registry();
	collectDefaultMetrics({
		register: sharedProcessRegistry,
		prefix: "atelier_",
		eventLoopMonitoringPrecision: LOOP_RESOLUTION_MS,
	});
	return sharedProcessRegistry;
}

export function createMetrics({ logger }: { readonly logger: Logger }): Metrics {
	const registry = new Registry();
	const registers = [registry];
	const nodeRegistry = processRegistry();

	function registerGauge<Name extends string>(
		name: string,
		help: string,
		labels: Labels<Name>,
		read: Read<Name>,
	): void {
		const labelNames = Object.keys(labels);
		const fold = createLabelFolding(labels);
		const gauge = new Gauge({
			name,
			help,
			labelNames,
			registers,
			async collect() {
				let readings: readonly Reading<Name>[] = [];
				try {
					readings = await read();
				} catch (error) {
					// A gauge that fails does not stop the others.
					logger.debug({ err: error, name }, "metric not measured");
				}
				// Replaced in one step, because two scrapes may run at once.
				gauge.reset();
				// A reset gauge without labels would report 0.
				if (labelNames.length === 0) gauge.remove();
				for (const { labels: values, value } of readings) if (value !== undefined) gauge.set(fold(values), value);
			},
		});
	}

	return {
		contentType: registry.contentType,
		counter(name, help, labels) {
			const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers });
			const fold = createLabelFolding(labels);
			for (const values of initialSeries(labels)) counter.inc(values, 0);
			return { add: (values, by = 1) => counter.inc(fold(values), by) };
		},
		histogram(name, help, labels, buckets) {
			const labelNames = Object.keys(labels);
			const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers });
			const fold = createLabelFolding(labels);
			for (const values of initialSeries(labels)) histogram.zero(values);
			return { observe: (values, value) => histogram.observe(fold(values), Math.max(0, value)) };
		},
		gauge: registerGauge,
		value: (name, help, read) =>
			registerGauge(name, help, NO_LABELS, async () => [{ labels: {}, value: await read() }]),
		scrape: async () => (await Promise.all([registry, nodeRegistry].map((each) => each.metrics()))).join("\n"),
	};
}

/** Returns a function that replaces the values that a label does not declare by `other`. */
function createLabelFolding<Name extends string>(
	labels: Labels<Name>,
): (values: Values<Name>) => Record<string, string> {
	const names = Object.keys(labels) as Name[];
	const usedValues = new Map(names.map((name) => [name, new Set(listed(labels[name]))]));
	return (values) => {
		const folded: Record<string, string> = {};
		for (const name of names) folded[name] = foldValue(values[name], labels[name], usedValues.get(name) ?? new Set());
		return folded;
	};
}

function foldValue(value: string, allowed: LabelValues, usedValues: Set<string>): string {
	if (usedValues.has(value)) return value;
	if (!("max" in allowed) || usedValues.size >= allowed.max) return OTHER;
	usedValues.add(value);
	return value;
}

function listed(values: LabelValues): readonly string[] {
	return "max" in values ? [] : values;
}

/** Returns every combination of label values; none if a label accepts values that are not listed. */
function initialSeries(labels: Labels<string>): readonly Record<string, string>[] {
	let series: readonly Record<string, string>[] = [{}];
	for (const [name, values] of Object.entries(labels)) {
		series = series.flatMap((before) => listed(values).map((value) => ({ ...before, [name]: value })));
	}
	return series;
}
