/** All of the stream, or undefined where it was longer; it is drained in any case. */
export async function collect(stream: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.byteLength;
		if (bytes <= bytesMax) chunks.push(chunk);
	}
	return bytes <= bytesMax ? Buffer.concat(chunks, bytes) : undefined;
}
