/**
 * The bare server of bench/studio.ts: plain Fastify and a SQLite file, with the same rows and settings as the studio's
 * store. A submit writes the same documents in one transaction, and the submits of one turn of the event loop share a sync. A
 * read gets the same rows. The routes of `tasks-alone` write and read only the task. It runs in a process of its own, so that the
 * studio does not slow it down.
 */
import { hash, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";

export interface BareServerOptions {
	/** The SQLite file, which it creates. */
	readonly path: string;
	/** The documents of API keys, by the hash of the key. */
	readonly keys: readonly (readonly [sha256: string, document: unknown])[];
}

/** The documents that a submit writes. */
export interface SubmitDocuments {
	readonly task: Readonly<Record<string, unknown>> & { readonly request: Readonly<Record<string, unknown>> };
	readonly account: unknown;
	readonly openMarker: unknown;
	readonly listEntry: unknown;
}

interface PendingWrite {
	readonly rows: readonly (readonly [key: string, document: unknown])[];
	readonly resolve: () => void;
}

let documents: SubmitDocuments;

process.on("message", (message: BareServerOptions | SubmitDocuments | "cpu") => {
	if (message === "cpu") process.send?.(process.cpuUsage());
	else if ("path" in message) void serve(message);
	else documents = message;
});

async function serve({ path, keys }: BareServerOptions): Promise<void> {
	const database = new DatabaseSync(path);
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
	database.exec("PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -8192");
	database.exec("CREATE TABLE documents (key VARCHAR(255) PRIMARY KEY, value TEXT)");
	const upsert = database.prepare(
		"INSERT INTO documents (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
	);
	const select = database.prepare("SELECT value FROM documents WHERE key = ?");
	for (const [sha256, document] of keys) upsert.run(`key:${sha256}`, JSON.stringify(document));

	let pendingWrites: PendingWrite[] = [];

	function write(rows: PendingWrite["rows"]): Promise<void> {
		return new Promise((resolve) => {
			if (pendingWrites.length === 0) setImmediate(commit);
			pendingWrites.push({ rows, resolve });
		});
	}

	function commit(): void {
		const writes = pendingWrites;
		pendingWrites = [];
		database.exec("BEGIN IMMEDIATE");
		for (const [key, document] of writes.flatMap(({ rows }) => rows)) upsert.run(key, JSON.stringify(document));
		database.exec("COMMIT");
		for (const { resolve } of writes) resolve();
	}

	function read(key: string): Record<string, unknown> | undefined {
		const row = select.get(key);
		return row && (JSON.parse(row["value"] as string) as Record<string, unknown>);
	}

	function accountOf(authorization = ""): string | undefined {
		const apiKey = read(`key:${hash("sha256", authorization.slice("Bearer ".length))}`);
		return apiKey?.["account"] as string | undefined;
	}

	const app = Fastify();
	app.post("/tasks", async (request, reply) => {
		const account = accountOf(request.headers.authorization);
		if (account === undefined) return reply.code(401).send({ code: 401, data: null });
		const taskId = randomUUID();
		await write([
			[`account:${account}`, documents.account],
			[`open:${taskId}`, documents.openMarker],
			[`task:${taskId}`, taskOf(taskId, request.body)],
			[`list:${account}:${taskId}`, documents.listEntry],
		]);
		return { code: 0, data: { taskId } };
	});
	app.post("/tasks-alone", async (request) => {
		const taskId = randomUUID();
		await write([[`task:${taskId}`, taskOf(taskId, request.body)]]);
		return { code: 0, data: { taskId } };
	});
	app.get<{ Params: { id: string } }>("/tasks/:id", (request, reply) => {
		const task = accountOf(request.headers.authorization) && read(`task:${request.params.id}`);
		return task ? { code: 0, data: task } : reply.code(404).send({ code: 404, data: null });
	});
	app.get<{ Params: { id: string } }>("/tasks-alone/:id", (request, reply) => {
		const task = read(`task:${request.params.id}`);
		return task ? { code: 0, data: task } : reply.code(404).send({ code: 404, data: null });
	});
	await app.listen({ host: "127.0.0.1", port: 0 });
	process.once("disconnect", () => {
		database.close();
		void app.close();
	});
	process.send?.((app.server.address() as AddressInfo).port);
}

function taskOf(taskId: string, body: unknown): object {
	return { ...documents.task, taskId, request: { ...documents.task.request, ...(body as object) } };
}
