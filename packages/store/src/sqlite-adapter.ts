import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { HIGHEST_CODE_POINT, type KvAdapter, type KvChange, type KvWrite, type KvEntry } from "./kv-adapter.ts";
import { hasResultCode, SQLITE, storeErrorOf } from "./sqlite-errors.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreNotUsableError } from "./store-errors.ts";

const BUSY_TIMEOUT_MS = 5000;
/** 32 MiB of write-ahead log. Fewer checkpoints copy a page less often if it changes often. */
const CHECKPOINT_PAGES = 8192;
/** The working set of a busy store is larger than SQLite's default of 2 MiB. */
const CACHE_KIB = 8192;
const SCAN_BATCH_ROWS = 256;

interface PendingRead {
	readonly key: string;
	readonly resolve: (text: string | undefined) => void;
	readonly reject: (reason: unknown) => void;
}

interface PendingWrite {
	/** Returns whether the write was applied: for a comparison, whether it held. */
	readonly run: () => boolean;
	readonly resolve: (isApplied: boolean) => void;
	readonly reject: (reason: unknown) => void;
}

/**
 * Stores text in one SQLite file, in the table of keyv's own SQLite adapter. Each write is synced before its promise
 * resolves (WAL with `synchronous=FULL`). The writes of one turn of the event loop share a transaction and one fsync,
 * so many small documents stay cheap. The reads of a turn run before its writes: code that awaits a read can still write in
 * the same turn.
 */
