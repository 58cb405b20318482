import type { Pcm } from "../encode.ts";
import { type Idea, imagine } from "./musical-idea.ts";
import { writeScore } from "./score.ts";
import { readLyrics } from "./syllables.ts";
import { synthesize } from "./synthesize.ts";

export interface TuneRequest {
	readonly prompt: string;
	readonly seed: number;
	readonly durationSeconds: number;
	/** Their syllables give the melody its rhythm and a voice hums it: it does not sing the words. */
	readonly lyrics?: string;
	/** No voice, even where there are lyrics. */
	readonly instrumental?: boolean;
}

/** A piece of music after a prompt: the same request gives the same samples on every machine. */
export function composeTune(request: TuneRequest): Pcm {
	const { prompt, seed, durationSeconds } = request;
	const lyrics = request.instrumental === true ? [] : readLyrics(request.lyrics ?? "");
	const imagined = imagine(prompt, seed);
	const idea =
		request.instrumental === true ? withoutVoices(imagined) : lyrics.length > 0 ? withVoice(imagined) : imagined;
	const seedWords = [prompt, seed, ...lyrics.map((line) => line.join(""))];
	return synthesize(idea, writeScore(idea, durationSeconds, seedWords, lyrics), seedWords);
}

const withVoice = (idea: Idea): Idea => ({ ...idea, lead: "voiceOoh" });

const withoutVoices = (idea: Idea): Idea => ({
	...idea,
	lead: idea.lead === "voiceOoh" ? idea.style.lead[0] : idea.lead,
	pad: idea.pad === "choir" ? "strings" : idea.pad,
});
