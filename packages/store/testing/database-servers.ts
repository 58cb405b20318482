/**
 * The real servers for tests, in separate databases that are removed afterwards. Called at the top of a test file:
 * `const url = await redisForTests();`, then `describe.skipIf(url === undefined)(…)`.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { hostname } from "node:os";
import { env, kill, pid } from "node:process";
import { createClient } from "@redis/client";
import { Client } from "pg";
import { afterAll } from "vitest";

const CONNECT_TIMEOUT_MS = 2000;
/** Logical databases of a Redis server that tests may use if they are empty. */
const REDIS_DATABASES = [9, 10, 11, 12, 13, 14, 15];
/** Names the process that uses a logical database. Contains `::`, so that no key of a store equals it. */
const OWNER_KEY = "atelier::test-owner";

interface Server {
	readonly name: string;
	readonly variable: string;
	/** URLs to try in order if the variable is not set. */
	readonly defaultUrls: readonly string[];
	readonly defaultPort: number;
	/** Creates an empty database on the server, and removes it after the test file. Resolves to its URL. */
	readonly createDatabase: (url: string) => Promise<string>;
}

/** The URL of an empty logical database of a real Redis; `undefined` without a server. */
export const redisForTests = (): Promise<string | undefined> =>
	openDatabaseOn({
		name: "Redis",
		variable: "TEST_REDIS_URL",
		defaultUrls: ["redis://127.0.0.1:6379"],
		defaultPort: 6379,
		createDatabase: reserveRedisDatabase,
	});

/** The URL of a new database of a real Postgres; `undefined` without a server. */
export const postgresForTests = (): Promise<string | undefined> =>
	openDatabaseOn({
		name: "Postgres",
		variable: "TEST_POSTGRES_URL",
		defaultUrls: ["postgres://postgres@127.0.0.1:5432/test", "postgres://root@127.0.0.1:5432/test"],
		defaultPort: 5432,
		createDatabase: createPostgresDatabase,
	});

/** Empties the logical database of `redisForTests`, and keeps it reserved. */
export async function emptyRedis(url: string): Promise<void> {
	await usingRedis(url, (client) => client.multi().flushDb().set(OWNER_KEY, ownerName()).exec());
}

async function openDatabaseOn(server: Server): Promise<string | undefined> {
	const configuredUrl = env[server.variable];
	const candidates = configuredUrl === undefined ? server.defaultUrls : [configuredUrl];
	const errors: unknown[] = [];
	for (const url of candidates) {
		try {
			return await server.createDatabase(url);
		} catch (error) {
			errors.push(error);
		}
	}
	const reachable = await Promise.all(candidates.map((url) => isReachable(url, server.defaultPort)));
	// The server is configured or required: a silent skip would be misleading.
	const mustRun = configuredUrl !== undefined || (env["CI"] === "true" && reachable.includes(true));
	if (mustRun) throw new Error(`the tests on ${server.name} cannot run`, { cause: errors[0] });
	process.stderr.write(
		`\nSKIPPED: tests on ${server.name}, because no usable server was found. To run it: ${server.variable}=${server.defaultUrls[0]} npm test\n\n`,
	);
	return undefined;
}

async function isReachable(url: string, defaultPort: number): Promise<boolean> {
	const { hostname: host, port } = new URL(url);
	const socket = connect({ host, port: Number(port === "" ? defaultPort : port) });
	try {
		await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

async function usingRedis<T>(url: string, work: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
	const client = createClient({ url, socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false } });
	client.on("error", () => {});
	await client.connect();
	try {
		return await work(client as ReturnType<typeof createClient>);
	} finally {
		client.destroy();
	}
}

const ownerName = (): string => `${hostname()}:${pid}`;

// A database is free if it is empty, or if its owner was a process of this machine that has ended.
const RESERVE = `
local owner = redis.call('GET', KEYS[1])
if not ((not owner and redis.call('DBSIZE') == 0) or (owner and owner == ARGV[2])) then return owner or '?' end
redis.call('FLUSHDB')
redis.call('SET', KEYS[1], ARGV[1])
return 'reserved'`;

async function reserveRedisDatabase(serverUrl: string): Promise<string> {
	for (const number of REDIS_DATABASES) {
		const url = Object.assign(new URL(serverUrl), { pathname: `/${number}` }).href;
		const isReserved = await usingRedis(url, async (client) => {
			const reserve = (deadOwner: string): Promise<unknown> =>
				client.eval(RESERVE, { keys: [OWNER_KEY], arguments: [ownerName(), deadOwner] });
			const owner = String(await reserve(""));
			return owner === "reserved" || (isDead(owner) && (await reserve(owner)) === "reserved");
		});
		if (!isReserved) continue;
		afterAll(() => usingRedis(url, (client) => client.flushDb()));
		return url;
	}
	throw new Error(`none of the logical databases ${REDIS_DATABASES.join(", ")} is empty`);
}

function isDead(owner: string): boolean {
	const [host, owningPid] = owner.split(":");
	if (host !== hostname()) return false;
	try {
		return !kill(Number(owningPid), 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "ESRCH";
	}
}

async function createPostgresDatabase(serverUrl: string): Promise<string> {
	const database = `atelier_test_${pid}_${randomBytes(4).toString("hex")}`;
	await usingPostgres(serverUrl, `CREATE DATABASE ${database}`);
	afterAll(() => usingPostgres(serverUrl, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
	return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
}

/** Empties the table of the database of `postgresForTests`. */
export async function emptyPostgres(url: string): Promise<void> {
	await usingPostgres(url, "DROP TABLE IF EXISTS public.keyv");
}

export async function usingPostgres(
	url: string,
	sql: string,
	values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
	const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
	await client.connect();
	try {
		return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
	} finally {
		await client.end();
	}
}
