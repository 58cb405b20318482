import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { createOneAtATime } from "@atelier/common/keyed-mutex";
import { isErrno } from "@atelier/common/is-errno";
import { renameAtomically, undefinedIfMissing, writeFileAtomically } from "./atomic-write.ts";
import type { FileContent } from "./media-file.ts";

/** Long enough for a weekend's outage of everything else. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
/** Nothing is fetched for as long as this. */
const DRAFT_LIFE_MS = 60 * 60 * 1000;
const TASK_ID = /^\d{1,25}$/;
const RESULT_NAME = /^(?<taskId>\d{1,25})-\d+$/;
const DRAFT_NAME = /^\d{1,25}-\d+(\.(?<pid>\d+)-(?<instance>[0-9a-f]+)-\d+)?\.part$/;

/** A file that has arrived and is not a result yet: what it is can be looked at before it is kept. */
export interface Draft {
	readonly sizeBytes: number;
	/** Where it lies until it is kept or discarded. */
	readonly path: string;
	/** Makes it the result, durably; or another of the same task's files. */
	keep(asIndex?: number): Promise<void>;
	discard(): Promise<void>;
}

/** The drafts of one task's result. Its disposal discards those that were not kept. */
export interface Drafts extends AsyncDisposable {
	add(index: number, content: AsyncIterable<Uint8Array>): Promise<Draft>;
}

export interface LocatedFile {
	readonly path: string;
	readonly sizeBytes: number;
	/** Longer than that it is not kept; shorter where the store has to make room. */
	readonly keptUntilMs: number;
}

/** Files of results on this machine's disk, from the moment they are ours until well after they were shown. */
export interface ResultStore {
	/** Writes what comes to the disk, without holding it in memory; leaves nothing behind where it ends badly. */
	draft(taskId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<Draft>;
	/** Durable when it resolves: nothing is charged for a file that could still be lost. */
	write(taskId: string, index: number, bytes: Uint8Array): Promise<void>;
	/** Read from the disk when it is asked for; `undefined` where nothing is. */
	open(taskId: string, index: number): Promise<FileContent | undefined>;
	/** Where it lies, for those who read it by its path. */
	locate(taskId: string, index: number): Promise<LocatedFile | undefined>;
	/** Makes one file of a task another one of its files, durably. */
	move(taskId: string, index: number, toIndex: number): Promise<void>;
	/** Forgets all files of a task, or that one alone, for which nobody will ask. */
	remove(taskId: string, index?: number): Promise<void>;
	/** Removes what is too old, and of the rest the oldest until it is no more than the store may hold. */
	prune(): Promise<void>;
}

interface ResultStoreDeps {
	readonly folder: string;
	readonly bytesMax: number;
	/** Tasks whose files are needed, whatever their age and size. */
	readonly openTaskIds: () => AsyncIterable<string>;
	readonly clock: Clock;
}

interface KeptFile {
	readonly path: string;
	readonly taskId: string;
	readonly sizeBytes: number;
	readonly writtenAtMs: number;
}

export function createResultStore({ folder, bytesMax, openTaskIds, clock }: ResultStoreDeps): ResultStore {
	/** Tells the drafts of this process from those of a dead one that had the same number. */
	const instance = randomBytes(6).toString("hex");
	const oneAtATime = createOneAtATime();
	let hasFolder: Promise<void> | undefined;
	let drafts = 0;
	/** As far as this process knows: others may write into the same folder. */
	let keptBytes = 0;

	function pathOf(taskId: string, index: number): string {
		if (!TASK_ID.test(taskId) || !Number.isInteger(index)) throw new TypeError("not the name of a result");
		return join(folder, `${taskId}-${index}`);
	}

	/** What went wrong with it may be over the next time. */
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
		const { sizeBytes, synced } = await writeFileAtomically(open(part, "w"), content).catch(async (error: unknown) => {
			await remove();
			throw error;
		});
		let isKept = false;
		return {
			sizeBytes,
			path: part,
			async keep(asIndex = index) {
				const to = pathOf(taskId, asIndex);
				// Only a file that is safe on the disk replaces another one.
				await synced;
				await renameAtomically(part, to);
				isKept = true;
				keptBytes += sizeBytes;
				if (keptBytes > bytesMax) await prune();
			},
			async discard() {
				if (isKept) return;
				await synced.catch(() => {});
				await remove();
			},
		};
	}

