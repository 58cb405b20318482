import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Store } from "../src/store.ts";

const RACER = fileURLToPath(new URL("./store-race-process.ts", import.meta.url));

/** Increments a number, and retries if another writer was first. */
export async function increment(store: Store, key: string): Promise<void> {
	for (;;) {
		const stored = await store.get<number>(key);
		if ((await store.compareAndSet(key, stored?.raw, (stored?.value ?? 0) + 1)) !== undefined) return;
	}
}

/**
 * Starts two processes on one store at the same moment. Each tries to create the same `keys` keys, and increments `counter` as many
 * times. Resolves to the keys that each has created.
 */
export async function raceProcesses(url: string, keys: number): Promise<readonly string[][]> {
	const racers = [startRacer(url, keys), startRacer(url, keys)];
	await Promise.all(racers.map(({ ready }) => ready));
	return await Promise.all(racers.map(({ run }) => run()));
}

function startRacer(url: string, keys: number) {
	const child = spawn(process.execPath, [RACER, url, String(keys)], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const exited = once(child, "exit");
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	return {
		ready: readFirstLine(lines),
		run: async (): Promise<string[]> => {
			child.stdin.write("start\n");
			const { value } = await lines.next();
			await exited;
			return JSON.parse(String(value)) as string[];
		},
	};
}

async function readFirstLine(lines: AsyncIterator<string>): Promise<void> {
	const { done } = await lines.next();
	if (done === true) throw new Error("a process ended before it was ready");
}
