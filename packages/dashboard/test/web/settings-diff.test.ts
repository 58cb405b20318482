import { describe, expect, test } from "vitest";
import { changedPaths, rebase } from "../../web/src/settings-diff.ts";
import { settings } from "./settings-fixture.ts";

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

describe("after another reader has saved", () => {
	const theirs = { ...settings, pings: "never" as const, timeZone: "Asia/Tokyo" };

	test("an object that the other reader removed is kept whole if this reader changed a part of it", () => {
		const style = { text: "old", mediaType: null, model: null, options: {} };
		const base = { ...settings, serverLimit: { per: "day" as const, credits: 5 }, styles: { noir: style } };
		const serverLimit = { per: "day" as const, credits: 9 };
		const draft = { ...base, serverLimit, styles: { noir: { ...style, text: "new" } } };
		const { settings: kept, overlaps } = rebase(base, draft, theirs);
		expect(kept).toStrictEqual({ ...theirs, serverLimit, styles: draft.styles });
		expect(overlaps).toStrictEqual([
			["serverLimit", "credits"],
			["styles", "noir", "text"],
		]);
	});

	test("the same change by both readers is not reported", () => {
		expect(rebase(settings, theirs, theirs)).toStrictEqual({ settings: theirs, overlaps: [] });
	});
});
