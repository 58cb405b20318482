import { expect, test } from "vitest";
import { pagePath } from "../../../src/http/dashboard/dashboard-paths.ts";

test("a login returns to the page that asked for it", () => {
	expect(pagePath("/dashboard/servers/1/usage?days=7")).toBe("/dashboard/servers/1/usage?days=7");
});

test.each([
	undefined,
	"",
	"https://evil.example/dashboard/",
	"//evil.example/dashboard/",
	"/\\evil.example/dashboard/",
	"/dashboard/../api",
	"/api/v1/models",
	"javascript:alert(1)",
])("a login never redirects to %s", (to) => {
	expect(pagePath(to)).toBe("/dashboard/");
});
