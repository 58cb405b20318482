import { expect, test } from "vitest";
import { isOwnPath, loginPath, parseRoute } from "../../web/src/routes.ts";

test.each([
	["/dashboard", { view: "servers" }],
	["/dashboard/servers/42/", { view: "server", serverId: "42", page: null }],
	["/dashboard/servers/42/usage", { view: "server", serverId: "42", page: "usage" }],
	["/dashboard/servers/42/secrets", { view: "missing" }],
	["/dashboard/servers/abc/usage", { view: "missing" }],
	["/dashboard/elsewhere", { view: "missing" }],
	["/dashboard/operator/health", { view: "operator", page: "health", serverId: null }],
	["/dashboard/operator/servers/42", { view: "operator", page: "servers", serverId: "42" }],
	["/dashboard/operator/health/42", { view: "missing" }],
])("the path %s opens %j", (path, route) => {
	expect(parseRoute(path)).toStrictEqual(route);
});

test("a path of the API or the log-in is left to the bot", () => {
	const paths = ["/dashboard/servers/42/jobs", "/dashboard/login", "/dashboard/api/session", "/results/1"];
	expect(paths.filter(isOwnPath)).toStrictEqual(["/dashboard/servers/42/jobs"]);
});

test("the log-in returns to the requested page, or to the list of servers if the path does not exist", () => {
	expect(loginPath("/dashboard/servers/42/jobs")).toBe("/dashboard/login?to=%2Fdashboard%2Fservers%2F42%2Fjobs");
	expect(loginPath("/dashboard/elsewhere")).toBe("/dashboard/login?to=%2Fdashboard%2F");
});
