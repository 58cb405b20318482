import { ChannelType, OverwriteType, PermissionFlagsBits as P, REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createGuildReader } from "../../src/discord/guild-reader.ts";
import { createDiscordChannelVisibility } from "../../src/discord/discord-channel-visibility.ts";

const GUILD = "1";
/** Roles. */
const READER = "2";
const ADMIN = "3";
const READ_PERMISSIONS = P.ViewChannel | P.ReadMessageHistory;
const deny = (id: string, type: OverwriteType, bits = READ_PERMISSIONS) => ({ id, type, allow: "0", deny: `${bits}` });
const allow = (id: string, type: OverwriteType) => ({ id, type, allow: `${READ_PERMISSIONS}`, deny: "0" });

const guild = {
	id: GUILD,
	roles: [
		{ id: GUILD, permissions: String(READ_PERMISSIONS) },
		{ id: READER, permissions: "0" },
		{ id: ADMIN, permissions: String(P.Administrator) },
		...Array.from({ length: 247 }, (_, index) => ({ id: String(500 + index), permissions: "0" })),
	],
};
const channelOf = (id: string, overwrites: readonly object[] = [], nsfw = false) => ({
	id,
	type: ChannelType.GuildText,
	permission_overwrites: overwrites,
	nsfw,
});
const OPEN = "10";
const FOR_READERS = "11";
/** Denied to the role READER, and allowed to GUEST. */
const NOT_FOR_READERS = "12";
const AGE_RESTRICTED = "13";
const WITHOUT_HISTORY = "14";
const NOT_FOR_GUEST = "15";
const FOR_GUEST = "16";
/** Has the maximum of overwrites. */
const FOR_CROWD = "17";
/** In FOR_READERS. */
const PUBLIC_THREAD = "20";
/** In OPEN. */
const PRIVATE_THREAD = "21";
const GUEST = "77";
const channels = [
	channelOf(OPEN),
	channelOf(FOR_READERS, [deny(GUILD, OverwriteType.Role), allow(READER, OverwriteType.Role)]),
	channelOf(NOT_FOR_READERS, [deny(READER, OverwriteType.Role), allow(GUEST, OverwriteType.Member)]),
	channelOf(AGE_RESTRICTED, [], true),
	channelOf(NOT_FOR_GUEST, [deny(GUEST, OverwriteType.Member)]),
	channelOf(FOR_GUEST, [deny(GUILD, OverwriteType.Role), allow(GUEST, OverwriteType.Member)]),
	channelOf(
		FOR_CROWD,
		Array.from({ length: 1000 }, (_, index) => allow(String(1000 + index), OverwriteType.Member)),
	),
	channelOf(WITHOUT_HISTORY, [deny(GUILD, OverwriteType.Role, P.ReadMessageHistory)]),
];
const threads = new Map([
	[PUBLIC_THREAD, { id: PUBLIC_THREAD, type: ChannelType.PublicThread, parent_id: FOR_READERS }],
	[PRIVATE_THREAD, { id: PRIVATE_THREAD, type: ChannelType.PrivateThread, parent_id: OPEN }],
]);

const makeRequest = async (url: string) => {
	const path = new URL(url).pathname.replace(/^\/api\/v\d+/, "");
	const found =
		path === `/guilds/${GUILD}`
			? guild
			: path === `/guilds/${GUILD}/channels`
				? channels
				: threads.get(path.replace("/channels/", ""));
	const [status, body] = found ? [200, found] : [404, { code: 10003, message: "Unknown Channel" }];
	return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
};

function setup() {
	const clock = createManualClock();
	const rest = new REST({ retries: 0, makeRequest }).setToken("a-token");
	const visibility = createDiscordChannelVisibility({ rest, readGuild: createGuildReader({ rest, clock }), clock });
	const canRead = (channelId: string, roleIds: readonly string[] = [], change = {}) =>
		visibility.canRead(
			{ guildId: GUILD, userId: "7", roleIds, isAdministrator: false, channelId: OPEN, ...change },
			channelId,
		);
	return { canRead, visibility };
}

describe("a member can read", () => {
	test("channels by the overwrites of @everyone, of their roles and of their own", async () => {
		const { canRead } = setup();
		expect(await canRead(OPEN)).toBe(true);
		expect(await canRead(FOR_READERS)).toBe(false);
		expect(await canRead(FOR_READERS, [READER])).toBe(true);
		expect(await canRead(NOT_FOR_READERS, [READER])).toBe(false);
		expect(await canRead(NOT_FOR_READERS, [READER], { userId: GUEST })).toBe(true);
		expect(await canRead(FOR_READERS, [ADMIN])).toBe(true);
		expect(await canRead(FOR_READERS, [], { isAdministrator: true })).toBe(true);
	});

	test("no channel whose history is denied to them, and no missing channel", async () => {
		const { canRead } = setup();
		expect(await canRead(WITHOUT_HISTORY)).toBe(false);
		expect(await canRead("99")).toBe(false);
	});

	test("public threads of channels that they can read, and a private thread only from inside of it", async () => {
		const { canRead } = setup();
		expect(await canRead(PUBLIC_THREAD)).toBe(false);
		expect(await canRead(PUBLIC_THREAD, [READER])).toBe(true);
		expect(await canRead(PRIVATE_THREAD, [], { isAdministrator: true })).toBe(false);
		expect(await canRead(PRIVATE_THREAD, [], { channelId: PRIVATE_THREAD })).toBe(true);
	});

	test("results of age-restricted channels only in age-restricted channels", async () => {
		const { canRead } = setup();
		expect(await canRead(AGE_RESTRICTED)).toBe(false);
		expect(await canRead(AGE_RESTRICTED, [], { isAdministrator: true })).toBe(false);
		expect(await canRead(AGE_RESTRICTED, [], { channelId: AGE_RESTRICTED })).toBe(true);
	});
});

test("a result may be reposted if all readers of the new channel may read the original one, and no age restriction is lost", async () => {
	const { visibility } = setup();
	const mayRepost = (from: string, to: string) => visibility.mayRepost(GUILD, from, to);
	expect(await mayRepost(OPEN, FOR_READERS)).toBe(true);
	expect(await mayRepost(FOR_READERS, OPEN)).toBe(false);
	expect(await mayRepost(PUBLIC_THREAD, FOR_READERS)).toBe(true);
	expect(await mayRepost(AGE_RESTRICTED, OPEN)).toBe(false);
	expect(await mayRepost(OPEN, AGE_RESTRICTED)).toBe(true);
	expect(await mayRepost(PRIVATE_THREAD, OPEN)).toBe(false);
	expect(await mayRepost(NOT_FOR_GUEST, OPEN)).toBe(false);
	expect(await mayRepost(NOT_FOR_GUEST, NOT_FOR_GUEST)).toBe(true);
	expect(await mayRepost(OPEN, NOT_FOR_GUEST)).toBe(true);
	expect(await mayRepost(FOR_READERS, FOR_GUEST)).toBe(false);
	expect(await mayRepost(OPEN, FOR_GUEST)).toBe(true);
	expect(await mayRepost(OPEN, FOR_CROWD)).toBe(true);
	expect(await mayRepost(FOR_READERS, FOR_CROWD)).toBe(false);
});
