import { searchTimeZones } from "../../../src/services/credits/time-zones.ts";
import { expect, test } from "vitest";
import {
	changeMemberLimit,
	changeRoleLimit,
	changeServerLimit,
	type ServerLimitChange,
} from "../../../src/services/settings/change-limits.ts";
import { LIMIT_EXCEPTIONS_MAX } from "@atelier/dashboard/limits";
import { storedSettingsSchema, type GuildSettings } from "../../../src/services/settings/guild-settings.ts";

const defaults = storedSettingsSchema.parse({});
const limited: GuildSettings = { ...defaults, serverLimit: { credits: 50, per: "week" } };

test.each<[string, GuildSettings, ServerLimitChange, GuildSettings["serverLimit"]]>([
	["counts by the month by default", defaults, { limit: 9 }, { credits: 9, per: "month" }],
	["keeps its period when the amount changes", limited, { limit: 9 }, { credits: 9, per: "week" }],
	["keeps its amount when the period changes", limited, { per: "day" }, { credits: 50, per: "day" }],
	["is removed by `unlimited`", limited, { limit: "unlimited" }, null],
	["stays without a change", limited, {}, { credits: 50, per: "week" }],
])("the server's limit %s", (_rule, before, inputs, after) => {
	expect(changeServerLimit(before, inputs).serverLimit).toStrictEqual(after);
});

test("quota rules for roles and members have a maximum number; existing ones can still be changed", () => {
	const half = LIMIT_EXCEPTIONS_MAX / 2;
	const many = Object.fromEntries(Array.from({ length: half }, (_, n) => [String(n), 1]));
	const full = { ...defaults, allowance: { ...defaults.allowance, roles: many, members: many } };
	expect(() => changeMemberLimit(full, "new", 1)).toThrow("quota.tooManyExceptions");
	expect(() => changeRoleLimit(full, "new", 1)).toThrow("quota.tooManyExceptions");
	expect(changeMemberLimit(full, "3", 9).allowance.members["3"]).toBe(9);
	const room = changeRoleLimit(full, "3", "clear");
	expect(changeMemberLimit(room, "new", 1).allowance.members["new"]).toBe(1);
});

test("a time zone is found by its city first, up to Discord's number of choices", () => {
	expect(searchTimeZones("tok")[0]).toBe("Asia/Tokyo");
	expect(searchTimeZones("a")).toHaveLength(25);
});
