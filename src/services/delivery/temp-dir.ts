import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Clock } from "@atelier/common/clock";

/** Folders for work that is under way; nothing in them outlives it. */
export interface TempDir {
	/** A new, empty folder. */
	open(): Promise<string>;
	remove(folder: string): Promise<void>;
	/** Removes what a process that was killed could not. */
	prune(): Promise<void>;
}

/** Several processes may share the place: what is younger may still be at work. */
export const LEFT_BEHIND_MS = 60 * 60 * 1000;
const PREFIX = "work-";

export function createTempDir({ place, clock }: { readonly place: string; readonly clock: Clock }): TempDir {
	return {
		async open() {
			await mkdir(place, { recursive: true });
			return mkdtemp(join(resolve(place), PREFIX));
		},
		remove: (folder) => rm(folder, { recursive: true, force: true }),
		async prune() {
			await mkdir(place, { recursive: true });
			for (const name of await readdir(place)) {
				if (!name.startsWith(PREFIX)) continue;
				const folder = join(place, name);
				// Another process may be removing it at this moment.
				const found = await stat(folder).catch(() => undefined);
				if (found && clock.nowMs() - found.mtimeMs > LEFT_BEHIND_MS) await rm(folder, { recursive: true, force: true });
			}
		},
	};
}
