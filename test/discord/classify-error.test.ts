import { describe, expect, test } from "vitest";
import { classifyDeliveryError } from "../../src/discord/classify-error.ts";
import { DELIVERY_ROUTES } from "../../src/services/delivery/reply-client.ts";

const nextRoute = { kind: "nextRoute" };
const retryVerdict = { kind: "retry" };
const withoutPrompt = { kind: "withoutPrompt" };
const otherForm = { kind: "otherForm" };

describe.each(DELIVERY_ROUTES)("on the route %s", (route) => {
	test.each([
		[404, 10_003, "unknown channel", nextRoute],
		[404, 10_008, "unknown message", nextRoute],
		[404, 10_015, "unknown webhook", nextRoute],
		[404, 10_062, "unknown interaction", nextRoute],
		[429, 20_016, "slow mode", retryVerdict],
		[429, 20_028, "too many messages in the channel", retryVerdict],
		[429, 30_046, "too many edits of an old message", nextRoute],
		[413, 40_005, "a request too large", { kind: "smallerFiles", isPerFile: false }],
		[413, 0, "a request too large for a proxy before Discord", { kind: "smallerFiles", isPerFile: false }],
		[400, 50_045, "a file too large", { kind: "smallerFiles", isPerFile: true }],
		[400, 400_001, "no uploads in this server", { kind: "withoutFiles" }],
		[403, 50_001, "missing access", nextRoute],
		[403, 50_005, "another user's message", nextRoute],
		[400, 50_008, "a channel for other things", nextRoute],
		[403, 50_013, "missing permissions", nextRoute],
		[401, 50_027, "an expired token", nextRoute],
		[400, 50_083, "an archived thread", nextRoute],
		[403, 50_007, "no direct messages", nextRoute],
		[403, 50_278, "no direct messages, because no server is shared", nextRoute],
		[400, 50_033, "no such recipient", nextRoute],
		[400, 200_000, "a server's filter", withoutPrompt],
		[400, 200_001, "a server's filter of titles", withoutPrompt],
		[400, 240_000, "a link that is not let through", withoutPrompt],
		[400, 50_035, "an invalid form", otherForm],
		[400, 99_999, "a refusal that is not known here", otherForm],
		[403, 99_999, "a prohibition that is not known here", nextRoute],
		[404, 0, "something that is not there", nextRoute],
		[405, 0, "anything else", nextRoute],
		[408, 0, "a request that took too long", retryVerdict],
		[429, 0, "too many requests", retryVerdict],
		[500, 0, "a broken server", retryVerdict],
		[502, 0, "a broken gateway", retryVerdict],
		[503, 0, "a server that is away", retryVerdict],
		[504, 0, "a gateway that waited in vain", retryVerdict],
	])("%i / %i is %s", (status, code, _what, decision) => {
		expect(classifyDeliveryError(route, { kind: "refused", status, code })).toStrictEqual(decision);
	});

	test("a missing response is retried, because Discord may have acted", () => {
		expect(classifyDeliveryError(route, { kind: "noResponse" })).toStrictEqual(retryVerdict);
	});

	test("a rate limit is waited for as long as it requests", () => {
		expect(classifyDeliveryError(route, { kind: "rateLimited", retryAfterMs: 1500 })).toStrictEqual({
			kind: "retry",
			retryAfterMs: 1500,
		});
	});
});

test.each([
	["tokenEdit", nextRoute],
	["botEdit", retryVerdict],
	["botPost", retryVerdict],
	["directMessage", retryVerdict],
] as const)("a 401 without a code on %s is attributed to the right token", (route, decision) => {
	expect(classifyDeliveryError(route, { kind: "refused", status: 401, code: 0 })).toStrictEqual(decision);
});
