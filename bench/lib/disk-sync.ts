import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";

const PAGE_BYTES = 4096;
const SYNCS = 300;

/** Measures commits: appends pages to a new file, and syncs each. Returns the duration of each sync, without its write. */
export function diskSyncMs(path: string): readonly number[] {
	const file = openSync(path, "w");
	const syncMs: number[] = [];
	for (let n = 0; n < SYNCS; n++) {
		writeSync(file, Buffer.alloc(PAGE_BYTES, n));
		const startMs = performance.now();
		fdatasyncSync(file);
		syncMs.push(performance.now() - startMs);
	}
	closeSync(file);
	return syncMs;
}
