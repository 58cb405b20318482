import { registerMediabunnyServer } from "@mediabunny/server";
import { ALL_FORMATS, AudioSampleSink, BufferSource, Input, VideoSampleSink } from "mediabunny";
import { expect, test } from "vitest";
import { encodeMp4 } from "../src/encode.ts";
import { composeMusic } from "../src/music/compose.ts";
import { loudnessOf } from "../src/music/master.ts";
import { play } from "../src/music/synth.ts";
import { createRandom } from "../src/random.ts";
import { render } from "../src/render.ts";
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

test.each(MUSIC_STYLES)(
	"music of the style %s is between -16 and -14 LUFS, with peaks below -1 dB and four parts",
	async (style) => {
		const request = { kind: "music", prompt: style, seed: 1, seconds: 12 } as const;
		const { bytes } = await render(request, ignore);
		const [left, right] = await decodeAudio(bytes);
		expect(Math.abs(left.length / 44_100 - 12)).toBeLessThan(0.1);
		expect(loudnessOf({ left, right })).toBeGreaterThan(-16);
		expect(loudnessOf({ left, right })).toBeLessThan(-14);
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

test.each([
	[320, 180, [81, 90, 240]],
	[1280, 720, [63, 102, 240]],
])("red in a video of %i x %i pixels uses the color matrix that players assume for this size", async (...format) => {
	const [width, height, red] = format;
	const rgba = Buffer.alloc(width * height * 4, Buffer.from([255, 0, 0, 255]));
	const video = { width, height, framesPerSecond: 24, frameCount: 24, paint: () => rgba };
	const silence = { left: new Float32Array(44_100), right: new Float32Array(44_100) };
	const track = await openInput(await encodeMp4(video, silence, ignore)).getPrimaryVideoTrack();
	const sample = track && (await new VideoSampleSink(track).getSample(0));
	if (!sample) throw new Error("no frame");
	const i420 = new Uint8Array(sample.allocationSize());
	await sample.copyTo(i420);
	sample.close();
	const pixels = width * height;
	expect([i420[0], i420[pixels], i420[pixels * 1.25]]).toStrictEqual(red);
});
