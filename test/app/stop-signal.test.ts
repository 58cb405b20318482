import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { exitOnStopSignal, stopSignal } from "../../src/app/stop-signal.ts";

function setup() {
	const process = new EventEmitter();
	const exits: number[] = [];
	const time = { ms: 5_000 };
	const signal = stopSignal({ process, nowMs: () => time.ms, exitNow: () => void exits.push(time.ms) });
	return { process, exits, time, signal };
}

test("a stop signal ends the process while it starts, and not afterwards", () => {
	const process = new EventEmitter();
	const exits: string[] = [];
	const stopExiting = exitOnStopSignal(process, () => void exits.push("exit"));
	process.emit("SIGTERM", "SIGTERM");
	stopExiting();
	process.emit("SIGTERM", "SIGTERM");
	expect(exits).toStrictEqual(["exit"]);
});

test("a stop request is the same one for all signals within a second, also of different kinds", async () => {
	const { process, exits, time, signal } = setup();
	process.emit("SIGINT", "SIGINT");
	process.emit("SIGINT", "SIGINT");
	time.ms += 900;
	process.emit("SIGTERM", "SIGTERM");
	expect(await signal).toBe("SIGINT");
	expect(exits).toStrictEqual([]);
});

test("a stop request ends the process at once if a second one follows later", async () => {
	const { process, exits, time } = setup();
	process.emit("SIGTERM", "SIGTERM");
	time.ms += 1_500;
	process.emit("SIGTERM", "SIGTERM");
	expect(exits).toStrictEqual([6_500]);
});
