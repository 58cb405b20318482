import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { endpoints, isOpenToKeys, type Endpoint } from "@atelier/dashboard/contract";
import { openApiDocument } from "../../../src/http/dashboard/openapi-document.ts";

const document = openApiDocument("https://bot.example.com") as {
	servers: readonly { url: string }[];
	paths: Record<string, Record<string, { operationId: string; parameters: readonly { name: string; in: string }[] }>>;
};

test("the OpenAPI document has each endpoint once, with its parameters, at the public address", () => {
	const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
	expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(endpoints).toSorted());
	const { parameters } = document.paths["/servers/{server}/credits/grant"]?.["post"] ?? {};
	expect(parameters?.map((each) => [each.name, each.in])).toEqual([
		["server", "path"],
		["x-csrf-token", "header"],
	]);
	expect(document.servers).toEqual([{ url: "https://bot.example.com/dashboard/api" }]);
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
