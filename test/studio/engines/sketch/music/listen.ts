import { createHash } from "node:crypto";
import type { Pcm } from "../../../../../src/studio/engines/sketch/encode.ts";

const SILENT_END_SAMPLES = 200;
const OFFSET_MAX = 0.002;
const HOLE_SECONDS = 1;

/** What an engineer would send back: an empty list is a recording without technical faults. */
export function faultsOf({ left, right, sampleRate }: Pcm): readonly string[] {
	const faults: string[] = [];
	for (const [side, channel] of Object.entries({ left, right })) {
		let sum = 0;
		let peak = 0;
		let strange = 0;
		for (const sample of channel) {
			if (!Number.isFinite(sample)) strange++;
			sum += sample;
			peak = Math.max(peak, Math.abs(sample));
		}
		if (strange > 0) faults.push(`${side}: ${strange} samples are no numbers`);
		if (peak > 1) faults.push(`${side}: peak ${peak}`);
		if (peak < 0.05) faults.push(`${side}: silent, peak ${peak}`);
		if (Math.abs(sum / channel.length) > OFFSET_MAX) faults.push(`${side}: offset ${sum / channel.length}`);
		const end = channel.slice(-SILENT_END_SAMPLES).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
		if (end > 1e-4) faults.push(`${side}: ends at ${end}`);
		const hole = holeSeconds(channel, sampleRate);
		if (hole > HOLE_SECONDS) faults.push(`${side}: silent for ${hole} s in the middle`);
	}
	return faults;
}

function holeSeconds(channel: Float32Array, sampleRate: number): number {
	let longest = 0;
	let current = 0;
	for (const sample of channel.slice(0, Math.floor(channel.length * 0.85))) {
		current = Math.abs(sample) < 0.001 ? current + 1 : 0;
		longest = Math.max(longest, current);
	}
	return longest / sampleRate;
}

/** Mean zero crossings a second: a cheap measure of how bright a sound is. */
export function brightnessOf({ left, sampleRate }: Pcm): number {
	let crossings = 0;
	for (let index = 1; index < left.length; index++) if (left[index - 1]! < 0 !== left[index]! < 0) crossings++;
	return (crossings * sampleRate) / left.length;
}

export const hashOf = ({ left, right }: Pcm): string => createHash("sha256").update(left).update(right).digest("hex");
