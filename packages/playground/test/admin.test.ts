import { describe, expect, test } from "vitest";
import { openControls } from "../src/admin/admin-client.ts";
import { deferred, MINUTE_MS, openGround, typed, type Ground } from "../testing/setup.ts";

const channelOf = async (ground: Ground): Promise<string> =>
	(await (await ground.person()).state()).channels[0]?.id ?? "none";

async function atWork() {
	const scene = await deferred();
	const { ground, interaction, reply } = scene;
	const channelId = String(interaction.payload["channel_id"]);
	const messageId = reply.message()?.id ?? "none";
	return { ...scene, controls: openControls(ground.origin), channelId, messageId };
}

describe("the clock", () => {
	test("moved past fifteen minutes ends a token, and the bot edits on as itself", async () => {
		const { controls, interaction, ground, channelId, messageId } = await atWork();
		await controls.advanceClock(15 * MINUTE_MS);
		expect(await interaction.webhook("PATCH", { content: "late" })).toMatchObject({
			status: 401,
			body: { code: 50_027 },
		});
		const edit = await ground.rest("PATCH", `/channels/${channelId}/messages/${messageId}`, { content: "late" });
		expect(edit.status).toBe(200);
	});

	test("moved past three seconds ends a command that nobody answered", async () => {
		const { ground, reply } = await typed();
		await openControls(ground.origin).advanceClock(3_000);
		await expect.poll(() => reply.failure()).toContain("did not respond");
	});

	test("goes forward only", async () => {
		const { origin } = await openGround();
		await expect(openControls(origin).advanceClock(-1)).rejects.toThrow("advanceMs");
	});
});

describe("a token", () => {
	test("that was ended is a dead one, and others live on", async () => {
		const { controls, interaction, ground } = await atWork();
		const other = await deferred({ ground });
		await controls.expire(interaction.id);
		expect(await interaction.webhook("PATCH", { content: "x" })).toMatchObject({ status: 401, body: { code: 50_027 } });
		expect((await other.interaction.webhook("PATCH", { content: "x" })).status).toBe(200);
	});
});

describe("files", () => {
	test("are taken up to what was set, and interactions say what they were told to", async () => {
		const ground = await openGround();
		const controls = openControls(ground.origin);
		await controls.setFiles({ bytesMax: 1000, announcedBytesMax: 5000 });
		const { interaction } = await deferred({ ground });
		expect(interaction.payload["attachment_size_limit"]).toBe(5000);
		const send = (size: number) =>
			interaction.webhook("PATCH", { content: "x" }, { files: [{ name: "a.png", bytes: Buffer.alloc(size) }] });
		expect(await send(1001)).toMatchObject({ status: 400, body: { code: 50_045 } });
		expect((await send(1000)).status).toBe(200);
	});

	test("in a request that is too large as a whole are a 413", async () => {
		const { controls, interaction } = await atWork();
		await controls.setFiles({ bytesMax: 10_000, requestBytesMax: 5000 });
		const files = [{ name: "a.png", bytes: Buffer.alloc(6000) }];
		expect(await interaction.webhook("PATCH", { content: "x" }, { files })).toMatchObject({
			status: 413,
			body: { code: 40_005 },
		});
	});
});

describe("a channel", () => {
	test("that the bot may only read lets it edit its own, and write nothing new", async () => {
		const { controls, ground, channelId, messageId } = await atWork();
		await controls.setAccess(channelId, "readOnly");
		expect((await ground.rest("PATCH", `/channels/${channelId}/messages/${messageId}`, { content: "x" })).status).toBe(
			200,
		);
		expect(await ground.rest("POST", `/channels/${channelId}/messages`, { content: "x" })).toMatchObject({
			status: 403,
			body: { code: 50_013 },
		});
	});

	test("that the bot does not see is closed to it, while the reply's token still works", async () => {
		const { controls, ground, interaction, channelId, messageId } = await atWork();
		await controls.setAccess(channelId, "none");
		expect(await ground.rest("PATCH", `/channels/${channelId}/messages/${messageId}`, { content: "x" })).toMatchObject({
			status: 403,
			body: { code: 50_001 },
		});
		expect((await interaction.webhook("PATCH", { content: "x" })).status).toBe(200);
	});

	test("that was deleted is gone for everybody", async () => {
		const { controls, ground, interaction, person, channelId, messageId } = await atWork();
		await controls.deleteChannel(channelId);
		expect(await ground.rest("PATCH", `/channels/${channelId}/messages/${messageId}`, { content: "x" })).toMatchObject({
			status: 404,
			body: { code: 10_003 },
		});
		expect(await interaction.webhook("PATCH", { content: "x" })).toMatchObject({ status: 404, body: { code: 10_015 } });
		expect((await person.state()).channels.map(({ id }) => id)).not.toContain(channelId);
		expect(await person.messages()).toStrictEqual([]);
	});
});

test.each([
	["all", true, true],
	["readOnly", true, false],
	["none", false, true],
] as const)("a bot with access '%s' is told so in the command", async (access, sees, writes) => {
	const ground = await openGround();
	await openControls(ground.origin).setAccess(await channelOf(ground), access);
	const { interaction } = await typed({ ground });
	const permissions = BigInt(String(interaction.payload["app_permissions"]));
	expect([(permissions & 1024n) !== 0n, (permissions & 2048n) !== 0n]).toStrictEqual([sees, writes]);
});

