/**
 * The baseline server of bench/studio.ts: plain Fastify, and a SQLite file that makes each row durable before the response, with
 * one INSERT per request. It runs in a process of its own, so that the studio does not slow it down.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";

export interface BaselineOptions {
	/** A new file. */
	readonly path: string;
	/** A task as the studio writes it, so that the rows are as large as its documents. */
	readonly task: { readonly request: Readonly<Record<string, unknown>> };
}

process.on("message", (message: BaselineOptions | "cpu") => {
	if (message === "cpu") process.send?.(process.cpuUsage());
	else void serve(message);
});

async function serve({ path, task }: BaselineOptions): Promise<void> {
	const database = new DatabaseSync(path);
	database.exec("PRAGMA journal_mode = WAL");
	database.exec("PRAGMA synchronous = FULL");
	database.exec("CREATE TABLE tasks (id TEXT PRIMARY KEY, task TEXT NOT NULL)");
	const insert = database.prepare("INSERT INTO tasks (id, task) VALUES (?, ?)");
	const select = database.prepare("SELECT task FROM tasks WHERE id = ?");
	const app = Fastify();
	app.post<{ Body: Record<string, unknown> }>("/tasks", (request) => {
		const taskId = randomUUID();
		insert.run(taskId, JSON.stringify({ ...task, taskId, request: { ...task.request, ...request.body } }));
		return { code: 0, data: { taskId } };
	});
	app.get<{ Params: { id: string } }>("/tasks/:id", (request, reply) => {
		const row = select.get(request.params.id);
		if (!row) return reply.code(404).send({ code: 404, data: null });
		return { code: 0, data: JSON.parse(row["task"] as string) as unknown };
	});
	await app.listen({ host: "127.0.0.1", port: 0 });
	process.once("disconnect", () => {
		database.close();
		void app.close();
	});
	process.send?.((app.server.address() as AddressInfo).port);
}
