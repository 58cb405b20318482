import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Store } from "../src/store.ts";

const RACER = fileURLToPath(new URL("./store-race-process.ts", import.meta.url));

/** Reads, decides, writes, and repeats if another writer was first. False: `decide` declined. */
export async function changeUntilWon(
	store: Store,
	key: string,
	decide: (number: number) => number | undefined,
): Promise<boolean> {
	for (;;) {
		const held = await store.get<number>(key);
		const next = decide(held?.value ?? 0);
		if (next === undefined) return false;
		if ((await store.compareAndSet(key, held?.raw, next)) !== undefined) return true;
	}
}

interface RacerResult {
	readonly claimed: readonly string[];
	readonly taken: number;
}

/**
 * Starts processes on one store at the same moment; each creates `keys` keys and increments a counter `increments`
 * times.
 */
export async function raceProcesses(
	url: string,
	{ processes, keys, increments }: { processes: number; keys: number; increments: number },
): Promise<readonly RacerResult[]> {
	const racers = Array.from({ length: processes }, () => startRacer(url, keys, increments));
	await Promise.all(racers.map(({ ready }) => ready));
	return await Promise.all(racers.map(({ go }) => go()));
}

function startRacer(url: string, keys: number, increments: number) {
	const child = spawn(process.execPath, [RACER, url, String(keys), String(increments)], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const ended = once(child, "exit");
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	return {
		ready: firstOf(lines),
		go: async (): Promise<RacerResult> => {
			child.stdin.write("go\n");
			const { value } = await lines.next();
			await ended;
			return JSON.parse(String(value)) as RacerResult;
		},
	};
}

async function firstOf(lines: AsyncIterator<string>): Promise<void> {
	const { done } = await lines.next();
	if (done === true) throw new Error("a process ended before it was ready");
}
