import { pino } from "pino";
import { expect, test } from "vitest";
import { runUntilStopped } from "../../src/app/run-until-stopped.ts";

test("a stop that hangs ends the process after the deadline, and the log says so", async () => {
	const lines: unknown[] = [];
	const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
	const exited = Promise.withResolvers<number>();
	const hangingApp = { fatal: Promise.resolve("the store is gone"), stop: () => new Promise<never>(() => {}) };
	void runUntilStopped(hangingApp, logger, { stopDeadlineMs: 1, exit: exited.resolve });
	expect(await exited.promise).toBe(1);
	expect(lines).toStrictEqual([
		{ level: 60, msg: "cannot continue: the store is gone" },
		{ level: 50, afterMs: 1, msg: "stop took too long: exiting" },
	]);
});
