import { HIGHEST_CODE_POINT, type KvAdapter } from "./kv-adapter.ts";
import { connectToRedis } from "./redis-connection.ts";
import { prepareDurability } from "./redis-durability.ts";
import type { StoreDeps } from "./store-deps.ts";
import { StoreUnavailableError } from "./store-errors.ts";

/**
 * A sorted set of all keys in byte order: Redis keeps none, and a prefix search would scan the database. The name
 * contains `::`, which store keys must not contain, and which keyv's `clear` does not touch.
 */
const KEY_INDEX = "atelier::keys";
const SCAN_BATCH_KEYS = 256;

// A script is atomic: it writes a document and its index entry, or neither. It writes the index first: if Redis rejects
// this write, the document is not written. It compares texts, because cjson turns [] into {} and rounds large numbers.
const SET = `
redis.call('ZADD', KEYS[2], 0, KEYS[1])
redis.call('SET', KEYS[1], ARGV[1])
return 1`;
/**
 * KEYS: the keys of the documents, then the index. ARGV: for each document 'absent', 'present' or 'any'; expected; next, or ''
 * to remove it.
 */
const COMPARE_AND_SET = `
local index = KEYS[#KEYS]
for n = 1, #KEYS - 1 do
	local state = ARGV[3 * n - 2]
	if state ~= 'any' then
		local current = redis.call('GET', KEYS[n])
		if state == 'absent' then
			if current then return 0 end
		elseif current ~= ARGV[3 * n - 1] then
			return 0
		end
	end
end
for n = 1, #KEYS - 1 do
	if ARGV[3 * n] == '' then redis.call('ZREM', index, KEYS[n]) else redis.call('ZADD', index, 0, KEYS[n]) end
end
for n = 1, #KEYS - 1 do
	if ARGV[3 * n] == '' then redis.call('DEL', KEYS[n]) else redis.call('SET', KEYS[n], ARGV[3 * n]) end
end
return 1`;
/** Returns all documents in one reply: only a script reads a consistent state. It blocks Redis meanwhile. */
const SNAPSHOT = `
local keys = redis.call('ZRANGE', KEYS[1], 0, -1)
local entries = {}
for first = 1, #keys, 1000 do
	local last = math.min(first + 999, #keys)
	local texts = redis.call('MGET', unpack(keys, first, last))
	for position = first, last do
		entries[2 * position - 1] = keys[position]
		entries[2 * position] = texts[position - first + 1]
	end
end
return entries`;
const DELETE = `
redis.call('ZREM', KEYS[2], KEYS[1])
return redis.call('DEL', KEYS[1])`;

/**
 * Stores text in one logical database of Redis or Valkey, under the plain keys of keyv's own adapter. Writes have a
 * connection of their own, because WAITAOF blocks the commands that follow on the same one.
 */
export async function openRedisAdapter(url: string, deps: StoreDeps): Promise<KvAdapter> {
	using opening = new DisposableStack();
	const readConnection = opening.adopt(await connectToRedis(url, deps), (connection) => connection.close());
	const writeConnection = opening.adopt(await connectToRedis(url, deps), (connection) => connection.close());
	const waitForSync = await prepareDurability(writeConnection, deps.logger);
	const connections = opening.move();

	/** Runs a script that returns 0 if it wrote nothing. */
	async function write(script: string, keys: readonly string[], texts: string[] = []): Promise<boolean> {
		const countBefore = writeConnection.connectionCount();
		const result = await writeConnection.run((client) =>
			client.eval(script, { keys: [...keys, KEY_INDEX], arguments: texts }),
		);
		if (result === 0) return false;
		await waitForSync();
		// WAITAOF counts the writes of its own connection: on a new one it does not wait for earlier writes.
		if (writeConnection.connectionCount() !== countBefore) {
			const { address } = writeConnection;
			throw new StoreUnavailableError(`the connection to Redis at ${address} broke before a write was synced`);
		}
		return true;
	}

	return {
		async get(key: string) {
			return (await readConnection.run((client) => client.get(key))) ?? undefined;
		},
		async set(key, text) {
			await write(SET, [key], [text]);
		},
		delete: (key) => write(DELETE, [key]),
		compareAndSet(changes, writes = []) {
			const keys = [...changes, ...writes].map(({ key }) => key);
			const texts = changes.flatMap(({ expected, next }) =>
				expected === undefined ? ["absent", "", next] : ["present", expected, next],
			);
			const otherTexts = writes.flatMap(({ text = "" }) => ["any", "", text]);
			return write(COMPARE_AND_SET, keys, [...texts, ...otherTexts]);
		},
		async *scan(prefix, after) {
			const batch = { BY: "LEX", LIMIT: { offset: 0, count: SCAN_BATCH_KEYS } } as const;
			let from = after === undefined ? `[${prefix}` : `(${after}`;
			for (;;) {
				const keys = await readConnection.run((client) =>
					client.zRange(KEY_INDEX, from, `(${prefix}${HIGHEST_CODE_POINT}`, batch),
				);
				if (keys.length === 0) return;
				const texts = await readConnection.run((client) => client.mGet(keys));
				for (const [index, key] of keys.entries()) {
					const text = texts[index];
					// The key was deleted after the index was read.
					if (typeof text === "string") yield { key, text };
				}
				from = `(${keys.at(-1)}`;
			}
		},
		async *snapshot() {
			const reply = await readConnection.run((client) => client.eval(SNAPSHOT, { keys: [KEY_INDEX] }));
			const keysAndTexts = reply as (string | null)[];
			for (let index = 0; index < keysAndTexts.length; index += 2) {
				const [key, text] = keysAndTexts.slice(index, index + 2);
				if (typeof key === "string" && typeof text === "string") yield { key, text };
			}
		},
		async disconnect() {
			connections.dispose();
		},
	};
}
