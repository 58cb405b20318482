/** Fits a line by least squares: `x` in minutes, and the slope with its standard error. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): {
	readonly perMinute: number;
	/** The slope's standard error. */
	readonly error: number;
	readonly mean: number;
} {
	const count = points.length;
	const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
	const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
	const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	const perMinute = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0) / spread;
	const unexplained = points.reduce((sum, [x, y]) => sum + (y - mean - perMinute * (x - meanX)) ** 2, 0);
	return { perMinute, error: Math.sqrt(unexplained / Math.max(1, count - 2) / spread), mean };
}
