import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import { renameDurably, undefinedIfMissing, writeSyncedFile } from "./durable-file.ts";
import type { FileContent } from "./media-file.ts";
import { isTaskId } from "../tasks/task.ts";

/** Covers a weekend during which Discord or the bot is down. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Longer than any download. Other processes may share the folder from other machines or containers, so their process ids say nothing. */
export const DRAFT_LIFE_MS = 60 * 60 * 1000;
const RESULT_NAME = /^(?<taskId>\d{1,25})-\d+$/;
const DRAFT_NAME = /^\d{1,25}-\d+\..+\.part$/;

/** Discord's maximum for one message. */
export const FILES_MAX = 10;

/** Returns the index of the full-size file whose preview is shown under `index`. */
export function fullSizeIndexOf(index: number): number {
	return FILES_MAX + index;
}

/** Returns the index of the downloaded output `index` while it waits for its transcode. */
export function fetchedIndexOf(index: number): number {
	return 2 * FILES_MAX + index;
}

/** A downloaded file that is not a result yet: its type can be checked before it is stored. Disposal removes it unless it was stored. */
export interface Draft extends AsyncDisposable {
	readonly sizeBytes: number;
	/** Valid until the draft is stored or disposed of. */
	readonly path: string;
	/**
	 * Stores the draft durably as a file of the result: under its own index, or under `asIndex`, such as `fetchedIndexOf(0)` or
	 * `fullSizeIndexOf(0)`.
	 */
	store(asIndex?: number): Promise<void>;
}

export interface LocatedFile {
	readonly path: string;
	readonly sizeBytes: number;
	/** The file is removed after this time, or earlier if the store is full; but not while its task is open. */
	readonly keptUntilMs: number;
}

/** Stores the files of results on this machine's disk, from the download until some days after the delivery. */
export interface ResultStore {
	/** Streams content to a new draft. If the stream or a write fails, removes the draft and throws that error. */
	draft(taskId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<Draft>;
	/** Opens a file for reading on demand; `undefined` if it does not exist. */
	open(taskId: string, index: number): Promise<FileContent | undefined>;
	/** Returns the path of a file, for code that reads it directly; `undefined` if it does not exist. */
	locate(taskId: string, index: number): Promise<LocatedFile | undefined>;
	/** Renames one file of a task to another index, durably. */
	move(taskId: string, index: number, toIndex: number): Promise<void>;
	/** Removes all files of a task, or one of them. */
	remove(taskId: string, index?: number): Promise<void>;
	/** Removes expired files, then the oldest ones until the rest fits the limit; and drafts that killed processes left behind. */
	prune(): Promise<void>;
}

interface ResultStoreDeps {
	readonly folder: string;
	/** The limit of all files together. */
	readonly bytesMax: number;
	/** Yields tasks whose files are needed, regardless of age and size. */
	readonly openTaskIds: () => AsyncIterable<string>;
	readonly clock: Clock;
}

interface ResultFile {
	readonly path: string;
	readonly taskId: string;
	readonly sizeBytes: number;
	readonly writtenAtMs: number;
}

export function createResultStore({ folder, bytesMax, openTaskIds, clock }: ResultStoreDeps): ResultStore {
	/** Part of the names of this process's drafts. */
	const instance = randomBytes(6).toString("hex");
	const mutex = createKeyedMutex();
	let draftCount = 0;
	/** An estimate, because other processes may write to the same folder. `prune` replaces it with the actual size. */
	let storedBytes = 0;

	function pathOf(taskId: string, index: number): string {
		// A task id becomes part of a path.
		if (!isTaskId(taskId)) throw new TypeError("the task id of a result file is invalid");
		return join(folder, `${taskId}-${index}`);
	}

	async function draft(taskId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<Draft> {
		const part = `${pathOf(taskId, index)}.${instance}-${draftCount++}.part`;
		await mkdir(folder, { recursive: true });
		const remove = async (): Promise<void> => await rm(part, { force: true });
		const { sizeBytes, synced } = await writeSyncedFile(part, content).catch(async (error: unknown) => {
			await remove();
			throw error;
		});
		let isStored = false;
		return {
			sizeBytes,
			path: part,
			async store(asIndex = index) {
				const to = pathOf(taskId, asIndex);
				// Only a synced file replaces another one.
				await synced;
				await renameDurably(part, to);
				isStored = true;
				storedBytes += sizeBytes;
				if (storedBytes > bytesMax) await prune();
			},
			async [Symbol.asyncDispose]() {
				if (isStored) return;
				await synced.catch(() => {});
				await remove();
			},
		};
	}

	function isLeftBehind(name: string, writtenAtMs: number): boolean {
		const isDraftOfOther = DRAFT_NAME.test(name) && !name.includes(`.${instance}-`);
		return isDraftOfOther && clock.nowMs() - writtenAtMs > DRAFT_LIFE_MS;
	}

	function prune(): Promise<void> {
		return mutex("prune", async () => {
			const resultFiles: ResultFile[] = [];
			await mkdir(folder, { recursive: true });
			// Ignores files that are not results.
			for (const name of await readdir(folder)) {
				const path = join(folder, name);
				const found = await stat(path).catch(undefinedIfMissing);
				if (!found) continue;
				const { size: sizeBytes, mtimeMs: writtenAtMs } = found;
				if (isLeftBehind(name, writtenAtMs)) await rm(path, { force: true });
				const taskId = RESULT_NAME.exec(name)?.groups?.["taskId"];
				if (taskId !== undefined) resultFiles.push({ path, taskId, sizeBytes, writtenAtMs });
			}
			// Read after the list: a task that was open when its file was written is still listed, or has ended.
			const needed = new Set(await Array.fromAsync(openTaskIds()));
			storedBytes = resultFiles.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
			for (const { path, taskId, sizeBytes, writtenAtMs } of resultFiles.toSorted(byAge)) {
				const isOld = clock.nowMs() - writtenAtMs > RETENTION_MS;
				if (needed.has(taskId) || (!isOld && storedBytes <= bytesMax)) continue;
				await rm(path, { force: true });
				storedBytes -= sizeBytes;
			}
		});
	}

	return {
		draft,
		async open(taskId, index) {
			const path = pathOf(taskId, index);
			const found = await stat(path).catch(undefinedIfMissing);
			return found && contentOf(path, found.size);
		},
		async locate(taskId, index) {
			const path = pathOf(taskId, index);
			const found = await stat(path).catch(undefinedIfMissing);
			return found && { path, sizeBytes: found.size, keptUntilMs: Math.floor(found.mtimeMs) + RETENTION_MS };
		},
		async move(taskId, index, toIndex) {
			await renameDurably(pathOf(taskId, index), pathOf(taskId, toIndex));
		},
		async remove(taskId, index) {
			const indexes = index === undefined ? Array.from({ length: 3 * FILES_MAX }).keys() : [index];
			await Promise.all([...indexes].map((each) => rm(pathOf(taskId, each), { force: true })));
		},
		prune,
	};
}

function contentOf(path: string, sizeBytes: number): FileContent {
	return {
		sizeBytes,
		async readInto(target) {
			const file = await open(path);
			try {
				if ((await file.stat()).size > sizeBytes) throw new Error("the result file has grown");
				for (let at = 0; at < sizeBytes;) {
					const { bytesRead } = await file.read(target, at, sizeBytes - at, at);
					if (bytesRead === 0) throw new Error("the result file has shrunk");
					at += bytesRead;
				}
			} finally {
				await file.close();
			}
		},
	};
}

function byAge(one: ResultFile, other: ResultFile): number {
	return one.writtenAtMs - other.writtenAtMs;
}
