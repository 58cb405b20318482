import KeyvRedis from "@keyv/redis";
import { connectToRedis, type RedisConnection } from "./redis-connection.ts";
import { learnDurability, type Settle } from "./redis-durability.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreUnavailableError } from "./store-errors.ts";
import { HIGHEST_CODE_POINT, type TextStorage } from "./kv-adapter.ts";

/**
 * A sorted set of all keys in byte order: Redis keeps none, and a prefix search would scan the database. The name
 * contains `::`, which store keys must not contain, and which keyv's `clear` does not touch.
 */
const INDEX = "atelier::keys";
const SCAN_BATCH_KEYS = 256;

// A script is atomic: a document and its index entry are written, or neither. The index comes first: if it is refused,
// the document is too. Compares texts, because cjson would turn [] into {} and round large numbers.
const PUT = `
redis.call('ZADD', KEYS[2], 0, KEYS[1])
redis.call('SET', KEYS[1], ARGV[1])
return 1`;
const COMPARE_AND_SET = `
local held = redis.call('GET', KEYS[1])
if ARGV[1] == 'absent' then
	if held then return 0 end
elseif held ~= ARGV[2] then
	return 0
end
redis.call('ZADD', KEYS[2], 0, KEYS[1])
redis.call('SET', KEYS[1], ARGV[3])
return 1`;
/** Returns everything in one reply: only a script sees a consistent state, and it blocks Redis meanwhile. */
const SNAPSHOT = `
local keys = redis.call('ZRANGE', KEYS[1], 0, -1)
local found = {}
for first = 1, #keys, 1000 do
	local last = math.min(first + 999, #keys)
	local texts = redis.call('MGET', unpack(keys, first, last))
	for place = first, last do
		found[2 * place - 1] = keys[place]
		found[2 * place] = texts[place - first + 1]
	end
end
return found`;
/** ARGV contains three texts per key and the last one, as above. */
const COMPARE_AND_SET_ALL = `
local index = KEYS[#KEYS]
for n = 1, #KEYS - 1 do
	local held = redis.call('GET', KEYS[n])
	if ARGV[3 * n - 2] == 'absent' then
		if held then return 0 end
	elseif held ~= ARGV[3 * n - 1] then
		return 0
	end
end
for n = 1, #KEYS - 1 do redis.call('ZADD', index, 0, KEYS[n]) end
for n = 1, #KEYS - 1 do redis.call('SET', KEYS[n], ARGV[3 * n]) end
return 1`;
const REMOVE = `
redis.call('ZREM', KEYS[2], KEYS[1])
return redis.call('DEL', KEYS[1])`;

/**
 * Text in one logical database of Redis or Valkey, under the plain keys of keyv's own adapter. * Writes have a
 * connection of their own, because WAITAOF blocks the commands that follow on the same one.
 */
export async function openRedisStorage(url: string, deps: StoreDeps): Promise<TextStorage> {
	const reading = await connectToRedis(url, deps);
	const writing = await connectToRedis(url, deps);
	let settle: Settle;
	try {
		settle = await learnDurability(writing, deps.logger);
	} catch (error) {
		closeBoth();
		throw error;
	}
	const layout = new KeyvRedis(reading.client, { throwOnErrors: true, throwOnConnectError: true });
	layout.namespace = undefined;
	// Failures reject their calls, and the connection logs its own trouble.
	layout.on("error", () => {});

	function closeBoth(): void {
		for (const connection of [reading, writing]) connection.close();
	}

	function write(script: string, key: string, ...texts: string[]): Promise<boolean> {
		return writeAll(script, [key], texts);
	}

	async function writeAll(script: string, keys: readonly string[], texts: string[]): Promise<boolean> {
		const epoch = writing.epoch();
		const done = await writing.run((client) => client.eval(script, { keys: [...keys, INDEX], arguments: texts }));
		if (done === 0) return false;
		await settle();
		failIfReplaced(writing, epoch);
		return true;
	}

	const storage: TextStorage = {
		opts: {},
		isSharedBetweenProcesses: true,
		on(event, listener) {
			layout.on(event, listener);
			return storage;
		},
		get: (key: string) => reading.run(() => layout.get<string>(key)),
		async set(key, text) {
			await write(PUT, key, text);
		},
		delete: (key) => write(REMOVE, key),
		async clear() {
			for await (const { key } of storage.scan("")) await write(REMOVE, key);
		},
		compareAndSet: (key, expected, next) => write(COMPARE_AND_SET, key, ...conditionOf(expected), next),
		compareAndSetAll(changes) {
			const keys = changes.map(({ key }) => key);
			const texts = changes.flatMap(({ expected, next }) => [...conditionOf(expected), next]);
			return writeAll(COMPARE_AND_SET_ALL, keys, texts);
		},
		async *scan(prefix, after) {
			const limit = { BY: "LEX", LIMIT: { offset: 0, count: SCAN_BATCH_KEYS } } as const;
			let from = after === undefined ? `[${prefix}` : `(${after}`;
			for (;;) {
				const keys = await reading.run((client) =>
					client.zRange(INDEX, from, `(${prefix}${HIGHEST_CODE_POINT}`, limit),
				);
				if (keys.length === 0) return;
				const texts = await reading.run((client) => client.mGet(keys));
				for (const [index, key] of keys.entries()) {
					const text = texts[index];
					// The key was deleted after the index was read.
					if (typeof text === "string") yield { key, text };
				}
				from = `(${keys.at(-1)}`;
			}
		},
		async *snapshot() {
			const found = (await reading.run((client) => client.eval(SNAPSHOT, { keys: [INDEX] }))) as (string | null)[];
			for (let index = 0; index < found.length; index += 2) {
				const [key, text] = found.slice(index, index + 2);
				if (typeof key === "string" && typeof text === "string") yield { key, text };
			}
		},
		async disconnect() {
			closeBoth();
		},
	};
	return storage;
}

function conditionOf(expected: string | undefined): readonly [string, string] {
	return expected === undefined ? ["absent", ""] : ["present", expected];
}

/** WAITAOF counts the writes of its own connection: on a new one it says nothing about earlier writes. */
function failIfReplaced({ address, epoch }: RedisConnection, before: number): void {
	if (epoch() !== before)
		throw new StoreUnavailableError(`the connection to Redis at ${address} broke before a write was synced`);
}
