import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Store } from "../src/store.ts";

const RACER = fileURLToPath(new URL("./store-race-process.ts", import.meta.url));

/** Decrements a number if it is positive, and retries if another writer was first. Resolves to true if it did. */
export async function decrement(store: Store, key: string): Promise<boolean> {
	for (;;) {
		const stored = await store.get<number>(key);
		if (!stored || stored.value <= 0) return false;
		if ((await store.compareAndSet(key, stored.raw, stored.value - 1)) !== undefined) return true;
	}
}

/** The results of `store-race-process.ts`. */
interface RacerResult {
	readonly createdKeys: readonly string[];
	readonly decrements: number;
}

/**
 * Starts two processes on one store at the same moment. Each tries to create the same `keys` keys, and to decrement `balance` a
 * hundred times.
 */
export async function raceProcesses(url: string, keys: number): Promise<readonly RacerResult[]> {
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
		run: async (): Promise<RacerResult> => {
			child.stdin.write("start\n");
			const { value } = await lines.next();
			await exited;
			return JSON.parse(String(value)) as RacerResult;
		},
	};
}

async function readFirstLine(lines: AsyncIterator<string>): Promise<void> {
	const { done } = await lines.next();
	if (done === true) throw new Error("a process ended before it was ready");
}
