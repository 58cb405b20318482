import { describe, expect, test } from "vitest";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

test("routes other than the one of the gateway's URL return 401 without a token, and with a wrong one", async () => {
	const { rest } = await openPlayground();
	const unauthorized = { status: 401, body: { message: "401: Unauthorized", code: 0 } };
	for (const token of [null, "wrong"]) {
		expect(await rest("GET", "/users/@me", undefined, { token })).toMatchObject(unauthorized);
		expect(await rest("GET", "/gateway/bot", undefined, { token })).toMatchObject(unauthorized);
		expect(await rest("GET", "/gateway", undefined, { token })).toMatchObject({ status: 200 });
	}
});

describe("routes", () => {
	test("return the gateway, the bot user, its application, its guild and its channels", async () => {
		const { rest, applicationId, user, origin } = await openPlayground();
		const { guild, channels, me } = await (await user()).state();
		const url = `${origin.replace("http", "ws")}/playground/gateway`;
		const expected: readonly (readonly [string, unknown])[] = [
			["/gateway/bot", { url, shards: 1, session_start_limit: { remaining: 1000 } }],
			["/users/@me", { id: applicationId, bot: true, username: "Atelier" }],
			[`/users/${me.user.id}`, { username: "robin" }],
			["/applications/@me", { id: applicationId, owner: { username: "robin" } }],
			["/oauth2/applications/@me", { id: applicationId }],
			[`/applications/${applicationId}/emojis`, { items: [] }],
			[
				`/guilds/${guild.id}?with_counts=true`,
				{ name: "Atelier Playground", approximate_member_count: 6, system_channel_id: channels[0]?.id },
			],
			[
				`/guilds/${guild.id}/channels`,
				[{ name: "general" }, { name: "gallery" }, { name: "after-dark" }, { name: "notices" }],
			],
			[`/guilds/${guild.id}/emojis`, []],
			[`/guilds/${guild.id}/members/${me.user.id}`, { user: { username: "robin" } }],
			[`/guilds/${guild.id}/members/${applicationId}`, { user: { bot: true } }],
			[`/channels/${channels[0]?.id}`, { name: "general", type: 0 }],
		];
		for (const [path, body] of expected) expect(await rest("GET", path)).toMatchObject({ status: 200, body });
		expect(await rest("POST", `/channels/${channels[0]?.id}/typing`)).toMatchObject({ status: 204 });
	});

	test.each([
		["/users/123", refusal(404, 10013)],
		["/guilds/123", refusal(404, 10004)],
		["/channels/123", refusal(404, 10003)],
		["/channels/general", invalidFormBody("channel_id", "NUMBER_TYPE_COERCE")],
	])("%s is an error", async (path, answer) => {
		const { rest } = await openPlayground();
		expect(await rest("GET", path)).toMatchObject(answer);
	});

	// Also routes of Discord that the playground does not have, and those of a channel that it has for threads only.
	test.each([
		["GET", "/nowhere"],
		["DELETE", "/gateway"],
		["POST", "/guilds/GUILD/channels"],
		["PATCH", "/guilds/GUILD"],
		["POST", "/guilds/GUILD/roles"],
		["GET", "/guilds/GUILD/audit-logs"],
		["GET", "/guilds/GUILD/invites"],
		["GET", "/channels/CHANNEL/messages/pins"],
		["GET", "/guilds/GUILD/roles/member-counts"],
		["POST", "/channels/CHANNEL/messages/CHANNEL/crosspost"],
		["PATCH", "/channels/CHANNEL"],
		["DELETE", "/channels/CHANNEL"],
		["POST", "/webhooks/GUILD/token/slack"],
	])("return 404 / 0 for the missing route %s %s", async (method, path) => {
		const { rest, channel, user } = await openPlayground();
		const guildId = (await (await user()).state()).guild.id;
		const channelId = (await channel()).split("/").at(-1) ?? "";
		const body = method === "GET" || method === "DELETE" ? undefined : { topic: "x" };
		const filled = path.replaceAll("GUILD", guildId).replaceAll("CHANNEL", channelId);
		expect(await rest(method, filled, body)).toMatchObject({
			status: 404,
			body: { message: "404: Not Found", code: 0 },
		});
	});
});

