import { createCanvas } from "@napi-rs/canvas";
import { registerMediabunnyServer } from "@mediabunny/server";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { expect, test } from "vitest";
import { render } from "../../../../src/studio/engines/sketch/render.ts";
import type { RenderJob } from "../../../../src/studio/engines/sketch/render-job.ts";
import { videoSize } from "../../../../src/studio/engines/sketch/sketch-engine.ts";

registerMediabunnyServer({ hardwareContext: null });

function setup(change: Partial<Extract<RenderJob, { kind: "film" }>> = {}): {
	shoot: () => Promise<Uint8Array>;
	asked: unknown[];
	seen: number[];
} {
	const asked: unknown[] = [];
	const seen: number[] = [];
	const job: RenderJob = {
		kind: "film",
		prompt: "a boat on the sea",
		seed: 4,
		size: { width: 160, height: 90 },
		durationSeconds: 2,
		input: null,
		...change,
	};
	const quiet = (request: {
		durationSeconds: number;
	}): { sampleRate: number; left: Float32Array; right: Float32Array } => {
		asked.push(request);
		const samples = 44_100 * request.durationSeconds;
		return { sampleRate: 44_100, left: new Float32Array(samples), right: new Float32Array(samples) };
	};
	return {
		asked,
		seen,
		shoot: () =>
			render(
				job,
				{ composeTune: quiet, composeAmbience: quiet },
				{ signal: new AbortController().signal, report: (percent) => seen.push(percent) },
			),
	};
}

test.each([
	["16:9", "480p", 854, 480],
	["16:9", "720p", 1280, 720],
	["16:9", "1080p", 1920, 1080],
	["9:16", "720p", 720, 1280],
	["9:16", "480p", 480, 854],
	["1:1", "1080p", 1080, 1080],
])("%s at %s is %i x %i pixels", (aspect, resolution, width, height) => {
	expect(videoSize(aspect, resolution)).toStrictEqual({ width, height });
});

test("the duration is obeyed, and the sound is composed for it", async () => {
	const { shoot, asked } = setup({ durationSeconds: 3 });
	const input = new Input({ source: new BufferSource(await shoot()), formats: ALL_FORMATS });
	expect(Math.abs((await input.computeDuration()) - 3)).toBeLessThan(1 / 24);
	expect(asked).toMatchObject([{ prompt: "a boat on the sea", seed: 4, durationSeconds: 3 }]);
});

test("the same prompt and seed give the same film", async () => {
	const first = await setup().shoot();
	expect(Buffer.from(await setup().shoot()).equals(Buffer.from(first))).toBe(true);
});

test("progress rises and never says that it is finished", async () => {
	const { shoot, seen } = setup();
	await shoot();
	expect(seen).toStrictEqual(seen.toSorted((a, b) => a - b));
	expect(seen.at(-1)).toBeLessThan(100);
	expect(seen.length).toBeGreaterThan(40);
});

test("a still picture is set in motion", async () => {
	const canvas = createCanvas(64, 64);
	canvas.getContext("2d").fillRect(0, 0, 32, 64);
	const { shoot } = setup({ input: await canvas.encode("png"), prompt: "snow", durationSeconds: 2 });
	const track = await new Input({
		source: new BufferSource(await shoot()),
		formats: ALL_FORMATS,
	}).getPrimaryVideoTrack();
	expect([await track?.getDisplayWidth(), await track?.getDisplayHeight()]).toStrictEqual([160, 90]);
});
