import { textOf } from "@atelier/playground/user-client/message-contents";
import { GatewayOpcodes } from "discord.js";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

const COMMAND = {
	id: "1000000000000000009",
	application_id: "1000000000000000003",
	version: 1,
	token: "a-token",
	type: 2,
	channel_id: "1000000000000000004",
	guild_id: "1000000000000000002",
	locale: "en-US",
	app_permissions: "0",
	authorizing_integration_owners: {},
	attachment_size_limit: 1,
	entitlements: [],
	member: {
		user: { id: "1000000000000000007", username: "ada", discriminator: "0", avatar: null },
		roles: [],
		permissions: "0",
	},
	data: { id: "1000000000000000011", type: 1, name: "image" },
};

const EVENTS: readonly (readonly [event: string, data: unknown])[] = [
	["INTERACTION_CREATE", { ...COMMAND, id: undefined }],
	["INTERACTION_CREATE", { ...COMMAND, member: undefined }],
	["INTERACTION_CREATE", { ...COMMAND, entitlements: undefined }],
	["INTERACTION_CREATE", { ...COMMAND, data: undefined }],
	// Without the message and the components.
	["INTERACTION_CREATE", { ...COMMAND, type: 3, data: { custom_id: "1:regenerate:1", component_type: 2 } }],
	["INTERACTION_CREATE", { ...COMMAND, type: 5, data: { custom_id: "1:edit:1" } }],
	["INTERACTION_CREATE", null],
	["ENTITLEMENT_CREATE", null],
	["GUILD_CREATE", null],
	["CHANNEL_UPDATE", null],
	["READY", null],
];

test("the bot survives malformed packets, and logs each type once", async () => {
	const { atelier, userClient, logs } = await openAtelier();
	const adminClient = openAdminClient(atelier.origin);
	for (const [t, d] of EVENTS) await adminClient.gateway({ act: "send", payload: { op: 0, t, d, s: null } });
	// A second HELLO would start a second heartbeat, which outlives the connection.
	await adminClient.gateway({
		act: "send",
		payload: { op: GatewayOpcodes.Hello, d: { heartbeat_interval: 41_250 } },
	});
	const answered = await finalReply(userClient.type("/credits show"));
	expect(textOf(answered)).toContain("credits left");
	const logged = logs()
		.split("\n")
		.flatMap((line) => /\w+ is malformed/.exec(line)?.[0] ?? []);
	const types = new Set([...EVENTS.map(([event]) => event), "Hello"]);
	expect(logged.toSorted()).toStrictEqual([...types].map((type) => `${type} is malformed`).toSorted());
});
