import { describe, expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createUnconfirmedRequests } from "../../../src/services/tasks/unconfirmed-requests.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, TASK, taskRequest } from "./task-setup.ts";

async function setup() {
	const store = openMemoryStore();
	const unconfirmedRequests = createUnconfirmedRequests({ store, clock: createManualClock() });
	await unconfirmedRequests.add(taskRequest);
	const decide = (decision: "confirm" | "decline", userId = taskRequest.userId, guildId = GUILD) =>
		unconfirmedRequests.decide(guildId, userId, TASK, decision);
	return { unconfirmedRequests, decide };
}

describe("a confirmation", () => {
	test.each([
		["confirm", "decline"],
		["decline", "confirm"],
	] as const)("may be decided by %s repeatedly, and not by %s afterwards", async (first, second) => {
		const { decide } = await setup();
		expect(await Promise.all([decide(first), decide(first)])).toStrictEqual([taskRequest, taskRequest]);
		expect(await decide(first)).toStrictEqual(taskRequest);
		await expect(decide(second)).rejects.toThrow("request.confirmationGone");
	});

	test("is decided by one of two concurrent presses", async () => {
		const { decide } = await setup();
		const pressed = await Promise.allSettled([decide("confirm"), decide("decline")]);
		expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	});

	test("can be decided in any way after a failure, until it is removed", async () => {
		const { unconfirmedRequests, decide } = await setup();
		await decide("confirm");
		await unconfirmedRequests.reopen(TASK);
		expect(await decide("decline")).toStrictEqual(taskRequest);
		await unconfirmedRequests.remove(TASK);
		await unconfirmedRequests.reopen(TASK);
		await expect(decide("decline")).rejects.toThrow("request.confirmationGone");
	});

	test("is decided by its own member in its own guild only", async () => {
		const { decide } = await setup();
		await expect(decide("decline", "1000000000000000077")).rejects.toThrow("permission.othersConfirmation");
		await expect(decide("confirm", taskRequest.userId, "1000000000000000011")).rejects.toThrow(
			"request.confirmationGone",
		);
		expect(await decide("confirm")).toStrictEqual(taskRequest);
	});
});
