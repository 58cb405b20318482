import { describe, expect, test } from "vitest";
import { openGround, typed } from "../testing/setup.ts";

describe("who may ask", () => {
	test("routes of the bot are 401 with no token and with a wrong one", async () => {
		const { rest } = await openGround();
		for (const token of [null, "wrong"]) {
			expect(await rest("GET", "/users/@me", undefined, { token })).toMatchObject({
				status: 401,
				body: { message: "401: Unauthorized", code: 0 },
			});
		}
	});

	test("the address of the gateway is nobody's secret, the bot's share of it is", async () => {
		const { rest } = await openGround();
		expect(await rest("GET", "/gateway", undefined, { token: null })).toMatchObject({ status: 200 });
		expect(await rest("GET", "/gateway/bot", undefined, { token: null })).toMatchObject({ status: 401 });
	});
});

describe("what is there", () => {
	test("the gateway, who the bot is, its application, its guild and its channels", async () => {
		const { rest, applicationId, person, origin } = await openGround();
		const { guild, channels, me } = await (await person()).state();
		const url = `${origin.replace("http", "ws")}/playground/gateway`;
		const expected: readonly (readonly [string, unknown])[] = [
			["/gateway/bot", { url, shards: 1, session_start_limit: { remaining: 1000 } }],
			["/users/@me", { id: applicationId, bot: true, username: "Atelier" }],
			[`/users/${me.user.id}`, { username: "you" }],
			["/applications/@me", { id: applicationId, owner: { username: "you" } }],
			["/oauth2/applications/@me", { id: applicationId }],
			[`/guilds/${guild.id}?with_counts=true`, { name: "Atelier Playground", approximate_member_count: 6 }],
			[
				`/guilds/${guild.id}/channels`,
				[{ name: "general" }, { name: "gallery" }, { name: "after-dark" }, { name: "notices" }],
			],
			[`/guilds/${guild.id}/members/${me.user.id}`, { user: { username: "you" } }],
			[`/guilds/${guild.id}/members/${applicationId}`, { user: { bot: true } }],
			[`/channels/${channels[0]?.id}`, { name: "general", type: 0 }],
		];
		for (const [path, body] of expected) expect(await rest("GET", path)).toMatchObject({ status: 200, body });
	});

	test.each([
		["/users/123", 10013],
		["/guilds/123", 10004],
		["/channels/123", 10003],
	])("%s is 404 / %i", async (path, code) => {
		const { rest } = await openGround();
		expect(await rest("GET", path)).toMatchObject({ status: 404, body: { code } });
	});

	test("an id that is no snowflake is 400 / 50035", async () => {
		const { rest } = await openGround();
		expect(await rest("GET", "/channels/general")).toMatchObject({
			status: 400,
			body: { code: 50035, errors: { channel_id: { _errors: [{ code: "NUMBER_TYPE_COERCE" }] } } },
		});
	});

	test("an unknown route is 404 / 0, a known one with another method 405", async () => {
		const { rest } = await openGround();
		expect(await rest("GET", "/nowhere")).toMatchObject({ status: 404, body: { message: "404: Not Found", code: 0 } });
		expect(await rest("DELETE", "/gateway")).toMatchObject({ status: 405, body: { code: 0 } });
	});
});

describe("versions of the API", () => {
	test.each(["/api", "/api/v9", "/api/v10"])("%s is served", async (base) => {
		const { origin, playground, rest } = await openGround();
		const authorization = `Bot ${playground.botToken}`;
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
		expect(await ask("/gateway", { method: "DELETE" })).toMatchObject({ status: 405, body: { code: 0 } });
		const { requests } = (await (await fetch(`${origin}/playground/controls/requests`)).json()) as {
			requests: readonly { readonly path: string }[];
		};
		expect(requests.map(({ path }) => path)).toContain("/users/@me");
	});

	test.each(["v5/gateway", "v8/gateway", "v11/users/@me", "v1", "v99999999999/gateway"])(
		"/api/%s is 400 / 50041",
		async (path) => {
			const { origin, playground } = await openGround();
			const response = await fetch(`${origin}/api/${path}`, {
				headers: { authorization: `Bot ${playground.botToken}` },
			});
			expect([response.status, await response.json()]).toStrictEqual([
				400,
				{ message: "Invalid API version", code: 50041 },
			]);
		},
	);
});