describe("API versions", () => {
	test.each(["/api", "/api/v9", "/api/v10"])("%s is served", async (base) => {
		const { origin, botToken, rest } = await openPlayground();
		const authorization = `Bot ${botToken}`;
		const ask = async (path: string, init?: RequestInit) => {
			const response = await fetch(`${origin}${base}${path}`, { ...init, headers: { authorization } });
			return { status: response.status, body: await response.json(), headers: response.headers };
		};
		const gateway = await ask("/gateway/bot");
		expect(gateway).toMatchObject({ status: 200, body: (await rest("GET", "/gateway/bot")).body });
		expect(gateway.headers.get("x-ratelimit-limit")).toBe("50");
		expect(await ask("/users/@me")).toMatchObject({ status: 200, body: { bot: true } });
		expect(await ask("/nowhere")).toMatchObject({ status: 404, body: { message: "404: Not Found", code: 0 } });
		expect(await ask("")).toMatchObject({ status: 404, body: { message: "404: Not Found", code: 0 } });
		expect(await ask("/gateway", { method: "DELETE" })).toMatchObject(refusal(404, 0));
		const { records: requests } = (await (await fetch(`${origin}/playground/admin/requests`)).json()) as {
			records: readonly { readonly path: string }[];
		};
		expect(requests.map(({ path }) => path)).toContain("/users/@me");
	});

	test.each(["v5/gateway", "v8/gateway", "v11/users/@me", "v1", "v99999999999/gateway"])(
		"/api/%s is 400 / 50041",
		async (path) => {
			const { origin, botToken } = await openPlayground();
			const response = await fetch(`${origin}/api/${path}`, {
				headers: { authorization: `Bot ${botToken}` },
			});
			expect([response.status, await response.json()]).toStrictEqual([
				400,
				{ message: "Invalid API version", code: 50041 },
			]);
		},
	);
});

describe("a request", () => {
	test("with JSON that cannot be read is rejected", async () => {
		const { rest } = await openPlayground();
		expect(await rest("POST", "/users/@me/channels", "{")).toMatchObject(refusal(400, 50109));
	});

	test("may contain an id as a number that is too large for a double", async () => {
		const { rest, user } = await openPlayground();
		const { me } = await user();
		const answer = await rest("POST", "/users/@me/channels", `{"recipient_id": ${me.user.id}}`);
		expect(answer).toMatchObject({ status: 200, body: { recipients: [{ id: me.user.id }] } });
	});

	test("may contain a field named __proto__", async () => {
		const { rest } = await openPlayground();
		const answer = await rest("POST", "/users/@me/channels", '{"recipient_id": "123", "__proto__": {"_errors": 1}}');
		expect(answer).toMatchObject(refusal(400, 50035));
		expect(Object.keys((answer.body as { errors: object }).errors)).toStrictEqual(["__proto__"]);
		expect({}).not.toHaveProperty("_errors");
	});

	test("is answered with the headers of its bucket, in which each channel is counted separately", async () => {
		const { rest, channel } = await openPlayground();
		const first = await rest("GET", await channel());
		const second = await rest("GET", await channel());
		const other = await rest("GET", await channel("gallery"));
		const remaining = [first, second, other].map(({ headers }) => headers.get("x-ratelimit-remaining"));
		expect(remaining).toStrictEqual(["49", "48", "49"]);
		expect(first.headers.get("x-ratelimit-bucket")).toBe(other.headers.get("x-ratelimit-bucket"));
		expect(first.headers.get("x-ratelimit-limit")).toBe("50");
		expect(Number(first.headers.get("x-ratelimit-reset-after"))).toBeGreaterThan(0);
	});

	test("without a response body is answered without a content type, others with JSON", async () => {
		const { rest, channel } = await openPlayground();
		const path = `${await channel()}/messages`;
		const created = await rest("POST", path, { content: "x" });
		expect(created.headers.get("content-type")).toBe("application/json");
		const removed = await rest("DELETE", `${path}/${(created.body as { id: string }).id}`);
		expect(removed.headers.get("content-type")).toBeNull();
	});
});

test.each([
	["JSON as its type", 'name="payload_json"', "application/json", { status: 200, body: { content: "said as JSON" } }],
	["bytes without a file name", 'name="files[0]"', "application/octet-stream", invalidFormBody("files[0]")],
])("a form part with %s is parsed or rejected as at Discord", async (_, name, type, answer) => {
	const { rest, channel } = await openPlayground();
	const head = `content-disposition: form-data; ${name}\r\ncontent-type: ${type}`;
	const body = `--part\r\n${head}\r\n\r\n{"content":"said as JSON"}\r\n--part--\r\n`;
	const headers = { "content-type": "multipart/form-data; boundary=part" };
	expect(await rest("POST", `${await channel()}/messages`, body, { headers })).toMatchObject(answer);
});
