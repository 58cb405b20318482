import { createHash } from "node:crypto";

/** What was sent, and the name under which it is kept. */
export interface CollectedFile {
	readonly bytes: Buffer;
	/** SHA-256, in hexadecimal. */
	readonly hash: string;
}

/** All of the stream, or undefined where it was longer; it is drained in any case. It is hashed while it comes: nobody waits for that at its end. */
export async function collect(stream: AsyncIterable<Buffer>, bytesMax: number): Promise<CollectedFile | undefined> {
	const chunks: Buffer[] = [];
	const hash = createHash("sha256");
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.byteLength;
		if (bytes > bytesMax) continue;
		chunks.push(chunk);
		hash.update(chunk);
	}
	return bytes <= bytesMax ? { bytes: Buffer.concat(chunks, bytes), hash: hash.digest("hex") } : undefined;
}
