import { describe, expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createRequestDrafts } from "../../../src/services/tasks/request-drafts.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, TASK, submission } from "./task-setup.ts";

async function setup() {
	const store = openMemoryStore();
	const drafts = createRequestDrafts({ store, clock: createManualClock() });
	await drafts.add(submission);
	const decide = (decision: "confirm" | "decline", userId = submission.userId, guildId = GUILD) =>
		drafts.decide(guildId, userId, TASK, decision);
	return { decide };
}

describe("a draft", () => {
	test.each([
		["confirm", "decline"],
		["decline", "confirm"],
	] as const)("may be decided by %s repeatedly, and not by %s afterwards", async (first, second) => {
		const { decide } = await setup();
		expect(await Promise.all([decide(first), decide(first)])).toStrictEqual([submission, submission]);
		expect(await decide(first)).toStrictEqual(submission);
		await expect(decide(second)).rejects.toThrow("request.confirmationGone");
	});

	test("is decided by one of two concurrent presses", async () => {
		const { decide } = await setup();
		const pressed = await Promise.allSettled([decide("confirm"), decide("decline")]);
		expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	});

	test("is decided by its own member in its own guild only", async () => {
		const { decide } = await setup();
		await expect(decide("decline", "1000000000000000077")).rejects.toThrow("permission.othersConfirmation");
		await expect(decide("confirm", submission.userId, "1000000000000000011")).rejects.toThrow(
			"request.confirmationGone",
		);
		expect(await decide("confirm")).toStrictEqual(submission);
	});
});
