/**
 * Draws a usage report as an image: one bar per day with stacked media types. It brings its own font and background, so
 * that it looks the same on servers without fonts, and in Discord's dark and light theme.
 */
import { fileURLToPath } from "node:url";
import type { GlobalFonts, SKRSContext2D } from "@napi-rs/canvas";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import { creditsOfDay, type DayUsage } from "./usage-report.ts";

/** Phones show images about 300 pixels wide: in a much wider one the text would be too small. */
const WIDTH = 440;
const HEIGHT = 320;
/** Pixels of the image per unit of length, for sharp text on every screen. */
const SCALE = 3;
/** The area of the bars. */
const PLOT = { left: 56, right: 424, top: 84, bottom: 276 } as const;
const BAR_WIDTH_MAX = 40;
const BAR_RADIUS = 5;
const DATE_LABELS_MAX = 4;
const GRID_LINES = 4;
/** The steps between grid lines, times a power of ten. */
const NICE_STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8] as const;

const BACKGROUND = "#1b1d23";
const GRID = "#2e323c";
const BASELINE = "#4a5060";
const FAINT_TEXT = "#9aa3b5";
const TEXT = "#eef1f7";
/** The colors differ in hue and lightness, so that color-blind readers can tell them apart. */
const COLORS = { image: "#ffb454", video: "#5ea6ff", music: "#c792ff" } as const satisfies Record<MediaType, string>;

const FONT = "Atelier Chart";
const FONT_FILES = ["inter-medium-latin.otf", "inter-semibold-latin.otf"] as const;

/** Emoji of the chart's colors by media type, for the text beside it. */
export const COLOR_MARKS = { image: "🟧", video: "🟦", music: "🟪" } as const satisfies Record<MediaType, string>;

/** The texts in the image, in Latin letters. Other languages use digits only, and the message text explains them. */
export interface ChartLabels {
	/** `undefined` if the font lacks the letters of the language. */
	readonly head: ChartLegend | undefined;
	/** Formats a day on the axis. */
	readonly date: (startsAtMs: number) => string;
	readonly number: (count: number) => string;
}

interface ChartLegend {
	readonly title: string;
	/** The name of each media type in the legend. */
	readonly media: Readonly<Record<MediaType, string>>;
}

/** Draws the chart. Resolves to a PNG. */
export async function drawUsageChart(days: readonly DayUsage[], labels: ChartLabels): Promise<Buffer> {
	// Loaded on demand: many processes never draw a chart.
	const { createCanvas, GlobalFonts } = await import("@napi-rs/canvas");
	registerFonts(GlobalFonts);
	const canvas = createCanvas(WIDTH * SCALE, HEIGHT * SCALE);
	const context = canvas.getContext("2d");
	context.scale(SCALE, SCALE);
	context.fillStyle = BACKGROUND;
	context.fillRect(0, 0, WIDTH, HEIGHT);

	const axisMax = niceCeiling(Math.max(0, ...days.map((day) => creditsOfDay(day))));
	if (labels.head) drawHead(context, labels.head, usedMedia(days));
	drawGrid(context, axisMax, labels);
	drawBars(context, days, axisMax);
	drawDates(context, days, labels);
	return await canvas.encode("png");
}

/** Registers the chart's fonts under a name of their own, once per process. */
function registerFonts(fonts: typeof GlobalFonts): void {
	if (fonts.has(FONT)) return;
	for (const file of FONT_FILES) {
		// If a file is missing, the system's font is used. Without any font, the chart has no text.
		fonts.registerFromPath(fileURLToPath(new URL(`fonts/${file}`, import.meta.url)), FONT);
	}
}

function fontOf(weight: 500 | 600, sizePx: number): string {
	return `${weight} ${sizePx}px "${FONT}", sans-serif`;
}

function drawHead(context: SKRSContext2D, legend: ChartLegend, media: readonly MediaType[]): void {
	context.textBaseline = "alphabetic";
	context.textAlign = "left";
	context.fillStyle = TEXT;
	context.font = fontOf(600, 22);
	context.fillText(legend.title, 20, 36);

	context.font = fontOf(500, 15);
	let right = PLOT.right;
	for (const mediaType of media.toReversed()) {
		const word = legend.media[mediaType];
		const width = context.measureText(word).width;
		context.fillStyle = FAINT_TEXT;
		context.fillText(word, right - width, 64);
		context.fillStyle = COLORS[mediaType];
		context.beginPath();
		context.roundRect(right - width - 20, 52, 13, 13, 4);
		context.fill();
		right -= width + 44;
	}
}

