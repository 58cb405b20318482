import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { failWith, newTask, retryAt, startAttempt, TASK_FAILURES, type StudioTask } from "../src/studio-task.ts";

const REQUEST = {
	mediaType: "image",
	model: "m",
	scene: "text-to-image",
	prompt: "a boat",
	options: {},
	inputs: {},
	warnings: [],
	priceCredits: 4,
	priceVersion: "1",
} as const;

test("a transition removes the fields of the state before it, and keeps those of a later version", () => {
	const submitFields = { bodySha256: null, callbackUrl: null, capAccount: null };
	let task: StudioTask = newTask("task_1", "acme", REQUEST, submitFields, 0);
	const fields = Object.keys(task).filter((field) => field !== "notBeforeMs");
	task = Object.assign(task, { later: true });
	const steps = [
		{ transition: startAttempt("fake", DEFAULT_LIMITS), added: ["engine", "progressPercent", "enginePosition"] },
		{ transition: retryAt(2, 1), added: ["notBeforeMs"] },
		{ transition: failWith(TASK_FAILURES.noEngine), added: ["failure", "completedAtMs"] },
	];
	for (const { transition, added } of steps) {
		task = transition(task, 1) as StudioTask;
		expect(Object.keys(task).toSorted()).toStrictEqual([...fields, "later", ...added].toSorted());
	}
});
