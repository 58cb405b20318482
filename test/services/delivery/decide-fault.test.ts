import { describe, expect, test } from "vitest";
import { decideFault } from "../../../src/services/delivery/decide-fault.ts";
import { RUNGS } from "../../../src/services/delivery/messenger.ts";

const nextRung = { kind: "nextRung" };
const again = { kind: "again" };
const withoutPrompt = { kind: "withoutPrompt" };

describe.each(RUNGS)("on the rung %s", (rung) => {
	test.each([
		[404, 10_003, "unknown channel", nextRung],
		[404, 10_008, "unknown message", nextRung],
		[404, 10_015, "unknown webhook", nextRung],
		[404, 10_062, "unknown interaction", nextRung],
		[429, 20_016, "slow mode", again],
		[429, 20_028, "too many messages in the channel", again],
		[429, 30_046, "too many edits of an old message", nextRung],
		[413, 40_005, "a request too large", { kind: "smallerFiles", isPerFile: false }],
		[413, 0, "a request too large for somebody before Discord", { kind: "smallerFiles", isPerFile: false }],
		[400, 50_045, "a file too large", { kind: "smallerFiles", isPerFile: true }],
		[400, 400_001, "no uploads in this server", { kind: "withoutFiles" }],
		[403, 50_001, "missing access", nextRung],
		[403, 50_005, "somebody else's message", nextRung],
		[400, 50_008, "a channel for other things", nextRung],
		[403, 50_013, "missing permissions", nextRung],
		[401, 50_027, "a token that is over", nextRung],
		[400, 50_083, "an archived thread", nextRung],
		[403, 50_007, "no direct messages", nextRung],
		[403, 50_278, "no direct messages, because no server is shared", nextRung],
		[400, 50_033, "no such recipient", nextRung],
		[400, 200_000, "a server's filter", withoutPrompt],
		[400, 200_001, "a server's filter of titles", withoutPrompt],
		[400, 240_000, "a link that is not let through", withoutPrompt],
		[400, 50_035, "an invalid form", withoutPrompt],
		[400, 99_999, "a refusal that is not known here", withoutPrompt],
		[403, 99_999, "a prohibition that is not known here", nextRung],
		[404, 0, "something that is not there", nextRung],
		[405, 0, "anything else", nextRung],
		[408, 0, "a request that took too long", again],
		[429, 0, "too many requests", again],
		[500, 0, "a broken server", again],
		[502, 0, "a broken gateway", again],
		[503, 0, "a server that is away", again],
		[504, 0, "a gateway that waited in vain", again],
	])("%i / %i is %s", (status, code, _what, decision) => {
		expect(decideFault(rung, { kind: "refused", status, code })).toStrictEqual(decision);
	});

	test("no answer, after which Discord may have acted or not, is tried again", () => {
		expect(decideFault(rung, { kind: "noAnswer" })).toStrictEqual(again);
	});

	test("a limit is waited for as long as it says", () => {
		expect(decideFault(rung, { kind: "rateLimited", retryAfterMs: 1500 })).toStrictEqual({
			kind: "again",
			afterMs: 1500,
		});
	});
});

test.each([
	["tokenEdit", nextRung],
	["botEdit", again],
	["botPost", again],
	["directMessage", again],
] as const)("a 401 without a code on %s is about whose token it was", (rung, decision) => {
	expect(decideFault(rung, { kind: "refused", status: 401, code: 0 })).toStrictEqual(decision);
});
