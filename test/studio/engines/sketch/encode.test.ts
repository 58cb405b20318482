import { registerMediabunnyServer } from "@mediabunny/server";
import { ALL_FORMATS, BufferSource, Input, VideoSampleSink } from "mediabunny";
import { afterEach, expect, test, vi } from "vitest";
import { encodeMp3, encodeMp4, type Film, type Pcm } from "../../../../src/studio/engines/sketch/encode.ts";
import { rgbaToI420 } from "../../../../src/studio/engines/sketch/rgba-to-i420.ts";

registerMediabunnyServer({ hardwareContext: null });
afterEach(() => {
	vi.useRealTimers();
});

const WIDTH = 160;
const HEIGHT = 90;

function tone(seconds: number): Pcm {
	const wave = Float32Array.from({ length: 44_100 * seconds }, (_, index) => Math.sin(index / 16) * 0.4);
	return { sampleRate: 44_100, left: wave, right: wave.map((sample) => -sample) };
}

/** Red that darkens from frame to frame. */
function film(frameCount = 24): Film {
	const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
	return {
		width: WIDTH,
		height: HEIGHT,
		framesPerSecond: 24,
		frameCount,
		paint(frame) {
			for (let at = 0; at < rgba.length; at += 4) rgba.set([220 - frame * 2, 30, 30, 255], at);
			return rgba;
		},
	};
}

const opened = (bytes: Uint8Array): Input => new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
const isAt = (bytes: Uint8Array, box: string): number => Buffer.from(bytes).indexOf(box, 0, "latin1");

test("a film is H.264 High and AAC-LC, and says so", async () => {
	const input = opened(await encodeMp4(film(), tone(1)));
	const video = await input.getPrimaryVideoTrack();
	const audio = await input.getPrimaryAudioTrack();
	expect(await video?.getCodecParameterString()).toMatch(/^avc1\.64/);
	expect(await audio?.getCodecParameterString()).toBe("mp4a.40.2");
	expect([await video?.getDisplayWidth(), await video?.getDisplayHeight()]).toStrictEqual([WIDTH, HEIGHT]);
	expect([await audio?.getNumberOfChannels(), await audio?.getSampleRate()]).toStrictEqual([2, 44_100]);
});

test("the film lasts as long as its frames, within one of them", async () => {
	expect(Math.abs((await opened(await encodeMp4(film(36), tone(3))).computeDuration()) - 1.5)).toBeLessThan(1 / 24);
});

test("the index comes before the media, so that playing can begin at once", async () => {
	const bytes = await encodeMp4(film(), tone(1));
	expect(isAt(bytes, "moov")).toBeGreaterThan(0);
	expect(isAt(bytes, "moov")).toBeLessThan(isAt(bytes, "mdat"));
});

test("red comes out as red", async () => {
	const video = await opened(await encodeMp4(film(), tone(1))).getPrimaryVideoTrack();
	if (video === null) throw new Error("no video");
	const sample = await new VideoSampleSink(video).getSample(0);
	if (sample === null) throw new Error("no frame");
	const options: VideoFrameCopyToOptions & { format: "RGBA" } = { format: "RGBA" };
	const rgba = new Uint8Array(sample.allocationSize(options));
	await sample.copyTo(rgba, options);
	sample.close();
	const [red = 0, green = 0, blue = 0] = rgba.subarray(WIDTH * 40 * 4);
	expect(red).toBeGreaterThan(205);
	expect(Math.max(green, blue)).toBeLessThan(45);
});

test("the same film has the same bytes on another day", async () => {
	vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") });
	const today = await encodeMp4(film(), tone(1));
	vi.setSystemTime(new Date("2031-07-09T11:22:33Z"));
	expect(Buffer.from(await encodeMp4(film(), tone(1))).equals(Buffer.from(today))).toBe(true);
});

test("the same film has the same bytes every time, at widths that are no multiple of 64", async () => {
	const frames = Array.from({ length: 6 }, (_, frame) =>
		Uint8Array.from(
			{ length: 320 * 180 * 4 },
			(_value, at) => (Math.imul(at + frame, 2_654_435_761) >>> 27) + ((at >> 11) % 190),
		),
	);
	const clip: Film = {
		width: 320,
		height: 180,
		framesPerSecond: 24,
		frameCount: 6,
		paint: (frame) => frames[frame] ?? new Uint8Array(),
	};
	const files = await Promise.all(Array.from({ length: 8 }, () => encodeMp4(clip, tone(1))));
	expect(new Set(files.map((file) => Buffer.from(file).toString("base64"))).size).toBe(1);
});

test("an aborted film stops between two frames", async () => {
	const controller = new AbortController();
	let painted = 0;
	const watched: Film = {
		...film(240),
		paint(frame) {
			painted += 1;
			if (frame === 5) controller.abort(new Error("enough"));
			return film().paint(0);
		},
	};
	await expect(encodeMp4(watched, tone(1), { signal: controller.signal })).rejects.toThrow("enough");
	expect(painted).toBe(6);
});

test("a tune is a stereo MP3 of its own length", async () => {
	const bytes = await encodeMp3(tone(2));
	const input = opened(bytes);
	const audio = await input.getPrimaryAudioTrack();
	expect(audio?.codec).toBe("mp3");
	expect(await audio?.getNumberOfChannels()).toBe(2);
	expect(Math.abs((await input.computeDuration()) - 2)).toBeLessThan(0.1);
	expect(Buffer.from(await encodeMp3(tone(2))).equals(Buffer.from(bytes))).toBe(true);
});

test.each([
	["black", [0, 0, 0], [16, 128, 128]],
	["white", [255, 255, 255], [235, 128, 128]],
	["red", [255, 0, 0], [81, 90, 240]],
	["blue", [0, 0, 255], [41, 240, 110]],
])("%s has the levels of standard definition below 720 lines", (_name, rgb, [luma, u, v]) => {
	const rgba = new Uint8Array(16).map((_, index) => (index % 4 === 3 ? 255 : (rgb[index % 4] ?? 0)));
	expect([...rgbaToI420(rgba, 2, 2)]).toStrictEqual([luma, luma, luma, luma, u, v]);
});
