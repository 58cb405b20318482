import { expect, test } from "vitest";
import { localeFrom } from "../../../src/http/dashboard/reader-locale.ts";

test.each([
	["de-CH,de;q=0.9", "de"],
	["pt", "pt-BR"],
	["zh-TW,zh;q=0.8", "zh-TW"],
	["nl,fr;q=0.5", "fr"],
	["en-GB,de;q=0.5", "en-US"],
	["nl", "en-US"],
	["", "en-US"],
	[undefined, "en-US"],
])("a browser that accepts %s reads %s", (accepted, locale) => {
	expect(localeFrom(accepted)).toBe(locale);
});
