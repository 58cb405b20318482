import { describe, expect, test } from "vitest";
import { changedPaths } from "../src/setting-paths.ts";
import { settings } from "./web/settings-fixture.ts";

describe("changed paths", () => {
	test("are the paths of values that differ; a list counts as one value", () => {
		const after = {
			...settings,
			timeZone: "Asia/Tokyo",
			allowance: { ...settings.allowance, roles: { "1": 60, "2": null } },
			filter: { patterns: ["dragon*", "gore"] },
		};
		expect(changedPaths(settings, after).map((path) => path.join("."))).toStrictEqual([
			"timeZone",
			"allowance.roles.1",
			"allowance.roles.2",
			"filter.patterns",
		]);
		expect(changedPaths(settings, structuredClone(settings))).toStrictEqual([]);
		const reordered = { ...after, filter: { patterns: after.filter.patterns.toReversed() } };
		expect(changedPaths(after, reordered)).toStrictEqual([]);
	});

	test("name an object that replaces null as a whole", () => {
		const paused = { ...settings, access: { ...settings.access, paused: { message: null } } };
		expect(changedPaths(settings, paused)).toStrictEqual([["access", "paused"]]);
	});
});
