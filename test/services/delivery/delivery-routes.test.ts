import { expect, test } from "vitest";
import { availableRoutes, assertDeliverable } from "../../../src/services/delivery/delivery-routes.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { submission } from "../tasks/task-setup.ts";

const EXPIRES_AT_MS = 1_000_000;
const reply = { ...submission.reply, tokenExpiresAtMs: EXPIRES_AT_MS };

test.each([
	["in time", {}, 0, ["tokenEdit", "botEdit", "botPost", "directMessage"]],
	["just in time", {}, EXPIRES_AT_MS - 30_001, ["tokenEdit", "botEdit", "botPost", "directMessage"]],
	["within 30 seconds of the token's end", {}, EXPIRES_AT_MS - 30_000, ["botEdit", "botPost", "directMessage"]],
	["late", {}, EXPIRES_AT_MS + 1, ["botEdit", "botPost", "directMessage"]],
	["that is ephemeral, in time", { isEphemeral: true }, 0, ["tokenEdit", "directMessage"]],
	["that is ephemeral, late", { isEphemeral: true }, EXPIRES_AT_MS, ["directMessage"]],
	["in a guild without the bot, in time", { isBotInGuild: false }, 0, ["tokenEdit", "directMessage"]],
	["in a guild without the bot, late", { isBotInGuild: false }, EXPIRES_AT_MS, ["directMessage"]],
])("a reply %s has these delivery routes", (_what, change, nowMs, routes) => {
	expect(availableRoutes({ ...reply, ...change }, {}, nowMs)).toStrictEqual(routes);
});

test.each([
	["in time", {}, 0, ["ephemeralFollowUp", "directMessage"]],
	["late", {}, EXPIRES_AT_MS, ["directMessage"]],
	["in an ephemeral reply, in time", { isEphemeral: true }, 0, ["tokenEdit", "directMessage"]],
])("a text for the member only has these delivery routes %s", (_what, change, nowMs, routes) => {
	expect(availableRoutes({ ...reply, ...change }, { publicText: "ended" }, nowMs)).toStrictEqual(routes);
});

test("a reply that another message may show already is only edited", () => {
	expect(availableRoutes(reply, { isEditOnly: true }, 0)).toStrictEqual(["tokenEdit", "botEdit"]);
	expect(availableRoutes(reply, { isEditOnly: true, publicText: "ended" }, 0)).toStrictEqual([]);
});

test.each(["video", "music"] as const)(
	"a request for %s is denied in a guild without the bot, also if a direct message is possible",
	(mediaType) => {
		expect(() => assertDeliverable({ ...reply, isBotInGuild: false }, mediaType)).toThrow(
			new UserError({ key: "request.noRoute" }),
		);
		expect(() => assertDeliverable(reply, mediaType)).not.toThrow();
		// A late ephemeral result is sent as a direct message, and never visible to others.
		expect(() => assertDeliverable({ ...reply, isEphemeral: true }, mediaType)).not.toThrow();
	},
);

test("a request for an image is not denied, because it ends while the token is valid", () => {
	expect(() => assertDeliverable({ ...reply, isBotInGuild: false }, "image")).not.toThrow();
});
