/** Draws the credits per day as stacked bars. In a script of its own, because Chart.js is large. */
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from "chart.js";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

export interface Series {
	readonly name: string;
	/** The name of the color in the style sheet, such as `--series-image`. */
	readonly color: string;
	readonly values: readonly number[];
}

export interface UsageChart {
	readonly days: readonly string[];
	readonly series: readonly Series[];
	readonly formatNumber: (value: number) => string;
}

/** Returns a function that removes the chart. */
export function drawUsageChart(canvas: HTMLCanvasElement, { days, series, formatNumber }: UsageChart): () => void {
	const styles = getComputedStyle(canvas);
	/** Resolves `light-dark()`, which the canvas does not know. */
	const colorOf = (name: string): string => {
		canvas.style.color = `var(${name})`;
		return styles.color;
	};
	const font = { family: styles.fontFamily, size: 12 };
	const ticks = { color: colorOf("--text-2"), font };
	const chart = new Chart(canvas, {
		type: "bar",
		data: {
			labels: [...days],
			datasets: series.map(({ name, color, values }) => ({
				label: name,
				data: [...values],
				backgroundColor: colorOf(color),
				// A line of the background separates the parts of a bar, without a difference in color.
				borderColor: colorOf("--ground-2"),
				borderWidth: { top: 1 },
				borderSkipped: false,
				borderRadius: 2,
				maxBarThickness: 34,
			})),
		},
		options: {
			responsive: true,
			maintainAspectRatio: false,
			animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? false : { duration: 300 },
			interaction: { mode: "index", intersect: false },
			scales: {
				x: {
					stacked: true,
					grid: { display: false },
					border: { color: colorOf("--line-strong") },
					ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 14 },
				},
				y: {
					stacked: true,
					beginAtZero: true,
					grid: { color: colorOf("--line") },
					border: { display: false },
					ticks: { ...ticks, precision: 0, maxTicksLimit: 6, callback: (value) => formatNumber(Number(value)) },
				},
			},
			plugins: {
				legend: {
					align: "start",
					labels: {
						color: colorOf("--text"),
						font,
						boxWidth: 12,
						boxHeight: 12,
						useBorderRadius: true,
						borderRadius: 3,
					},
				},
				tooltip: {
					callbacks: { label: ({ dataset, parsed }) => `${dataset.label ?? ""}: ${formatNumber(parsed.y ?? 0)}` },
				},
			},
		},
	});
	return () => chart.destroy();
}
