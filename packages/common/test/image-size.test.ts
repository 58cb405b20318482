import { expect, test } from "vitest";
import { readImageSize } from "../src/image-size.ts";

function box(type: string, ...content: readonly Buffer[]): Buffer {
	const body = Buffer.concat(content);
	const size = Buffer.alloc(4);
	size.writeUInt32BE(8 + body.byteLength);
	return Buffer.concat([size, Buffer.from(type, "latin1"), body]);
}

const SIZES = Array.from({ length: 12_000 }, () => box("ispe", Buffer.from([0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 9])));

test("the size of a GIF is read from its header", () => {
	expect(readImageSize(Buffer.from("GIF89a\x09\0\x08\0", "latin1"))).toStrictEqual({ width: 9, height: 8 });
});

test.each([
	[
		"an AVIF",
		Buffer.concat([
			box("ftyp", Buffer.from("avif0000avif", "latin1")),
			box("meta", Buffer.alloc(4), box("iprp", box("ipco", ...SIZES))),
		]),
	],
	["a PAM", Buffer.from("P7\nWIDTH 9\nHEIGHT 9\nDEPTH 1\nMAXVAL 255\nENDHDR\n")],
	["an SVG", Buffer.from('<svg width="9" height="9"></svg>')],
])("%s is refused without a search in its content", (_what, bytes) => {
	expect(readImageSize(bytes)).toBeUndefined();
});

test.each([
	[3, { width: 9, height: 8 }],
	[4, undefined],
])("a JPEG with %i segments of 64 KiB before its size is searched in its first 256 KiB only", (segments, expected) => {
	const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0xff, 0xff]), Buffer.alloc(0xffff - 2)]);
	const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 8, 0, 9, 1, 1, 0x11, 0]);
	const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: segments }, () => segment), frame]);
	expect(readImageSize(jpeg)).toStrictEqual(expected);
});
