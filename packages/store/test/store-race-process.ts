/**
 * One of several processes on one store. Prints "ready", waits for a line, then tries to create each key, to decrement a
 * balance a hundred times, and to increment a counter. Prints the results as JSON.
 */
import { once } from "node:events";
import { openStore } from "../src/open-store.ts";
import { decrement, increment } from "./store-race.ts";

const [url = "", keys = "0", increments = "0"] = process.argv.slice(2);
const store = await openStore(url);
process.stdout.write("ready\n");
await once(process.stdin, "data");

const createdKeys: string[] = [];
for (let index = 0; index < Number(keys); index++) {
	const key = `race:${index}`;
	if ((await store.compareAndSet(key, undefined, process.pid)) !== undefined) createdKeys.push(key);
}
const decremented = await Promise.all(Array.from({ length: 100 }, () => decrement(store, "balance")));
for (let index = 0; index < Number(increments); index++) await increment(store, "counter");

process.stdout.write(`${JSON.stringify({ createdKeys, decrements: decremented.filter(Boolean).length })}\n`);
await store.close();
process.stdin.destroy();
