import { setTimeout as sleep } from "node:timers/promises";
import type { Life } from "./child-process.ts";

/** Of a process with `bench/tell-state.ts` in it, right after it has collected its garbage. */
export interface ProcessState {
	readonly rss: number;
	/** The unshared part: everything except for the program and its libraries. */
	readonly rssPrivate: number;
	readonly heapUsed: number;
	readonly external: number;
	readonly timers: number;
	readonly handles: number;
	readonly files: number;
}

export const TELLS_STATE = ["--expose-gc", "--import", "./bench/tell-state.ts"] as const;
const SAYS_SO = '{"benchState":';
const TIMEOUT_MS = 60_000;

export async function askState(life: Life): Promise<ProcessState> {
	const said = (): readonly string[] => life.lines.filter((line) => line.startsWith(SAYS_SO));
	const before = said().length;
	process.kill(life.pid(), "SIGUSR2");
	for (const untilMs = Date.now() + TIMEOUT_MS; Date.now() < untilMs; await sleep(20)) {
		const line = said()[before];
		if (line !== undefined) return (JSON.parse(line) as { benchState: ProcessState }).benchState;
	}
	throw new Error(`${life.name} does not say how it is`);
}
