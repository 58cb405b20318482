/**
 * Stores documents by table and id. Every change is in SQLite before the call that made it returns, and so before any
 * client sees it: a playground that is killed comes back in the last visible state. Without a folder everything is in
 * memory and lost at the end.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Table<Document> {
	readonly get: (id: string) => Document | undefined;
	readonly set: (id: string, document: Document) => void;
	readonly delete: (id: string) => void;
	readonly ids: () => IterableIterator<string>;
	/** In insertion order; in the order of ids after a restart or a failed transaction. */
	readonly values: () => IterableIterator<Document>;
	readonly size: number;
}

export type DocumentStore = ReturnType<typeof openDocumentStore>;

export function openDocumentStore(dataDir: string | undefined) {
	if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
	const database = new DatabaseSync(dataDir === undefined ? ":memory:" : join(dataDir, "playground.db"));
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
	const reloadCallbacks: (() => void)[] = [];

	return {
		table<Document>(kind: string): Table<Document> {
			const documents = new Map<string, Document>();
			const reload = (): void => {
				documents.clear();
				for (const { id, json } of selectKind.all(kind))
					documents.set(String(id), JSON.parse(String(json)) as Document);
			};
			reload();
			reloadCallbacks.push(reload);
			return {
				get: (id) => documents.get(id),
				set(id, document) {
					upsert.run(kind, id, JSON.stringify(document));
					documents.set(id, document);
				},
				delete(id) {
					deleteOne.run(kind, id);
					documents.delete(id);
				},
				ids: () => documents.keys(),
				values: () => documents.values(),
				get size() {
					return documents.size;
				},
			};
		},
		/** Makes the writes of `work` a transaction. */
		atomically<Result>(work: () => Result): Result {
			// Nested: part of the outer transaction.
			if (database.isTransaction) return work();
			database.exec("BEGIN IMMEDIATE");
			try {
				const result = work();
				database.exec("COMMIT");
				return result;
			} catch (error) {
				// SQLite ends the transaction itself, for example when the disk is full.
				if (database.isTransaction) database.exec("ROLLBACK");
				for (const reload of reloadCallbacks) reload();
				throw error;
			}
		},
		close: () => database.close(),
	};
}
