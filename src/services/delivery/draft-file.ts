/** Under which name a file is written, and how it comes to the one under which it is kept (docs/decisions/0027). */
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "@atelier/common/is-errno";

export interface DraftFile {
	readonly path: string;
	readonly handle: FileHandle;
	/** Of a file that has its name early: another may be put in its place. */
	readonly inode?: bigint;
}

/** Under a name that nobody else gives. */
export async function openNew(path: string): Promise<DraftFile> {
	return { path, handle: await open(path, "w") };
}

/** Under the name that it is to have, unless something has that. */
export async function openEarly(path: string, otherwise: string): Promise<DraftFile> {
	const handle = await open(path, "wx").catch((error: unknown) => {
		if (isErrno(error, "EEXIST")) return undefined;
		throw error;
	});
	if (!handle) return await openNew(otherwise);
	try {
		return { path, handle, inode: (await handle.stat({ bigint: true })).ino };
	} catch (error) {
		await handle.close();
		await rm(path, { force: true });
		throw error;
	}
}

/** Not where something that was made of it, such as the same in less bytes, has taken its place. */
export async function isOurs({ path, inode }: DraftFile): Promise<boolean> {
	if (inode === undefined) return true;
	return (await stat(path, { bigint: true }).catch(undefinedIfMissing))?.ino === inode;
}

/** In the place of whatever has that name. */
export async function renameDurably(from: string, to: string): Promise<void> {
	await rename(from, to);
	await syncFolder(dirname(to));
}

/** A new name is there only when its folder is. */
export async function syncFolder(path: string): Promise<void> {
	const folder = await open(path);
	try {
		await folder.sync();
	} finally {
		// Nobody waits for it: what has been synced is there.
		folder.close().catch(() => {});
	}
}

export function undefinedIfMissing(error: unknown): undefined {
	if (isErrno(error, "ENOENT")) return undefined;
	throw error;
}
