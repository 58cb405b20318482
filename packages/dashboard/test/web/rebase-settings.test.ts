import { expect, test } from "vitest";
import { rebase } from "../../web/src/rebase-settings.ts";
import { settings } from "./settings-fixture.ts";

test("after another reader has saved, the changes of other values are kept, also in objects that only one reader has", () => {
	const style = { text: "old", mediaType: null, model: null, options: {} };
	const base = { ...settings, serverLimit: { per: "day" as const, credits: 5 }, styles: { noir: style, ink: style } };
	const theirs = { ...base, serverLimit: null, timeZone: "Asia/Tokyo", styles: { noir: style } };
	const draft = {
		...base,
		pings: "never" as const,
		serverLimit: { per: "day" as const, credits: 9 },
		timeZone: "Europe/Paris",
		styles: { noir: { ...style, text: "new" }, ink: { ...style, text: "new" }, oil: style },
	};
	const styles = { noir: { ...style, text: "new" }, oil: style };
	expect(rebase(base, draft, theirs)).toStrictEqual({
		settings: { ...theirs, pings: "never", styles },
		isDropped: true,
	});
});

test("entries that two readers add to a list, and those that they remove, are kept, and no value is dropped", () => {
	const base = { ...settings, filter: { patterns: ["one", "two", "three"] } };
	const theirs = { ...base, filter: { patterns: ["two", "three", "theirs", "both"] } };
	const draft = { ...base, filter: { patterns: ["one", "three", "mine", "both"] } };
	const patterns = ["three", "theirs", "both", "mine"];
	expect(rebase(base, draft, theirs)).toStrictEqual({ settings: { ...base, filter: { patterns } }, isDropped: false });
});

test("a change inside of an entry that another reader has removed is dropped", () => {
	const ink = { text: "ink", mediaType: null, model: null, options: {} };
	const base = { ...settings, styles: { ink } };
	const draft = { ...settings, styles: { ink: { ...ink, options: { resolution: "2k" } } } };
	expect(rebase(base, draft, settings)).toStrictEqual({ settings, isDropped: true });
});
