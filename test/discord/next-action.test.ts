import { describe, expect, test } from "vitest";
import { nextActionAfter } from "../../src/discord/next-action.ts";
import { DELIVERY_ROUTES } from "../../src/services/delivery/delivery-routes.ts";

const nextRoute = { kind: "nextRoute" };
const retry = { kind: "retry" };
const otherForm = { kind: "otherForm" };
const smallerFiles = { kind: "smallerFiles" };

describe.each(DELIVERY_ROUTES)("on the route %s", (route) => {
	test.each([
		[404, 10_015, "an unknown webhook", nextRoute],
		[429, 20_016, "slow mode", retry],
		[429, 30_046, "too many edits of an old message", nextRoute],
		[413, 40_005, "a request too large", smallerFiles],
		[413, 0, "a request too large for a proxy before Discord", smallerFiles],
		[400, 50_045, "a file too large", smallerFiles],
		[400, 400_001, "no uploads in this server", { kind: "withoutFiles" }],
		[401, 50_027, "an expired token", nextRoute],
		[400, 50_083, "an archived thread", nextRoute],
		[400, 200_000, "AutoMod", { kind: "withoutPrompt" }],
		[400, 50_035, "an invalid form", otherForm],
		[400, 99_999, "an unknown 400", otherForm],
		[403, 99_999, "an unknown 403", nextRoute],
		[404, 0, "an unknown 404", nextRoute],
		[405, 0, "an unknown 405", nextRoute],
		[408, 0, "a request that took too long", retry],
		[429, 0, "too many requests", retry],
		[500, 0, "a server error", retry],
		[502, 0, "a bad gateway", retry],
	])("%i / %i is %s", (status, code, _what, expected) => {
		expect(nextActionAfter(route, { kind: "rejected", status, code })).toStrictEqual(expected);
	});

	test("a missing response is retried on the same route, because Discord may have acted", () => {
		expect(nextActionAfter(route, { kind: "noResponse" })).toStrictEqual(retry);
	});
});

// The interaction token has expired; a rejected token of the bot says nothing about the route.
test.each([
	["tokenEdit", nextRoute],
	["botEdit", retry],
	["botPost", retry],
	["directMessage", retry],
] as const)("a 401 without a code on %s is about the token of that route", (route, expected) => {
	expect(nextActionAfter(route, { kind: "rejected", status: 401, code: 0 })).toStrictEqual(expected);
});
