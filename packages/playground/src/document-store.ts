/**
 * Stores documents by table and id. Every change is in SQLite before the call that made it returns, and so before any
 * client sees it: a playground that is killed comes back in the last visible state. Without a folder everything is in
 * memory and lost at the end.
 */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export interface Table<Document> {
	readonly get: (id: string) => Document | undefined;
	readonly set: (id: string, document: Document) => void;
	readonly delete: (id: string) => void;
	/** In insertion order within this run; in the order of ids after a restart. */
	readonly values: () => IterableIterator<Document>;
	readonly size: number;
}

export interface DocumentStore {
	readonly table: <Document>(name: string) => Table<Document>;
	/** Makes the writes of `work` a transaction. */
	readonly atomically: <Result>(work: () => Result) => Result;
	readonly close: () => void;
}

export function openDocumentStore(dataDir: string | undefined): DocumentStore {
	const disk = dataDir === undefined ? undefined : openDisk(dataDir);
	/** Reverts the changes of the running transaction in memory, oldest first. */
	let undo: (() => void)[] | undefined;

	return {
		table<Document>(kind: string): Table<Document> {
			const map = new Map<string, Document>(disk?.read(kind) as Iterable<[string, Document]> | undefined);
			return {
				get: (id) => map.get(id),
				set(id, document) {
					disk?.write(kind, id, document);
					const before = map.get(id);
					const isNew = !map.has(id);
					undo?.push(() => void (isNew ? map.delete(id) : map.set(id, before as Document)));
					map.set(id, document);
				},
				delete(id) {
					disk?.remove(kind, id);
					if (!map.has(id)) return;
					// Setting a document again would move it to the end of its table.
					const before = undo && [...map];
					undo?.push(() => {
						map.clear();
						for (const [key, document] of before ?? []) map.set(key, document);
					});
					map.delete(id);
				},
				values: () => map.values(),
				get size() {
					return map.size;
				},
			};
		},
		atomically(work) {
			// Nested: part of the outer transaction.
			if (undo) return work();
			disk?.begin();
			const undoSteps: (() => void)[] = [];
			undo = undoSteps;
			try {
				const result = work();
				disk?.commit();
				return result;
			} catch (error) {
				for (const revert of undoSteps.toReversed()) revert();
				disk?.rollback();
				throw error;
			} finally {
				undo = undefined;
			}
		},
		close: () => disk?.close(),
	};
}

function openDisk(dataDir: string) {
	mkdirSync(dataDir, { recursive: true });
	// Loaded here, because a playground without a folder does not need it.
	const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as typeof import("node:sqlite");
	const database = new DatabaseSync(join(dataDir, "playground.db"));
	database.exec(`
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = NORMAL;
		PRAGMA busy_timeout = 2000;
		CREATE TABLE IF NOT EXISTS documents (kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
	`);
	const selectKind = database.prepare("SELECT id, json FROM documents WHERE kind = ? ORDER BY length(id), id");
	const upsert = database.prepare(
		"INSERT INTO documents (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json",
	);
	const deleteOne = database.prepare("DELETE FROM documents WHERE kind = ? AND id = ?");
	return {
		read: (kind: string) =>
			selectKind.all(kind).map((row): [string, unknown] => [String(row["id"]), JSON.parse(String(row["json"]))]),
		write: (kind: string, id: string, document: unknown) => void upsert.run(kind, id, JSON.stringify(document)),
		remove: (kind: string, id: string) => void deleteOne.run(kind, id),
		begin: () => database.exec("BEGIN IMMEDIATE"),
		commit: () => database.exec("COMMIT"),
		rollback() {
			// SQLite ends the transaction itself, for example when the disk is full.
			if (database.isTransaction) database.exec("ROLLBACK");
		},
		close: () => database.close(),
	};
}
