/** The body of a response is larger than the caller accepts. */
export class BodyTooLargeError extends Error {
	override readonly name = "BodyTooLargeError";
}

/** Reads the body of a response of `fetch` or undici. Rejects with a `BodyTooLargeError` without reading further than the limit. */
export async function readBounded(
	response: { readonly body: Response["body"] | AsyncIterable<Uint8Array> },
	bytesMax: number,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let sizeBytes = 0;
	// Leaving the loop cancels the body.
	for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
		sizeBytes += chunk.byteLength;
		if (sizeBytes > bytesMax) throw new BodyTooLargeError(`the body is larger than ${bytesMax} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
