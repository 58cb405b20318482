import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Store } from "../src/store.ts";

const RACER = fileURLToPath(new URL("./store-race-process.ts", import.meta.url));

/** Decrements a number if it is positive. Resolves to true if it did. */
export const decrement = (store: Store, key: string): Promise<boolean> =>
	changeNumber(store, key, (number) => (number > 0 ? number - 1 : undefined));

export const increment = (store: Store, key: string): Promise<boolean> =>
	changeNumber(store, key, (number) => number + 1);

/** Retries if another writer was first. Resolves to false if `change` returns `undefined`. */
async function changeNumber(
	store: Store,
	key: string,
	change: (number: number) => number | undefined,
): Promise<boolean> {
	for (;;) {
		const stored = await store.get<number>(key);
		const next = change(stored?.value ?? 0);
		if (next === undefined) return false;
		if ((await store.compareAndSet(key, stored?.raw, next)) !== undefined) return true;
	}
}

/** The results of `store-race-process.ts`. */
interface RacerResult {
	readonly createdKeys: readonly string[];
	readonly decrements: number;
}

/**
 * Starts processes on one store at the same moment. Each tries to create the same `keys` keys and to decrement `balance` a hundred
 * times, and increments `counter` `increments` times.
 */
export async function raceProcesses(
	url: string,
	{ processes, keys, increments }: { processes: number; keys: number; increments: number },
): Promise<readonly RacerResult[]> {
	const racers = Array.from({ length: processes }, () => startRacer(url, keys, increments));
	await Promise.all(racers.map(({ ready }) => ready));
	return await Promise.all(racers.map(({ run }) => run()));
}

function startRacer(url: string, keys: number, increments: number) {
	const child = spawn(process.execPath, [RACER, url, String(keys), String(increments)], {
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
