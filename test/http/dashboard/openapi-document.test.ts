import { expect, test } from "vitest";
import { endpoints } from "@atelier/dashboard/contract";
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
