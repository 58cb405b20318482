import { expect, test } from "vitest";
import { describeOutput } from "../../src/engines/engine-outputs.ts";
import { fakePng } from "../../testing/fake-engine.ts";
import { wav } from "@atelier/common/testing/wav-and-mp4-head";

test("an output is described by its bytes", async () => {
	expect(await describeOutput(fakePng(), "image", 7)).toMatchObject({
		type: "image",
		contentType: "image/png",
		width: 1,
		height: 1,
		durationSeconds: null,
		seed: 7,
	});
	expect(await describeOutput(wav(2), "music", null)).toMatchObject({
		type: "audio",
		contentType: "audio/wav",
		width: null,
		height: null,
		durationSeconds: 2,
		seed: null,
	});
});

test("a video without metadata is an output without size and duration", async () => {
	const broken = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom"), Buffer.alloc(100)]);
	expect(await describeOutput(broken, "video", null)).toMatchObject({
		type: "video",
		width: null,
		durationSeconds: null,
	});
});

test("a file of another media type is no output", async () => {
	expect(await describeOutput(fakePng(), "video", null)).toBeUndefined();
	expect(await describeOutput(wav(1), "image", null)).toBeUndefined();
	expect(await describeOutput(Buffer.from("<html>busy</html>"), "image", null)).toBeUndefined();
	expect(await describeOutput(new Uint8Array(), "music", null)).toBeUndefined();
});
