import { describe, expect, test } from "vitest";
import { classifyDeliveryError } from "../../src/discord/classify-error.ts";
import { DELIVERY_ROUTES } from "../../src/services/delivery/reply-client.ts";

const nextRoute = { kind: "nextRoute" };
const retry = { kind: "retry" };
const withoutPrompt = { kind: "withoutPrompt" };
const otherForm = { kind: "otherForm" };

describe.each(DELIVERY_ROUTES)("on the route %s", (route) => {
	test.each([
		[404, 10_003, "unknown channel", nextRoute],
		[404, 10_008, "unknown message", nextRoute],
		[404, 10_015, "unknown webhook", nextRoute],
		[404, 10_062, "unknown interaction", nextRoute],
		[429, 20_016, "slow mode", retry],
		[429, 20_028, "too many messages in the channel", retry],
		[429, 30_046, "too many edits of an old message", nextRoute],
		[413, 40_005, "a request too large", { kind: "smallerFiles", isPerFile: false }],
		[413, 0, "a request too large for a proxy before Discord", { kind: "smallerFiles", isPerFile: false }],
		[400, 50_045, "a file too large", { kind: "smallerFiles", isPerFile: true }],
		[400, 400_001, "no uploads in this server", { kind: "withoutFiles" }],
		[403, 50_001, "missing access", nextRoute],
		[403, 50_005, "another user's message", nextRoute],
		[400, 50_008, "a channel without messages", nextRoute],
		[403, 50_013, "missing permissions", nextRoute],
		[401, 50_027, "an expired token", nextRoute],
		[400, 50_083, "an archived thread", nextRoute],
		[403, 50_007, "no direct messages", nextRoute],
		[403, 50_278, "no direct messages, because no server is shared", nextRoute],
		[400, 50_033, "an unknown recipient", nextRoute],
		[400, 200_000, "AutoMod, by a rule", withoutPrompt],
		[400, 200_001, "AutoMod, by the title", withoutPrompt],
		[400, 240_000, "AutoMod, by a link", withoutPrompt],
		[400, 50_035, "an invalid form", otherForm],
		[400, 99_999, "an unknown 400", otherForm],
		[403, 99_999, "an unknown 403", nextRoute],
		[404, 0, "an unknown 404", nextRoute],
		[405, 0, "an unknown 405", nextRoute],
		[408, 0, "a request that took too long", retry],
		[429, 0, "too many requests", retry],
		[500, 0, "a server error", retry],
		[502, 0, "a bad gateway", retry],
		[503, 0, "an unavailable server", retry],
		[504, 0, "a gateway timeout", retry],
	])("%i / %i is %s", (status, code, _what, decision) => {
		expect(classifyDeliveryError(route, { kind: "rejected", status, code })).toStrictEqual(decision);
	});

	test("a missing response is retried on the same route, because Discord may have acted", () => {
		expect(classifyDeliveryError(route, { kind: "noResponse" })).toStrictEqual(retry);
	});

	test("a rate limit is retried after its own delay", () => {
		expect(classifyDeliveryError(route, { kind: "rateLimited", retryAfterMs: 1500 })).toStrictEqual({
			kind: "retry",
			retryAfterMs: 1500,
		});
	});
});

// The interaction token has expired; a rejected token of the bot says nothing about the route.
test.each([
	["tokenEdit", nextRoute],
	["botEdit", retry],
	["botPost", retry],
	["directMessage", retry],
] as const)("a 401 without a code on %s is about the token of that route", (route, decision) => {
	expect(classifyDeliveryError(route, { kind: "rejected", status: 401, code: 0 })).toStrictEqual(decision);
});
