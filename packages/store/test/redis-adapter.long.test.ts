import { createClient } from "@redis/client";
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { shareWaits } from "../src/redis-durability.ts";
import { StoreNotUsableError, StoreRejectedError, StoreUnavailableError } from "../src/store-errors.ts";
import type { Store } from "../src/store.ts";
import { networkContract } from "./network-store-contract.ts";
import { openAt, storeContract } from "./store-contract.ts";
import { openProxy } from "../testing/breakable-proxy.ts";
import { startRedisServer } from "../testing/redis-server-for-test.ts";
import { emptyRedis, redisForTests } from "../testing/database-servers.ts";

const url = (await redisForTests()) ?? "";

describe.skipIf(url === "")("on a real server", () => {
	const client = createClient({ url });
	beforeAll(async () => void (await client.connect()));
	afterAll(() => client.destroy());

	storeContract("Redis", {
		async newUrl() {
			await emptyRedis(url);
			return url;
		},
		durable: {
			async plainKeyv() {
				const plain = new Keyv(new KeyvRedis(url, { throwOnErrors: true }), {
					throwOnErrors: true,
					useKeyPrefix: false,
				});
				plain.namespace = undefined;
				onTestFinished(() => plain.disconnect());
				return plain;
			},
			readText: async (_url, key) => (await client.get(key)) ?? undefined,
			writeText: async (_url, key, text) => void (await client.set(key, text)),
		},
	});

	networkContract("Redis", { url, defaultPort: 6379, empty: () => emptyRedis(url) });

	test("the index contains the existing keys, and a scan ignores those with another prefix", async () => {
		await emptyRedis(url);
		const store = await openAt(url);
		await store.set("task:1", 1);
		await store.compareAndSet("task:2", undefined, 2);
		await store.compareAndSet("task:2", "another text", 3);
		await store.compareAndSet("task:3", "a text that is not there", 3);
		await store.set("other:1", 1);
		await store.delete("task:1");
		expect(await client.zRange("atelier::keys", 0, -1)).toStrictEqual(["other:1", "task:2"]);

		// A scan of `task:` is not affected by another key that is no text.
		await client.del("other:1");
		await client.hSet("other:1", "field", "value");
		expect((await Array.fromAsync(store.scan("task:"))).map(({ key }) => key)).toStrictEqual(["task:2"]);
	});

	test("a key with another type than text is an error, and stays unchanged", async () => {
		await emptyRedis(url);
		const store = await openAt(url);
		await client.hSet("guild:1", "field", "value");
		await expect(store.get("guild:1")).rejects.toThrow("WRONGTYPE");
		await expect(store.compareAndSet("guild:1", undefined, 1)).rejects.toBeInstanceOf(StoreRejectedError);
		expect({ ...(await client.hGetAll("guild:1")) }).toStrictEqual({ field: "value" });
		expect(await client.zRange("atelier::keys", 0, -1)).toStrictEqual([]);
	});
});