function drawGrid(context: SKRSContext2D, axisMax: number, labels: ChartLabels): void {
	context.font = fontOf(500, 14);
	context.textAlign = "right";
	context.textBaseline = "middle";
	context.lineWidth = 1;
	for (const value of gridValues(axisMax)) {
		const y = Math.round(yOf(value, axisMax)) + 0.5;
		context.strokeStyle = value === 0 ? BASELINE : GRID;
		context.beginPath();
		context.moveTo(PLOT.left, y);
		context.lineTo(PLOT.right, y);
		context.stroke();
		context.fillStyle = FAINT_TEXT;
		context.fillText(labels.number(value), PLOT.left - 12, y);
	}
}

function drawBars(context: SKRSContext2D, days: readonly DayUsage[], axisMax: number): void {
	const slot = (PLOT.right - PLOT.left) / days.length;
	const width = Math.min(BAR_WIDTH_MAX, slot * 0.72);
	for (const [index, day] of days.entries()) {
		const total = creditsOfDay(day);
		if (total === 0) continue;
		const left = PLOT.left + slot * (index + 0.5) - width / 2;
		const top = Math.min(yOf(total, axisMax), PLOT.bottom - 2);
		context.save();
		context.beginPath();
		const radius = Math.min(BAR_RADIUS, width / 2);
		context.roundRect(left, top, width, PLOT.bottom - top, [radius, radius, 0, 0]);
		context.clip();
		let below = 0;
		for (const mediaType of MEDIA_TYPES) {
			const credits = day.media[mediaType];
			if (credits === 0) continue;
			context.fillStyle = COLORS[mediaType];
			const upper = yOf(below + credits, axisMax);
			context.fillRect(left, upper, width, yOf(below, axisMax) - upper);
			if (below > 0) {
				// A thin gap keeps two media apart.
				context.fillStyle = BACKGROUND;
				context.fillRect(left, yOf(below, axisMax) - 1, width, 1.5);
			}
			below += credits;
		}
		context.restore();
	}
}

function drawDates(context: SKRSContext2D, days: readonly DayUsage[], labels: ChartLabels): void {
	const slot = (PLOT.right - PLOT.left) / days.length;
	const labelInterval = Math.ceil(days.length / DATE_LABELS_MAX);
	context.font = fontOf(500, 14);
	context.fillStyle = FAINT_TEXT;
	context.textAlign = "center";
	context.textBaseline = "alphabetic";
	for (const [index, { day }] of days.entries()) {
		// Counted back from today, so that today always has a label.
		if ((days.length - 1 - index) % labelInterval !== 0) continue;
		const text = labels.date(day.startsAtMs);
		const rightmost = PLOT.right - context.measureText(text).width / 2;
		context.fillText(text, Math.min(PLOT.left + slot * (index + 0.5), rightmost), PLOT.bottom + 26);
	}
}

function yOf(credits: number, axisMax: number): number {
	return PLOT.bottom - (credits / axisMax) * (PLOT.bottom - PLOT.top);
}

/** Returns the media types that the days used; all of them for an empty chart, so that it has a legend too. */
function usedMedia(days: readonly DayUsage[]): readonly MediaType[] {
	const used = MEDIA_TYPES.filter((mediaType) => days.some(({ media }) => media[mediaType] > 0));
	return used.length === 0 ? MEDIA_TYPES : used;
}

/** Returns the top of an axis that reaches `most` and whose grid lines are round whole numbers: 4, 8, 12, 16, 20, 24, 32, 40, 60, 80, 100… */
export function niceCeiling(most: number): number {
	for (let power = 1; ; power *= 10) {
		const step = NICE_STEPS.find((each) => Number.isInteger(each * power) && each * power * GRID_LINES >= most);
		if (step !== undefined) return step * power * GRID_LINES;
	}
}

function gridValues(axisMax: number): readonly number[] {
	return Array.from({ length: GRID_LINES + 1 }, (_, line) => (axisMax / GRID_LINES) * line);
}
