/**
 * What the playground remembers: documents by table and id. Every change is in SQLite before the call that made it
 * returns, hence before anybody outside hears of it, so that a playground killed at any instant comes back as people
 * last saw it. Without a folder everything lives in maps and is forgotten at the end.
 */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export interface Table<Document> {
	readonly get: (id: string) => Document | undefined;
	readonly set: (id: string, document: Document) => void;
	readonly delete: (id: string) => void;
	/** In the order of their first writing within this run; after a restart in the order of their ids. */
	readonly values: () => IterableIterator<Document>;
	readonly size: number;
}

export interface Memory {
	readonly table: <Document>(name: string) => Table<Document>;
	/** Makes the writes of `work` one: all of them survive, or none. */
	readonly atomically: <Result>(work: () => Result) => Result;
	readonly close: () => void;
}

export function openMemory(dataDir: string | undefined): Memory {
	if (dataDir === undefined) return { table: createMapTable, atomically: (work) => work(), close() {} };

	mkdirSync(dataDir, { recursive: true });
	// Loaded here, because a playground without a folder has no use for it.
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
	const remove = database.prepare("DELETE FROM documents WHERE kind = ? AND id = ?");

	return {
		table<Document>(kind: string): Table<Document> {
			const map = createMapTable<Document>();
			for (const row of selectKind.all(kind)) {
				map.set(String(row["id"]), JSON.parse(String(row["json"])) as Document);
			}
			return {
				get: (id) => map.get(id),
				set(id, document) {
					upsert.run(kind, id, JSON.stringify(document));
					map.set(id, document);
				},
				delete(id) {
					remove.run(kind, id);
					map.delete(id);
				},
				values: () => map.values(),
				get size() {
					return map.size;
				},
			};
		},
		atomically(work) {
			database.exec("BEGIN IMMEDIATE");
			try {
				const result = work();
				database.exec("COMMIT");
				return result;
			} catch (error) {
				database.exec("ROLLBACK");
				throw error;
			}
		},
		close: () => database.close(),
	};
}

function createMapTable<Document>(): Table<Document> {
	const map = new Map<string, Document>();
	return {
		get: (id) => map.get(id),
		set: (id, document) => void map.set(id, document),
		delete: (id) => void map.delete(id),
		values: () => map.values(),
		get size() {
			return map.size;
		},
	};
}
