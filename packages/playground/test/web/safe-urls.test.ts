import { expect, test } from "vitest";
import { safeUrl } from "../../web/src/safe-urls.ts";

test.each(["https://example.com/a", "http://example.com/"])("%s may be a link", (url) => {
	expect(safeUrl(url)).toBe(url);
});

test.each([
	"javascript:alert(1)",
	"data:text/html,a",
	"file:///etc/passwd",
	"//example.com",
	"attachment://a.png",
	"",
	undefined,
])("%s may not be a link", (url) => {
	expect(safeUrl(url)).toBeNull();
});
