/** The rules of the simulator that need no socket. */
import { describe, expect, test } from "vitest";
import { imageSize, mediaTypeOf } from "../src/media/media-metadata.ts";
import { openDocumentStore } from "../src/document-store.ts";
import { compareSnowflakes, createSnowflakes } from "../src/simulator/discord-formats.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { temporaryFolder } from "../testing/setup.ts";

describe("ids", () => {
	test("contain the time, have 17 to 19 digits, and grow while the clock stands still", () => {
		const clock = createManualClock(Date.UTC(2026, 10, 20));
		const { next } = createSnowflakes(clock, undefined);
		const [first, second] = [next(), next()];
		expect(first).toMatch(/^\d{17,19}$/);
		expect((BigInt(first) >> 22n) + 1_420_070_400_000n).toBe(BigInt(clock.nowMs()));
		expect(compareSnowflakes(first, second)).toBeLessThan(0);
	});

	test("continue above the highest known one, even one from the future", () => {
		const { next } = createSnowflakes(createManualClock(), "2000000000000000000");
		expect(next()).toBe("2000000000000000001");
	});

	test("of different lengths are sorted by age, not as text", () => {
		expect(["100", "99", "9"].toSorted(compareSnowflakes)).toStrictEqual(["9", "99", "100"]);
	});
});

test("the document store rolls back a failed transaction, in memory and on the disk", async () => {
	const folder = await temporaryFolder();
	const store = openDocumentStore(folder);
	const table = store.table<number>("x");
	for (const id of ["1", "2", "3"]) table.set(id, 1);
	const change = (): void => {
		table.set("4", 1);
		table.set("2", 2);
		table.delete("1");
		table.set("1", 3);
		table.delete("4");
	};
	const fail = (): void =>
		store.atomically(() => {
			change();
			throw new Error("half way");
		});
	const read = (from = table) => [from.size, ["1", "2", "3", "4"].map((id) => from.get(id)), [...from.values()]];
	const before = read();
	expect(fail).toThrow("half way");
	expect(read()).toStrictEqual(before);
	store.atomically(change);
	expect(fail).toThrow("half way");
	const changed = [3, [3, 2, 1, undefined], [3, 2, 1]];
	expect(read()).toStrictEqual(changed);
	store.close();
	const again = openDocumentStore(folder);
	expect(read(again.table<number>("x"))).toStrictEqual(changed);
	again.close();
});

const box = (name: string, body: Buffer): Buffer => {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(body.byteLength + 8);
	head.write(name, 4, "latin1");
	return Buffer.concat([head, body]);
};

describe("file metadata", () => {
	test.each([
		["89504e470d0a1a0a0000000d494844520000000a00000014", 10, 20],
		["4749463839610a001400", 10, 20],
		["ffd8ffe000040000ffc00011080014000a03", 10, 20],
		["524946460000000057454250565038580a00000000000000090000130000", 10, 20],
		["89504e470d0a1a0a", null, null],
		["ffd8ff", null, null],
		["", null, null],
		["00".repeat(64), null, null],
	])("the image %s has the width %s and the height %s", (hex, width, height) => {
		expect(imageSize(Buffer.from(hex, "hex"))).toStrictEqual({ width, height });
	});

	test("the size of a video is that of its video track", () => {
		const track = (width: number, height: number): Buffer => {
			const header = Buffer.alloc(84);
			header.writeUInt16BE(width, 76);
			header.writeUInt16BE(height, 80);
			return box("trak", box("tkhd", header));
		};
		const moov = box("moov", Buffer.concat([track(0, 0), track(640, 360)]));
		const file = Buffer.concat([box("ftyp", Buffer.from("isom")), moov]);
		expect(imageSize(file)).toStrictEqual({ width: 640, height: 360 });
		for (let end = 0; end < file.byteLength; end += 1) expect(() => imageSize(file.subarray(0, end))).not.toThrow();
	});

	test.each([
		["a.MP4", "video/mp4", true],
		["a.html", "application/octet-stream", false],
		["a.constructor", "application/octet-stream", false],
	])("%s has the content type %s", (name, contentType, isInline) => {
		expect(mediaTypeOf(name)).toStrictEqual({ contentType, isInline });
	});
});
