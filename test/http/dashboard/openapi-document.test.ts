import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { endpoints, isOpenToKeys, type Endpoint } from "@atelier/dashboard/contract";
import { openApiDocument } from "../../../src/http/dashboard/openapi-document.ts";

const document = openApiDocument("https://bot.example.com") as {
	servers: readonly { url: string }[];
	paths: Record<string, Record<string, { operationId: string; parameters: readonly { name: string; in: string }[] }>>;
};

test("the OpenAPI document has each endpoint once, at the public address", () => {
	const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
	expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(endpoints).toSorted());
	expect(document.servers).toEqual([{ url: "https://bot.example.com/dashboard/api" }]);
});

test("the OpenAPI document names the parameters of paths and queries, and the token of writes", () => {
	const usage = document.paths["/servers/{server}/usage"]?.["get"]?.parameters.map((each) => [each.name, each.in]);
	expect(usage).toEqual([
		["server", "path"],
		["days", "query"],
	]);
	const grant = document.paths["/servers/{server}/credits/grant"]?.["post"]?.parameters.map(({ name }) => name);
	expect(grant).toEqual(["server", "x-csrf-token"]);
});

test("the documentation lists each route with its readers", async () => {
	const page = await readFile(new URL("../../../docs/dashboard.md", import.meta.url), "utf8");
	const listed = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map((row) =>
		row.slice(1),
	);
	const routes = Object.values<Endpoint>(endpoints).map((each) => [
		`${each.method} ${each.path}`,
		isOpenToKeys(each) ? `${each.access}, key` : each.access,
		each.summary,
	]);
	expect(listed).toEqual(routes);
});
