/** What a playground wrote while there was one server is opened by one that has several, and nothing of it is lost. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { IMAGE_COMMAND, openGround, temporaryFolder } from "../testing/setup.ts";

/** As it was written then, of an hour before the clock of the tests. */
const id = (nth: number): string =>
	String((BigInt(createManualClock().nowMs() - 3_600_000 - 1_420_070_400_000) << 22n) + BigInt(nth));
const person = (nth: number, username: string, displayName: string, isAdmin: boolean, locale?: string) => ({
	id: id(nth),
	username,
	displayName,
	isAdmin,
	...(locale && { locale }),
});
const BEFORE_ROLES = {
	createdMs: createManualClock().nowMs() - 3_600_000,
	guild: { id: id(4), name: "Atelier Playground" },
	adminRoleId: id(5),
	botRoleId: id(6),
	channels: [
		{ id: id(7), name: "general", topic: "Try the commands here" },
		{ id: id(8), name: "gallery", topic: "For the ones worth keeping" },
	],
	members: [person(1, "you", "You", true), person(2, "ada", "Ada", false), person(3, "grace", "Grace", false)],
	application: { id: id(0), name: "Atelier", description: "Makes images, videos and music." },
	botToken: `${Buffer.from(id(0)).toString("base64url")}.abcdef.${"s".repeat(38)}`,
	verifyKey: "0".repeat(64),
};
const WITH_ROLES = {
	...BEFORE_ROLES,
	members: [...BEFORE_ROLES.members, person(9, "lena", "Lena", false, "de")],
	roles: [{ id: id(10), name: "Moderators", memberIds: [id(9)], permissions: "8192" }],
};

async function openOld(seed: object) {
	const dataDir = await temporaryFolder();
	const database = new DatabaseSync(join(dataDir, "playground.db"));
	database.exec(
		"CREATE TABLE documents (kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID",
	);
	const insert = database.prepare("INSERT INTO documents (kind, id, json) VALUES (?, ?, ?)");
	insert.run("seed", "seed", JSON.stringify(seed));
	const command = { ...IMAGE_COMMAND, id: id(20), application_id: id(0), version: id(20), type: 1, nsfw: false };
	insert.run("command", command.id, JSON.stringify(command));
	insert.run("commandOverrides", command.id, JSON.stringify([{ id: id(2), type: 2, permission: false }]));
	database.close();
	const clock = createManualClock();
	const open = () => openGround({ clock, dataDir });
	return { open };
}

test.each([
	["before there were roles", BEFORE_ROLES],
	["with roles", WITH_ROLES],
])("a memory of one server, %s, opens with two", async (_, seed) => {
	const { open } = await openOld(seed);
	const ground = await open();
	expect(ground.playground.botToken).toBe(seed.botToken);
	const you = await ground.person(id(1));
	const state = await you.state();
	expect(state.guild).toStrictEqual(seed.guild);
	expect(state.me).toMatchObject({ isAdmin: true });
	expect(state.members.map(({ user }) => user.id)).toStrictEqual(seed.members.map((member) => member.id));
	expect(state.channels.map((channel) => channel.id)).toStrictEqual(seed.channels.map((channel) => channel.id));
	expect(state.servers).toMatchObject([{ id: seed.guild.id }, { name: "Werkstatt Nord", hasBot: true }]);
	const usernames = state.people.map(({ user }) => user.username);
	expect(usernames.filter((name) => name === "lena")).toHaveLength(1);
	expect(new Set(state.people.map(({ user }) => user.id)).size).toBe(usernames.length);
	// What its admins had decided holds where they had decided it.
	expect((await (await ground.person(id(2))).state()).commands).toStrictEqual([]);
	expect(state.commands).toHaveLength(1);
	await ground.close();

	// And it is the same at the next start.
	const again = await open();
	expect((await (await again.person(id(1))).state()).servers).toStrictEqual(state.servers);
});
