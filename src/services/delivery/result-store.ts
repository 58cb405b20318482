import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import { renameDurably, undefinedIfMissing, writeSyncedFile } from "./durable-file.ts";
import type { FileContent } from "./media-file.ts";
import { isTaskId } from "../task-id.ts";

/** Covers a weekend during which Discord or the bot is down. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Longer than any download and transcode of a process that shares the folder. */
export const STAGED_LIFE_MS = 60 * 60 * 1000;
const RESULT_NAME = /^(?<taskId>\d{1,25})-\d+(?:\.full)?$/;
const STAGED_NAME = /^\d{1,25}\..+\.part$/;

/** Discord's maximum for one message. */
export const FILES_MAX = 10;

/** A file that is not a result yet: its type can be checked before it is stored. Disposal removes it unless it was stored. */
export interface StagedFile extends AsyncDisposable {
	readonly sizeBytes: number;
	/** Valid until the file is stored or disposed of. */
	readonly path: string;
	/** Stores the file durably as the file that members see at this index of the result. */
	store(index: number): Promise<void>;
	/** Stores the file durably as the full-size file of the smaller one at this index. */
	storeFullSize(index: number): Promise<void>;
}

export interface LocatedFile {
	readonly path: string;
	readonly sizeBytes: number;
	/** The file is removed after this time, or earlier if the store is full; but not while its task is open. */
	readonly keptUntilMs: number;
	/** True if members see a preview or a smaller copy of this file. */
	readonly hasPreview: boolean;
}

/** Stores the files of results on this machine's disk, from the download until some days after the delivery. */
export interface ResultStore {
	/** Streams content to a new staged file. If the stream or a write fails, removes the file and throws that error. */
	stage(taskId: string, content: AsyncIterable<Uint8Array>): Promise<StagedFile>;
	/** Opens the file that members see, for reading on demand; `undefined` if it does not exist. */
	open(taskId: string, index: number): Promise<FileContent | undefined>;
	/** Returns the path of the file in full size, which is the one that members see unless that is a preview. `undefined` if neither exists. */
	locateFullSize(taskId: string, index: number): Promise<LocatedFile | undefined>;
	/** Removes all files of a task. */
	remove(taskId: string): Promise<void>;
	/** Removes expired files, then the oldest ones until the rest fits the limit; and staged files that killed processes left behind. */
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
	/** Part of the names of this process's staged files. */
	const instance = randomBytes(6).toString("hex");
	const mutex = createKeyedMutex();
	let stagedCount = 0;
	/** An estimate, because other processes may write to the same folder. `prune` replaces it with the actual size. */
	let storedBytes = 0;

	/** Returns the path of a file of a task, whose id may come from a request. */
	function pathOf(taskId: string, suffix: string): string {
		if (!isTaskId(taskId)) throw new TypeError("the task id of a result file is invalid");
		return join(folder, `${taskId}${suffix}`);
	}

	const shownPathOf = (taskId: string, index: number): string => pathOf(taskId, `-${index}`);
	const fullSizePathOf = (taskId: string, index: number): string => pathOf(taskId, `-${index}.full`);

	async function stage(taskId: string, content: AsyncIterable<Uint8Array>): Promise<StagedFile> {
		const part = pathOf(taskId, `.${instance}-${stagedCount++}.part`);
		await mkdir(folder, { recursive: true });
		const remove = async (): Promise<void> => await rm(part, { force: true });
		const sizeBytes = await writeSyncedFile(part, content).catch(async (error: unknown) => {
			await remove();
			throw error;
		});
		let isStored = false;
		async function storeAs(path: string): Promise<void> {
			await renameDurably(part, path);
			isStored = true;
			storedBytes += sizeBytes;
			if (storedBytes > bytesMax) await prune();
		}
		return {
			sizeBytes,
			path: part,
			store: (index) => storeAs(shownPathOf(taskId, index)),
			storeFullSize: (index) => storeAs(fullSizePathOf(taskId, index)),
			async [Symbol.asyncDispose]() {
				if (!isStored) await remove();
			},
		};
	}

	function isLeftBehind(name: string, writtenAtMs: number): boolean {
		const isStagedByOther = STAGED_NAME.test(name) && !name.includes(`.${instance}-`);
		return isStagedByOther && clock.nowMs() - writtenAtMs > STAGED_LIFE_MS;
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
		stage,
		async open(taskId, index) {
			const path = shownPathOf(taskId, index);
			const found = await stat(path).catch(undefinedIfMissing);
			return found && contentOf(path, found.size);
		},
		async locateFullSize(taskId, index) {
			const fullSize = await locate(fullSizePathOf(taskId, index));
			if (fullSize) return { ...fullSize, hasPreview: true };
			const shown = await locate(shownPathOf(taskId, index));
			return shown && { ...shown, hasPreview: false };
		},
		async remove(taskId) {
			const paths = Array.from({ length: FILES_MAX }, (_, index) => [
				shownPathOf(taskId, index),
				fullSizePathOf(taskId, index),
			]).flat();
			await Promise.all(paths.map((path) => rm(path, { force: true })));
		},
		prune,
	};
}

async function locate(path: string): Promise<Omit<LocatedFile, "hasPreview"> | undefined> {
	const found = await stat(path).catch(undefinedIfMissing);
	return found && { path, sizeBytes: found.size, keptUntilMs: Math.floor(found.mtimeMs) + RETENTION_MS };
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
