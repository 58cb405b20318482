import { describe, expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryStorage } from "@atelier/store/memory-adapter";
import { createConfirmations } from "../../../src/services/tasks/confirmations.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, TASK, taskRequest } from "./task-setup.ts";

async function proposed() {
	const confirmations = createConfirmations({
		store: createKeyvStore(createMemoryStorage()),
		clock: createManualClock(),
	});
	await confirmations.add(taskRequest);
	const decide = (decision: "make" | "leave", userId = taskRequest.userId) =>
		confirmations.decide(GUILD, userId, TASK, decision);
	return { confirmations, decide };
}

describe("a confirmation", () => {
	test("is decided once: a declined task is never submitted, and a confirmed one is never declined", async () => {
		for (const [first, second] of [
			["make", "leave"],
			["leave", "make"],
		] as const) {
			const { decide } = await proposed();
			expect(await decide(first)).toStrictEqual(taskRequest);
			await expect(decide(second)).rejects.toThrow("proposalGone");
		}
	});

	test("is decided by one of two concurrent presses", async () => {
		const { decide } = await proposed();
		const pressed = await Promise.allSettled([decide("make"), decide("leave")]);
		expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		const alike = await proposed();
		expect(await Promise.all([alike.decide("make"), alike.decide("make")])).toStrictEqual([taskRequest, taskRequest]);
	});

	test("can be repeated with the same decision, and with any after a failure", async () => {
		const { confirmations, decide } = await proposed();
		await decide("make");
		expect(await decide("make")).toStrictEqual(taskRequest);
		await confirmations.reopen(TASK);
		expect(await decide("leave")).toStrictEqual(taskRequest);
		await confirmations.remove(TASK);
		await confirmations.reopen(TASK);
		await expect(decide("leave")).rejects.toThrow("proposalGone");
	});

	test("is decided by its own member in its own guild only", async () => {
		const { confirmations, decide } = await proposed();
		await expect(decide("leave", "1000000000000000077")).rejects.toThrow("othersProposal");
		const elsewhere = confirmations.decide("1000000000000000011", taskRequest.userId, TASK, "make");
		await expect(elsewhere).rejects.toThrow("proposalGone");
		expect(await decide("make")).toStrictEqual(taskRequest);
	});
});
