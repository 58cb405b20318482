import { expect, test } from "vitest";
import { formatChange } from "../../../src/services/settings/format-changes.ts";
import { TRANSLATED_LOCALES } from "../../../src/i18n/languages.ts";

const change = {
	revision: 12,
	atMs: 0,
	by: "member:1000000000000000001",
	via: "discord",
	changes: [{ path: "confirmAbove", before: 8, after: 9 }],
} as const;

test.each(["en-US", ...TRANSLATED_LOCALES])("a revision does not look like a negative number in %s", (locale) => {
	expect(formatChange(change, locale)).toMatch(/ · #12 · /);
});
