import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const RACER = fileURLToPath(new URL("./store-race-process.ts", import.meta.url));

/** The results of `store-race-process.ts`. */
export interface RacerResult {
	readonly createdKeys: readonly string[];
	readonly decrements: number;
}

/** Starts two processes on one store at the same moment. Each tries to create the same `keys` keys, and to decrement `balance`. */
export async function raceProcesses(url: string, keys: number): Promise<readonly RacerResult[]> {
	const racers = [0, 1].map(() => {
		const racer = spawn(process.execPath, [RACER, url, String(keys)], { stdio: ["pipe", "pipe", "inherit"] });
		onTestFinished(() => void racer.kill("SIGKILL"));
		return racer;
	});
	for (const { stdout } of racers) {
		if (stdout.readableLength === 0) await once(stdout, "readable");
		stdout.read();
	}
	const results = racers.map(async ({ stdin, stdout }) => {
		stdin.end("start");
		return JSON.parse(await text(stdout)) as RacerResult;
	});
	return await Promise.all(results);
}
