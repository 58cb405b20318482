import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import { isErrno } from "@atelier/common/is-errno";
import { renameDurably, undefinedIfMissing, writeSyncedFile } from "./durable-file.ts";
import type { FileContent } from "./media-file.ts";
import { isTaskId } from "../tasks/task.ts";

/** Outlives a weekend with an outage. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Longer than any download. */
const DRAFT_LIFE_MS = 60 * 60 * 1000;
const RESULT_NAME = /^(?<taskId>\d{1,25})-\d+$/;
const DRAFT_NAME = /^\d{1,25}-\d+\.(?<pid>\d+)-(?<instance>[0-9a-f]+)-\d+\.part$/;

/** A downloaded file that is not a result yet: its type can be checked before it is stored. */
export interface Draft {
	readonly sizeBytes: number;
	/** Its path until it is stored or discarded. */
	readonly path: string;
	/**
	 * Stores it durably as a file of the result. `asIndex`: its place in the result, such as `fetchedIndexOf` or `fullSizeIndexOf`;
	 * by default its own.
	 */
	store(asIndex?: number): Promise<void>;
	discard(): Promise<void>;
}

/** The drafts of one task's result. Disposal discards those that were not stored. */
export interface Drafts extends AsyncDisposable {
	add(index: number, content: AsyncIterable<Uint8Array>): Promise<Draft>;
}

export interface LocatedFile {
	readonly path: string;
	readonly sizeBytes: number;
	/** The file is removed at this time, or earlier if the store is full. */
	readonly keptUntilMs: number;
}

/** Stores the files of results on this machine's disk, from the download until some days after the delivery. */
export interface ResultStore {
	/** Streams content to the disk. Removes the file after a failure. */
	draft(taskId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<Draft>;
	/** Durable when it resolves: a file that could still be lost is never charged. */
	write(taskId: string, index: number, bytes: Uint8Array): Promise<void>;
	/** Opens a file for reading on demand; `undefined` if it does not exist. */
	open(taskId: string, index: number): Promise<FileContent | undefined>;
	/** Returns the path of a file, for tools that read it directly. */
	locate(taskId: string, index: number): Promise<LocatedFile | undefined>;
	/** Renames one file of a task to another index, durably. */
	move(taskId: string, index: number, toIndex: number): Promise<void>;
	/** Removes all files of a task, or one of them. */
	remove(taskId: string, index?: number): Promise<void>;
	/** Removes expired files, then the oldest ones until the rest fits the limit. */
	prune(): Promise<void>;
}

interface ResultStoreDeps {
	readonly folder: string;
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
	/** Distinguishes this process's drafts from those of an earlier one with the same pid. */
	const instance = randomBytes(6).toString("hex");
	const mutex = createKeyedMutex();
	let hasFolder: Promise<void> | undefined;
	let drafts = 0;
	/** This process's estimate: others may write to the same folder. */
	let storedBytes = 0;

	function pathOf(taskId: string, index: number): string {
		if (!isTaskId(taskId) || !Number.isInteger(index)) throw new TypeError("not a result file name");
		return join(folder, `${taskId}-${index}`);
	}

	/** A failure may be temporary, so the next call tries again. */
	async function makeFolder(): Promise<void> {
		try {
			await mkdir(folder, { recursive: true });
		} catch (error) {
			hasFolder = undefined;
			throw error;
		}
	}

	async function draft(taskId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<Draft> {
		const part = `${pathOf(taskId, index)}.${process.pid}-${instance}-${drafts++}.part`;
		await (hasFolder ??= makeFolder());
		const remove = async (): Promise<void> => await rm(part, { force: true });
		const { sizeBytes, synced } = await writeSyncedFile(open(part, "w"), content).catch(async (error: unknown) => {
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
			async discard() {
				if (isStored) return;
				await synced.catch(() => {});
				await remove();
			},
		};
	}

	async function* filesOnDisk(): AsyncGenerator<{ readonly name: string } & Omit<ResultFile, "taskId">> {
		await mkdir(folder, { recursive: true });
		for (const name of await readdir(folder)) {
			const path = join(folder, name);
			const found = await stat(path).catch(undefinedIfMissing);
			if (found) yield { name, path, sizeBytes: found.size, writtenAtMs: found.mtimeMs };
		}
	}

	function isAbandoned({ pid, instance: other }: Partial<Record<string, string>>, writtenAtMs: number): boolean {
		// Files of this process are in use as long as they exist.
		if (Number(pid) === process.pid) return other !== instance;
		return clock.nowMs() - writtenAtMs > DRAFT_LIFE_MS || !isAlive(Number(pid));
	}

	function prune(): Promise<void> {
		return mutex("prune", async () => {
			const resultFiles: ResultFile[] = [];
			// Ignores files that are not results.
			for await (const { name, ...file } of filesOnDisk()) {
				const draftName = DRAFT_NAME.exec(name);
				if (draftName && isAbandoned(draftName.groups ?? {}, file.writtenAtMs)) await rm(file.path, { force: true });
				const taskId = RESULT_NAME.exec(name)?.groups?.["taskId"];
				if (taskId !== undefined) resultFiles.push({ ...file, taskId });
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
		async write(taskId, index, bytes) {
			await (await draft(taskId, index, inOneChunk(bytes))).store();
		},
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
			if (index !== undefined) return await rm(pathOf(taskId, index), { force: true });
			pathOf(taskId, 0);
			for await (const { name, path } of filesOnDisk()) {
				if (RESULT_NAME.exec(name)?.groups?.["taskId"] === taskId) await rm(path, { force: true });
			}
		},
		prune,
	};
}

export function openDrafts(results: Pick<ResultStore, "draft">, taskId: string): Drafts {
	const drafts: Draft[] = [];
	return {
		async add(index, content) {
			const draft = await results.draft(taskId, index, content);
			drafts.push(draft);
			return draft;
		},
		async [Symbol.asyncDispose]() {
			for (const draft of drafts) await draft.discard();
		},
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

async function* inOneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

function byAge(one: ResultFile, other: ResultFile): number {
	return one.writtenAtMs - other.writtenAtMs;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// The process exists, but belongs to another user.
		return isErrno(error, "EPERM");
	}
}
