import type { Random } from "../random.ts";
import { SAMPLE_RATE, createFilter, decibelsToGain, gainToDecibels, secondsToSamples, sineOfTurns } from "./dsp.ts";
import type { Instrument } from "./instruments/instrument.ts";
import type { Note } from "./score.ts";

/** One channel of the desk. */
export interface Channel {
	/** Where the track should sit, dB of its own playing level: balance does not depend on how an instrument is built. */
	readonly levelDecibels: number;
	/** Drums are set by their peaks, everything else by its energy while it sounds. */
	readonly meter: "energy" | "peak";
	/** -1 left, 1 right. */
	readonly pan: number;
	/** 0 a point, 1 as wide as the room. */
	readonly width: number;
	readonly reverb: number;
	readonly echo: number;
	/** Lows below this only muddy the mix; 0 keeps them all. */
	readonly lowCutHz: number;
	/** How far a kick pushes the track down, 0 to 1. */
	readonly ducking: number;
}

export interface Desk {
	readonly left: Float32Array;
	readonly right: Float32Array;
	readonly reverbSend: Float32Array;
	readonly echoSend: Float32Array;
}

export const createDesk = (samples: number): Desk => ({
	left: new Float32Array(samples),
	right: new Float32Array(samples),
	reverbSend: new Float32Array(samples),
	echoSend: new Float32Array(samples),
});

/** Plays all notes of a track onto one mono buffer, which is wiped first. */
export function playTrack(bus: Float32Array, notes: readonly Note[], instrument: Instrument, random: Random): void {
	bus.fill(0);
	for (const note of notes) {
		const sound = instrument(note, random);
		const start = secondsToSamples(note.startSeconds);
		const length = Math.min(sound.length, bus.length - start);
		for (let index = 0; index < length; index++) bus[start + index]! += sound[index]!;
	}
}

const HIT_VARIANTS = 2;
const VELOCITY_LAYERS = 3;

/** A drum is struck hundreds of times: some different hits of it, taken in turn, sound no less alive. */
export function inTurn(drum: Instrument): Instrument {
	const hits = new Map<string, Float32Array>();
	let strokes = 0;
	return (tone, random) => {
		const layer = Math.max(1, Math.ceil(tone.velocity * VELOCITY_LAYERS)) / VELOCITY_LAYERS;
		const key = `${tone.pitch} ${layer} ${strokes++ % HIT_VARIANTS}`;
		const known = hits.get(key) ?? drum({ ...tone, velocity: layer }, random);
		hits.set(key, known);
		return known.map((sample) => sample * (tone.velocity / layer));
	};
}

/** The seconds a kick takes to let the others back. */
const DUCK_SECONDS = 0.19;

/** A gain for each sample: low at every kick, back to 1 before the next. */
export function duckingCurve(samples: number, kickSeconds: readonly number[]): Float32Array {
	const curve = new Float32Array(samples).fill(1);
	for (const seconds of kickSeconds) {
		const start = secondsToSamples(seconds);
		for (let index = 0; index < secondsToSamples(DUCK_SECONDS * 2.5) && start + index < samples; index++) {
			const attack = Math.min(1, index / 150);
			const dip = 1 - attack * Math.exp(-index / (DUCK_SECONDS * 0.45 * SAMPLE_RATE));
			curve[start + index] = Math.min(curve[start + index]!, dip);
		}
	}
	return curve;
}

const WIDTH_DELAY_SECONDS = 0.013;
const WIDTH_SWING_SECONDS = 0.004;

/** Brings a mono track into the mix: level, tone, place, room. */
export function mixIn(desk: Desk, bus: Float32Array, channel: Channel, ducking: Float32Array | null): void {
	const gain = decibelsToGain(channel.levelDecibels - playingLevel(bus, channel.meter));
	if (channel.lowCutHz > 0) createFilter(channel.lowCutHz, Math.SQRT1_2).run("high", bus);
	const panLeft = Math.cos(((channel.pan + 1) * Math.PI) / 4);
	const panRight = Math.sin(((channel.pan + 1) * Math.PI) / 4);
	const line = new Float32Array(2048);
	for (let index = 0; index < bus.length; index++) {
		const ducked = ducking === null ? 1 : 1 - channel.ducking * (1 - ducking[index]!);
		const sample = bus[index]! * gain * ducked;
		let side = 0;
		if (channel.width > 0) {
			// A copy some wandering milliseconds late, added left and taken away right: wide, yet gone in mono.
			line[index & 2047] = sample;
			const delay =
				(WIDTH_DELAY_SECONDS + WIDTH_SWING_SECONDS * sineOfTurns((index * 0.31) / SAMPLE_RATE)) * SAMPLE_RATE;
			const whole = delay | 0;
			const near = line[(index - whole) & 2047]!;
			const far = line[(index - whole - 1) & 2047]!;
			side = channel.width * (near + (far - near) * (delay - whole));
		}
		desk.left[index]! += sample * panLeft + side * 0.6;
		desk.right[index]! += sample * panRight - side * 0.6;
		desk.reverbSend[index]! += sample * channel.reverb;
		desk.echoSend[index]! += sample * channel.echo;
	}
}

const METER_BLOCK = 1024;
/** Blocks this much quieter than the loudest are rests. */
const REST_BELOW_SHARE = 0.02;

function playingLevel(bus: Float32Array, meter: Channel["meter"]): number {
	if (meter === "peak") return gainToDecibels(bus.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
	const energies: number[] = [];
	for (let start = 0; start < bus.length; start += METER_BLOCK) {
		const end = Math.min(bus.length, start + METER_BLOCK);
		let sum = 0;
		for (let index = start; index < end; index++) sum += bus[index]! ** 2;
		energies.push(sum / (end - start));
	}
	const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
	if (loudest === 0) return 0;
	const sounding = energies.filter((energy) => energy > loudest * REST_BELOW_SHARE);
	return gainToDecibels(Math.sqrt(sounding.reduce((sum, energy) => sum + energy, 0) / sounding.length));
}
