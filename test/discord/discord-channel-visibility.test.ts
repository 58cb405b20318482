import { ChannelType, OverwriteType, PermissionFlagsBits as P, REST } from "discord.js";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createGuildReader } from "../../src/discord/guild-reader.ts";
import { createDiscordChannelVisibility } from "../../src/discord/discord-channel-visibility.ts";

const GUILD = "1";
const GUEST = "77";
const READ = P.ViewChannel | P.ReadMessageHistory;
const { Role, Member } = OverwriteType;
const deny = (id: string, type: OverwriteType = Role, bits = READ) => ({ id, type, allow: "0", deny: String(bits) });
const allow = (id: string, type: OverwriteType = Role) => ({ id, type, allow: String(READ), deny: "0" });

/** Channels by their id, with their overwrites. Two threads are in `for-readers` and `open`. */
const OVERWRITES = {
	open: [],
	"for-readers": [deny(GUILD), allow("reader")],
	"not-for-readers": [deny("reader"), allow(GUEST, Member)],
	"age-restricted": [],
	"without-history": [deny(GUILD, Role, P.ReadMessageHistory)],
	"not-for-guest": [deny(GUEST, Member)],
	"for-guest": [deny(GUILD), allow(GUEST, Member)],
	// The maximum of overwrites.
	"for-crowd": Array.from({ length: 1000 }, (_, n) => allow(String(1000 + n), Member)),
};
const ROLES = { [GUILD]: READ, reader: 0n, admin: P.Administrator };
const RESPONSES: Readonly<Record<string, unknown>> = {
	[`/guilds/${GUILD}`]: {
		id: GUILD,
		roles: [
			...Object.entries(ROLES).map(([id, permissions]) => ({ id, permissions: String(permissions) })),
			...Array.from({ length: 247 }, (_, n) => ({ id: String(500 + n), permissions: "0" })),
		],
	},
	[`/guilds/${GUILD}/channels`]: Object.entries(OVERWRITES).map(([id, overwrites]) => ({
		id,
		type: ChannelType.GuildText,
		permission_overwrites: overwrites,
		nsfw: id === "age-restricted",
	})),
	"/channels/public-thread": { type: ChannelType.PublicThread, parent_id: "for-readers" },
	"/channels/private-thread": { type: ChannelType.PrivateThread, parent_id: "open" },
};

function responseTo(url: string): Response {
	const found = RESPONSES[new URL(url).pathname.replace(/^\/api\/v\d+/, "")];
	return found ? Response.json(found) : Response.json({ code: 10003, message: "Unknown Channel" }, { status: 404 });
}

function setup() {
	const clock = createManualClock();
	const requests: string[] = [];
	const makeRequest = async (url: string): Promise<Response> => {
		requests.push(url);
		return responseTo(url);
	};
	const rest = new REST({ retries: 0, makeRequest }).setToken("a-token");
	const visibility = createDiscordChannelVisibility({ rest, readGuild: createGuildReader({ rest, clock }), clock });
	return { ...visibility, clock, requests };
}

const member = {
	guildId: GUILD,
	userId: "7",
	roleIds: [] as readonly string[],
	isAdministrator: false,
	channelId: "open",
};
const reader = { roleIds: ["reader"] };
const administrator = { isAdministrator: true };

test.each<[string, string, Partial<typeof member>, boolean]>([
	["an open channel", "open", {}, true],
	["no channel that is denied to @everyone", "for-readers", {}, false],
	["a channel that is allowed to their role", "for-readers", reader, true],
	["no channel that is denied to their role", "not-for-readers", reader, false],
	["a channel that is allowed to them", "not-for-readers", { ...reader, userId: GUEST }, true],
	["any channel with a role of administrators", "for-readers", { roleIds: ["admin"] }, true],
	["any channel as an administrator", "for-readers", administrator, true],
	["no channel whose history is denied", "without-history", {}, false],
	["no missing channel", "99", {}, false],
	["no public thread of a channel that they cannot read", "public-thread", {}, false],
	["public threads of channels that they can read", "public-thread", reader, true],
	["no private thread, not even as an administrator", "private-thread", administrator, false],
	["a private thread inside of it", "private-thread", { channelId: "private-thread" }, true],
	["no age-restricted channel from elsewhere", "age-restricted", {}, false],
	["no age-restricted channel from elsewhere as an administrator", "age-restricted", administrator, false],
	["an age-restricted channel inside of it", "age-restricted", { channelId: "age-restricted" }, true],
])("a member can read %s", async (_what, channelId, change, expected) => {
	expect(await setup().canRead({ ...member, ...change }, channelId)).toBe(expected);
});

test("the channel of a public thread is read once, and an unknown thread again after a minute", async () => {
	const { clock, requests, ...visibility } = setup();
	for (let minute = 0; minute < 10; minute += 2) {
		await visibility.canRead(member, "public-thread");
		await visibility.canRead(member, "unknown-thread");
		await clock.advance(120_000);
	}
	const readsOf = (id: string) => requests.filter((url) => url.endsWith(`/channels/${id}`)).length;
	expect([readsOf("public-thread"), readsOf("unknown-thread")]).toStrictEqual([1, 5]);
});

test.each([
	["open", "for-readers", true],
	["for-readers", "open", false],
	["public-thread", "for-readers", true],
	["private-thread", "open", false],
	["age-restricted", "open", false],
	["open", "age-restricted", true],
	["not-for-guest", "open", false],
	["not-for-guest", "not-for-guest", true],
	["open", "not-for-guest", true],
	["for-readers", "for-guest", false],
	["open", "for-guest", true],
	["open", "for-crowd", true],
	["for-readers", "for-crowd", false],
])("all readers may see a result of %s that is posted in %s: %s", async (from, to, expected) => {
	expect(await setup().mayRepost(GUILD, from, to)).toBe(expected);
});
