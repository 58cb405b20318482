import { textOf } from "@atelier/playground/user-client/message-contents";
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
	data: { id: "1000000000000000011", type: 1, name: "image" },
};

const EVENTS: readonly (readonly [event: string, data: unknown])[] = [
	["INTERACTION_CREATE", COMMAND],
	["INTERACTION_CREATE", { ...COMMAND, type: 3, data: { custom_id: "1:regenerate:1", component_type: 2 } }],
	["INTERACTION_CREATE", null],
	["ENTITLEMENT_CREATE", null],
	["GUILD_CREATE", null],
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
