import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { Store } from "@atelier/store/store";
import { detectMedia, kindByExtension, type MediaKind } from "./media-type.ts";

interface StoredMedia extends MediaKind {
	readonly file: string;
	readonly sha256: string;
	readonly sizeBytes: number;
}

export interface MediaUse {
	readonly file: string;
	readonly user: string;
	readonly sinceMs: number;
}

/**
 * Stores files by the hash of their content: equal media share one file, which never changes. `studio-file:FILE:USER`
 * records its users; the file is removed with the last of them.
 */
export interface MediaStore {
	/** Resolves when the complete file is on disk; `undefined` if the bytes are not media. */
	save(bytes: Uint8Array, user: string): Promise<StoredMedia | undefined>;
	/** Returns the bytes of a file; `undefined` if it does not exist. */
	read(file: string): Promise<Uint8Array | undefined>;
	/** Removes the user of a file. */
	release(file: string, user: string): Promise<void>;
	/** Yields all users of files. */
	uses(onCorrupt: (key: string, error: unknown) => void): AsyncIterable<MediaUse>;
	/** Removes incomplete files that a crash left behind. */
	removeUnfinished(): Promise<void>;
}

const USE_PREFIX = "studio-file:";
const UPLOAD_USER_PREFIX = "upload-";
const UNFINISHED = /^\.[0-9a-f]{24}\.unfinished$/;
/** Another process may still be writing younger files. */
const UNFINISHED_AGE_MS = 60 * 60 * 1000;
const FILE_NAME = /^[0-9a-f]{64}\.([0-9a-z]{2,4})$/;

/** Returns the kind of a file name; `undefined` for names that are not ours. No other name reaches the disk. */
export function kindOfFile(file: string): MediaKind | undefined {
	const extension = FILE_NAME.exec(file)?.[1];
	return extension === undefined ? undefined : kindByExtension(extension);
}

/** The user of an uploaded file; files of a task have the task's id. */
export function uploadUser(id: string): string {
	return UPLOAD_USER_PREFIX + id;
}

export function isUploadUser(user: string): boolean {
	return user.startsWith(UPLOAD_USER_PREFIX);
}

export function createMediaStore(deps: {
	readonly mediaDir: string;
	readonly store: Store;
	readonly clock: Clock;
	readonly randomBytes: (size: number) => Uint8Array;
}): MediaStore {
	const mutex = createKeyedMutex();

	function newUnfinished(): string {
		return join(deps.mediaDir, `.${Buffer.from(deps.randomBytes(12)).toString("hex")}.unfinished`);
	}

	async function isUsed(file: string): Promise<boolean> {
		return (await Array.fromAsync(deps.store.scan(useKey(file, "")))).length > 0;
	}

	/** Another process may store the same media concurrently: it records its use before it checks for the file. */
	async function removeUnlessUsed(file: string): Promise<void> {
		const [path, asidePath] = [join(deps.mediaDir, file), newUnfinished()];
		try {
			await rename(path, asidePath);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
			throw error;
		}
		if (await isUsed(file)) await rename(asidePath, path);
		else await rm(asidePath, { force: true });
	}

	async function write(path: string, bytes: Uint8Array): Promise<void> {
		if ((await modifiedMs(path)) !== undefined) return;
		await mkdir(deps.mediaDir, { recursive: true });
		const unfinished = newUnfinished();
		try {
			await writeThrough(unfinished, bytes);
			await rename(unfinished, path);
		} catch (error) {
			await rm(unfinished, { force: true });
			throw error;
		}
	}

	return {
		async save(bytes, user) {
			const kind = await detectMedia(bytes);
			if (!kind) return undefined;
			const sha256 = createHash("sha256").update(bytes).digest("hex");
			const file = `${sha256}.${kind.extension}`;
			await mutex(file, async () => {
				// The use is recorded before the file, so that every file on disk has a use and is removed eventually.
				await deps.store.set(useKey(file, user), { file, user, sinceMs: deps.clock.nowMs() } satisfies MediaUse);
				await write(join(deps.mediaDir, file), bytes);
			});
			return { ...kind, file, sha256, sizeBytes: bytes.byteLength };
		},
		async read(file) {
			if (!kindOfFile(file)) return undefined;
			try {
				return await readFile(join(deps.mediaDir, file));
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
				throw error;
			}
		},
		release: (file, user) =>
			mutex(file, async () => {
				await deps.store.delete(useKey(file, user));
				if (!(await isUsed(file))) await removeUnlessUsed(file);
			}),
		async *uses(onCorrupt) {
			for await (const { value } of deps.store.scan<MediaUse>(USE_PREFIX, { onCorrupt })) yield value;
		},
		async removeUnfinished() {
			await mkdir(deps.mediaDir, { recursive: true });
			for (const name of await readdir(deps.mediaDir)) {
				if (!UNFINISHED.test(name)) continue;
				const path = join(deps.mediaDir, name);
				const writtenMs = await modifiedMs(path);
				if (writtenMs !== undefined && deps.clock.nowMs() - writtenMs > UNFINISHED_AGE_MS)
					await rm(path, { force: true });
			}
		},
	};
}

function useKey(file: string, user: string): string {
	return `${USE_PREFIX}${file}:${user}`;
}

/** Writes and syncs the file. The caller renames it afterwards, so that a file under its final name is complete. */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
	const handle = await open(path, "wx");
	try {
		await handle.writeFile(bytes);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/**
 * `undefined` for a missing file: another studio of the cluster may rename or remove it between listing and reading.
 */
async function modifiedMs(path: string): Promise<number | undefined> {
	try {
		return (await stat(path)).mtimeMs;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}