test("a bot that is not in the server has its commands there, and nothing else", async () => {
	const ground = await openGround();
	const controls = openControls(ground.origin);
	await controls.setMembership(false);
	const { interaction } = await deferred({ ground });
	expect(BigInt(String(interaction.payload["app_permissions"])) & 1024n).toBe(0n);
	const channelId = String(interaction.payload["channel_id"]);
	expect((await ground.rest("POST", `/channels/${channelId}/messages`, { content: "x" })).status).toBe(403);
	expect((await interaction.webhook("PATCH", { content: "x" })).status).toBe(200);
});

test("a person may take no direct messages", async () => {
	const { controls, ground, person } = await atWork();
	await controls.setDirect(person.me.user.id, false);
	const opened = await ground.rest("POST", "/users/@me/channels", { recipient_id: person.me.user.id });
	const { id } = opened.body as { id: string };
	expect(await ground.rest("POST", `/channels/${id}/messages`, { content: "x" })).toMatchObject({
		status: 403,
		body: { code: 50_007 },
	});
	await controls.setDirect(person.me.user.id, true);
	expect((await ground.rest("POST", `/channels/${id}/messages`, { content: "x" })).status).toBe(200);
});

test("a message that a moderator deletes is gone", async () => {
	const { controls, interaction, reply, channelId, messageId } = await atWork();
	await controls.deleteMessage(channelId, messageId);
	expect(await interaction.webhook("PATCH", { content: "x" })).toMatchObject({ status: 404, body: { code: 10_008 } });
	await expect.poll(() => reply.states.at(-1)?.kind).toBe("deleted");
});

describe("a planted fault", () => {
	const route = "PATCH /webhooks/:application/:token/messages/:message";

	test("meets as many requests of its route as it should, and no others", async () => {
		const { controls, ground, interaction } = await atWork();
		await controls.plant({ route, times: 2, answer: { kind: "error", status: 503, code: 0 } });
		const statuses = [];
		for (let count = 0; count < 3; count++)
			statuses.push((await interaction.webhook("PATCH", { content: "x" })).status);
		expect(statuses).toStrictEqual([503, 503, 200]);
		expect((await ground.rest("GET", "/users/@me")).status).toBe(200);
	});

	test("may carry the request out and lose its answer", async () => {
		const { controls, interaction, reply } = await atWork();
		await controls.plant({ route, times: 1, acts: true, answer: { kind: "hangUp" } });
		await expect(interaction.webhook("PATCH", { content: "done all the same" })).rejects.toThrow("fetch failed");
		expect((await reply.until()).content).toBe("done all the same");
	});

	test("may answer a success with another body", async () => {
		const { controls, interaction } = await atWork();
		const bodies = [{ text: "[]" }, { text: "", status: 204 }] as const;
		for (const body of bodies) await controls.plant({ route, times: 1, answer: { kind: "body", ...body } });
		const statuses = [];
		for (let count = 0; count < 2; count++)
			statuses.push((await interaction.webhook("PATCH", { content: "x" })).status);
		expect(statuses).toStrictEqual([200, 204]);
	});

	test("may make a request late, by the playground's own clock, and answer it all the same", async () => {
		const { controls, interaction, reply } = await atWork();
		await controls.plant({ route, times: 1, delayMs: 60_000 });
		const late = interaction.webhook("PATCH", { content: "late" });
		// Whoever waits for the clock is seen in the log only when it has moved.
		await expect.poll(async () => (await controls.state()).faults).toStrictEqual([]);
		expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking"]);
		await controls.advanceClock(60_000);
		expect((await late).status).toBe(200);
	});

	test("may ask for patience as Discord does", async () => {
		const { controls, interaction } = await atWork();
		await controls.plant({ route, times: 1, answer: { kind: "rateLimit", retryAfterS: 1.5, scope: "shared" } });
		const answer = await interaction.webhook("PATCH", { content: "x" });
		expect(answer).toMatchObject({ status: 429, body: { retry_after: 1.5, global: false } });
		expect([answer.headers.get("retry-after"), answer.headers.get("x-ratelimit-scope")]).toStrictEqual(["2", "shared"]);
	});

	test("of a route that does not exist is refused, with those that do", async () => {
		const { origin } = await openGround();
		const plant = openControls(origin).plant({ route: "PATCH /nowhere", answer: { kind: "hangUp" } });
		await expect(plant).rejects.toThrow(route);
	});

	test("is gone after a reset, and so is every switch", async () => {
		const { origin } = await openGround();
		const controls = openControls(origin);
		const before = await controls.state();
		await controls.plant({ answer: { kind: "hangUp" } });
		await controls.setFiles({ bytesMax: 1 });
		await controls.setMembership(false);
		await controls.setAnswersResume(false);
		await controls.setAccess(before.access[0]?.channelId ?? "none", "none");
		expect(await controls.reset()).toStrictEqual(before);
	});
});
