import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "./start-atelier.ts";

const INTERACTION = { id: "1000000000000000009", application_id: "1000000000000000003", version: 1, token: "a-token" };
const WHERE = { channel_id: "1000000000000000004", guild_id: "1000000000000000002", locale: "en-US" };
const USER = { id: "1000000000000000007", username: "ada", discriminator: "0", avatar: null };
const RIGHTS = { app_permissions: "0", entitlements: [], authorizing_integration_owners: {}, attachment_size_limit: 1 };
const COMMAND = { ...INTERACTION, ...WHERE, ...RIGHTS, type: 2, member: { user: USER, roles: [], permissions: "0" } };
const IMAGE = { id: "1000000000000000011", type: 1, name: "image" };
const PRESS = { ...COMMAND, type: 3 };

function without(key: string, from: Readonly<Record<string, unknown>>): object {
	return Object.fromEntries(Object.entries(from).filter(([each]) => each !== key));
}

const dispatch = (t: string, d: unknown) => ({ op: 0, t, d, s: null });

test.each([
	["a command without a member", "INTERACTION_CREATE", without("member", { ...COMMAND, data: IMAGE })],
	["a command without data", "INTERACTION_CREATE", COMMAND],
	["a command without entitlements", "INTERACTION_CREATE", without("entitlements", { ...COMMAND, data: IMAGE })],
	["a command without an id", "INTERACTION_CREATE", without("id", { ...COMMAND, data: IMAGE })],
	[
		"a press without a message",
		"INTERACTION_CREATE",
		{ ...PRESS, data: { custom_id: "1:again:1", component_type: 2 } },
	],
	["a form without components", "INTERACTION_CREATE", { ...COMMAND, type: 5, data: { custom_id: "1:edit:1" } }],
	["no interaction", "INTERACTION_CREATE", null],
	["no entitlement", "ENTITLEMENT_CREATE", null],
	["no server", "GUILD_CREATE", null],
	["no channel", "CHANNEL_UPDATE", null],
	["no session", "READY", null],
] as const)("the bot survives %s, and logs the event's type once", async (_what, event, data) => {
	const { atelier, userClient, logs } = await openAtelier();
	const adminClient = openAdminClient(atelier.origin);
	for (let n = 0; n < 3; n++) await adminClient.gateway({ act: "send", payload: dispatch(event, data) });
	const answered = await (await userClient.type("/credits show")).until(isFinalReply);
	expect(answered.content).toContain("credits left");
	const logged = logs()
		.split("\n")
		.filter((line) => line.includes(`${event} is malformed`));
	expect(logged).toHaveLength(1);
});

test("a second HELLO starts no second heartbeat, and the connection stays", async () => {
	const { atelier, userClient, logs } = await openAtelier();
	const adminClient = openAdminClient(atelier.origin);
	const hello = (data: unknown) => adminClient.gateway({ act: "send", payload: { op: 10, d: data } });
	for (const data of [{ heartbeat_interval: 1 }, { heartbeat_interval: 5 }, null]) await hello(data);
	const answered = await (await userClient.type("/credits show")).until(isFinalReply);
	expect(answered.content).toContain("credits left");
	await expect.poll(logs).toContain("Hello is repeated");
	expect(logs()).not.toContain("shard reconnecting");
	await adminClient.gateway({ act: "close", code: 4000 });
	await expect.poll(logs).toContain("shard resumed");
});
