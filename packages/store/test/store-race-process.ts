/**
 * One of two processes on one store. Prints "ready", waits for its input, then tries to create each key, and to decrement a balance
 * a hundred times. Prints the results as JSON.
 */
import { once } from "node:events";
import { openStore } from "../src/open-store.ts";
import type { RacerResult } from "./store-race.ts";

const [url = "", keys = "0"] = process.argv.slice(2);
const store = await openStore(url);
process.stdout.write("ready");
await once(process.stdin, "data");

const createdKeys: string[] = [];
for (let index = 0; index < Number(keys); index++) {
	const key = `race:${index}`;
	if ((await store.compareAndSet(key, undefined, process.pid)) !== undefined) createdKeys.push(key);
}
const decremented = await Promise.all(Array.from({ length: 100 }, decrement));
const result: RacerResult = { createdKeys, decrements: decremented.filter(Boolean).length };
process.stdout.write(JSON.stringify(result));
await store.close();
process.stdin.destroy();

/** Decrements the balance if it is positive, and retries if another writer was first. Resolves to true if it did. */
async function decrement(): Promise<boolean> {
	for (;;) {
		const stored = await store.get<number>("balance");
		if (!stored || stored.value <= 0) return false;
		if ((await store.compareAndSet("balance", stored.raw, stored.value - 1)) !== undefined) return true;
	}
}
