import { cpus } from "node:os";

/** Describes what a bench ran on. */
export function describeMachine(): string {
	return `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`;
}

/** Returns the quantile of the values for a share between 0 and 1. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the middle value: half of the values are lower. */
export function median(values: readonly number[]): number {
	return quantile(values, 1 / 2);
}

/** Formats the median, with the least and the greatest value in parentheses. */
export function medianAndRange(values: readonly number[], digits = 0): string {
	const [least, most] = [quantile(values, 0), quantile(values, 1)];
	return `${median(values).toFixed(digits)}   (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

/** Formats the distribution of waits. */
export function describeWaits(ms: readonly number[]): string {
	return `p50 ${median(ms).toFixed(0)}, p99 ${quantile(ms, 0.99).toFixed(0)}, slowest ${quantile(ms, 1).toFixed(0)} ms`;
}
