import { DatabaseError, Pool, type PoolClient } from "pg";
import type { Logger } from "pino";
import { HIGHEST_CODE_POINT, type KvAdapter, type KvChange, type KvEntry, type KvWrite } from "./kv-adapter.ts";
import { createReachability } from "./reachability.ts";
import { redactedAddress } from "./redacted-address.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreNotUsableError, StoreRejectedError, StoreUnavailableError } from "./store-errors.ts";

const DEFAULT_PORT = 5432;
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5000;
const RESPONSE_TIMEOUT_MS = 10_000;
const SCAN_BATCH_ROWS = 256;
/** Postgres 12. */
const VERSION_NUMBER_MIN = 120_000;
/** An arbitrary number: the advisory lock under which one process creates the table. */
const SETUP_LOCK_ID = 740_351_022;
/** The classes of SQLSTATE for connection failures, insufficient resources and a shutdown. */
const UNAVAILABLE_SQLSTATES = /^(08|53|57P)/;

interface QueryResult {
	readonly rows: readonly Readonly<Record<string, unknown>>[];
	readonly rowCount: number;
}
type Query = (sql: string, values?: unknown[]) => Promise<QueryResult>;

/** Stores text in a Postgres database, in the table of keyv's own adapter (`public.keyv`). */
export async function openPostgresAdapter(url: string, deps: StoreDeps): Promise<KvAdapter> {
	const { logger, responseTimeoutMs = RESPONSE_TIMEOUT_MS } = deps;
	const address = redactedAddress(url, DEFAULT_PORT);
	const pool = new Pool({
		connectionString: url,
		max: CONNECTIONS_MAX,
		connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, responseTimeoutMs),
		query_timeout: responseTimeoutMs,
		keepAlive: true,
		application_name: "atelier",
	});
	const reachability = createReachability("store", address, logger);
	// The pool drops broken connections and opens new ones on demand.
	pool.on("error", (error) => reachability.lost(error));
	// A broken connection in use fails its query. Without a listener, the event would end the process.
	pool.on("connect", (client) => client.on("error", () => {}));

	const query: Query = async (sql, values = []) => {
		try {
			const result = await queryOn(pool, sql, values);
			reachability.responded();
			return result;
		} catch (error) {
			throw translate(error);
		}
	};

	function translate(error: unknown): Error {
		const translated = storeErrorOf(error, address);
		// A rejection is still a response.
		if (translated instanceof StoreUnavailableError) reachability.lost(error);
		else reachability.responded();
		return translated;
	}

	async function connect(): Promise<PoolClient> {
		return await pool.connect().catch((error: unknown) => {
			throw translate(error);
		});
	}

	await setUp({ pool, query, address, logger }).catch(async (error: unknown) => {
		await pool.end();
		throw error instanceof StoreNotUsableError
			? error
			: new StoreNotUsableError(startupAdvice(error, address), { cause: error });
	});

	return {
		async get(key: string) {
			const { rows } = await query("SELECT value FROM public.keyv WHERE key = $1", [key]);
			return rows[0]?.["value"] as string | undefined;
		},
		set: (key, text) => applyWrites(query, [{ key, text }]),
		async delete(key) {
			return (await query("DELETE FROM public.keyv WHERE key = $1", [key])).rowCount === 1;
		},
		async compareAndSet(changes, writes = []) {
			// A single change is one statement, which needs no transaction.
			if (changes.length === 1 && writes.length === 0) return await applyChanges(query, changes);
			const client = await connect();
			let isComplete = false;
			try {
				await client.query("BEGIN");
				const queryOnClient: Query = (sql, values) => queryOn(client, sql, values);
				const areApplied = await applyChanges(queryOnClient, changes);
				if (areApplied) await applyWrites(queryOnClient, writes);
				await client.query(areApplied ? "COMMIT" : "ROLLBACK");
				reachability.responded();
				isComplete = true;
				return areApplied;
			} catch (error) {
				throw translate(error);
			} finally {
				// The outcome of an interrupted transaction is unknown: close its connection.
				client.release(!isComplete);
			}
		},
		scan: (prefix, after) => selectEntries(query, prefix, after),
		async *snapshot() {
			const client = await connect();
			let isComplete = false;
			try {
				await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
				yield* selectEntries((sql, values) => queryOn(client, sql, values), "");
				await client.query("COMMIT");
				isComplete = true;
			} catch (error) {
				throw translate(error);
			} finally {
				// A caller that stops early leaves an open transaction.
				client.release(!isComplete);
			}
		},
		async disconnect() {
			if (!pool.ending) await pool.end();
		},
	};
}

async function queryOn(connection: Pool | PoolClient, sql: string, values: unknown[] = []): Promise<QueryResult> {
	const { rows, rowCount } = await connection.query<Record<string, unknown>>(sql, values);
	return { rows, rowCount: rowCount ?? 0 };
}

/**
 * Returns false if a change does not match. Updates the first existing row on its own, before the others: concurrent
 * transactions that begin with this row wait for its lock, so they do not lock the others in different orders.
 */
async function applyChanges(query: Query, changes: readonly KvChange[]): Promise<boolean> {
	const [first, ...others] = changes.filter(({ expected }) => expected !== undefined);
	if (first && !(await updateAll(query, [first]))) return false;
	if (others.length > 0 && !(await updateAll(query, others))) return false;
	const added = changes.filter(({ expected }) => expected === undefined);
	if (added.length === 0) return true;
	const sql =
		"INSERT INTO public.keyv (key, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (key) DO NOTHING";
	const { rowCount } = await query(sql, [added.map(({ key }) => key), added.map(({ next }) => next)]);
	return rowCount === added.length;
}

