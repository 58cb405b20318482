import { expect, test } from "vitest";
import { pagePath } from "../../../src/http/dashboard/dashboard-paths.ts";

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
