import { KeyvPostgres } from "@keyv/postgres";
import { DatabaseError, Pool, type PoolClient } from "pg";
import type { Logger } from "pino";
import { addressOf } from "./store-address.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreNotUsableError, StoreRefusedError, StoreUnavailableError } from "./store-errors.ts";
import { HIGHEST_CODE_POINT, type TextChange, type TextStorage } from "./kv-adapter.ts";

const DEFAULT_PORT = 5432;
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5000;
const ANSWER_TIMEOUT_MS = 10_000;
const SCAN_BATCH_ROWS = 256;
/** The oldest version with security fixes when this was written. */
const VERSION_NUMBER_MIN = 120_000;
/** An arbitrary constant: the advisory lock for preparing the table. */
const PREPARE_LOCK = 740_351_022;
/** Connection failure, out of resources, shutdown: the server is unavailable. */
const UNAVAILABLE_CODES = /^(08|53|57P)/;

interface Row {
	readonly key: string;
	readonly value: string;
}
type Rows = readonly Readonly<Record<string, unknown>>[];

/**
 * Text in a Postgres database, in the table of keyv's own adapter (`public.keyv`). * That adapter shares one pool per
 * process, whose idle connections end the process when the server goes away. So its statements run on a pool of our
 * own.
 */
export async function openPostgresStorage(url: string, deps: StoreDeps): Promise<TextStorage> {
	const { logger, answerTimeoutMs = ANSWER_TIMEOUT_MS } = deps;
	const address = addressOf(url, DEFAULT_PORT);
	const pool = new Pool({
		connectionString: url,
		max: CONNECTIONS_MAX,
		connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, answerTimeoutMs),
		query_timeout: answerTimeoutMs,
		keepAlive: true,
		application_name: "atelier",
	});
	const reachability = createReachability({ address, logger });
	// The pool drops broken connections and opens new ones on demand.
	pool.on("error", (error) => reachability.lost(error));
	// A broken connection in use fails its query. Without a listener, the event would end the process.
	pool.on("connect", (client) => client.on("error", () => {}));

	async function run(sql: string, values: unknown[] = []): Promise<{ readonly rows: Rows; readonly changed: number }> {
		try {
			const { rows, rowCount } = await pool.query<Record<string, unknown>>(sql, values);
			reachability.answered();
			return { rows, changed: rowCount ?? 0 };
		} catch (error) {
			throw failed(error);
		}
	}

	function failed(error: unknown): Error {
		const failure = failureOf(error, address);
		// A refused statement is still a response.
		if (failure instanceof StoreUnavailableError) reachability.lost(error);
		else reachability.answered();
		return failure;
	}

	const layout = await prepare({ pool, run, address, logger }).catch(async (error: unknown) => {
		await pool.end();
		throw error instanceof StoreNotUsableError
			? error
			: new StoreNotUsableError(whyNot(error, address), { cause: error });
	});

	const storage: TextStorage = {
		opts: {},
		isSharedBetweenProcesses: true,
		on(event, listener) {
			layout.on(event, listener);
			return storage;
		},
		async get(key: string) {
			return (await layout.get(key)) as string | undefined;
		},
		set: (key, text) => layout.set(key, text),
		async delete(key) {
			return (await run("DELETE FROM public.keyv WHERE key = $1", [key])).changed === 1;
		},
		clear: () => layout.clear(),
		async compareAndSet(key, expected, next) {
			// Concurrent writers of one row wait for its lock; the second one compares with the new value.
			const { changed } =
				expected === undefined
					? await run("INSERT INTO public.keyv (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING", [key, next])
					: await run("UPDATE public.keyv SET value = $1 WHERE key = $2 AND value = $3", [next, key, expected]);
			return changed === 1;
		},
		async compareAndSetAll(changes) {
			const client = await pool.connect().catch((error: unknown) => {
				throw failed(error);
			});
			let isOver = false;
			try {
				await client.query("BEGIN");
				const isDone = await changeAll(client, changes);
				await client.query(isDone ? "COMMIT" : "ROLLBACK");
				reachability.answered();
				isOver = true;
				return isDone;
			} catch (error) {
				throw failed(error);
			} finally {
				// The outcome of an interrupted transaction is unknown: close its connection.
				client.release(!isOver);
			}
		},
		async *scan(prefix, after) {
			let { rows } = await run(page(after === undefined ? ">=" : ">"), [after ?? prefix, prefix + HIGHEST_CODE_POINT]);
			while (rows.length > 0) {
				for (const row of rows) yield { key: row["key"] as string, text: row["value"] as string };
				({ rows } = await run(page(">"), [rows.at(-1)?.["key"], prefix + HIGHEST_CODE_POINT]));
			}
		},
		async *snapshot() {
			const client = await pool.connect().catch((error: unknown) => {
				throw failed(error);
			});
			let isWhole = false;
			try {
				await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
				let { rows } = await client.query<Row>(page(">="), ["", HIGHEST_CODE_POINT]);
				while (rows.length > 0) {
					for (const { key, value } of rows) yield { key, text: value };
					({ rows } = await client.query<Row>(page(">"), [rows.at(-1)?.key, HIGHEST_CODE_POINT]));
				}
				await client.query("COMMIT");
				isWhole = true;
			} catch (error) {
				throw failed(error);
			} finally {
				// A reader that stops early leaves an open transaction.
				client.release(!isWhole);
			}
		},
		async disconnect() {
			if (!pool.ending) await pool.end();
		},
	};
	return storage;
}

