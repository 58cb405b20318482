/** Files by their content: a file's hash is its only name on disk, so that nothing people type ever becomes a path. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const UNFINISHED = "unfinished-";

export interface MediaStore {
	/** Resolves once the whole file is kept under its hash. */
	readonly put: (hash: string, bytes: Buffer) => Promise<void>;
	readonly remove: (hash: string) => Promise<void>;
	/** Where the files lie. */
	readonly folder: string;
}

export function createMediaStore(folder: string): MediaStore {
	// What a killed process left half written under no hash is nobody's.
	const tidied = removeUnfinished(folder);
	const pathOf = (hash: string): string => {
		if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("not a hash");
		return join(folder, hash);
	};
	const sizeBytes = async (hash: string): Promise<number | undefined> => {
		const found = await stat(pathOf(hash)).catch(() => undefined);
		return found?.size;
	};
	return {
		async put(hash, bytes) {
			if ((await sizeBytes(hash)) === bytes.byteLength) return;
			await tidied;
			await mkdir(folder, { recursive: true });
			// Renamed when whole: a file under its hash is never half of one, wherever the process dies.
			const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
			await writeFile(unfinished, bytes);
			await rename(unfinished, pathOf(hash));
		},
		remove: (hash) => rm(pathOf(hash), { force: true }),
		folder: resolve(folder),
	};
}

async function removeUnfinished(folder: string): Promise<void> {
	const names = await readdir(folder).catch((): string[] => []);
	const unfinished = names.filter((name) => name.startsWith(UNFINISHED));
	await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
}
