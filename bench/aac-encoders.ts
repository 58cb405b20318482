/**
 * Two encoders of one libavcodec: FDK AAC, which the bot uses, and FFmpeg's own, which a build without FDK has. Both
 * encode the same song of `sketch` at the transcoder's bit rates, in turns. Prints the bytes, the ratio of processor times,
 * and the ratio of signal and error: the mean over critical bands and frames, in dB. A higher one is more similar to the
 * song. docs/decisions/0004-gpl-encoders.md contains the latest results.
 *
 * Run: node tools/node24.mjs bench/aac-encoders.ts [ROUNDS]
 */
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeMedia } from "@atelier/common/testing/encode-media";
import { composeMusic } from "../packages/sketch/src/music/compose.ts";
import { master } from "../packages/sketch/src/music/master.ts";
import { play, SAMPLE_RATE } from "../packages/sketch/src/music/synth.ts";
import { parsePrompt } from "../packages/sketch/src/parse-prompt.ts";
import { createRandom } from "../packages/sketch/src/random.ts";
import { decodeEach } from "../packages/media-files/src/transcode/decode.ts";
import { describeMachine, median } from "./lib/statistics.ts";

const SONG_S = 30;
const LOUDNESS_LUFS = -14;
const ENCODERS = [
	{ name: "libfdk_aac", sampleFormat: "s16" },
	{ name: "aac", sampleFormat: "fltp" },
] as const;
/** The levels of transcode-audio.ts from 24 kbit/s on, and two above. */
const LEVELS = [
	{ bitsPerSecond: 24_000, sampleRate: 24_000, layout: "mono" },
	{ bitsPerSecond: 40_000, sampleRate: 32_000, layout: "stereo" },
	{ bitsPerSecond: 64_000, sampleRate: 48_000, layout: "stereo" },
	{ bitsPerSecond: 128_000, sampleRate: 48_000, layout: "stereo" },
	{ bitsPerSecond: 192_000, sampleRate: 48_000, layout: "stereo" },
] as const;

/** Edges of critical bands (Zwicker), in Hz. */
const BAND_EDGES_HZ = [
	0, 100, 200, 300, 400, 510, 630, 770, 920, 1080, 1270, 1480, 1720, 2000, 2320, 2700, 3150, 3700, 4400, 5300, 6400,
	7700, 9500, 12_000, 15_500,
];
const WINDOW = 2048;
/** One window in four is compared. */
const WINDOW_STEP = 4 * WINDOW;
const COSINES = Float64Array.from({ length: WINDOW }, (_, index) => Math.cos((2 * Math.PI * index) / WINDOW));
const SINES = Float64Array.from({ length: WINDOW }, (_, index) => Math.sin((2 * Math.PI * index) / WINDOW));
/** Beyond these, a difference is inaudible or arbitrary. */
const [RATIO_DB_MIN, RATIO_DB_MAX] = [-5, 35];
/** Quieter bands are not compared. */
const BAND_POWER_MIN = 1e-4;
/** Encoders delay the signal by up to this many samples. */
const DELAY_MAX = 4096;

function wavOf(left: Float32Array, right: Float32Array): Buffer {
	const wav = Buffer.alloc(44 + left.length * 4);
	wav.write("RIFF", 0);
	wav.writeUInt32LE(wav.length - 8, 4);
	wav.write("WAVEfmt ", 8);
	wav.writeUInt32LE(16, 16);
	for (const [at, value] of [
		[20, 1],
		[22, 2],
		[32, 4],
		[34, 16],
	] as const)
		wav.writeUInt16LE(value, at);
	wav.writeUInt32LE(SAMPLE_RATE, 24);
	wav.writeUInt32LE(SAMPLE_RATE * 4, 28);
	wav.write("data", 36);
	wav.writeUInt32LE(left.length * 4, 40);
	for (const [index, sample] of left.entries()) {
		wav.writeInt16LE(Math.round(clamp(sample, -1, 1) * 32_767), 44 + index * 4);
		wav.writeInt16LE(Math.round(clamp(right[index] ?? 0, -1, 1) * 32_767), 46 + index * 4);
	}
	return wav;
}

function clamp(value: number, min: number, max: number): number {
	return Math.min(max, Math.max(min, value));
}

/** Returns the samples of a file, in mono. */
async function decode(path: string): Promise<Float32Array> {
	const parts: Float32Array[] = [];
	const filter = `aresample=${SAMPLE_RATE},aformat=sample_fmts=flt:channel_layouts=mono`;
	await decodeEach({ path, stream: "audio", filter, threads: 1 }, ({ data, nbSamples }) => {
		const [bytes] = data ?? [];
		if (bytes) parts.push(new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + nbSamples * 4)));
	});
	const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		samples.set(part, at);
		at += part.length;
	}
	return samples;
}

/** Returns how many samples `decoded` is behind `song`: the delay with the highest correlation in its middle. */
function delayOf(decoded: Float32Array, song: Float32Array): number {
	const from = Math.floor(song.length / 2);
	let best = { delay: 0, correlation: Number.NEGATIVE_INFINITY };
	for (let delay = -DELAY_MAX; delay <= DELAY_MAX; delay++) {
		let correlation = 0;
		for (let index = from; index < from + WINDOW * 4; index++)
			correlation += (song[index] ?? 0) * (decoded[index + delay] ?? 0);
		if (correlation > best.correlation) best = { delay, correlation };
	}
	return best.delay;
}

