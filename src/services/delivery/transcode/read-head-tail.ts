import { open } from "node:fs/promises";

/** The first and the last bytes of a file; equal for a small file. */
export interface HeadAndTail {
	readonly head: Buffer;
	readonly tail: Buffer;
	readonly sizeBytes: number;
}

/** Contains the size of a JPEG, which follows a thumbnail and a color profile. */
const HEAD_BYTES_MAX = 256 * 1024;
const TAIL_BYTES = 16;

export async function readHeadAndTail(path: string, sizeBytes: number): Promise<HeadAndTail> {
	const file = await open(path);
	try {
		const head = Buffer.alloc(Math.min(sizeBytes, HEAD_BYTES_MAX));
		const tail = Buffer.alloc(Math.min(sizeBytes, TAIL_BYTES));
		await Promise.all([
			file.read(head, 0, head.byteLength, 0),
			file.read(tail, 0, tail.byteLength, sizeBytes - tail.byteLength),
		]);
		return { head, tail, sizeBytes };
	} finally {
		// The close is not awaited.
		file.close().catch(() => {});
	}
}
