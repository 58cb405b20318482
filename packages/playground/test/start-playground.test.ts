import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_FIXTURE, FixtureError, parseFixture, readFixture, type Fixture } from "../src/fixture.ts";
import { openDocumentStore } from "../src/document-store.ts";
import { startPlayground, type StartOptions } from "../src/start-playground.ts";
import { openUserClient } from "../src/user-client/user-client.ts";
import { temporaryFolder } from "../testing/setup.ts";

const [MAX, EVA] = [
	{ username: "max", displayName: "Max", locale: "de" },
	{ username: "eva", displayName: "Eva" },
] as const;
const HALL = {
	name: "Library",
	members: ["max", "eva"],
	roles: [{ name: "Staff", members: ["eva"], permissions: ["BanMembers"] }],
	channels: [{ name: "help" }, { name: "adults", isAgeRestricted: true }],
} satisfies Fixture["guilds"][number];
const LIBRARY: Fixture = {
	application: { name: "Shelf" },
	users: [MAX, EVA],
	guilds: [HALL, { name: "Annex", boostLevel: 1, members: ["eva"], channels: [{ name: "lobby" }] }],
};

async function start(options: StartOptions) {
	const playground = await startPlayground(options);
	onTestFinished(() => playground.close());
	return playground;
}

test("a fixture replaces the users, guilds, roles, channels and application", async () => {
	const { openUser, apiUrl, botToken, admin } = await start({ fixture: LIBRARY });
	const { guild, channels, users } = await (await openUser({ username: "eva" })).state();
	expect(guild.name).toBe("Library");
	expect(channels).toMatchObject([{ name: "help" }, { name: "adults" }]);
	expect(users).toMatchObject([{ user: { username: "max" } }, { user: { username: "eva" } }]);
	const response = await fetch(`${apiUrl}/v10/applications/@me`, { headers: { authorization: `Bot ${botToken}` } });
	expect(await response.json()).toMatchObject({ name: "Shelf" });
	expect((await admin.state()).members).toMatchObject([
		{ user: { global_name: "Max" }, locale: "de", isAdmin: true },
		{ user: { global_name: "Eva" }, locale: "en-US", isAdmin: false },
	]);
	expect((await admin.state()).skus).toStrictEqual([]);
	const annex = await openUser({ username: "eva", guild: "Annex" });
	expect((await annex.state()).channels).toMatchObject([{ name: "lobby" }]);
});

test("accounts are two years old, or as old as the fixture tells", async () => {
	const clock = createManualClock();
	const users = [MAX, { ...EVA, createdAt: "2020-02-03" }];
	const { admin } = await start({ clock, fixture: { ...LIBRARY, users } });
	const createdMs = (await admin.state()).members.map(({ user }) => Number(BigInt(user.id) >> 22n) + 1_420_070_400_000);
	expect(createdMs).toStrictEqual([clock.nowMs() - 2 * 365 * 86_400_000, Date.UTC(2020, 1, 3)]);
	// By the clock of the playground.
	const later = { ...EVA, createdAt: new Date(clock.nowMs() + 1).toISOString() };
	const early = startPlayground({ clock, fixture: { ...LIBRARY, users: [MAX, later] } });
	await expect(early).rejects.toThrow('user "eva": createdAt is in the future');
});

test("a user without a server is rejected; a page that names no user is that of the first one in a server", async () => {
	const guilds = [{ name: "Library", members: ["eva", "max"], channels: [{ name: "help" }] }];
	const { origin, openUser, admin } = await start({ fixture: { ...LIBRARY, guilds } });
	const max = (await openUser({ username: "max" })).me.user;
	await admin.removeMember({ userId: max.id });
	await expect(openUserClient(origin, { user: max.id })).rejects.toThrow("You are in no server.");
	const client = await openUserClient(origin);
	expect(client.me.user.username).toBe("eva");
	await client.close();
});

test("the state of a data folder survives, and another fixture is refused", async () => {
	const dataDir = await temporaryFolder();
	const first = await startPlayground({ dataDir, fixture: LIBRARY });
	await first.close();
	const second = await startPlayground({ dataDir });
	expect(second.botToken).toBe(first.botToken);
	expect((await second.admin.state()).guild.name).toBe("Library");
	await second.close();
	await expect(startPlayground({ dataDir, fixture: DEFAULT_FIXTURE })).rejects.toThrow(FixtureError);
});

test.each([undefined, 1_000])(
	"a data folder of another version (%s) is refused, and the message says to remove it",
	async (format) => {
		const dataDir = await temporaryFolder();
		await (await startPlayground({ dataDir })).close();
		const store = openDocumentStore(dataDir);
		const seeds = store.table<object>("seed");
		seeds.set("seed", { ...seeds.get("seed"), format });
		// Another version may store other documents, so the version is checked before they are read.
		store.table<object>("attachment").set("1", {});
		store.close();
		await expect(startPlayground({ dataDir })).rejects.toThrow(/another version.*remove playground\.db/);
	},
);

test.each<[what: string, change: object, reason: string]>([
	["no application", { application: undefined }, "application"],
	["an age that is no date", { users: [{ ...MAX, createdAt: "old" }, EVA] }, "createdAt"],
	["an age before Discord", { users: [{ ...MAX, createdAt: "2014-12-31" }, EVA] }, "from 2015-02-01 on"],
	["an unknown field", { emojis: [] }, "emojis"],
	["two equal usernames", { users: [MAX, MAX] }, "the same username"],
	["an unknown member", { guilds: [{ ...HALL, members: ["tom"] }] }, '"Library": no user has the username "tom"'],
	[
		"an overwrite of an unknown role",
		{ guilds: [{ ...HALL, channels: [{ name: "help", overwrites: [{ role: "Crew" }] }] }] },
		'channel "help": there is no role "Crew"',
	],
	[
		"an overwrite of a role whose name two have",
		{
			guilds: [{ ...HALL, roles: [{ name: "bot" }], channels: [{ name: "help", overwrites: [{ role: "bot" }] }] }],
		},
		'channel "help": there are several roles "bot"',
	],
	["a role of a user who is no member", { guilds: [{ ...HALL, members: ["max"] }] }, 'role "Staff": "eva"'],
])("a fixture with %s is refused, and the message names the field or the reason", (_, change, reason) => {
	const parse = () => parseFixture({ ...LIBRARY, ...change });
	expect(parse).toThrow(FixtureError);
	expect(parse).toThrow(reason);
});

test("a faulty fixture file is refused, and the message names the file", async () => {
	const file = join(await temporaryFolder(), "servers.json");
	for (const text of [undefined, "{", "{}"]) {
		if (text !== undefined) await writeFile(file, text);
		const error = await readFixture(file).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(FixtureError);
		expect(String(error)).toContain(file);
	}
	await writeFile(file, JSON.stringify(LIBRARY));
	expect(await readFixture(file)).toMatchObject({ application: { name: "Shelf", description: "" } });
});

test("the program rejects a port that is not a number, and names the option", async () => {
	const program = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
	const run = promisify(execFile)(execPath, [program, "--port", "abc"]);
	const stderr = '--port needs a number from 0 to 65535, and this is "abc".\n';
	await expect(run).rejects.toMatchObject({ code: 1, stderr });
});

test("a port in use is an error", async () => {
	const { origin } = await start({});
	await expect(start({ port: Number(new URL(origin).port) })).rejects.toThrow("EADDRINUSE");
});
