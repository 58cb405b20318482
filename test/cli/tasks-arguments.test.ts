import { describe, expect, test } from "vitest";
import { readTasksOrder } from "../../src/cli/tasks-arguments.ts";
import { UsageFault } from "../../src/cli/usage-fault.ts";

describe("what an operator types about tasks", () => {
	test.each([
		[["list"], { kind: "list", which: "open" }],
		[["list", "unknown"], { kind: "list", which: "unknown" }],
		[["show", "4711"], { kind: "show", taskId: "4711" }],
		[["cancel", "4711"], { kind: "cancel", taskId: "4711" }],
		[["redeliver", "4711"], { kind: "redeliver", taskId: "4711" }],
		[[], { kind: "help" }],
		[["cancel", "--help"], { kind: "help" }],
	])("%j is understood", (typed, order) => {
		expect(readTasksOrder(typed)).toStrictEqual(order);
	});

	test.each([
		[["kill"], "there is no command kill"],
		[["list", "closed"], "list: expected one of open, unknown, all, not closed"],
		[["show"], "ID is missing: the task's id"],
		[["cancel", "all"], "ID: expected the task's id, a number, not all"],
		[["cancel", "1", "2"], "2: not understood"],
		[["show", "1", "--json"], "Unknown option '--json'"],
	])("%j is refused: %s", (typed, words) => {
		expect(() => readTasksOrder(typed)).toThrow(UsageFault);
		expect(() => readTasksOrder(typed)).toThrow(words);
	});
});
