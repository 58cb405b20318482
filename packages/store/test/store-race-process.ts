/**
 * One of several processes on one store. Prints "ready", waits for a line, then creates keys, decrements a balance
 * and increments a counter; prints the results as JSON.
 */
import { once } from "node:events";
import { openStore } from "../src/open-store.ts";
import { changeUntilWon } from "./store-race.ts";

const [url = "", keys = "0", increments = "0"] = process.argv.slice(2);
const store = await openStore(url);
process.stdout.write("ready\n");
await once(process.stdin, "data");

const claimed: string[] = [];
for (let index = 0; index < Number(keys); index++) {
	const key = `claim:${index}`;
	if ((await store.compareAndSet(key, undefined, process.pid)) !== undefined) claimed.push(key);
}
const taken = await Promise.all(
	Array.from({ length: 100 }, () => changeUntilWon(store, "balance", (left) => (left > 0 ? left - 1 : undefined))),
);
for (let index = 0; index < Number(increments); index++) await changeUntilWon(store, "counter", (count) => count + 1);

process.stdout.write(`${JSON.stringify({ claimed, taken: taken.filter(Boolean).length })}\n`);
await store.close();
process.stdin.destroy();
