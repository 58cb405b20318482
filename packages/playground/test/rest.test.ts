/** Routes, versions, authorization and formats of REST. */
import { describe, expect, test } from "vitest";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

const NOT_FOUND = { status: 404, body: { message: "404: Not Found", code: 0 } };

test("routes other than the one of the gateway's URL return 401 without a token, and with a wrong one", async () => {
	const { rest } = await openPlayground();
	const unauthorized = { status: 401, body: { message: "401: Unauthorized", code: 0 } };
	for (const token of [null, "wrong"]) {
		for (const path of ["/users/@me", "/gateway/bot"])
			expect(await rest("GET", path, undefined, { token })).toMatchObject(unauthorized);
		expect(await rest("GET", "/gateway", undefined, { token })).toMatchObject({ status: 200 });
	}
});

describe("routes", () => {
	test("return the gateway, the bot user, its application, its guild and its channels", async () => {
		const { rest, applicationId, guild, userId, channelId, origin } = await openPlayground();
		const url = `${origin.replace("http", "ws")}/playground/gateway`;
		const [robin, general] = [userId("robin"), channelId("general")];
		const names = ["general", "gallery", "after-dark", "notices"].map((name) => ({ name }));
		const counted = { name: "Atelier Playground", approximate_member_count: 6, system_channel_id: general };
		const expected: readonly (readonly [string, unknown])[] = [
			["/gateway/bot", { url, shards: 1, session_start_limit: { remaining: 1000 } }],
			["/users/@me", { id: applicationId, bot: true, username: "Atelier" }],
			[`/users/${robin}`, { username: "robin" }],
			["/applications/@me", { id: applicationId, owner: { username: "robin" } }],
			["/oauth2/applications/@me", { id: applicationId }],
			[`/applications/${applicationId}/emojis`, { items: [] }],
			[`/guilds/${guild.id}?with_counts=true`, counted],
			[`/guilds/${guild.id}/channels`, names],
			[`/guilds/${guild.id}/emojis`, []],
			[`/guilds/${guild.id}/members/${robin}`, { user: { username: "robin" } }],
			[`/guilds/${guild.id}/members/${applicationId}`, { user: { bot: true } }],
			[`/channels/${general}`, { name: "general", type: 0 }],
		];
		for (const [path, body] of expected) expect(await rest("GET", path)).toMatchObject({ status: 200, body });
		expect(await rest("POST", `/channels/${general}/typing`)).toMatchObject({ status: 204 });
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
		["GET", "/guilds/GUILD/audit-logs"],
		["POST", "/channels/CHANNEL/messages/CHANNEL/crosspost"],
		["DELETE", "/channels/CHANNEL"],
		["POST", "/webhooks/GUILD/token/slack"],
	])("return 404 / 0 for the missing route %s %s", async (method, path) => {
		const { rest, guild, channelId } = await openPlayground();
		const filled = path.replaceAll("GUILD", guild.id).replaceAll("CHANNEL", channelId("general"));
		const body = method === "GET" || method === "DELETE" ? undefined : { topic: "x" };
		expect(await rest(method, filled, body)).toMatchObject(NOT_FOUND);
	});
});

describe("API versions", () => {
	test.each(["/api", "/api/v9", "/api/v10"])("%s is served", async (base) => {
		const { origin, botToken, admin } = await openPlayground();
		const headers = { authorization: `Bot ${botToken}` };
		const ask = async (path: string, method = "GET") => {
			const response = await fetch(`${origin}${base}${path}`, { method, headers });
			return { status: response.status, body: await response.json(), headers: response.headers };
		};
		const gateway = await ask("/gateway/bot");
		expect(gateway).toMatchObject({ status: 200, body: { shards: 1 } });
		expect(gateway.headers.get("x-ratelimit-limit")).toBe("50");
		expect(await ask("/users/@me")).toMatchObject({ status: 200, body: { bot: true } });
		for (const answer of [await ask("/nowhere"), await ask(""), await ask("/gateway", "DELETE")])
			expect(answer).toMatchObject(NOT_FOUND);
		expect((await admin.requests()).requests.map(({ path }) => path)).toContain("/users/@me");
	});

	test.each(["v5/gateway", "v8/gateway", "v11/users/@me", "v1", "v99999999999/gateway"])(
		"/api/%s is 400 / 50041",
		async (path) => {
			const { origin, botToken } = await openPlayground();
			const response = await fetch(`${origin}/api/${path}`, { headers: { authorization: `Bot ${botToken}` } });
			expect(response.status).toBe(400);
			expect(await response.json()).toStrictEqual({ message: "Invalid API version", code: 50041 });
		},
	);
});

describe("a request", () => {
	test("with JSON that cannot be read is rejected", async () => {
		const { rest } = await openPlayground();
		expect(await rest("POST", "/users/@me/channels", "{")).toMatchObject(refusal(400, 50109));
	});

	test("may contain an id as a number that is too large for a double", async () => {
		const { rest, userId } = await openPlayground();
		const id = userId("robin");
		const answer = await rest("POST", "/users/@me/channels", `{"recipient_id": ${id}}`);
		expect(answer).toMatchObject({ status: 200, body: { recipients: [{ id }] } });
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
		const paths = [await channel(), await channel(), await channel("gallery")];
		const headers: { [name: string]: string }[] = [];
		for (const path of paths) headers.push(Object.fromEntries((await rest("GET", path)).headers));
		const shared = { "x-ratelimit-bucket": headers[0]?.["x-ratelimit-bucket"], "x-ratelimit-limit": "50" };
		expect(headers).toMatchObject(["49", "48", "49"].map((left) => ({ ...shared, "x-ratelimit-remaining": left })));
		expect(Number(headers[0]?.["x-ratelimit-reset-after"])).toBeGreaterThan(0);
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
