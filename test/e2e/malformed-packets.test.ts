import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

const INTERACTION = { id: "1000000000000000009", application_id: "1000000000000000003", version: 1, token: "a-token" };
const CHANNEL_FIELDS = { channel_id: "1000000000000000004", guild_id: "1000000000000000002", locale: "en-US" };
const USER = { id: "1000000000000000007", username: "ada", discriminator: "0", avatar: null };
const PERMISSION_FIELDS = {
	app_permissions: "0",
	entitlements: [],
	authorizing_integration_owners: {},
	attachment_size_limit: 1,
};
const COMMAND = {
	...INTERACTION,
	...CHANNEL_FIELDS,
	...PERMISSION_FIELDS,
	type: 2,
	member: { user: USER, roles: [], permissions: "0" },
};
const IMAGE = { id: "1000000000000000011", type: 1, name: "image" };
const PRESS = { ...COMMAND, type: 3 };

function without(key: string, from: Readonly<Record<string, unknown>>): object {
	return Object.fromEntries(Object.entries(from).filter(([each]) => each !== key));
}

const EVENTS: readonly (readonly [event: string, data: unknown])[] = [
	["INTERACTION_CREATE", without("member", { ...COMMAND, data: IMAGE })],
	["INTERACTION_CREATE", COMMAND],
	["INTERACTION_CREATE", without("entitlements", { ...COMMAND, data: IMAGE })],
	["INTERACTION_CREATE", without("id", { ...COMMAND, data: IMAGE })],
	["INTERACTION_CREATE", { ...PRESS, data: { custom_id: "1:regenerate:1", component_type: 2 } }],
	["INTERACTION_CREATE", { ...COMMAND, type: 5, data: { custom_id: "1:edit:1" } }],
	["INTERACTION_CREATE", null],
	["ENTITLEMENT_CREATE", null],
	["GUILD_CREATE", null],
	["CHANNEL_UPDATE", null],
];

test("the bot survives malformed events, and logs each type of event once", async () => {
	const { atelier, userClient, logs } = await openAtelier();
	const adminClient = openAdminClient(atelier.origin);
	for (const [t, d] of EVENTS) await adminClient.gateway({ act: "send", payload: { op: 0, t, d, s: null } });
	const answered = await finalReply(userClient.type("/credits show"));
	expect(textOf(answered)).toContain("credits left");
	const logged = logs()
		.split("\n")
		.flatMap((line) => /[A-Z_]+ is malformed/.exec(line)?.[0] ?? []);
	const types = new Set(EVENTS.map(([event]) => `${event} is malformed`));
	expect(logged.toSorted()).toStrictEqual([...types].toSorted());
});
