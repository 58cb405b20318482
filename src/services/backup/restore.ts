/** Puts a store back to what a backup holds, so that what happened since is neither paid for, nor sent, nor shown again. */
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import type { TextEntry, TextStorage } from "@atelier/store/kv-adapter";
import { createTaskStore } from "../tasks/task-store.ts";
import { asRestored } from "./as-restored.ts";
import { EPOCH_KEY, readEpoch, type EpochRecord } from "./epoch.ts";

/** Written side by side: on SQLite they share one sync. */
const BATCH_ENTRIES = 500;

interface RestoreDeps {
	/** May hold something, which goes. */
	readonly storage: TextStorage;
	/** The same with its format, through which tasks are read. */
	readonly store: Store;
	readonly clock: Clock;
	/** Does the same for what the studio has open in this store; resolves to how many tasks that were. */
	readonly endStudioTasks: (store: Store, clock: Clock) => Promise<number>;
}

export interface Restored {
	readonly documents: number;
	/** Tasks that had not ended when the backup was made. */
	readonly openTasks: number;
	/** The same of the studio, where it is in the same store. */
	readonly openStudioTasks: number;
	readonly record: EpochRecord;
}

interface Past {
	readonly madeAtMs: number;
	readonly epoch: number;
	readonly entries: () => AsyncIterable<TextEntry>;
}

/** May be cut short at any instant and repeated: until it is through, nothing starts on the store. */
export async function restore(past: Past, { storage, store, clock, endStudioTasks }: RestoreDeps): Promise<Restored> {
	const epoch = Math.max(past.epoch, (await readEpoch(store)).epoch) + 1;
	await store.set(EPOCH_KEY, { epoch, state: "restoring" } satisfies EpochRecord);
	await inBatches(storage.scan(""), ({ key }) => storage.delete(key));
	let documents = 0;
	await inBatches(past.entries(), ({ key, text }) => {
		documents++;
		return storage.set(key, text);
	});
	const atMs = clock.nowMs();
	const openTasks = await endThePast(store, atMs);
	const openStudioTasks = await endStudioTasks(store, clock);
	const record: EpochRecord = { epoch, state: "paused", missing: { fromMs: past.madeAtMs, untilMs: atMs } };
	await store.set(EPOCH_KEY, record);
	return { documents, openTasks, openStudioTasks, record };
}

/** What the operator says after having looked at what is missing. False where nothing was paused. */
export async function takeNewTasksAgain(store: Store): Promise<boolean> {
	const stored = await store.get<EpochRecord>(EPOCH_KEY);
	if (stored?.value.state !== "paused") return false;
	const { epoch } = stored.value;
	return (
		(await store.compareAndSet(EPOCH_KEY, stored.raw, { epoch, state: "open" } satisfies EpochRecord)) !== undefined
	);
}

async function endThePast(store: Store, atMs: number): Promise<number> {
	const tasks = createTaskStore(store);
	let count = 0;
	for await (const taskId of tasks.openIds()) {
		const loaded = await tasks.load(taskId);
		if (!loaded) continue;
		count++;
		await tasks.move(loaded, asRestored(loaded.task, atMs));
	}
	return count;
}

async function inBatches(
	entries: AsyncIterable<TextEntry>,
	work: (entry: TextEntry) => Promise<unknown>,
): Promise<void> {
	let batch: TextEntry[] = [];
	for await (const entry of entries) {
		if (entry.key !== EPOCH_KEY) batch.push(entry);
		if (batch.length < BATCH_ENTRIES) continue;
		await Promise.all(batch.map(work));
		batch = [];
	}
	await Promise.all(batch.map(work));
}
