import { createHash } from "node:crypto";

/** The uploaded bytes with their content hash. */
export interface UploadedContent {
	readonly bytes: Buffer;
	/** SHA-256 in hexadecimal. */
	readonly hash: string;
}

/** Reads the stream to its end; `undefined` if it was larger than allowed. Hashes while reading. */
export async function readUpload(
	stream: AsyncIterable<Buffer>,
	bytesMax: number,
): Promise<UploadedContent | undefined> {
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
