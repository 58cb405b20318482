import { describe, expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createRequestDrafts } from "../../../src/services/tasks/request-drafts.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, TASK, submission } from "./task-setup.ts";

async function setup() {
	const store = openMemoryStore();
	const clock = createManualClock();
	const drafts = createRequestDrafts({ store, clock });
	await drafts.add(submission);
	const decide = (decision: "confirm" | "decline" | "edit", userId = submission.userId, guildId = GUILD) =>
		drafts.decide({ guildId, userId }, TASK, decision);
	return { store, clock, decide };
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

	test.each(["confirm", "decline", "edit"] as const)(
		"that is edited can be decided by %s after a minute: the process may have stopped before the new draft",
		async (next) => {
			const { clock, decide } = await setup();
			await decide("edit");
			await clock.advance(60_000);
			await expect(decide(next)).rejects.toThrow("request.confirmationGone");
			await clock.advance(1);
			expect(await decide(next)).toStrictEqual(submission);
		},
	);

	test("is decided by one of two concurrent presses", async () => {
		const { decide } = await setup();
		const pressed = await Promise.allSettled([decide("confirm"), decide("decline")]);
		expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	});

	test("rejects a decision after twenty writes that met a concurrent one", async () => {
		const { store, decide } = await setup();
		store.compareAndSet = async () => undefined;
		await expect(decide("confirm")).rejects.toThrow("each of 20 writes met a concurrent one");
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
