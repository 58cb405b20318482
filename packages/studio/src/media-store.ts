import { hash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { isErrno } from "@atelier/common/is-errno";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { Store } from "@atelier/store/store";
import { detectMedia, formatByExtension, type MediaFormat } from "./media-format.ts";

/** A reason to keep a file. */
export interface MediaReference {
	readonly file: string;
	/** The id of a task, or `uploadOwner` of an upload. */
	readonly owner: string;
	readonly sinceMs: number;
}

export type MediaStore = ReturnType<typeof createMediaStore>;

const REFERENCE_PREFIX = "studio-file:";
const UPLOAD_OWNER_PREFIX = "upload-";
const TEMPORARY = /^\.[0-9a-f]{24}\.tmp$/;
/** A younger file may still be written by another process. */
const TEMPORARY_AGE_MS = 60 * 60 * 1000;
const FILE_NAME = /^[0-9a-f]{64}\.([0-9a-z]{2,4})$/;

/** Returns the kind of a file name; `undefined` for names that are not ours. No other name reaches the disk. */
export function kindOfFile(file: string): MediaFormat | undefined {
	const extension = FILE_NAME.exec(file)?.[1];
	return extension === undefined ? undefined : formatByExtension(extension);
}

/** Returns the owner of an uploaded file. */
export function uploadOwner(id: string): string {
	return UPLOAD_OWNER_PREFIX + id;
}

export function isUploadOwner(owner: string): boolean {
	return owner.startsWith(UPLOAD_OWNER_PREFIX);
}

/**
 * Stores files by the hash of their content: equal media share one file, which never changes. `studio-file:FILE:OWNER`
 * is a reference to it; the file is removed with its last reference.
 */
export function createMediaStore(deps: { readonly mediaDir: string; readonly store: Store; readonly clock: Clock }) {
	const mutex = createKeyedMutex();

	function newTemporaryPath(): string {
		return join(deps.mediaDir, `.${randomBytes(12).toString("hex")}.tmp`);
	}

	async function isReferenced(file: string): Promise<boolean> {
		return (await Array.fromAsync(deps.store.scan(referenceKey(file, "")))).length > 0;
	}

	/**
	 * Moves the file aside, then checks for references. A process that saves the same media writes its reference first. So
	 * either the check finds the reference, or that process finds no file and writes it.
	 */
	async function removeUnlessReferenced(file: string): Promise<void> {
		const path = join(deps.mediaDir, file);
		const asidePath = newTemporaryPath();
		try {
			await rename(path, asidePath);
		} catch (error) {
			if (isErrno(error, "ENOENT")) return;
			throw error;
		}
		if (await isReferenced(file)) await rename(asidePath, path);
		else await rm(asidePath, { force: true });
	}

	async function write(path: string, bytes: Uint8Array): Promise<void> {
		if ((await modifiedMs(path)) !== undefined) return;
		await mkdir(deps.mediaDir, { recursive: true });
		const temporaryPath = newTemporaryPath();
		try {
			await writeAndSync(temporaryPath, bytes);
			await rename(temporaryPath, path);
		} catch (error) {
			await rm(temporaryPath, { force: true });
			throw error;
		}
	}

	return {
		/** Resolves when the complete file is on disk; `undefined` if the bytes are not media. */
		async save(bytes: Uint8Array, owner: string) {
			const kind = await detectMedia(bytes);
			if (!kind) return undefined;
			const sha256 = hash("sha256", bytes);
			const file = `${sha256}.${kind.extension}`;
			await mutex(file, async () => {
				// The reference is written before the file, so that every file on disk has one and is removed eventually.
				const reference: MediaReference = { file, owner, sinceMs: deps.clock.nowMs() };
				await deps.store.set(referenceKey(file, owner), reference);
				await write(join(deps.mediaDir, file), bytes);
			});
			return { ...kind, file, sha256, sizeBytes: bytes.byteLength };
		},
		/** Returns the bytes of a file; `undefined` if it does not exist. */
		async read(file: string): Promise<Uint8Array | undefined> {
			if (!kindOfFile(file)) return undefined;
			try {
				return await readFile(join(deps.mediaDir, file));
			} catch (error) {
				if (isErrno(error, "ENOENT")) return undefined;
				throw error;
			}
		},
		/** Removes the owner's reference to the file. */
		release: (file: string, owner: string): Promise<void> =>
			mutex(file, async () => {
				await deps.store.delete(referenceKey(file, owner));
				if (!(await isReferenced(file))) await removeUnlessReferenced(file);
			}),
		/** Yields the references to all files. */
		async *references(onCorrupt: (key: string, error: unknown) => void): AsyncGenerator<MediaReference> {
			for await (const { value } of deps.store.scan<MediaReference>(REFERENCE_PREFIX, { onCorrupt })) yield value;
		},
		/** Removes temporary files that a crash left behind. */
		async removeTemporaryFiles(): Promise<void> {
			for (const name of await readdir(deps.mediaDir)) {
				if (!TEMPORARY.test(name)) continue;
				const path = join(deps.mediaDir, name);
				const writtenMs = await modifiedMs(path);
				if (writtenMs !== undefined && deps.clock.nowMs() - writtenMs > TEMPORARY_AGE_MS)
					await rm(path, { force: true });
			}
		},
	};
}

function referenceKey(file: string, owner: string): string {
	return `${REFERENCE_PREFIX}${file}:${owner}`;
}

/** The caller renames the file afterwards, so that a file under its final name is complete. */
async function writeAndSync(path: string, bytes: Uint8Array): Promise<void> {
	await using file = await open(path, "wx");
	await file.writeFile(bytes);
	await file.sync();
}

/**
 * `undefined` for a missing file: another studio of the cluster may rename or remove it between listing and reading.
 */
async function modifiedMs(path: string): Promise<number | undefined> {
	try {
		return (await stat(path)).mtimeMs;
	} catch (error) {
		if (isErrno(error, "ENOENT")) return undefined;
		throw error;
	}
}
