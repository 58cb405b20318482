import { describe, expect, test } from "vitest";
import { isOwnPath, loginErrorIn, loginPath, operatorPathOf, parseRoute, pathOf } from "../../web/src/routes.ts";

describe("a path", () => {
	test.each([
		["/dashboard", { view: "servers" }],
		["/dashboard/", { view: "servers" }],
		["/dashboard/servers/42", { view: "server", serverId: "42", page: null }],
		["/dashboard/servers/42/", { view: "server", serverId: "42", page: null }],
		["/dashboard/servers/42/usage", { view: "server", serverId: "42", page: "usage" }],
		["/dashboard/servers/42/me/", { view: "server", serverId: "42", page: "me" }],
		["/dashboard/servers/42/secrets", { view: "missing" }],
		["/dashboard/servers/abc/usage", { view: "missing" }],
		["/dashboard/elsewhere", { view: "missing" }],
	])("%s opens %j", (path, route) => {
		expect(parseRoute(path)).toStrictEqual(route);
	});

	test("of a page is parsed to the same page", () => {
		expect(parseRoute(pathOf("42", "audit"))).toStrictEqual({ view: "server", serverId: "42", page: "audit" });
	});

	test("of the API or the log-in is left to the bot", () => {
		const paths = [
			"/dashboard/",
			"/dashboard/servers/42/jobs",
			"/dashboard/login",
			"/dashboard/api/session",
			"/results/1",
		];
		expect(paths.filter(isOwnPath)).toStrictEqual(["/dashboard/", "/dashboard/servers/42/jobs"]);
	});
});

describe("the log-in", () => {
	test("returns to the requested page, or to the list of servers if the path does not exist", () => {
		expect(loginPath("/dashboard/servers/42/jobs")).toBe("/dashboard/login?to=%2Fdashboard%2Fservers%2F42%2Fjobs");
		expect(loginPath("/dashboard/elsewhere")).toBe("/dashboard/login?to=%2Fdashboard%2F");
	});

	test("shows a known error by its code, and every other as unexpected", () => {
		expect(["", "?error=state", "?error=<script>"].map(loginErrorIn)).toStrictEqual([null, "state", "unexpected"]);
	});
});

test("paths of operators are parsed, with a server id for the page of servers only", () => {
	expect(parseRoute("/dashboard/operator/health")).toEqual({ view: "operator", page: "health", serverId: null });
	expect(parseRoute(operatorPathOf("servers", "42"))).toEqual({ view: "operator", page: "servers", serverId: "42" });
	expect(parseRoute("/dashboard/operator/health/42")).toEqual({ view: "missing" });
	expect(parseRoute("/dashboard/operator/unknown")).toEqual({ view: "missing" });
	expect(loginPath("/dashboard/operator/studio")).toContain(encodeURIComponent("/dashboard/operator/studio"));
});
