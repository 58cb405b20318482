import type { ScanOptions } from "./store.ts";

/**
 * Decodes the entries of a scan one by one. Passes an unreadable entry to `onCorrupt` and skips it; without `onCorrupt`, its error
 * ends the scan.
 */
export async function* decodeEntries<Entry extends { readonly key: string }, Decoded>(
	entries: AsyncIterable<Entry>,
	decode: (entry: Entry) => Decoded,
	onCorrupt: ScanOptions["onCorrupt"],
): AsyncGenerator<Decoded> {
	for await (const entry of entries) {
		let decoded: Decoded;
		try {
			decoded = decode(entry);
		} catch (error) {
			if (!onCorrupt) throw error;
			onCorrupt(entry.key, error);
			continue;
		}
		yield decoded;
	}
}