/** Returns the power of each critical band of one window. */
function bandPowers(samples: Float32Array, from: number): readonly number[] {
	const re = new Float64Array(WINDOW);
	const im = new Float64Array(WINDOW);
	for (let index = 0; index < WINDOW; index++) {
		const hann = 0.5 - 0.5 * (COSINES[index] ?? 0);
		re[index] = (samples[from + index] ?? 0) * hann;
	}
	transform(re, im);
	const powers = BAND_EDGES_HZ.slice(1).map(() => 0);
	let band = 0;
	for (let index = 0; index < WINDOW / 2; index++) {
		const hz = (index * SAMPLE_RATE) / WINDOW;
		while (hz >= (BAND_EDGES_HZ[band + 1] ?? Number.POSITIVE_INFINITY)) band += 1;
		if (band >= powers.length) break;
		powers[band] = (powers[band] ?? 0) + (re[index] ?? 0) ** 2 + (im[index] ?? 0) ** 2;
	}
	return powers;
}

/** The fast Fourier transform of one window, in place. */
function transform(re: Float64Array, im: Float64Array): void {
	const { length } = re;
	for (let index = 1, reversed = 0; index < length; index++) {
		let bit = length >> 1;
		for (; reversed & bit; bit >>= 1) reversed ^= bit;
		reversed ^= bit;
		if (index < reversed) {
			[re[index], re[reversed]] = [re[reversed] ?? 0, re[index] ?? 0];
			[im[index], im[reversed]] = [im[reversed] ?? 0, im[index] ?? 0];
		}
	}
	for (let size = 2; size <= length; size *= 2) {
		for (let start = 0; start < length; start += size) {
			for (let step = 0; step < size / 2; step++) {
				const cos = COSINES[(step * length) / size] ?? 0;
				const sin = -(SINES[(step * length) / size] ?? 0);
				const low = start + step;
				const high = low + size / 2;
				const turnedRe = (re[high] ?? 0) * cos - (im[high] ?? 0) * sin;
				const turnedIm = (re[high] ?? 0) * sin + (im[high] ?? 0) * cos;
				re[high] = (re[low] ?? 0) - turnedRe;
				im[high] = (im[low] ?? 0) - turnedIm;
				re[low] = (re[low] ?? 0) + turnedRe;
				im[low] = (im[low] ?? 0) + turnedIm;
			}
		}
	}
}

/** Returns the mean ratio of the song and the error over bands and windows, in dB. */
function similarityDb(decoded: Float32Array, song: Float32Array): number {
	const delay = delayOf(decoded, song);
	const error = song.map((sample, index) => sample - (decoded[index + delay] ?? 0));
	const ratiosDb: number[] = [];
	for (let from = DELAY_MAX; from + WINDOW + DELAY_MAX < song.length; from += WINDOW_STEP) {
		const errorPowers = bandPowers(error, from);
		for (const [band, power] of bandPowers(song, from).entries()) {
			if (power < BAND_POWER_MIN) continue;
			const ratioDb = 10 * Math.log10(power / ((errorPowers[band] ?? 0) + 1e-12));
			ratiosDb.push(clamp(ratioDb, RATIO_DB_MIN, RATIO_DB_MAX));
		}
	}
	return ratiosDb.reduce((sum, each) => sum + each, 0) / ratiosDb.length;
}

const rounds = Number(process.argv[2] ?? 3);
process.stdout.write(`${describeMachine()}, ${rounds} rounds\n`);
const folder = await mkdtemp(join(tmpdir(), "atelier-bench-aac-"));
try {
	const songPath = join(folder, "song.wav");
	const prompt = "a lighthouse in a storm, rock";
	const notes = composeMusic(parsePrompt(prompt, 7), createRandom(prompt), SONG_S);
	const { left, right } = master(play(notes, SONG_S, prompt), LOUDNESS_LUFS);
	await writeFile(songPath, wavOf(left, right));
	const song = await decode(songPath);
	for (const { bitsPerSecond, sampleRate, layout } of LEVELS) {
		const seconds = ENCODERS.map((): number[] => []);
		const pathOf = (name: string): string => join(folder, `${name}.m4a`);
		for (let round = 0; round < rounds; round++) {
			for (const [index, { name, sampleFormat }] of ENCODERS.entries()) {
				const before = process.cpuUsage();
				encodeMedia(pathOf(name), {
					format: "mp4",
					audio: {
						source: `amovie=${songPath}`,
						filter: `aresample=${sampleRate},aformat=sample_fmts=${sampleFormat}:channel_layouts=${layout}`,
						encoder: name,
						bitsPerSecond,
					},
				});
				const { user, system } = process.cpuUsage(before);
				seconds[index]?.push((user + system) / 1e6);
			}
		}
		const [fdkSeconds = [], ownSeconds = []] = seconds;
		const ratios = ownSeconds.map((each, round) => each / (fdkSeconds[round] ?? Number.NaN));
		const results = await Promise.all(
			ENCODERS.map(async ({ name }) => {
				const { size } = await stat(pathOf(name));
				return `${name} ${Math.round(size / 1000)} kB, ${similarityDb(await decode(pathOf(name)), song).toFixed(1)} dB`;
			}),
		);
		process.stdout.write(
			`${String(bitsPerSecond / 1000).padStart(4)} kbit/s ${layout}: ${results.join("; ")}; ` +
				`aac takes ${median(ratios).toFixed(2)} times (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}) ` +
				"the processor time of libfdk_aac\n",
		);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}
// The native objects of node-av are freed by the exit, not one by one.
process.exit(0);
