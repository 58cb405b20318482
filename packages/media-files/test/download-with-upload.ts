import type { ProvenanceMark } from "../src/provenance/xmp.ts";
import { uploadWhileDownloading } from "../src/upload-while-downloading.ts";

interface Download {
	readonly mark?: ProvenanceMark;
	readonly chunkBytes?: number;
	/** The first byte that does not arrive. */
	readonly breaksAt?: number;
}

/** Downloads a file in chunks, and returns what was downloaded and uploaded. */
export async function downloadWithUpload(
	file: Uint8Array,
	{ mark, chunkBytes = 1000, breaksAt = Number.POSITIVE_INFINITY }: Download = {},
) {
	const started: string[] = [];
	const sent: Uint8Array[] = [];
	const downloaded: Uint8Array[] = [];
	let addedBytes = 0;
	let isAborted = false;
	async function* chunks() {
		for (let at = 0; at < file.byteLength; at += chunkBytes) {
			if (at >= breaksAt) throw new Error("connection closed");
			yield file.subarray(at, at + chunkBytes);
		}
	}
	const start = (contentType: string, extension: string, added: number) => {
		started.push(`${contentType} ${extension}`);
		addedBytes = added;
		return { write: (bytes: Uint8Array) => void sent.push(bytes), abort: () => void (isAborted = true) };
	};
	const run = async (): Promise<void> => {
		for await (const chunk of uploadWhileDownloading(chunks(), start, mark)) downloaded.push(chunk);
	};
	const failure = await run().catch((error: unknown) => error);
	return { started, failure, downloaded: Buffer.concat(downloaded), sent: Buffer.concat(sent), addedBytes, isAborted };
}
