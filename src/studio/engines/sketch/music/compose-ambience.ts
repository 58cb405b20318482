import type { Pcm } from "../encode.ts";
import { createRandom } from "../random.ts";
import { clamp, decibelsToGain, mix, secondsToSamples } from "./dsp.ts";
import { measureLoudness } from "./loudness.ts";
import { master } from "./master.ts";
import { createDesk } from "./mixing-desk.ts";
import { type Idea, imagine } from "./musical-idea.ts";
import { addEcho, addReverb } from "./reverb.ts";
import { writeScore } from "./score.ts";
import { ELEMENTS, hearScene } from "./soundscape/hear-scene.ts";
import type { Scene } from "./soundscape/noise.ts";
import { STYLES } from "./styles.ts";
import { mixScore } from "./synthesize.ts";

export interface AmbienceRequest {
	readonly prompt: string;
	readonly seed: number;
	readonly durationSeconds: number;
}

const SCENE_LUFS = -21;
const MUSIC_LUFS = -23;
const RECORDING_LUFS = -18;
const REVERB_SECONDS = 3.6;

/** The sound of a short video: what is heard where it takes place, and a little music in the key of the prompt's tune. */
export function composeAmbience(request: AmbienceRequest): Pcm {
	const { prompt, seed, durationSeconds } = request;
	const random = createRandom("ambience", prompt, seed);
	const samples = secondsToSamples(durationSeconds);
	const scene: Scene = { left: new Float32Array(samples), right: new Float32Array(samples) };
	for (const name of hearScene(prompt)) {
		const layer: Scene = { left: new Float32Array(samples), right: new Float32Array(samples) };
		const { sound, levelDecibels } = ELEMENTS[name];
		sound(layer, random.fork(name));
		addLevelled(scene, layer, SCENE_LUFS + levelDecibels);
	}

	const idea = thinOut(imagine(prompt, seed));
	const desk = createDesk(samples);
	const score = writeScore(idea, durationSeconds, ["ambience", prompt, seed], []);
	mixScore(desk, idea, score, random.fork("music"));
	addEcho(desk.echoSend, desk.left, desk.right, score.plan.secondsPerStep * 6, 0.45);
	addReverb(desk.reverbSend, desk.left, desk.right, REVERB_SECONDS);
	addLevelled(scene, desk, MUSIC_LUFS);
	return master(scene.left, scene.right, {
		loudnessLufs: RECORDING_LUFS,
		airDecibels: 0,
		fadeInSeconds: clamp(durationSeconds * 0.05, 0.05, 0.6),
		fadeOutSeconds: clamp(durationSeconds * 0.12, 0.1, 1.2),
	});
}

/** The same key, harmony and mood with few notes: pictures come first. */
function thinOut(idea: Idea): Idea {
	const isDark = idea.mood.darkness > 0.5;
	return {
		...idea,
		styleName: "ambient",
		style: STYLES.ambient,
		meter: "4/4",
		tempoBpm: Math.round(mix(60, 92, idea.mood.energy)),
		lead: idea.mood.valence > 0.3 ? "bells" : isDark ? "piano" : "electricPiano",
		chords: idea.mood.energy > 0.6 ? "strings" : isDark ? "electricPiano" : "harp",
		comping: idea.mood.energy > 0.6 ? "sustained" : "slowArpeggio",
		pad: idea.mood.valence < -0.3 && isDark ? "choir" : "warmPad",
		bass: "subBass",
		bassMotion: "drone",
		hasDrums: false,
	};
}

function addLevelled(scene: Scene, layer: Scene, loudnessLufs: number): void {
	const gain = decibelsToGain(clamp(loudnessLufs - measureLoudness(layer.left, layer.right), -40, 40));
	for (let index = 0; index < scene.left.length; index++) {
		scene.left[index]! += layer.left[index]! * gain;
		scene.right[index]! += layer.right[index]! * gain;
	}
}