describe("requests and answers", () => {
	test("JSON that cannot be read is 400 / 50109", async () => {
		const { rest } = await openGround();
		expect(await rest("POST", "/users/@me/channels", "{")).toMatchObject({ status: 400, body: { code: 50109 } });
	});

	test("a field that Discord does not know is refused by its name", async () => {
		const { rest } = await openGround();
		const answer = await rest("POST", "/users/@me/channels", { recipient_id: "123", colour: "blue" });
		expect(answer).toMatchObject({
			status: 400,
			body: { message: "Invalid Form Body", code: 50035, errors: { colour: { _errors: [{ code: "UNKNOWN_FIELD" }] } } },
		});
	});

	test("an id may be a number too large for a double", async () => {
		const { rest, person } = await openGround();
		const { me } = await person();
		const answer = await rest("POST", "/users/@me/channels", `{"recipient_id": ${me.user.id}}`);
		expect(answer).toMatchObject({ status: 200, body: { recipients: [{ id: me.user.id }] } });
	});

	test.each([
		["true", 200],
		["True", 200],
		["1", 200],
		["false", 204],
		["0", 204],
		["", 204],
	])("with_response=%s is answered %i", async (value, status) => {
		const { interaction, ground } = await typed();
		const path = `/interactions/${interaction.id}/${interaction.token}/callback?with_response=${value}&wait=true`;
		expect(await ground.rest("POST", path, { type: 5 }, { token: null })).toMatchObject({ status });
	});

	test("an id in the query that is no snowflake is 400 / 50035", async () => {
		const { rest, applicationId } = await openGround();
		expect(await rest("GET", `/applications/${applicationId}/entitlements?after=yesterday`)).toMatchObject({
			status: 400,
			body: { code: 50035, errors: { after: { _errors: [{ code: "NUMBER_TYPE_COERCE" }] } } },
		});
	});

	test("a field named __proto__ is a field like any other", async () => {
		const { rest } = await openGround();
		const answer = await rest("POST", "/users/@me/channels", '{"recipient_id": "123", "__proto__": {"_errors": 1}}');
		expect(answer).toMatchObject({ status: 400, body: { code: 50035 } });
		expect(Object.keys((answer.body as { errors: object }).errors)).toStrictEqual(["__proto__"]);
		expect({}).not.toHaveProperty("_errors");
	});

	test("a wrong type is refused where it stands", async () => {
		const { rest, person } = await openGround();
		const { channels } = await (await person()).state();
		const embeds = [{ title: "x", fields: [{ name: "a", value: 5 }] }];
		expect(await rest("POST", `/channels/${channels[0]?.id}/messages`, { embeds })).toMatchObject({
			status: 400,
			body: { errors: { embeds: { 0: { fields: { 0: { value: { _errors: [{ code: "STRING_TYPE_CONVERT" }] } } } } } } },
		});
	});

	test("every answer tells of its bucket, and the same route of another channel has one of its own", async () => {
		const { rest, person } = await openGround();
		const { channels } = await (await person()).state();
		const [general, gallery] = channels.map(({ id }) => `/channels/${id}`);
		const first = await rest("GET", general ?? "");
		const second = await rest("GET", general ?? "");
		const other = await rest("GET", gallery ?? "");
		const remaining = [first, second, other].map(({ headers }) => headers.get("x-ratelimit-remaining"));
		expect(remaining).toStrictEqual(["49", "48", "49"]);
		expect(first.headers.get("x-ratelimit-bucket")).toBe(other.headers.get("x-ratelimit-bucket"));
		expect(first.headers.get("x-ratelimit-limit")).toBe("50");
		expect(Number(first.headers.get("x-ratelimit-reset-after"))).toBeGreaterThan(0);
	});

	test("an empty answer has no content type, any other is JSON", async () => {
		const { rest, person } = await openGround();
		const { channels } = await (await person()).state();
		const path = `/channels/${channels[0]?.id}/messages`;
		const created = await rest("POST", path, { content: "x" });
		expect(created.headers.get("content-type")).toBe("application/json");
		const removed = await rest("DELETE", `${path}/${(created.body as { id: string }).id}`);
		expect(removed.headers.get("content-type")).toBeNull();
	});
});

test("payload_json may say that it is JSON, as Discord's own examples do", async () => {
	const { origin, playground, person } = await openGround();
	const [channel] = (await (await person()).state()).channels;
	const body = [
		"--part",
		'content-disposition: form-data; name="payload_json"',
		"content-type: application/json",
		"",
		'{"content":"said as JSON"}',
		"--part--",
		"",
	].join("\r\n");
	const response = await fetch(`${origin}/api/v10/channels/${channel?.id}/messages`, {
		method: "POST",
		headers: { authorization: `Bot ${playground.botToken}`, "content-type": "multipart/form-data; boundary=part" },
		body,
	});
	expect([response.status, await response.json()]).toMatchObject([200, { content: "said as JSON" }]);
});

test("a part of a form that is bytes without a file name is refused", async () => {
	const { origin, playground, person } = await openGround();
	const [channel] = (await (await person()).state()).channels;
	const response = await fetch(`${origin}/api/v10/channels/${channel?.id}/messages`, {
		method: "POST",
		headers: { authorization: `Bot ${playground.botToken}`, "content-type": "multipart/form-data; boundary=part" },
		body: [
			"--part",
			'content-disposition: form-data; name="files[0]"',
			"content-type: application/octet-stream",
			"",
			"bytes",
			"--part--",
			"",
		].join("\r\n"),
	});
	expect([response.status, await response.json()]).toMatchObject([400, { code: 50035, errors: { "files[0]": {} } }]);
});
