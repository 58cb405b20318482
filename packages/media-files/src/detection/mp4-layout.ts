import { open, type FileHandle } from "node:fs/promises";

/** The order of the top-level boxes of an MP4 or MOV. */
export interface Mp4Layout {
	/** Every box is complete, and the index is present. */
	readonly isComplete: boolean;
	/** The index precedes the media data, so that players can begin early. */
	readonly isIndexFirst: boolean;
	/** The media data is in fragments with an index each. */
	readonly isFragmented: boolean;
}

const BOXES_MAX = 100_000;
const HEAD_BYTES = 16;

export async function readMp4Layout(path: string): Promise<Mp4Layout> {
	await using file = await open(path);
	const { size } = await file.stat();
	return layoutOf(await readBoxes(file, size));
}

interface Boxes {
	readonly names: readonly string[];
	readonly isComplete: boolean;
}

async function readBoxes(file: FileHandle, fileBytes: number): Promise<Boxes> {
	const head = Buffer.alloc(HEAD_BYTES);
	const names: string[] = [];
	let at = 0;
	while (at < fileBytes && names.length < BOXES_MAX) {
		const { bytesRead } = await file.read(head, 0, HEAD_BYTES, at);
		const sizeBytes = bytesRead < 8 ? 0 : boxBytes(head, bytesRead, fileBytes - at);
		// Some writers append zeros.
		if (sizeBytes < 8) return { names, isComplete: fileBytes - at < HEAD_BYTES };
		names.push(head.toString("latin1", 4, 8));
		at += sizeBytes;
	}
	return { names, isComplete: at === fileBytes };
}

/** Returns the length of a box: 32 bits; or 0, for the rest of the file; or 1, and then 64 bits follow. */
function boxBytes(head: Buffer, bytesRead: number, leftBytes: number): number {
	const short = head.readUInt32BE(0);
	if (short === 0) return leftBytes;
	if (short !== 1) return short;
	return bytesRead < HEAD_BYTES ? 0 : Number(head.readBigUInt64BE(8));
}

function layoutOf({ names, isComplete }: Boxes): Mp4Layout {
	const index = names.indexOf("moov");
	const media = names.indexOf("mdat");
	return {
		isComplete: isComplete && index >= 0 && media >= 0,
		isIndexFirst: index < media,
		isFragmented: names.includes("moof"),
	};
}
