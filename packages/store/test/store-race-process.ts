/**
 * One of two processes on one store. Prints "ready", waits for a line, then tries to create each key, and to decrement a balance a hundred
 * times. Prints the results as JSON.
 */
import { once } from "node:events";
import { openStore } from "../src/open-store.ts";
import { decrement } from "./store-race.ts";

const [url = "", keys = "0"] = process.argv.slice(2);
const store = await openStore(url);
process.stdout.write("ready\n");
await once(process.stdin, "data");

const createdKeys: string[] = [];
for (let index = 0; index < Number(keys); index++) {
	const key = `race:${index}`;
	if ((await store.compareAndSet(key, undefined, process.pid)) !== undefined) createdKeys.push(key);
}
const decremented = await Promise.all(Array.from({ length: 100 }, () => decrement(store, "balance")));
const decrements = decremented.filter(Boolean).length;
process.stdout.write(`${JSON.stringify({ createdKeys, decrements })}\n`);
await store.close();
process.stdin.destroy();
