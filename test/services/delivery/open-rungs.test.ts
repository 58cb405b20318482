import { expect, test } from "vitest";
import { openRungs } from "../../../src/services/delivery/open-rungs.ts";
import { requireWayBack } from "../../../src/services/delivery/way-back.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { request } from "../tasks/task-setup.ts";

const EXPIRES_AT_MS = 1_000_000;
const reply = { ...request.reply, tokenExpiresAtMs: EXPIRES_AT_MS };

test.each([
	["in time", {}, 0, ["tokenEdit", "botEdit", "botPost", "directMessage"]],
	["just in time", {}, EXPIRES_AT_MS - 30_001, ["tokenEdit", "botEdit", "botPost", "directMessage"]],
	["too near to the token's end", {}, EXPIRES_AT_MS - 30_000, ["botEdit", "botPost", "directMessage"]],
	["late", {}, EXPIRES_AT_MS + 1, ["botEdit", "botPost", "directMessage"]],
	["for one person's eyes, in time", { ephemeral: true }, 0, ["tokenEdit", "directMessage"]],
	["for one person's eyes, late", { ephemeral: true }, EXPIRES_AT_MS, ["directMessage"]],
	["without the bot, in time", { botInGuild: false }, 0, ["tokenEdit", "directMessage"]],
	["without the bot, late", { botInGuild: false }, EXPIRES_AT_MS, ["directMessage"]],
])("an answer %s has these ways", (_what, change, nowMs, rungs) => {
	expect(openRungs({ ...reply, ...change }, nowMs)).toStrictEqual(rungs);
});

test.each(["video", "music"] as const)("a %s is refused where only its reply's token could show it", (mediaType) => {
	expect(() => requireWayBack({ ...reply, botInGuild: false }, mediaType)).toThrow(new UserError({ key: "noWayBack" }));
	expect(() => requireWayBack(reply, mediaType)).not.toThrow();
	// It is sent directly, and never shown to others.
	expect(() => requireWayBack({ ...reply, ephemeral: true }, mediaType)).not.toThrow();
});

test("a picture is not: it is there in time, or given up", () => {
	expect(() => requireWayBack({ ...reply, botInGuild: false }, "image")).not.toThrow();
});