/** Logs once that the server is unreachable, and once that it is back. */
function createReachability({ address, logger }: { readonly address: string; readonly logger: Logger }) {
	let isLost = false;
	return {
		lost(error: unknown): void {
			if (!isLost) logger.warn({ address, err: error }, "store connection lost");
			isLost = true;
		},
		answered(): void {
			if (isLost) logger.info({ address }, "store reachable again");
			isLost = false;
		},
	};
}

/**
 * Runs inside the caller's transaction. Locks existing rows first, so that transactions with common rows wait for each
 * other.
 */
async function changeAll(client: PoolClient, changes: readonly TextChange[]): Promise<boolean> {
	for (const { key, expected, next } of changes) {
		if (expected === undefined) continue;
		const sql = "UPDATE public.keyv SET value = $1 WHERE key = $2 AND value = $3";
		if ((await client.query(sql, [next, key, expected])).rowCount !== 1) return false;
	}
	const added = changes.filter(({ expected }) => expected === undefined);
	if (added.length === 0) return true;
	const sql = `INSERT INTO public.keyv (key, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (key) DO NOTHING`;
	const { rowCount } = await client.query(sql, [added.map(({ key }) => key), added.map(({ next }) => next)]);
	return rowCount === added.length;
}

/** Reads the next rows after a key, in byte order like every other store: a database's collation may ignore a `:`. */
function page(from: ">" | ">="): string {
	return `SELECT key, value FROM public.keyv WHERE key COLLATE "C" ${from} $1 AND key COLLATE "C" < $2
		ORDER BY key COLLATE "C" LIMIT ${SCAN_BATCH_ROWS}`;
}

interface Preparation {
	readonly pool: Pool;
	readonly run: (sql: string, values?: unknown[]) => Promise<{ readonly rows: Rows }>;
	readonly address: string;
	readonly logger: Logger;
}

/** Checks the server, and creates the table and its index. */
async function prepare({ pool, run, address, logger }: Preparation): Promise<KeyvPostgres> {
	const { rows } = await run(`SELECT current_setting('fsync') AS fsync, pg_is_in_recovery() AS is_replica,
		current_setting('full_page_writes') AS full_page_writes, current_setting('server_version') AS version,
		current_setting('server_version_num') AS version_number, current_setting('synchronous_commit') AS synchronous_commit`);
	const { version, version_number: versionNumber, ...settings } = rows[0] ?? {};
	if (Number(versionNumber) < VERSION_NUMBER_MIN) {
		throw new StoreNotUsableError(`Postgres at ${address} is version ${String(version)}. STORE_URL needs 12 or newer.`);
	}
	if (rows[0]?.["is_replica"] === true) {
		throw new StoreNotUsableError(`Postgres at ${address} is a read-only replica. Name its primary in STORE_URL.`);
	}
	if (["fsync", "full_page_writes", "synchronous_commit"].some((name) => settings[name] === "off")) {
		logger.warn({ address, ...settings }, "credits can be lost: Postgres does not wait for its disk");
	}

	// `IF NOT EXISTS` does not hold between concurrent sessions, so processes take a lock.
	const client = await pool.connect();
	try {
		await client.query("BEGIN");
		await client.query("SELECT pg_advisory_xact_lock($1)", [PREPARE_LOCK]);
		const layout = await makeTable(run);
		// The primary key's index uses the database's collation, so byte ranges need an index of their own.
		await client.query('CREATE INDEX IF NOT EXISTS keyv_key_bytes ON public.keyv (key COLLATE "C")');
		await client.query("COMMIT");
		client.release();
		return layout;
	} catch (error) {
		client.release(true);
		throw error;
	}
}

async function makeTable(run: Preparation["run"]): Promise<KeyvPostgres> {
	class Layout extends KeyvPostgres {
		override async connect() {
			return async (sql: string, values?: unknown[]) => [...(await run(sql, values)).rows];
		}
	}
	const layout = new Layout({ uri: "", table: "keyv", schema: "public" });
	let layoutError: unknown;
	layout.on("error", (error: unknown) => (layoutError ??= error));
	// The adapter creates its table before its first query, and reports a failure by an event only.
	await layout.query("SELECT 1");
	if (layoutError !== undefined) throw layoutError;
	return layout;
}

function failureOf(error: unknown, address: string): Error {
	if (error instanceof DatabaseError && !UNAVAILABLE_CODES.test(error.code ?? "")) {
		return new StoreRefusedError(`Postgres at ${address} rejects the connection: ${error.message}`, { cause: error });
	}
	return new StoreUnavailableError(`Postgres at ${address} did not respond`, { cause: error });
}

function whyNot(error: unknown, address: string): string {
	const answer = error instanceof Error && error.cause instanceof DatabaseError ? error.cause : error;
	if (!(answer instanceof DatabaseError)) return `cannot reach Postgres at ${address}. Is it running?`;
	switch (answer.code ?? "") {
		case "28P01":
		case "28000":
			return `Postgres at ${address} refuses the user or the password in STORE_URL.`;
		case "3D000":
			return `Postgres at ${address} has no such database. Create it, or name another in STORE_URL.`;
		case "42501":
			return `Postgres at ${address} does not let this user make a table in the schema public: ${answer.message}`;
		default:
			return `Postgres at ${address} cannot be used: ${answer.message}`;
	}
}
