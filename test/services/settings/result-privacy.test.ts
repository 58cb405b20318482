import { expect, test } from "vitest";
import { readResultPrivacy, type PrivacyChoice } from "../../../src/services/settings/result-privacy.ts";
import { storedSettingsSchema, type GuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

function startDecision(wanted: PrivacyChoice, read: () => Promise<GuildSettings>) {
	const clock = createManualClock();
	const settings = { read } as unknown as Parameters<typeof readResultPrivacy>[2]["settings"];
	return {
		clock,
		answer: readResultPrivacy({ guildId: "1", userId: "7", channelIds: ["5"] }, wanted, { settings, clock }),
	};
}
const blockedUntil = (untilMs: number) => async () =>
	storedSettingsSchema.parse({ blocks: { "7": { reason: "spam", byUserId: "1", atMs: 0, untilMs } } });

test("the reply to a blocked member is private, even if the member chose a public one, until the block ends", async () => {
	// Every manual clock starts here.
	const nowMs = createManualClock().nowMs();
	for (const wanted of ["default", "public"] as const) {
		expect(await startDecision(wanted, blockedUntil(nowMs + 1)).answer).toBe(true);
		expect(await startDecision(wanted, blockedUntil(nowMs)).answer).toBe(false);
	}
});

test("if reading the settings takes too long, the reply is as the member chose, or else private; a read error rejects", async () => {
	const late = startDecision("default", () => new Promise(() => {}));
	await late.clock.advance(1_000);
	expect(await late.answer).toBe(true);
	const lateWithChoice = startDecision("public", () => new Promise(() => {}));
	await lateWithChoice.clock.advance(1_000);
	expect(await lateWithChoice.answer).toBe(false);
	await expect(startDecision("default", () => Promise.reject(new Error("the store is away"))).answer).rejects.toThrow(
		"the store is away",
	);
});