	async function* listed(): AsyncGenerator<{ readonly name: string } & Omit<KeptFile, "taskId">> {
		await mkdir(folder, { recursive: true });
		for (const name of await readdir(folder)) {
			const path = join(folder, name);
			const found = await stat(path).catch(undefinedIfMissing);
			if (found) yield { name, path, sizeBytes: found.size, writtenAtMs: found.mtimeMs };
		}
	}

	function isDead({ pid, instance: other }: Partial<Record<string, string>>, writtenAtMs: number): boolean {
		if (pid === undefined) return true;
		// Many files are fitted in turn: our own are in use for as long as they are there.
		if (Number(pid) === process.pid) return other !== instance;
		return clock.nowMs() - writtenAtMs > DRAFT_LIFE_MS || !isAlive(Number(pid));
	}

	function prune(): Promise<void> {
		return oneAtATime("prune", async () => {
			const kept: KeptFile[] = [];
			// Whatever else somebody keeps there is not ours to remove.
			for await (const { name, ...file } of listed()) {
				const draftName = DRAFT_NAME.exec(name);
				if (draftName && isDead(draftName.groups ?? {}, file.writtenAtMs)) await rm(file.path, { force: true });
				const taskId = RESULT_NAME.exec(name)?.groups?.["taskId"];
				if (taskId !== undefined) kept.push({ ...file, taskId });
			}
			// Read after the list: a task that was open when its file was written is still in it, or has ended.
			const needed = new Set(await Array.fromAsync(openTaskIds()));
			keptBytes = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
			for (const { path, taskId, sizeBytes, writtenAtMs } of kept.toSorted(byAge)) {
				const isOld = clock.nowMs() - writtenAtMs > KEEP_MS;
				if (needed.has(taskId) || (!isOld && keptBytes <= bytesMax)) continue;
				await rm(path, { force: true });
				keptBytes -= sizeBytes;
			}
		});
	}

	return {
		draft,
		async write(taskId, index, bytes) {
			await (await draft(taskId, index, oneChunk(bytes))).keep();
		},
		async open(taskId, index) {
			const path = pathOf(taskId, index);
			const found = await stat(path).catch(undefinedIfMissing);
			return found && contentOf(path, found.size);
		},
		async locate(taskId, index) {
			const path = pathOf(taskId, index);
			const found = await stat(path).catch(undefinedIfMissing);
			return found && { path, sizeBytes: found.size, keptUntilMs: Math.floor(found.mtimeMs) + KEEP_MS };
		},
		async move(taskId, index, toIndex) {
			await renameAtomically(pathOf(taskId, index), pathOf(taskId, toIndex));
		},
		async remove(taskId, index) {
			if (index !== undefined) return await rm(pathOf(taskId, index), { force: true });
			pathOf(taskId, 0);
			for await (const { name, path } of listed()) {
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
				if ((await file.stat()).size > sizeBytes) throw new Error("a result that is larger than it was");
				for (let at = 0; at < sizeBytes;) {
					const { bytesRead } = await file.read(target, at, sizeBytes - at, at);
					if (bytesRead === 0) throw new Error("a result that is shorter than it was");
					at += bytesRead;
				}
			} finally {
				await file.close();
			}
		},
	};
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

function byAge(one: KeptFile, other: KeptFile): number {
	return one.writtenAtMs - other.writtenAtMs;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// It is there, and somebody else's.
		return isErrno(error, "EPERM");
	}
}
