import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from "node:sqlite";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import type { StoreDeps } from "./store-deps.ts";
import { StoreNotUsableError } from "./store-errors.ts";
import { HIGHEST_CODE_POINT, type TextChange, type TextStorage } from "./kv-adapter.ts";

const BUSY_TIMEOUT_MS = 5000;
/** 32 MiB of log per checkpoint: many small documents change the same pages repeatedly. */
const CHECKPOINT_PAGES = 8192;
/** The working set of a busy store is larger than SQLite's default of 2 MiB. */
const CACHE_KIB = 8192;
const SCAN_BATCH_ROWS = 256;
const SQLITE_FULL = 13;

interface Read {
	readonly key: string;
	readonly resolve: (text: string | undefined) => void;
	readonly reject: (reason: unknown) => void;
}

interface Write {
	readonly run: () => number;
	readonly resolve: (rowsChanged: number) => void;
	readonly reject: (reason: unknown) => void;
}

/**
 * Text in one SQLite file, in the table of keyv's own SQLite adapter. * Each write is synced before its promise
 * resolves (WAL with `synchronous=FULL`). The writes of one turn of the event loop share a transaction and one fsync,
 * which makes many small documents affordable. The reads of a turn are also answered together, so that their
 * consequences are sent in one batch.
 */
export function openSqliteStorage(
	path: string,
	{ logger = pino({ level: "silent" }) }: Partial<Pick<StoreDeps, "logger">> = {},
): TextStorage {
	if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
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
	const removeAll = database.prepare("DELETE FROM keyv");
	const page = database.prepare("SELECT key, value FROM keyv WHERE key > ? AND key < ? ORDER BY key LIMIT ?");
	const first = database.prepare("SELECT key, value FROM keyv WHERE key = ?");

	const fullDisk = createThrottledLogger({
		clock: systemClock,
		logger,
		message: "the disk is full: nothing can be written to the store until there is room for its database",
	});

	let asked: Read[] = [];
	let waiting: Write[] = [];

	function answerAsked(): void {
		const reads = asked;
		asked = [];
		try {
			// A transaction acquires and releases the file locks once for all reads.
			if (reads.length > 1) inTransaction("BEGIN", () => answer(reads));
			else answer(reads);
		} catch (error) {
			// Rejects the unanswered ones.
			for (const { reject } of reads) reject(error);
		}
	}

	function answer(reads: readonly Read[]): void {
		for (const { key, resolve, reject } of reads) {
			try {
				resolve(select.get(key)?.["value"] as string | undefined);
			} catch (error) {
				reject(error);
			}
		}
	}

	function write(statement: typeof upsert, ...parameters: SQLInputValue[]): Promise<number> {
		return withOthers(() => Number(statement.run(...parameters).changes));
	}

	function withOthers(run: () => number): Promise<number> {
		return new Promise((resolve, reject) => {
			if (waiting.length === 0) setImmediate(commitWaiting);
			waiting.push({ run, resolve, reject });
		});
	}

	/** Reverts its own changes if one does not match; others in the transaction stay. */
	function changeAll(changes: readonly TextChange[]): number {
		for (const [index, { key, expected, next }] of changes.entries()) {
			const { changes: changed } = expected === undefined ? insert.run(key, next) : replace.run(next, key, expected);
			if (Number(changed) === 1) continue;
			for (const done of changes.slice(0, index)) {
				if (done.expected === undefined) remove.run(done.key);
				else upsert.run(done.key, done.expected);
			}
			return 0;
		}
		return 1;
	}

	function commitWaiting(): void {
		const writes = waiting;
		waiting = [];
		let changes: number[];
		try {
			changes = inTransaction("BEGIN IMMEDIATE", () => writes.map((each) => each.run()));
		} catch (error) {
			if (isDiskFull(error)) fullDisk.add(error);
			for (const { reject } of writes) reject(error);
			return;
		}
		writes.forEach(({ resolve }, index) => resolve(changes[index] ?? 0));
	}

	function inTransaction<T>(begin: "BEGIN" | "BEGIN IMMEDIATE", work: () => T): T {
		database.exec(begin);
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
		opts: {},
		// File locks coordinate the processes of one machine.
		isSharedBetweenProcesses: path !== ":memory:",
		// keyv adds an error listener; here errors reject their operation.
		on() {
			return this;
		},
		get: (key) =>
			new Promise((resolve, reject) => {
				if (asked.length === 0) setImmediate(answerAsked);
				asked.push({ key, resolve, reject });
			}),
		async set(key, text) {
			await write(upsert, key, text);
		},
		async delete(key) {
			return (await write(remove, key)) === 1;
		},
		async clear() {
			await write(removeAll);
		},
		async compareAndSet(key, expected, next) {
			const changes = expected === undefined ? write(insert, key, next) : write(replace, next, key, expected);
			return (await changes) === 1;
		},
		compareAndSetAll: async (changes) => (await withOthers(() => changeAll(changes))) === 1,
		async *scan(prefix, after) {
			let rows = [
				...(after === undefined ? first.all(prefix) : []),
				...page.all(after ?? prefix, prefix + HIGHEST_CODE_POINT, SCAN_BATCH_ROWS),
			];
			while (rows.length > 0) {
				for (const row of rows) yield { key: row["key"] as string, text: row["value"] as string };
				rows = page.all(rows.at(-1)?.["key"] as string, prefix + HIGHEST_CODE_POINT, SCAN_BATCH_ROWS);
			}
		},
		async *snapshot() {
			if (waiting.length > 0) commitWaiting();
			if (path === ":memory:") {
				const rows = database.prepare("SELECT key, value FROM keyv ORDER BY key").all();
				for (const row of rows) yield { key: row["key"] as string, text: row["value"] as string };
				return;
			}
			// A second connection keeps its snapshot while this one writes.
			const reader = openDatabase(path, { readOnly: true });
			const next = reader.prepare("SELECT key, value FROM keyv WHERE key > ? ORDER BY key LIMIT ?");
			reader.exec("BEGIN");
			try {
				let rows = next.all("", SCAN_BATCH_ROWS);
				while (rows.length > 0) {
					for (const row of rows) yield { key: row["key"] as string, text: row["value"] as string };
					rows = next.all(rows.at(-1)?.["key"] as string, SCAN_BATCH_ROWS);
				}
			} finally {
				reader.close();
			}
		},
		async disconnect() {
			if (asked.length > 0) answerAsked();
			if (waiting.length > 0) commitWaiting();
			if (database.isOpen) database.close();
		},
	};
}

function isDiskFull(error: unknown): boolean {
	return error instanceof Error && "errcode" in error && error.errcode === SQLITE_FULL;
}

function openDatabase(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
	try {
		return new DatabaseSync(path, options);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new StoreNotUsableError(`cannot open the SQLite file ${path}: ${reason}.`, { cause });
	}
}
