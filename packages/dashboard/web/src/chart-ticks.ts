/** The horizontal lines of a chart. Pure. */

/** Returns up to six round numbers from 0 to `max` or slightly above it. */
export function ticksUpTo(max: number): readonly number[] {
	const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(max / 4)));
	const step = [1, 2, 5].find((each) => each * magnitude * 5 >= max) ?? 10;
	return Array.from({ length: Math.ceil(max / (step * magnitude)) + 1 }, (_, at) => at * step * magnitude);
}