describe.skipIf(!startRedisServer.isPossible)("on a server of its own", () => {
	test("a wrong password is reported as such", async () => {
		const server = await startRedisServer(["--requirepass", "correct"]);
		const wrong = server.url.replace("redis://", "redis://:hunter2@");
		const message = `Redis at ${new URL(server.url).host} rejects the user or the password in STORE_URL.`;
		await expect(openStore(wrong)).rejects.toStrictEqual(new StoreNotUsableError(message));
		await expect(openStore(server.url)).rejects.toStrictEqual(new StoreNotUsableError(message));
		await (await openStore(server.url.replace("redis://", "redis://:correct@"))).close();
	});

	test.each([
		[
			"no",
			"everysec",
			["credits can be lost: Redis of STORE_URL has appendonly no, a crash of the server loses credits and tasks"],
		],
		["yes", "always", []],
		["yes", "no", ["credits can be lost: Redis of STORE_URL has appendfsync no, set everysec or always"]],
	])("a server with appendonly %s and appendfsync %s causes the warnings %j", async (appendonly, fsync, warnings) => {
		const { url: serverUrl } = await startRedisServer(["--appendonly", appendonly, "--appendfsync", fsync]);
		const lines: unknown[] = [];
		const write = (line: string) => void lines.push((JSON.parse(line) as { msg: unknown }).msg);
		await (await openStore(serverUrl, { logger: pino({}, { write }) })).close();
		expect(lines).toStrictEqual(warnings);
	});

	test("a server with an eviction policy, or a replica, is rejected", async () => {
		const evicting = await startRedisServer(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
		await expect(openStore(evicting.url)).rejects.toThrow("maxmemory-policy allkeys-lru");
		const replica = await startRedisServer(["--replicaof", "127.0.0.1 1"]);
		await expect(openStore(replica.url)).rejects.toThrow("is a read-only replica");
	});

	test("acknowledged writes survive a kill of the server, and the store reconnects", async () => {
		const server = await startRedisServer(["--appendonly", "yes"]);
		const store = await openAt(server.url);
		const raw = await store.compareAndSet("guild:1", undefined, 1);
		await server.kill();
		await expect(store.get("guild:1")).rejects.toBeInstanceOf(StoreUnavailableError);
		await expect(store.compareAndSet("guild:1", raw, 2)).rejects.toBeInstanceOf(StoreUnavailableError);
		await server.start();
		await expect.poll(async () => (await store.get("guild:1"))?.value).toBe(1);
		await expect.poll(() => store.compareAndSet("guild:1", raw, 2)).toBeTypeOf("string");
	});

	test("a full server rejects a write and keeps its data", async () => {
		const server = await startRedisServer(["--maxmemory-policy", "noeviction"]);
		const store = await openAt(server.url);
		const raw = await store.compareAndSet("guild:1", undefined, 1);
		const client = await createClient({ url: server.url }).connect();
		onTestFinished(() => client.destroy());
		await client.configSet("maxmemory", "1");
		await expect(store.compareAndSet("guild:1", raw, 2)).rejects.toBeInstanceOf(StoreRejectedError);
		expect((await store.get("guild:1"))?.value).toBe(1);
	});

	describe("with waiting for the disk", () => {
		test("concurrent writes share waits for the disk: fewer than 10 for 50 writes", async () => {
			const { store, waits } = await storeThatWaits("return {1, 0}");
			await Promise.all(Array.from({ length: 50 }, (_, n) => store.set(`task:${n}`, n)));
			expect(waits()).toBeGreaterThan(0);
			expect(waits()).toBeLessThan(10);
		});

		test("a write does not wait on a server with appendfsync no, which never syncs", async () => {
			const { store, waits } = await storeThatWaits("return {0, 0}", "no");
			await store.set("task:1", 1);
			expect(waits()).toBe(0);
		});

		test.each([
			["takes too long", "return {0, 0}", "did not sync to disk within 4000 ms"],
			["is disabled", "return redis.error_reply('ERR appendonly is disabled')", "appendonly is disabled"],
		])("the outcome of a write is unknown if the sync %s", async (_case, reply, message) => {
			const { store } = await storeThatWaits(reply);
			const writing = store.set("task:1", 1);
			await expect(writing).rejects.toThrow(message);
			await expect(writing).rejects.toBeInstanceOf(StoreUnavailableError);
		});
	});
});

test("writes during a sync are resolved by the next one", async () => {
	const waits: PromiseWithResolvers<void>[] = [];
	const waitForSync = shareWaits(() => {
		const wait = Promise.withResolvers<void>();
		waits.push(wait);
		return wait.promise;
	});
	const first = waitForSync();
	await expect.poll(() => waits.length).toBe(1);
	const [second, third] = [waitForSync(), waitForSync()];
	waits[0]?.reject(new Error("the disk is slow"));
	await expect(first).rejects.toThrow("the disk is slow");
	await expect.poll(() => waits.length).toBe(2);
	waits[1]?.resolve();
	await Promise.all([second, third]);
	expect(waits).toHaveLength(2);
});

/**
 * A store on a server that supports WAITAOF, as Redis 7.2 does. Each call is replaced on its way by a script with the
 * given result, so that the server still responds in order.
 */
async function storeThatWaits(reply: string, appendfsync = "everysec"): Promise<{ store: Store; waits: () => number }> {
	const server = await startRedisServer(["--appendonly", "yes", "--appendfsync", appendfsync]);
	const proxy = await openProxy(server.url, 6379);
	let waits = 0;
	proxy.rewrite((bytes) => {
		const text = bytes.toString("latin1");
		const changed = text.replaceAll(
			/\*4\r\n\$7\r\nWAITAOF\r\n\$1\r\n(\d)\r\n\$1\r\n0\r\n\$\d\r\n\d+\r\n/g,
			(_, files) => {
				// The first call only tests whether the server supports it, and waits for no file.
				if (files === "0") return command("EVAL", "return {0, 0}", "0");
				waits += 1;
				return command("EVAL", reply, "0");
			},
		);
		return Buffer.from(changed, "latin1");
	});
	return { store: await openAt(proxy.url), waits: () => waits };
}

const command = (...words: string[]): string =>
	`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
