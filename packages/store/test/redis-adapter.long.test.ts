import { createClient } from "@redis/client";
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { createBarrier } from "../src/redis-durability.ts";
import { StoreNotUsableError, StoreRefusedError, StoreUnavailableError } from "../src/store-errors.ts";
import type { Store } from "../src/store.ts";
import { networkContract } from "./network-store-contract.ts";
import { storeContract } from "./store-contract.ts";
import { openProxy } from "../testing/breakable-proxy.ts";
import { startRedisServer } from "../testing/redis-server.ts";
import { emptyRedis, redisForTests } from "../testing/servers.ts";

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
		shared: {
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

	test("the index contains the existing keys, and a scan reads only them", async () => {
		await emptyRedis(url);
		const store = await opened(url);
		await store.set("task:1", 1);
		await store.compareAndSet("task:2", undefined, 2);
		await store.compareAndSet("task:2", "another text", 3);
		await store.compareAndSet("task:3", "a text that is not there", 3);
		await store.set("other:1", 1);
		await store.delete("task:1");
		expect(await client.zRange("atelier::keys", 0, -1)).toStrictEqual(["other:1", "task:2"]);

		// A scan that reads the other document would fail.
		await client.del("other:1");
		await client.hSet("other:1", "field", "value");
		expect((await Array.fromAsync(store.scan("task:"))).map(({ key }) => key)).toStrictEqual(["task:2"]);
	});

	test("a document that keyv wrote is indexed once the store changes it", async () => {
		await emptyRedis(url);
		const store = await opened(url);
		await client.set("guild:1", '{"value":1}');
		const read = await store.get("guild:1");
		expect(await store.compareAndSet("guild:1", read?.raw, 2)).toBeTypeOf("string");
		expect((await Array.fromAsync(store.scan("guild:"))).map(({ value }) => value)).toStrictEqual([2]);
	});

	test("a key with another type than text is an error, and stays unchanged", async () => {
		await emptyRedis(url);
		const store = await opened(url);
		await client.hSet("guild:1", "field", "value");
		await expect(store.get("guild:1")).rejects.toThrow("WRONGTYPE");
		await expect(store.compareAndSet("guild:1", undefined, 1)).rejects.toBeInstanceOf(StoreRefusedError);
		expect({ ...(await client.hGetAll("guild:1")) }).toStrictEqual({ field: "value" });
		expect(await client.zRange("atelier::keys", 0, -1)).toStrictEqual([]);
	});
});

test("an unreachable Redis is reported by its address, without the password", async () => {
	const opening = openStore("redis://someone:hunter2@127.0.0.1:1/3");
	await expect(opening).rejects.toStrictEqual(
		new StoreNotUsableError("cannot reach Redis at 127.0.0.1:1. Is it running?"),
	);
});

