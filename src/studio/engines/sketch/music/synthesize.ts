import type { Pcm } from "../encode.ts";
import { type Random, createRandom } from "../random.ts";
import { clamp, createFilter, mix, secondsToSamples } from "./dsp.ts";
import { DRUMS, type DrumName } from "./instruments/drums.ts";
import { type InstrumentName, playerOf } from "./instruments/orchestra.ts";
import { master } from "./master.ts";
import { type Channel, type Desk, createDesk, duckingCurve, inTurn, mixIn, playTrack } from "./mixing-desk.ts";
import type { Idea } from "./musical-idea.ts";
import { addEcho, addReverb } from "./reverb.ts";
import type { Score, Track } from "./score.ts";

/** Plays a score: every track on its instrument, balanced, in a room, mastered. */
export function synthesize(idea: Idea, score: Score, seedWords: readonly (string | number)[]): Pcm {
	const random = createRandom("sound", ...seedWords);
	const { durationSeconds } = score.plan;
	const samples = secondsToSamples(durationSeconds);
	const desk = createDesk(samples);
	mixScore(desk, idea, score, random);
	addEcho(desk.echoSend, desk.left, desk.right, idea.style.echoSteps * score.plan.secondsPerStep, 0.42);
	addReverb(desk.reverbSend, desk.left, desk.right, idea.style.reverbSeconds);
	if (idea.styleName === "lofi") wearOut(desk, random.fork("tape"));
	const ring = durationSeconds - score.plan.finalStartSeconds;
	return master(desk.left, desk.right, {
		loudnessLufs: mix(-17, -13.5, clamp(idea.mood.energy * 0.6 + (idea.hasDrums ? 0.4 : 0), 0, 1)),
		airDecibels: idea.styleName === "lofi" ? 0 : 4,
		fadeInSeconds: idea.styleName === "ambient" ? Math.min(1.5, durationSeconds * 0.08) : 0.004,
		fadeOutSeconds: Math.max(0.05, ring * 0.8),
	});
}

export function mixScore(desk: Desk, idea: Idea, score: Score, random: Random): void {
	const bus = new Float32Array(desk.left.length);
	const kicks = score.tracks.filter((track) => track.role === "drums" && track.instrument.startsWith("kick"));
	const kickSeconds = kicks.flatMap((track) => track.notes.map((note) => note.startSeconds));
	const ducking = idea.style.pumping && kickSeconds.length > 0 ? duckingCurve(bus.length, kickSeconds) : null;
	for (const track of score.tracks) {
		if (track.notes.length === 0) continue;
		const player = track.role === "drums" ? inTurn(DRUMS[track.instrument]) : playerOf(track.instrument);
		playTrack(bus, track.notes, player, random.fork(`${track.role} ${track.instrument}`));
		mixIn(desk, bus, channelFor(idea, track), ducking);
	}
}

const PLAIN: Omit<Channel, "levelDecibels"> = {
	meter: "energy",
	pan: 0,
	width: 0,
	reverb: 0.2,
	echo: 0,
	lowCutHz: 140,
	ducking: 0,
};

function channelFor(idea: Idea, track: Track): Channel {
	const space = idea.style.drums === null ? 1.35 : 1;
	switch (track.role) {
		case "lead":
			return {
				...PLAIN,
				levelDecibels: leadLevel(track.instrument),
				pan: 0.06,
				width: 0.18,
				reverb: 0.3 * space,
				echo: idea.style.echoSteps > 0 ? 0.28 : 0,
				lowCutHz: 150,
			};
		case "chords":
			return { ...PLAIN, levelDecibels: -21.5, pan: -0.2, width: 0.5, reverb: 0.24 * space, ducking: 0.55 };
		case "pad":
			return {
				...PLAIN,
				levelDecibels: idea.styleName === "ambient" ? -20.5 : -25,
				width: 0.75,
				reverb: 0.36 * space,
				lowCutHz: 200,
				ducking: 0.75,
			};
		case "bass":
			return { ...PLAIN, levelDecibels: bassLevel(idea), reverb: 0.04, lowCutHz: 0, ducking: 0.6 };
		case "drums":
			return { ...PLAIN, meter: "peak", lowCutHz: 0, ...drumChannel(track.instrument, idea) };
	}
}

/** Ears are keenest where flutes and bells play, so those need less. */
const leadLevel = (instrument: InstrumentName): number =>
	/chip|flute|bells|musicBox|violin|saw/u.test(instrument) ? -20.5 : instrument === "voiceOoh" ? -18 : -19;

/** A plucked bass without a kick drum carries the pulse alone; a sine that never stops needs no help. */
function bassLevel(idea: Idea): number {
	if (idea.bass === "subBass") return -20.5;
	return idea.hasDrums ? -18.5 : -16.5;
}

const DRUM_CHANNELS: readonly (readonly [
	pattern: RegExp,
	channel: Pick<Channel, "levelDecibels" | "pan" | "reverb">,
])[] = [
	[/kick/u, { levelDecibels: -6.5, pan: 0, reverb: 0.02 }],
	[/snare|clap/iu, { levelDecibels: -9, pan: 0.04, reverb: 0.2 }],
	[/hatClosed|noiseHat/u, { levelDecibels: -19, pan: 0.28, reverb: 0.04 }],
	[/hatOpen/u, { levelDecibels: -18, pan: 0.28, reverb: 0.06 }],
	[/ride/u, { levelDecibels: -19, pan: -0.3, reverb: 0.1 }],
	[/crash/u, { levelDecibels: -15, pan: -0.25, reverb: 0.3 }],
	[/shaker|brush/u, { levelDecibels: -18, pan: 0.32, reverb: 0.1 }],
	[/rim/u, { levelDecibels: -15, pan: -0.25, reverb: 0.16 }],
	[/tom/u, { levelDecibels: -11.5, pan: -0.1, reverb: 0.24 }],
];

function drumChannel(drum: DrumName, idea: Idea): Pick<Channel, "levelDecibels" | "pan" | "reverb"> {
	const [, channel] = DRUM_CHANNELS.find(([pattern]) => pattern.test(drum)) ?? [
		null,
		{ levelDecibels: -14, pan: 0, reverb: 0.1 },
	];
	const isGated = idea.style.drums === "gated" && /snare|tom/u.test(drum);
	return {
		...channel,
		reverb: isGated ? 0.55 : idea.styleName === "orchestral" ? channel.reverb + 0.25 : channel.reverb,
	};
}

/** A cassette: the highest highs are gone, and dust crackles. */
function wearOut(desk: Desk, random: Random): void {
	const dust = desk.left.map(() =>
		random.chance(0.000_35) ? random.between(-0.12, 0.12) : random.between(-0.0012, 0.0012),
	);
	createFilter(3200, 1.2).run("band", dust);
	for (const channel of [desk.left, desk.right]) {
		createFilter(6800, 0.6).run("low", channel);
		for (let index = 0; index < channel.length; index++) channel[index]! += dust[index]!;
	}
}
