import { REST } from "discord.js";
import { pino } from "pino";
import { expect, test } from "vitest";
import { watchClockSkew } from "../../src/discord/clock-skew.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

function setup() {
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const date = new Date(clock.nowMs()).toUTCString();
	const rest = new REST({ makeRequest: async () => new Response("{}", { headers: { date } }) });
	rest.setToken("token");
	const aheadMs = watchClockSkew({ rest, clock, logger });
	return { clock, lines, aheadMs, ask: () => rest.get("/gateway/bot") };
}

test("a wrong clock is logged once, and its correction once", async () => {
	const { clock, lines, aheadMs, ask } = setup();
	expect(aheadMs()).toBeUndefined();
	await clock.advance(1_000);
	await ask();
	// The Date header has whole seconds, so a second is no difference.
	expect(aheadMs()).toBe(0);
	await clock.advance(9_000);
	await ask();
	await ask();
	expect(aheadMs()).toBe(10_000);
	await clock.jump(-10_000);
	await ask();
	expect(lines).toStrictEqual([
		"clock differs from Discord's: enable time synchronization",
		"clock agrees with Discord's again",
	]);
});
