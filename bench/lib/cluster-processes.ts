/**
 * Several bots and studios as in production, each a process: on Postgres and Redis, with the playground as Discord. The studios
 * generate with a simulated service that counts what it is paid for (test/crash/studio/paid-service.ts).
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "@atelier/common/testing/free-port";
import { openAdminClient, type AdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { REDIS_PROGRAM, startRedisProcess } from "@atelier/store/testing/redis-process";
import { startPaidService, type PaidService } from "../../test/crash/studio/paid-service.ts";
import { fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { startProcess, type RestartableProcess } from "./child-process.ts";

const POSTGRES_URL = env["BENCH_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const GUILDS_PER_PAGE = 1_000;

export interface TestCluster {
	readonly playground: RestartableProcess;
	readonly bots: readonly RestartableProcess[];
	readonly studios: readonly RestartableProcess[];
	readonly user: UserClient;
	readonly adminClient: AdminClient;
	/** One channel of each guild. */
	readonly channelIds: readonly string[];
	readonly paidService: PaidService;
	readonly botStoreUrl: string;
	readonly studioStoreUrl: string;
	readonly redisUrl: string;
	/** Queries the bots' database. */
	readonly query: (sql: string) => Promise<readonly Record<string, unknown>[]>;
	close(): Promise<void>;
}

interface TestClusterOptions {
	readonly guilds: number;
	readonly bots: number;
	readonly studios: number;
}

/** Starts the processes on databases of their own. Resolves to `undefined` if Postgres or redis-server is missing; it then prints what. */
export async function openTestCluster({
	guilds,
	bots: botCount,
	studios: studioCount,
}: TestClusterOptions): Promise<TestCluster | undefined> {
	await using opened = new AsyncDisposableStack();
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	opened.defer(() => rm(folder, { recursive: true, force: true }));
	if (REDIS_PROGRAM === undefined) return undefined;
	const redis = await startRedisProcess(["--appendonly", "no"]);
	opened.defer(() => redis.remove());
	const databases = await createDatabases(opened);
	if (!databases) return undefined;
	const [botStoreUrl, studioStoreUrl] = databases;

	const playground = await startProcess({
		name: "playground",
		args: ["src/cli/atelier.ts", "playground"],
		env: { STORE_URL: "memory:", PORT: String(await freePort()), LOG_LEVEL: "error" },
		ready: "Ctrl-C",
	});
	opened.defer(() => playground.stop());
	const origin = new URL(playground.printed("Page")).origin;
	const adminClient = openAdminClient(origin);
	await adminClient.setGuildCount({ count: guilds });

	const paidService = await startPaidService();
	opened.defer(() => paidService.stop());
	const studioEnv = { STORE_URL: studioStoreUrl, DATA_DIR: join(folder, "studio") };
	const studios: RestartableProcess[] = [];
	const studioUrls: string[] = [];
	for (let n = 0; n < studioCount; n++) {
		const port = await freePort();
		const args = [
			"bench/processes/cluster-studio.ts",
			studioStoreUrl,
			studioEnv.DATA_DIR,
			paidService.url,
			redis.url,
			String(port),
		];
		const managed = await startProcess({ name: `studio ${n}`, args, env: {}, ready: "the studio is ready" });
		opened.defer(() => managed.stop());
		studios.push(managed);
		studioUrls.push(`http://127.0.0.1:${port}`);
	}
	const runCli = async (...words: readonly string[]): Promise<string> => {
		const options = { env: { PATH: env["PATH"], ...studioEnv } };
		return (await promisify(execFile)(process.execPath, ["src/cli/atelier.ts", ...words], options)).stdout;
	};
	const [apiKey = ""] = (await runCli("keys", "create", "bench", "--name", "bench")).split("\n");
	await runCli("accounts", "grant", "bench", "100000000", "--reason", "bench");

	const catalog = join(folder, "models.json");
	await writeFile(catalog, JSON.stringify([fakeImageModel]));
	const botStarts = Array.from({ length: botCount }, async (_, shard) =>
		startProcess({
			name: `bot ${shard}`,
			args: ["dist/index.js"],
			env: {
				DISCORD_TOKEN: playground.printed("Bot token"),
				DISCORD_API_URL: `${origin}/api`,
				MEDIA_API_URL: studioUrls[shard % studioUrls.length] ?? "",
				MEDIA_API_KEY: apiKey,
				MEDIA_API_PROFILE: "studio",
				MEDIA_API_POLLS_PER_SECOND: "2000",
				STORE_URL: botStoreUrl,
				QUEUE_URL: redis.url,
				DATA_DIR: join(folder, "bots"),
				SHARDS: String(shard),
				SHARD_COUNT: String(botCount),
				GUILD_CREDITS: "1000000",
				PORT: "0",
				LOG_LEVEL: "info",
			},
			ready: "Atelier is ready",
		}),
	);
	opened.defer(async () => {
		for (const started of await Promise.allSettled(botStarts))
			if (started.status === "fulfilled") await started.value.stop();
	});
	const bots = await Promise.all(botStarts);
	const user = await openUserClient(origin);
	opened.defer(() => user.close());

	const channelIds: string[] = [];
	for (let from = 0; from < guilds; from += GUILDS_PER_PAGE) {
		const page = await adminClient.guilds({ from, limit: GUILDS_PER_PAGE });
		channelIds.push(...page.guilds.flatMap((guild) => guild.channelIds.slice(0, 1)));
	}
	const kept = opened.move();
	return {
		playground,
		bots,
		studios,
		user,
		adminClient,
		channelIds,
		paidService,
		botStoreUrl,
		studioStoreUrl,
		redisUrl: redis.url,
		query: (sql) => runSql(botStoreUrl, sql),
		close: () => kept.disposeAsync(),
	};
}

/** Creates a database for the bots and one for the studios. Resolves to their URLs, or to `undefined` without Postgres. */
async function createDatabases(opened: AsyncDisposableStack): Promise<readonly [string, string] | undefined> {
	const urls: string[] = [];
	for (const role of ["bots", "studio"]) {
		const name = `atelier_bench_${role}_${randomBytes(4).toString("hex")}`;
		try {
			await runSql(POSTGRES_URL, `CREATE DATABASE ${name}`);
		} catch (error) {
			process.stderr.write(
				`\nSKIPPED: this bench needs Postgres at ${new URL(POSTGRES_URL).host}: ${String(error)}\n\n`,
			);
			return undefined;
		}
		opened.defer(async () => void (await runSql(POSTGRES_URL, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
		urls.push(Object.assign(new URL(POSTGRES_URL), { pathname: `/${name}` }).href);
	}
	const [bots = "", studio = ""] = urls;
	return [bots, studio];
}

async function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		return (await client.query<Record<string, unknown>>(sql)).rows;
	} finally {
		await client.end();
	}
}
