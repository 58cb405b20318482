/** The type of audio without decoding: embeddable as it is, damaged, or undecided, so that a decoder has to tell. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { detectType } from "../../src/detection/detect-type.ts";
import { encodeMedia } from "@atelier/common/testing/encode-media";

const noise = (samples: "s16" | "s16p" | "flt" | "fltp") => ({
	source: "anoisesrc=d=8:c=pink:r=48000:seed=1",
	filter: `aformat=sample_fmts=${samples}:channel_layouts=stereo`,
});
const MP3_RECIPE = { ...noise("fltp"), encoder: "libmp3lame" };

const RECIPES = {
	"an MP3": { format: "mp3", audio: { ...MP3_RECIPE, bitsPerSecond: 192_000 } },
	"an MP3 with a variable bit rate": { format: "mp3", audio: { ...MP3_RECIPE, options: { b: "0", q: "2" } } },
	"an MP3 that does not declare its length": {
		format: "mp3",
		audio: { ...MP3_RECIPE, bitsPerSecond: 128_000 },
		muxer: { write_xing: "0", id3v2_version: "0" },
	},
	"a WAV": { format: "wav", audio: { ...noise("s16"), encoder: "pcm_s16le" } },
	"a WAV with floats": { format: "wav", audio: { ...noise("flt"), encoder: "pcm_f32le" } },
	"an Ogg with Opus": { format: "ogg", audio: { ...noise("s16"), encoder: "libopus", bitsPerSecond: 96_000 } },
	"an Ogg with Vorbis": { format: "ogg", audio: { ...noise("fltp"), encoder: "libvorbis" } },
	"an Ogg with FLAC": { format: "ogg", audio: { ...noise("s16"), encoder: "flac" } },
} as const satisfies Record<string, Parameters<typeof encodeMedia>[1]>;

type Audio = keyof typeof RECIPES;
const AUDIO_FILES = Object.keys(RECIPES) as Audio[];
const MP3: Audio = "an MP3";
const ENDLESS_MP3: Audio = "an MP3 that does not declare its length";

const made = new Map<Audio, Buffer>();
let path = "";

beforeAll(async () => {
	path = join(await mkdtemp(join(tmpdir(), "atelier-test-")), "audio");
	for (const audio of AUDIO_FILES) {
		encodeMedia(path, RECIPES[audio]);
		made.set(audio, await readFile(path));
	}
});

afterAll(() => rm(dirname(path), { recursive: true, force: true }));

function bytesOf(audio: Audio): Buffer {
	const bytes = made.get(audio);
	if (!bytes) throw new Error(`${audio} was not made`);
	return Buffer.from(bytes);
}

async function verdictOf(...parts: Buffer[]): Promise<string> {
	const bytes = Buffer.concat(parts);
	await writeFile(path, bytes);
	const found = await detectType(path, bytes.byteLength);
	return found.kind === "unusable" ? found.why.kind : found.kind;
}

function junk(bytes: number): Buffer {
	let state = 1;
	return Buffer.from(
		Uint8Array.from({ length: bytes }, () => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
			return state >> 16;
		}),
	);
}

/** An ID3 tag of this size. */
function tag(bytes: number, content: Buffer = Buffer.alloc(bytes)): Buffer {
	const size = [bytes >> 21, bytes >> 14, bytes >> 7, bytes].map((part) => part & 0x7f);
	return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...size]), content]);
}

test.each(AUDIO_FILES)("%s that is complete is embeddable", async (audio) => {
	expect(await verdictOf(bytesOf(audio))).toBe("embeddable");
});

// Everything after the header of a WAV is audio.
test.each(AUDIO_FILES.filter((audio) => !audio.startsWith("a WAV")))(
	"%s with garbage after its header is damaged",
	async (audio) => {
		const bytes = bytesOf(audio);
		expect(await verdictOf(bytes.subarray(0, 3000), junk(bytes.byteLength - 3000))).toBe("damaged");
	},
);

test.each(AUDIO_FILES.filter((audio) => audio !== ENDLESS_MP3))("a truncated file is damaged: %s", async (audio) => {
	const bytes = bytesOf(audio);
	for (const share of [0.5, 0.75, 0.9]) {
		expect(await verdictOf(bytes.subarray(0, Math.floor(bytes.byteLength * share)))).toBe("damaged");
	}
});

describe("garbage", () => {
	test.each([2000, 200_000])("of %i bytes behind a tag is damaged", async (bytes) => {
		expect(await verdictOf(tag(100), junk(bytes))).toBe("damaged");
		expect(await verdictOf(tag(bytes * 2, junk(bytes)))).toBe("damaged");
		expect(await verdictOf(tag(100), Buffer.alloc(bytes))).toBe("damaged");
	});

	test.each([
		["an MP3", Buffer.from([0xff, 0xfb, 0xb0, 0x00])],
		["a WAV", Buffer.from("RIFF\0\0\0\0WAVE")],
		["an Ogg", Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("OpusHead")])],
	])("that begins like %s is damaged", async (_what, head) => {
		expect(await verdictOf(head, junk(300_000))).toBe("damaged");
		expect(await verdictOf(head, junk(1000))).toBe("damaged");
		expect(await verdictOf(head, Buffer.alloc(3))).toBe("damaged");
		expect(await verdictOf(head)).not.toBe("embeddable");
	});
});

