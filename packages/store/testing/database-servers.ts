/**
 * The real servers for tests. Called at the top of a test file: `const url = await redisForTests();`, then
 * `describe.skipIf(url === undefined)(…)`.
 */
import { randomBytes } from "node:crypto";
import { env, pid } from "node:process";
import { createClient } from "@redis/client";
import { Client } from "pg";
import { afterAll } from "vitest";
import { REDIS_PROGRAM, startRedisProcess } from "./redis-process.ts";

/** A missing server refuses at once; an existing one may be busy. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Tried in order if `TEST_POSTGRES_URL` is not set. */
const POSTGRES_URLS = ["postgres://postgres@127.0.0.1:5432/test", "postgres://root@127.0.0.1:5432/test"];

/** Starts a Redis server for a test file. Resolves to its URL; `undefined` if none is installed. */
export async function redisForTests(): Promise<string | undefined> {
	if (REDIS_PROGRAM === undefined) return undefined;
	const server = await startRedisProcess(["--appendonly", "no"]);
	afterAll(() => server.remove());
	return server.url;
}

export async function emptyRedis(url: string): Promise<void> {
	const client = await createClient({ url }).connect();
	await client.flushDb();
	client.destroy();
}

/**
 * Creates a database on a Postgres server for a test file. Resolves to its URL; `undefined` without a usable server. In CI, a server
 * that rejects the tests is an error.
 */
export async function postgresForTests(): Promise<string | undefined> {
	const configuredUrl = env["TEST_POSTGRES_URL"];
	if (configuredUrl !== undefined) return await createPostgresDatabase(configuredUrl);
	const errors: Error[] = [];
	for (const url of POSTGRES_URLS) {
		try {
			return await createPostgresDatabase(url);
		} catch (error) {
			errors.push(error as Error);
		}
	}
	const cause = errors.find((error) => !("code" in error && error.code === "ECONNREFUSED"));
	if (cause && env["CI"] === "true") throw new Error("the Postgres server rejects the tests", { cause });
	const reason = cause?.message ?? "no server was found";
	process.stderr.write(`\nSKIPPED: tests on Postgres (${reason}). Set TEST_POSTGRES_URL to run them.\n\n`);
	return undefined;
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