describe.skipIf(!startRedisServer.isPossible)("on a server of its own", () => {
	test("a wrong password is reported as such", async () => {
		const server = await startRedisServer(["--requirepass", "correct"]);
		const wrong = server.url.replace("redis://", "redis://:hunter2@");
		const words = `Redis at ${new URL(server.url).host} refuses the user or the password in STORE_URL.`;
		await expect(openStore(wrong)).rejects.toStrictEqual(new StoreNotUsableError(words));
		await expect(openStore(server.url)).rejects.toStrictEqual(new StoreNotUsableError(words));
		await (await openStore(server.url.replace("redis://", "redis://:correct@"))).close();
	});

	test("a server without an append-only file causes a warning", async () => {
		const { url: without } = await startRedisServer(["--appendonly", "no"]);
		expect(await warnings(without)).toStrictEqual([
			"credits can be lost: Redis has appendonly no, a crash of the server loses credits and tasks",
		]);
	});

	test("an append-only file that is synced at every write causes no warning", async () => {
		const { url: always } = await startRedisServer(["--appendonly", "yes", "--appendfsync", "always"]);
		expect(await warnings(always)).toStrictEqual([]);
	});

	test("a server with an eviction policy, or a replica, is rejected", async () => {
		const evicting = await startRedisServer(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
		await expect(openStore(evicting.url)).rejects.toThrow("maxmemory-policy allkeys-lru");
		const replica = await startRedisServer(["--replicaof", "127.0.0.1 1"]);
		await expect(openStore(replica.url)).rejects.toThrow("is a read-only replica");
	});

	test("a full server rejects a write and keeps its data", async () => {
		const server = await startRedisServer(["--maxmemory-policy", "noeviction"]);
		const store = await opened(server.url);
		const raw = await store.compareAndSet("guild:1", undefined, 1);
		const client = await createClient({ url: server.url }).connect();
		onTestFinished(() => client.destroy());
		await client.configSet("maxmemory", "1");
		await expect(store.compareAndSet("guild:1", raw, 2)).rejects.toBeInstanceOf(StoreRefusedError);
		expect((await store.get("guild:1"))?.value).toBe(1);
	});

	test("acknowledged writes survive a kill of the server, and the store reconnects", async () => {
		const server = await startRedisServer(["--appendonly", "yes"]);
		const store = await opened(server.url);
		const raw = await store.compareAndSet("guild:1", undefined, 1);
		await server.kill();
		await expect(store.get("guild:1")).rejects.toBeInstanceOf(StoreUnavailableError);
		await expect(store.compareAndSet("guild:1", raw, 2)).rejects.toBeInstanceOf(StoreUnavailableError);
		await server.start();
		await expect.poll(async () => (await store.get("guild:1"))?.value, { timeout: 10_000 }).toBe(1);
		await expect.poll(() => store.compareAndSet("guild:1", raw, 2), { timeout: 10_000 }).toBeTypeOf("string");
	});

	describe("with waiting for the disk", () => {
		test("a write resolves after its sync; concurrent writes share one", async () => {
			const { store, waits } = await storeThatWaits("return {1, 0}");
			await Promise.all(Array.from({ length: 50 }, (_, n) => store.set(`task:${n}`, n)));
			expect(waits()).toBeGreaterThan(0);
			expect(waits()).toBeLessThan(10);
		});

		test("a lost compare-and-set does not wait", async () => {
			const { store, waits } = await storeThatWaits("return {1, 0}");
			expect(await store.compareAndSet("task:1", "a text that is not there", 1)).toBeUndefined();
			expect(waits()).toBe(0);
		});

		test("a sync that takes too long is an error", async () => {
			const { store } = await storeThatWaits("return {0, 0}");
			await expect(store.set("task:1", 1)).rejects.toThrow("did not sync to disk within 4000 ms");
		});

		test("an append-only file that was disabled since is an error", async () => {
			const { store } = await storeThatWaits("return redis.error_reply('ERR appendonly is disabled')");
			await expect(store.set("task:1", 1)).rejects.toThrow("appendonly is disabled");
		});
	});
});

test("writes during a sync are resolved by the next one", async () => {
	const waits: PromiseWithResolvers<void>[] = [];
	const settle = createBarrier(() => {
		const wait = Promise.withResolvers<void>();
		waits.push(wait);
		return wait.promise;
	});
	const first = settle();
	await expect.poll(() => waits.length).toBe(1);
	const [second, third] = [settle(), settle()];
	waits[0]?.reject(new Error("the disk is slow"));
	await expect(first).rejects.toThrow("the disk is slow");
	await expect.poll(() => waits.length).toBe(2);
	waits[1]?.resolve();
	await Promise.all([second, third]);
	expect(waits).toHaveLength(2);
});

async function opened(at: string): Promise<Store> {
	const store = await openStore(at);
	onTestFinished(() => store.close());
	return store;
}

async function warnings(at: string): Promise<readonly unknown[]> {
	const lines: string[] = [];
	const store = await openStore(at, { logger: pino({}, { write: (line) => void lines.push(line) }) });
	await store.close();
	return lines.map((line) => (JSON.parse(line) as { msg: unknown }).msg);
}

/**
 * A store on a server that supports WAITAOF, as Redis 7.2 does. Each call is replaced on its way by a script with the
 * given result, so that the server still responds in order.
 */
async function storeThatWaits(answer: string): Promise<{ store: Store; waits: () => number }> {
	const server = await startRedisServer(["--appendonly", "yes"]);
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
				return command("EVAL", answer, "0");
			},
		);
		return Buffer.from(changed, "latin1");
	});
	return { store: await opened(proxy.url), waits: () => waits };
}

const command = (...words: string[]): string =>
	`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
