import type { FileContent } from "../../src/services/delivery/media-file.ts";

export function contentOf(bytes: Uint8Array | string): FileContent {
	const buffer = Buffer.from(bytes);
	return { sizeBytes: buffer.byteLength, readInto: async (target) => target.set(buffer) };
}

/** What is in it. */
export async function readContent(content: FileContent | undefined): Promise<string> {
	if (!content) throw new Error("no content");
	const target = new Uint8Array(content.sizeBytes);
	await content.readInto(target);
	return Buffer.from(target).toString();
}
