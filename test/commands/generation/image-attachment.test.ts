import { Collection, type Attachment } from "discord.js";
import { describe, expect, test } from "vitest";
import { inputUrlOf, imageUrlOf } from "../../../src/commands/generation/image-attachment.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { fakePng } from "@atelier/studio/testing/fake-engine";

const tooMany = (megapixels: number) =>
	new UserError({ key: "request.tooManyPixels", params: { megapixels, megapixelsMax: 100 } });

function imageOf(width: number | null, height: number | null, url = "http://127.0.0.1:9/a.png") {
	return { url, size: 100, contentType: "image/png", width, height } as Attachment;
}

/** Serves a PNG whose header declares this size. Resolves to its URL. */
async function servePng(width: number, height: number): Promise<string> {
	const bytes = Buffer.from(fakePng());
	bytes.writeUInt32BE(width, 16);
	bytes.writeUInt32BE(height, 20);
	return `${await openHttpServer((_request, response) => void response.end(bytes))}/a.png`;
}

describe("an input image", () => {
	test("of 100 megapixels or more is denied with the limit, from an option and from a message", async () => {
		const image = imageOf(12_000, 12_000);
		await expect(inputUrlOf(image)).rejects.toStrictEqual(tooMany(144));
		await expect(inputUrlOf(imageOf(10_000, 10_000))).rejects.toStrictEqual(tooMany(100));
		expect(() => imageUrlOf({ attachments: new Collection([["1", image]]) })).toThrow(tooMany(144));
	});

	test("of just below 100 megapixels is accepted", async () => {
		const image = imageOf(10_000, 9_999);
		expect(await inputUrlOf(image)).toBe(image.url);
		expect(imageUrlOf({ attachments: new Collection([["1", image]]) })).toBe(image.url);
	});

	test("without dimensions from Discord is measured by its header", async () => {
		await expect(inputUrlOf(imageOf(null, null, await servePng(20_000, 20_000)))).rejects.toStrictEqual(tooMany(400));
		const small = imageOf(null, null, await servePng(640, 480));
		expect(await inputUrlOf(small)).toBe(small.url);
	});

	test("that cannot be read is accepted, because the service checks it", async () => {
		const image = imageOf(null, null);
		expect(await inputUrlOf(image)).toBe(image.url);
	});
});
