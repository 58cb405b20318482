import { registerMediabunnyServer } from "@mediabunny/server";
import { ALL_FORMATS, AudioSampleSink, BufferSource, Input, VideoSampleSink } from "mediabunny";
import { describe, expect, test } from "vitest";
import { composeMusic } from "../src/music/compose.ts";
import { loudnessOf } from "../src/music/master.ts";
import { play } from "../src/music/synth.ts";
import { createRandom } from "../src/random.ts";
import { render } from "../src/render.ts";
import { rgbaToI420 } from "../src/rgba-to-i420.ts";
import { parsePrompt, MUSIC_STYLES } from "../src/parse-prompt.ts";

registerMediabunnyServer({ hardwareContext: null });
const ignore = (): void => undefined;
const openInput = (bytes: Uint8Array): Input => new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });

async function decodeAudio(bytes: Uint8Array): Promise<readonly [Float32Array, Float32Array]> {
	const track = await openInput(bytes).getPrimaryAudioTrack();
	if (!track) throw new Error("no audio track");
	const channels: [number[], number[]] = [[], []];
	for await (const sample of new AudioSampleSink(track).samples()) {
		for (const planeIndex of [0, 1] as const) {
			const plane = new Float32Array(sample.numberOfFrames);
			sample.copyTo(plane, { planeIndex, format: "f32-planar" });
			for (const value of plane) channels[planeIndex].push(value);
		}
		sample.close();
	}
	return [Float32Array.from(channels[0]), Float32Array.from(channels[1])];
}

test("a video has the expected codecs, size and length, and its frames differ", async () => {
	const size = { width: 320, height: 180 };
	const { bytes } = await render({ kind: "video", prompt: "a boat on the sea", seed: 1, ...size, seconds: 2 }, ignore);
	const input = openInput(bytes);
	const video = await input.getPrimaryVideoTrack();
	const audio = await input.getPrimaryAudioTrack();
	expect(await video?.getCodecParameterString()).toMatch(/^avc1\.64/);
	expect(await audio?.getCodecParameterString()).toBe("mp4a.40.2");
	expect([await video?.getDisplayWidth(), await video?.getDisplayHeight()]).toStrictEqual([320, 180]);
	expect(Math.abs((await input.computeDuration()) - 2)).toBeLessThan(1 / 24);
	const index = (box: string): number => Buffer.from(bytes).indexOf(box, 0, "latin1");
	expect(index("moov")).toBeLessThan(index("mdat"));
	if (!video) throw new Error("no video track");
	const frames = await Promise.all([0, 1].map(async (seconds) => await rgbaAt(video, seconds)));
	const moved = frames[0]?.filter((value, at) => Math.abs(value - (frames[1]?.[at] ?? 0)) > 12).length ?? 0;
	expect(moved / (320 * 180 * 4)).toBeGreaterThan(0.02);
	const [left] = await decodeAudio(bytes);
	expect(left.some((sample) => Math.abs(sample) > 0.02)).toBe(true);
});

async function rgbaAt(video: ConstructorParameters<typeof VideoSampleSink>[0], seconds: number): Promise<Uint8Array> {
	const sample = await new VideoSampleSink(video).getSample(seconds);
	if (!sample) throw new Error("no frame");
	const options: VideoFrameCopyToOptions & { format: "RGBA" } = { format: "RGBA" };
	const rgba = new Uint8Array(sample.allocationSize(options));
	await sample.copyTo(rgba, options);
	sample.close();
	return rgba;
}

describe("music", () => {
	test.each(MUSIC_STYLES)(
		"of the style %s is between -16 and -14 LUFS, with peaks below -1 dB and four parts",
		async (style) => {
			const request = { kind: "music", prompt: style, seed: 1, seconds: 12 } as const;
			const { bytes } = await render(request, ignore);
			const [left, right] = await decodeAudio(bytes);
			expect(Math.abs(left.length / 44_100 - 12)).toBeLessThan(0.1);
			expect(loudnessOf(left, right)).toBeGreaterThan(-16);
			expect(loudnessOf(left, right)).toBeLessThan(-14);
			const peak = [...left, ...right].reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
			expect(peak).toBeLessThan(10 ** (-1 / 20));
			const notes = composeMusic(parsePrompt(style, 1), createRandom(style), request.seconds);
			for (const part of ["melody", "chords", "bass", "drums"]) {
				const { left: partAlone } = play(
					notes.filter((note) => note.part === part),
					12,
					"1",
				);
				const energy = partAlone.reduce((sum, sample) => sum + sample * sample, 0) / partAlone.length;
				expect(Math.sqrt(energy)).toBeGreaterThan(0.004);
			}
		},
	);

	test("is measured by ITU-R BS.1770: a full-scale sine of 997 Hz on one channel is -3.01 LUFS", () => {
		const sine = Float32Array.from({ length: 44_100 * 4 }, (_, at) => Math.sin((2 * Math.PI * 997 * at) / 44_100));
		expect(loudnessOf(sine, new Float32Array(sine.length))).toBeCloseTo(-3.01, 1);
	});
});

test.each([
	["black", [0, 0, 0], [16, 128, 128]],
	["white", [255, 255, 255], [235, 128, 128]],
	["red", [255, 0, 0], [81, 90, 240]],
	["blue", [0, 0, 255], [41, 240, 110]],
])("%s uses the standard-definition color matrix below 720 lines", (_name, rgb, [luma, u, v]) => {
	const rgba = new Uint8Array(16).map((_, index) => (index % 4 === 3 ? 255 : (rgb[index % 4] ?? 0)));
	expect([...rgbaToI420(rgba, 2, 2)]).toStrictEqual([luma, luma, luma, luma, u, v]);
});
