/** A parsed scrape: each metric with its type, and the values of each label. */
export interface Scraped {
	readonly types: ReadonlyMap<string, string>;
	/** By the name of a sample, with the suffixes of histograms. */
	readonly labels: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (?:[-+0-9.e]+|NaN|[-+]?Inf|Nan)$/i;

/** Parses Prometheus' text format. Throws on an invalid line. */
export function readExposition(text: string): Scraped {
	const types = new Map<string, string>();
	const labels = new Map<string, Map<string, Set<string>>>();
	for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("# HELP "))) {
		const [, typedName, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
		if (typedName !== undefined && type !== undefined) {
			types.set(typedName, type);
			continue;
		}
		const [, name, labelText = ""] = SAMPLE.exec(line) ?? [];
		if (name === undefined) throw new Error(`invalid line: ${line}`);
		const sampleLabels = labels.get(name) ?? new Map<string, Set<string>>();
		labels.set(name, sampleLabels);
		for (const [, label = "", value = ""] of labelText.matchAll(/([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gi)) {
			sampleLabels.set(label, (sampleLabels.get(label) ?? new Set()).add(value));
		}
	}
	return { types, labels };
}

/** The metric that a sample belongs to. */
export function metricOf({ types }: Scraped, sample: string): string | undefined {
	if (types.has(sample)) return types.get(sample) === "histogram" ? undefined : sample;
	const base = /^(.+)_(?:bucket|sum|count)$/.exec(sample)?.[1];
	return base !== undefined && types.get(base) === "histogram" ? base : undefined;
}
