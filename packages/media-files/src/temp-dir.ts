import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Clock } from "@atelier/common/clock";

export type TempDir = ReturnType<typeof createTempDir>;

/** The age from which a folder counts as left behind. Younger ones may be in use by another process. */
export const LEFT_BEHIND_MS = 60 * 60 * 1000;
const PREFIX = "work-";

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** Temporary folders for running work. */
export function createTempDir({ parentDir, clock }: { readonly parentDir: string; readonly clock: Clock }) {
	return {
		/** Creates an empty folder and returns its path. */
		async open(): Promise<string> {
			await mkdir(parentDir, { recursive: true });
			return mkdtemp(join(resolve(parentDir), PREFIX));
		},
		remove,
		/** Removes folders that a killed process left behind. */
		async prune(): Promise<void> {
			await mkdir(parentDir, { recursive: true });
			for (const name of await readdir(parentDir)) {
				if (!name.startsWith(PREFIX)) continue;
				const folder = join(parentDir, name);
				// Another process may be removing it concurrently.
				const found = await stat(folder).catch(() => undefined);
				if (found && clock.nowMs() - found.mtimeMs > LEFT_BEHIND_MS) await remove(folder);
			}
		},
	};
}
