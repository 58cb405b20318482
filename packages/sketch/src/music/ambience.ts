import type { Random } from "../random.ts";
import type { Reading } from "../words.ts";
import { composeTune } from "./compose.ts";
import { play, SAMPLE_RATE, type Sound } from "./synth.ts";

/** The sound of a film: what is to be heard at its place, over soft chords. */
export function composeAmbience(reading: Reading, random: Random, seconds: number): Sound {
	const quiet: Reading = { ...reading, tune: reading.scene === "city" ? "lofi" : "ambient", energy: -0.5 };
	const notes = composeTune(quiet, random.fork("chords"), Math.max(4, seconds)).filter(({ part }) => part !== "drums");
	const sound = play(notes, seconds, reading.prompt);
	const add = (level: number, color: number, swell: (t: number) => number): void =>
		addNoise(sound, random.fork(`${level}/${color}`), level, color, swell);
	const { scene, weather, time } = reading;
	const wild = weather === "storm" ? 1.6 : 1;
	if (scene === "sea")
		add(0.5 * wild, 0.05, (t) => 0.25 + 0.75 * Math.max(0, Math.sin(t * 0.9 + 0.8 * Math.sin(t * 0.31))) ** 2);
	if (scene === "mountains" || weather === "storm" || weather === "snow")
		add(0.32 * wild, 0.022, (t) => 0.5 + 0.5 * Math.sin(t * 0.7) * Math.sin(t * 0.23 + 1));
	if (scene === "city") add(0.3, 0.012, () => 1);
	if (scene === "space") add(0.4, 0.006, (t) => 0.7 + 0.3 * Math.sin(t * 0.5));
	if (scene === "meadow") add(0.12, 0.03, (t) => 0.6 + 0.4 * Math.sin(t * 0.8));
	if (weather === "rain" || weather === "storm") add(0.2, 0.5, () => 1);
	if (weather === "storm")
		for (let at = 0.2; at < seconds; at += 2.3) add(1.4, 0.008, (t) => (t < at ? 0 : Math.exp(-(t - at) * 1.6)));
	const outdoors = scene === "meadow" || scene === "mountains";
	if (outdoors && weather !== "storm" && weather !== "rain")
		addCalls(sound, random.fork("calls"), seconds, time === "night" || time === "dusk");
	return sound;
}

/** Noise through a one-pole low-pass: `color` near 0 rumbles, near 1 hisses. */
function addNoise(
	{ left, right }: Sound,
	random: Random,
	level: number,
	color: number,
	swell: (t: number) => number,
): void {
	let [low, high] = [0, 0];
	const gain = (level * 0.14) / Math.sqrt(color);
	for (let at = 0; at < left.length; at++) {
		low += color * (random.next() * 2 - 1 - low);
		high += color * (random.next() * 2 - 1 - high);
		const loud = gain * swell(at / SAMPLE_RATE);
		left[at] = left[at]! + low * loud;
		right[at] = right[at]! + high * loud;
	}
}

/** Birds by day, crickets by night. */
function addCalls({ left, right }: Sound, random: Random, seconds: number, isNight: boolean): void {
	for (let start = random.between(0.2, 1); start < seconds - 0.4; start += isNight ? 0.62 : random.between(0.5, 1.8)) {
		const pan = isNight ? 0.7 : random.next();
		const base = isNight ? 4300 : random.between(2300, 3900);
		for (let chirp = 0; chirp < (isNight ? 3 : random.integer(1, 4)); chirp++) {
			const from = Math.round((start + chirp * (isNight ? 0.07 : 0.13)) * SAMPLE_RATE);
			const count = Math.round((isNight ? 0.04 : 0.09) * SAMPLE_RATE);
			const bend = isNight ? 0 : random.between(-0.5, 0.6);
			let phase = 0;
			for (let at = 0; at < count && from + at < left.length; at++) {
				const t = at / count;
				phase += (base * (1 + bend * t)) / SAMPLE_RATE;
				const sample = Math.sin(2 * Math.PI * phase) * Math.sin(Math.PI * t) ** 2 * 0.035;
				left[from + at]! += sample * (1 - pan);
				right[from + at]! += sample * pan;
			}
		}
	}
}