test("a WAV without audio, or without a format before it, is damaged", async () => {
	const bytes = bytesOf("a WAV");
	const dataAt = bytes.indexOf("data");
	expect(await verdictOf(bytes.subarray(0, 12), bytes.subarray(dataAt))).toBe("damaged");
	bytes.writeUInt32LE(0, dataAt + 4);
	expect(await verdictOf(bytes.subarray(0, dataAt + 8))).toBe("damaged");
});

test("an MP3 that declares only its length in bytes, and is truncated, is damaged", async () => {
	const bytes = bytesOf(MP3);
	const infoAt = bytes.indexOf("Info");
	// Without the flag of the frame count, which precedes the length.
	bytes.writeUInt32BE(2, infoAt + 4);
	bytes.writeUInt32BE(bytes.byteLength, infoAt + 8);
	bytes.writeUInt32BE(0, infoAt + 12);
	expect(await verdictOf(bytes.subarray(0, Math.floor(bytes.byteLength * 0.75)))).toBe("damaged");
	expect(await verdictOf(bytes)).toBe("embeddable");
});

/** The beginning of the MP3, up to the end of a frame. At this bit rate all frames have the same length. */
function mp3Until(frame: number): Buffer {
	const bytes = bytesOf(MP3);
	return bytes.subarray(0, bytes.indexOf(Buffer.from([0xff, 0xfb])) + 576 * frame);
}

describe("unusual but valid audio is embeddable", () => {
	const OLD_TAG = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125)]);
	test.each<[string, () => Buffer[]]>([
		["an MP3 with tags before and after it", () => [tag(70_000, junk(70_000)), bytesOf(MP3), OLD_TAG]],
		["an MP3 without a declared length, with a tag after it", () => [bytesOf(ENDLESS_MP3), OLD_TAG]],
		["an MP3 with padding after its tag", () => [tag(100), Buffer.alloc(2000), bytesOf(ENDLESS_MP3)]],
		["two concatenated MP3s", () => [bytesOf(MP3), bytesOf(ENDLESS_MP3)]],
		["an MP3 of a few frames", () => [mp3Until(3).subarray(mp3Until(1).byteLength)]],
	])("%s", async (_what, parts) => {
		expect(await verdictOf(...parts())).toBe("embeddable");
	});

	test("an MP3 that was cut at a frame, with the original length in its header", async () => {
		const cut = mp3Until(100);
		expect(await verdictOf(cut)).toBe("embeddable");
		expect(await verdictOf(cut, Buffer.alloc(1))).toBe("damaged");
	});

	test("an MP3 of one short frame that ends within its declaration of a length", async () => {
		const frame = Buffer.alloc(26);
		frame.write("fff31000", "hex");
		frame.write("Xing", 22);
		expect(await verdictOf(frame)).toBe("embeddable");
	});

	test.each([0, 0xffffffff, 0x7fffffff, 0x7ffff000])("a WAV that declares %i as its unknown length", async (bytes) => {
		const wav = bytesOf("a WAV");
		wav.writeUInt32LE(bytes, 4);
		wav.writeUInt32LE(bytes, wav.indexOf("data") + 4);
		expect(await verdictOf(wav)).toBe("embeddable");
	});

	test("a WAV that counts its header as audio", async () => {
		const wav = bytesOf("a WAV");
		const at = wav.indexOf("data") + 4;
		wav.writeUInt32LE(wav.readUInt32LE(at) + 44, at);
		expect(await verdictOf(wav)).toBe("embeddable");
	});

	test.each<Audio>(["an Ogg with Opus", "an Ogg with Vorbis"])(
		"%s of a live stream, without a last page",
		async (audio) => {
			const bytes = bytesOf(audio);
			expect(await verdictOf(bytes.subarray(0, bytes.lastIndexOf("OggS")))).toBe("embeddable");
		},
	);
});

describe("audio that only a decoder can judge is undecided:", () => {
	test.each<[string, Parameters<typeof encodeMedia>[1]]>([
		["a WAV of ADPCM", { format: "wav", audio: { ...noise("s16p"), encoder: "adpcm_ima_wav" } }],
		["a FLAC", { format: "flac", audio: { ...noise("s16"), encoder: "flac" } }],
	])("%s", async (_what, recipe) => {
		encodeMedia(path, recipe);
		expect(await verdictOf(await readFile(path))).toBe("undecided");
	});

	test("an MP3 with a gap", async () => {
		const bytes = bytesOf(MP3);
		bytes.fill(0, Math.floor(bytes.byteLength * 0.5), Math.floor(bytes.byteLength * 0.7));
		expect(await verdictOf(bytes)).toBe("undecided");
	});
});
