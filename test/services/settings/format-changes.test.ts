import { expect, test } from "vitest";
import { formatChange, formatLogEntry } from "../../../src/services/settings/format-changes.ts";
import { TRANSLATED_LOCALES } from "../../../src/i18n/languages.ts";

const change = {
	revision: 12,
	atMs: 0,
	by: "member:1000000000000000001",
	via: "discord",
	changes: [{ path: "confirmAbove", before: 8, after: 9 }],
} as const;

test("a change without its values names the field", () => {
	expect(formatLogEntry({ ...change, changes: [{ path: "confirmAbove" }] }, "en-US")).toContain("… → …");
});

test.each(["en-US", ...TRANSLATED_LOCALES])(
	"an entry of the log channel is that of the list without its time in %s",
	(locale) => {
		const line = formatChange(change, locale);
		expect(line).toMatch(/^<t:0:d> <t:0:t> · /);
		expect(`<t:0:d> <t:0:t> · ${formatLogEntry(change, locale)}`).toBe(line);
	},
);
