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
/** The oldest that anybody still had repaired when this was written. */
const VERSION_NUMBER_MIN = 120_000;
/** Any number will do, as long as it is always the same: who prepares the table holds this lock. */
const PREPARE_LOCK = 740_351_022;
/** Connection trouble, out of resources, shutting down: the server is not there for us, whatever it says. */
const UNAVAILABLE_CODES = /^(08|53|57P)/;

interface Row {
	readonly key: string;
	readonly value: string;
}
type Rows = readonly Readonly<Record<string, unknown>>[];

/**
 * Text in one Postgres database, in the table of keyv's own adapter (`public.keyv`).
 *
 * That adapter shares one pool between all its users in a process, whose idle connections take the process with them
 * when the server goes away. So it keeps its statements and runs them on a pool of ours.
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
	// The pool drops a broken connection and opens another when it is asked for one.
	pool.on("error", (error) => reachability.lost(error));
	// One that is in use says so to whoever uses it, by the query that fails; unheard, the event alone would end the process.
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
		// One that refuses has answered.
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
			// Two writers of one row take turns at its lock, and the second compares with what the first left.
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
				// What became of a transaction that was cut off is not known here: it ends with its connection.
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
				// Whoever stops reading in the middle leaves a transaction behind.
				client.release(!isWhole);
			}
		},
		async disconnect() {
			if (!pool.ending) await pool.end();
		},
	};
	return storage;
}

/** Logs that the server cannot be reached, once, and that it can again. */
function createReachability({ address, logger }: { readonly address: string; readonly logger: Logger }) {
	let isLost = false;
	return {
		lost(error: unknown): void {
			if (!isLost) logger.warn({ address, err: error }, "store connection lost");
			isLost = true;
		},
		answered(): void {
			if (isLost) logger.info({ address }, "store reached again");
			isLost = false;
		},
	};
}

/** In a transaction, which the caller ends. What is there already comes first: two that want the same rows wait for each other there. */
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

/** The next rows behind a key. By bytes, as every other store sorts: a database's own collation may ignore a `:`. */
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

/** Looks at the server, and makes the table and its index where they are not there yet. */
async function prepare({ pool, run, address, logger }: Preparation): Promise<KeyvPostgres> {
	const { rows } = await run(`SELECT current_setting('fsync') AS fsync, pg_is_in_recovery() AS is_replica,
		current_setting('full_page_writes') AS full_page_writes, current_setting('server_version') AS version,
		current_setting('server_version_num') AS version_number, current_setting('synchronous_commit') AS synchronous_commit`);
	const { version, version_number: versionNumber, ...settings } = rows[0] ?? {};
	if (Number(versionNumber) < VERSION_NUMBER_MIN) {
		throw new StoreNotUsableError(`Postgres at ${address} is ${String(version)}. STORE_URL needs 12 or newer.`);
	}
	if (rows[0]?.["is_replica"] === true) {
		throw new StoreNotUsableError(
			`Postgres at ${address} is a replica and takes no writes. Name its primary in STORE_URL.`,
		);
	}
	if (["fsync", "full_page_writes", "synchronous_commit"].some((name) => settings[name] === "off")) {
		logger.warn({ address, ...settings }, "MONEY CAN BE LOST: Postgres does not wait for its disk");
	}

	// `IF NOT EXISTS` does not hold between two sessions: processes that start together take turns.
	const client = await pool.connect();
	try {
		await client.query("BEGIN");
		await client.query("SELECT pg_advisory_xact_lock($1)", [PREPARE_LOCK]);
		const layout = await makeTable(run);
		// The primary key's index sorts by the collation of the database, so a range of bytes needs one of its own.
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
	let fault: unknown;
	layout.on("error", (error: unknown) => (fault ??= error));
	// The adapter makes its table before it answers anything, and tells of a failure by an event alone.
	await layout.query("SELECT 1");
	if (fault !== undefined) throw fault;
	return layout;
}

function failureOf(error: unknown, address: string): Error {
	if (error instanceof DatabaseError && !UNAVAILABLE_CODES.test(error.code ?? "")) {
		return new StoreRefusedError(`Postgres at ${address} refuses: ${error.message}`, { cause: error });
	}
	return new StoreUnavailableError(`Postgres at ${address} did not answer`, { cause: error });
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
