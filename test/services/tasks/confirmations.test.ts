import { describe, expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryStorage } from "@atelier/store/memory-adapter";
import { createConfirmations } from "../../../src/services/tasks/confirmations.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, TASK, taskRequest } from "./task-setup.ts";

async function setup() {
	const store = createKeyvStore(createMemoryStorage());
	const confirmations = createConfirmations({ store, clock: createManualClock() });
	await confirmations.add(taskRequest);
	const decide = (decision: "make" | "leave", userId = taskRequest.userId, guildId = GUILD) =>
		confirmations.decide(guildId, userId, TASK, decision);
	return { confirmations, decide };
}

describe("a confirmation", () => {
	test.each([
		["make", "leave"],
		["leave", "make"],
	] as const)("that is decided as %s can be repeated, but not decided as %s", async (first, second) => {
		const { decide } = await setup();
		expect(await Promise.all([decide(first), decide(first)])).toStrictEqual([taskRequest, taskRequest]);
		expect(await decide(first)).toStrictEqual(taskRequest);
		await expect(decide(second)).rejects.toThrow("request.confirmationGone");
	});

	test("is decided by one of two concurrent presses", async () => {
		const { decide } = await setup();
		const pressed = await Promise.allSettled([decide("make"), decide("leave")]);
		expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	});

	test("can be decided in any way after a failure, until it is removed", async () => {
		const { confirmations, decide } = await setup();
		await decide("make");
		await confirmations.reopen(TASK);
		expect(await decide("leave")).toStrictEqual(taskRequest);
		await confirmations.remove(TASK);
		await confirmations.reopen(TASK);
		await expect(decide("leave")).rejects.toThrow("request.confirmationGone");
	});

	test("is decided by its own member in its own guild only", async () => {
		const { decide } = await setup();
		await expect(decide("leave", "1000000000000000077")).rejects.toThrow("permission.othersConfirmation");
		await expect(decide("make", taskRequest.userId, "1000000000000000011")).rejects.toThrow("request.confirmationGone");
		expect(await decide("make")).toStrictEqual(taskRequest);
	});
});