export function openSqliteAdapter(
	path: string,
	{ logger = pino({ level: "silent" }) }: Partial<Pick<StoreDeps, "logger">> = {},
): KvAdapter {
	mkdirSync(dirname(path), { recursive: true });
	const database = openDatabase(path);
	try {
		database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		database.exec("PRAGMA journal_mode = WAL");
		database.exec("PRAGMA synchronous = FULL");
		database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
		database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
		database.exec("CREATE TABLE IF NOT EXISTS keyv (key VARCHAR(255) PRIMARY KEY, value TEXT)");
	} catch (error) {
		database.close();
		throw error;
	}

	const select = database.prepare("SELECT value FROM keyv WHERE key = ?");
	const upsert = database.prepare(
		"INSERT INTO keyv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
	);
	const insert = database.prepare("INSERT INTO keyv (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING");
	const replace = database.prepare("UPDATE keyv SET value = ? WHERE key = ? AND value = ?");
	const remove = database.prepare("DELETE FROM keyv WHERE key = ?");
	const selectBetween = database.prepare("SELECT key, value FROM keyv WHERE key > ? AND key < ? ORDER BY key LIMIT ?");

	const diskFullLogger = createThrottledLogger({
		clock: systemClock,
		logger,
		message: "the disk is full: nothing can be written to the store until there is room for its database",
	});

	let pendingReads: PendingRead[] = [];
	let pendingWrites: PendingWrite[] = [];
	let isScheduled = false;

	function schedule(): void {
		if (isScheduled) return;
		isScheduled = true;
		// Between two immediates, Node continues the code that awaits the reads, which may write.
		setImmediate(runPendingReads);
		setImmediate(() => {
			isScheduled = false;
			if (pendingReads.length > 0) schedule();
			commitPendingWrites();
		});
	}

	function runPendingReads(): void {
		const reads = pendingReads;
		pendingReads = [];
		for (const { key, resolve, reject } of reads) {
			try {
				resolve(select.get(key)?.["value"] as string | undefined);
			} catch (error) {
				reject(storeErrorOf(error));
			}
		}
	}

	function write(run: PendingWrite["run"]): Promise<boolean> {
		return new Promise((resolve, reject) => {
			pendingWrites.push({ run, resolve, reject });
			schedule();
		});
	}

	/** Reverts its own changes if one does not match; other writes of the transaction stay. */
	function applyAllOrNone(changes: readonly KvChange[], writes: readonly KvWrite[]): boolean {
		for (const [index, { key, expected, next }] of changes.entries()) {
			const { changes: rowCount } = expected === undefined ? insert.run(key, next) : replace.run(next, key, expected);
			if (Number(rowCount) === 1) continue;
			for (const applied of changes.slice(0, index)) {
				if (applied.expected === undefined) remove.run(applied.key);
				else upsert.run(applied.key, applied.expected);
			}
			return false;
		}
		for (const { key, text } of writes) {
			if (text === undefined) remove.run(key);
			else upsert.run(key, text);
		}
		return true;
	}

	function commitPendingWrites(): void {
		if (pendingWrites.length === 0) return;
		const writes = pendingWrites;
		pendingWrites = [];
		let results: boolean[];
		try {
			results = inTransaction(() => writes.map(({ run }) => run()));
		} catch (error) {
			if (hasResultCode(error, SQLITE.FULL)) diskFullLogger.add(error);
			for (const { reject } of writes) reject(storeErrorOf(error));
			return;
		}
		writes.forEach(({ resolve }, index) => resolve(results[index] ?? false));
	}

	function inTransaction<T>(work: () => T): T {
		database.exec("BEGIN IMMEDIATE");
		try {
			const result = work();
			database.exec("COMMIT");
			return result;
		} catch (error) {
			if (database.isTransaction) database.exec("ROLLBACK");
			throw error;
		}
	}

	return {
		get: (key) =>
			new Promise((resolve, reject) => {
				pendingReads.push({ key, resolve, reject });
				schedule();
			}),
		async set(key, text) {
			await write(() => upsert.run(key, text).changes > 0);
		},
		delete: (key) => write(() => remove.run(key).changes > 0),
		compareAndSet: (changes, writes = []) => write(() => applyAllOrNone(changes, writes)),
		async *scan(prefix, after) {
			// The range of the batches excludes its lower bound.
			const text = after === undefined ? translateErrors(() => select.get(prefix)?.["value"]) : undefined;
			if (text !== undefined) yield { key: prefix, text: text as string };
			const end = prefix + HIGHEST_CODE_POINT;
			yield* scanRows(after ?? prefix, (key) => selectBetween.all(key, end, SCAN_BATCH_ROWS));
		},
		async *snapshot() {
			commitPendingWrites();
			// A second connection keeps its snapshot while this one writes.
			const reader = translateErrors(() => new DatabaseSync(path, { readOnly: true }));
			try {
				const selectAfter = translateErrors(() => {
					reader.exec("BEGIN");
					return reader.prepare("SELECT key, value FROM keyv WHERE key > ? ORDER BY key LIMIT ?");
				});
				yield* scanRows("", (key) => selectAfter.all(key, SCAN_BATCH_ROWS));
			} finally {
				reader.close();
			}
		},
		async disconnect() {
			runPendingReads();
			commitPendingWrites();
			if (database.isOpen) database.close();
		},
	};
}

type Row = Record<string, SQLOutputValue>;

/**
 * Yields the entries after a key. `selectBatch` selects the next rows after the last key. SQLite reads synchronously, so the event
 * loop gets a turn after each batch.
 */
async function* scanRows(after: string, selectBatch: (after: string) => readonly Row[]): AsyncGenerator<KvEntry> {
	let batch = readBatch(after);
	while (batch.length > 0) {
		yield* batch;
		if (batch.length < SCAN_BATCH_ROWS) return;
		await nextTurn();
		batch = readBatch(batch.at(-1)?.key ?? "");
	}

	function readBatch(lastKey: string): readonly KvEntry[] {
		return translateErrors(() => selectBatch(lastKey)).map((row) => ({
			key: row["key"] as string,
			text: row["value"] as string,
		}));
	}
}

/** Runs statements, and throws the store's errors for those of SQLite. */
function translateErrors<T>(run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw storeErrorOf(error);
	}
}

function openDatabase(path: string): DatabaseSync {
	try {
		return new DatabaseSync(path);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new StoreNotUsableError(
			`cannot open the SQLite file ${path}: ${reason}. Check that this user may read and write it, and its folder.`,
			{ cause },
		);
	}
}
