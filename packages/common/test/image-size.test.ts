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
	["a PAM", Buffer.from(`P7\n${"a\n".repeat(128 * 1024)}`)],
	["an SVG", Buffer.from('<svg width="9" height="9"></svg>')],
])("%s is refused without a search in its content", (_what, bytes) => {
	expect(readImageSize(bytes)).toBeUndefined();
});

test("a JPEG without a size is searched in its first bytes only", () => {
	expect(readImageSize(new Uint8Array(64 * 1024 * 1024).fill(0xff, 0, 1).fill(0xd8, 1, 2))).toBeUndefined();
});