/** Returns false if a row does not have the expected value. */
async function updateAll(query: Query, changes: readonly KvChange[]): Promise<boolean> {
	const sql = `UPDATE public.keyv SET value = change.next
		FROM unnest($1::text[], $2::text[], $3::text[]) AS change (key, expected, next)
		WHERE keyv.key = change.key AND keyv.value = change.expected`;
	const keys = changes.map(({ key }) => key);
	const expected = changes.map((change) => change.expected);
	const next = changes.map((change) => change.next);
	return (await query(sql, [keys, expected, next])).rowCount === changes.length;
}

async function applyWrites(query: Query, writes: readonly KvWrite[]): Promise<void> {
	const removed = writes.filter(({ text }) => text === undefined).map(({ key }) => key);
	if (removed.length > 0) await query("DELETE FROM public.keyv WHERE key = ANY($1::text[])", [removed]);
	const set = writes.filter(({ text }) => text !== undefined);
	if (set.length === 0) return;
	const sql = `INSERT INTO public.keyv (key, value) SELECT * FROM unnest($1::text[], $2::text[])
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`;
	await query(sql, [set.map(({ key }) => key), set.map(({ text }) => text)]);
}

/** Selects in byte order, like every other store: the collation of a database may ignore a `:`. */
async function* selectEntries(query: Query, prefix: string, after?: string): AsyncGenerator<KvEntry> {
	const selectBatch = async (operator: ">" | ">=", key: string): Promise<readonly KvEntry[]> => {
		const { rows } = await query(
			`SELECT key, value FROM public.keyv WHERE key COLLATE "C" ${operator} $1 AND key COLLATE "C" < $2
			ORDER BY key COLLATE "C" LIMIT ${SCAN_BATCH_ROWS}`,
			[key, prefix + HIGHEST_CODE_POINT],
		);
		return rows.map((row) => ({ key: row["key"] as string, text: row["value"] as string }));
	};
	let batch = await selectBatch(after === undefined ? ">=" : ">", after ?? prefix);
	while (batch.length > 0) {
		yield* batch;
		batch = await selectBatch(">", batch.at(-1)?.key ?? "");
	}
}

interface SetupDeps {
	readonly pool: Pool;
	readonly query: Query;
	readonly address: string;
	readonly logger: Logger;
}

/** Checks the server, and creates the table and its index. */
async function setUp({ pool, query, address, logger }: SetupDeps): Promise<void> {
	const { rows } = await query(`SELECT current_setting('fsync') AS fsync, pg_is_in_recovery() AS is_replica,
		current_setting('full_page_writes') AS full_page_writes, current_setting('server_version') AS version,
		current_setting('server_version_num') AS version_number, current_setting('synchronous_commit') AS synchronous_commit`);
	const { version, version_number: versionNumber, ...settings } = rows[0] ?? {};
	if (Number(versionNumber) < VERSION_NUMBER_MIN) {
		throw new StoreNotUsableError(`Postgres at ${address} is version ${String(version)}. STORE_URL needs 12 or newer.`);
	}
	if (settings["is_replica"] === true) {
		throw new StoreNotUsableError(`Postgres at ${address} is a read-only replica. Name its primary in STORE_URL.`);
	}
	const lossy = ["fsync", "full_page_writes", "synchronous_commit"].filter((name) => settings[name] === "off");
	if (lossy.length > 0) {
		logger.warn({ address }, `credits can be lost: Postgres of STORE_URL has ${lossy.join(", ")} off`);
	}

	// `IF NOT EXISTS` fails when two sessions create the same table, so processes take a lock.
	const client = await pool.connect();
	try {
		await client.query("BEGIN");
		await client.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK_ID]);
		await client.query("CREATE TABLE IF NOT EXISTS public.keyv (key VARCHAR(255) PRIMARY KEY, value TEXT)");
		// The primary key's index uses the database's collation, so byte ranges need an index of their own.
		await client.query('CREATE INDEX IF NOT EXISTS keyv_key_bytes ON public.keyv (key COLLATE "C")');
		await client.query("COMMIT");
		client.release();
	} catch (error) {
		client.release(true);
		throw error;
	}
}

function storeErrorOf(error: unknown, address: string): Error {
	if (error instanceof DatabaseError && !UNAVAILABLE_SQLSTATES.test(error.code ?? "")) {
		return new StoreRejectedError(`Postgres at ${address} rejected the statement: ${error.message}`, { cause: error });
	}
	return new StoreUnavailableError(`Postgres at ${address} did not respond`, { cause: error });
}

function startupAdvice(error: unknown, address: string): string {
	const reply = error instanceof Error && error.cause instanceof DatabaseError ? error.cause : error;
	if (!(reply instanceof DatabaseError)) return `cannot reach Postgres at ${address}. Is it running?`;
	switch (reply.code ?? "") {
		case "28P01":
		case "28000":
			return `Postgres at ${address} rejects the user or the password in STORE_URL.`;
		case "3D000":
			return `Postgres at ${address} has no such database. Create it, or name another in STORE_URL.`;
		case "42501":
			return `Postgres at ${address} does not let this user create a table in the schema public: ${reply.message}`;
		default:
			return `Postgres at ${address} cannot be used: ${reply.message}`;
	}
}
