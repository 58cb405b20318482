import { expect, test } from "vitest";
import { availableRoutes, assertDeliverable } from "../../../src/services/delivery/delivery-routes.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { submission } from "../tasks/task-setup.ts";

const EXPIRES_AT_MS = 1_000_000;
const reply = { ...submission.reply, tokenExpiresAtMs: EXPIRES_AT_MS };

const PRIVATE_TEXT = { publicText: "ended" };
const ROUTES_AFTER_TOKEN = ["botEdit", "botPost", "directMessage"];
const ALL_ROUTES = ["tokenEdit", ...ROUTES_AFTER_TOKEN];

test.each([
	["in time", {}, {}, 0, ALL_ROUTES],
	["just in time", {}, {}, EXPIRES_AT_MS - 30_001, ALL_ROUTES],
	["within 30 seconds of the token's end", {}, {}, EXPIRES_AT_MS - 30_000, ROUTES_AFTER_TOKEN],
	["late", {}, {}, EXPIRES_AT_MS + 1, ROUTES_AFTER_TOKEN],
	["that is ephemeral, in time", { isEphemeral: true }, {}, 0, ["tokenEdit", "directMessage"]],
	["that is ephemeral, late", { isEphemeral: true }, {}, EXPIRES_AT_MS, ["directMessage"]],
	["in a guild without the bot, in time", { isBotInGuild: false }, {}, 0, ["tokenEdit", "directMessage"]],
	["in a guild without the bot, late", { isBotInGuild: false }, {}, EXPIRES_AT_MS, ["directMessage"]],
	["for its member only, in time", {}, PRIVATE_TEXT, 0, ["ephemeralFollowUp", "directMessage"]],
	["for its member only, late", {}, PRIVATE_TEXT, EXPIRES_AT_MS, ["directMessage"]],
	["that is ephemeral, for its member only", { isEphemeral: true }, PRIVATE_TEXT, 0, ["tokenEdit", "directMessage"]],
	["that another message may show already", {}, { isEditOnly: true }, 0, ["tokenEdit", "botEdit"]],
	["for its member only, in another message", {}, { isEditOnly: true, ...PRIVATE_TEXT }, 0, []],
])("a reply %s has these delivery routes", (_what, change, finalReply, nowMs, routes) => {
	expect(availableRoutes({ ...reply, ...change }, finalReply, nowMs)).toStrictEqual(routes);
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
		// An image ends while the token is valid.
		expect(() => assertDeliverable({ ...reply, isBotInGuild: false }, "image")).not.toThrow();
	},
);
