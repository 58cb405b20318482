import { describe, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openDashboards } from "./dashboard-setup.ts";

describe("members", () => {
	test("are found by the beginning of their name, without the bot, and can then be blocked", async () => {
		const { login, ownerId, idOf, params } = await openDashboards();
		const { call } = await login(ownerId);
		const search = async (name: string) => (await call("searchMembers", { params, query: { name } })).body.members;
		expect(await search("gra")).toEqual([{ id: idOf("Grace"), name: "Grace", avatarUrl: null }]);
		// The bot's own name begins with an A, too.
		expect(await search("A")).toMatchObject([{ name: "Ada" }]);
		expect(await search("zzz")).toEqual([]);
		for (const name of ["  ", "a".repeat(33)])
			expect((await call("searchMembers", { params, query: { name } })).status).toBe(400);
		const [grace] = await search("grace");
		const of = { params: { ...params, member: grace?.id ?? "" }, body: { reason: "spam", untilMs: null } };
		expect((await call("block", of)).body.blocks).toMatchObject([{ userId: idOf("Grace") }]);
	});

	test("cannot be searched while Discord does not respond, which is an error and not an empty list", async () => {
		const { login, ownerId, params, origin } = await openDashboards();
		const { call } = await login(ownerId);
		await openAdminClient(origin).inject({
			route: "GET /guilds/:guild/members/search",
			answer: { kind: "error", status: 500, code: 0 },
		});
		expect(await call("searchMembers", { params, query: { name: "ada" } })).toMatchObject({ status: 503 });
	}, 60_000);
});
