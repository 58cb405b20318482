import { ChannelType, PermissionFlagsBits as P, REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createGuildReader } from "../../src/discord/guild-reader.ts";
import { createChannelVisibility } from "../../src/discord/channel-visibility.ts";

const GUILD = "1";
const READER = "2";
const ADMIN = "3";
const READ = P.ViewChannel | P.ReadMessageHistory;
const deny = (id: string, type: 0 | 1, bits = READ) => ({ id, type, allow: "0", deny: String(bits) });
const allow = (id: string, type: 0 | 1, bits = READ) => ({ id, type, allow: String(bits), deny: "0" });

const guild = {
	id: GUILD,
	roles: [
		{ id: GUILD, permissions: String(READ) },
		{ id: READER, permissions: "0" },
		{ id: ADMIN, permissions: String(P.Administrator) },
	],
};
const channelOf = (id: string, overwrites: readonly object[] = [], nsfw = false) => ({
	id,
	type: ChannelType.GuildText,
	permission_overwrites: overwrites,
	nsfw,
});
const channels = [
	channelOf("10"),
	channelOf("11", [deny(GUILD, 0), allow(READER, 0)]),
	channelOf("12", [deny(READER, 0), allow("77", 1)]),
	channelOf("13", [], true),
	channelOf("14", [deny(GUILD, 0, P.ReadMessageHistory)]),
];
const threads = new Map([
	["20", { id: "20", type: ChannelType.PublicThread, parent_id: "11" }],
	["21", { id: "21", type: ChannelType.PrivateThread, parent_id: "10" }],
]);

function setup() {
	const requests: string[] = [];
	const makeRequest = async (url: string) => {
		const path = new URL(url).pathname.replace(/^\/api\/v\d+/, "");
		requests.push(path);
		const found =
			path === `/guilds/${GUILD}`
				? guild
				: path === `/guilds/${GUILD}/channels`
					? channels
					: threads.get(path.slice(10));
		const [status, body] = found ? [200, found] : [404, { code: 10003, message: "Unknown Channel" }];
		return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
	};
	const clock = createManualClock();
	const rest = new REST({ retries: 0, makeRequest }).setToken("a-token");
	const visibility = createChannelVisibility({ rest, readGuild: createGuildReader({ rest, clock }), clock });
	const canRead = (channelId: string, roleIds: readonly string[] = [], change = {}) =>
		visibility.canRead(
			{ guildId: GUILD, userId: "7", roleIds, isAdministrator: false, channelId: "10", ...change },
			channelId,
		);
	return { canRead, clock, requests, visibility };
}

describe("a member can read", () => {
	test("channels by the overwrites of @everyone, of their roles and of their own", async () => {
		const { canRead } = setup();
		expect(await canRead("10")).toBe(true);
		expect(await canRead("11")).toBe(false);
		expect(await canRead("11", [READER])).toBe(true);
		expect(await canRead("12", [READER])).toBe(false);
		expect(await canRead("12", [READER], { userId: "77" })).toBe(true);
		expect(await canRead("11", [ADMIN])).toBe(true);
		expect(await canRead("11", [], { isAdministrator: true })).toBe(true);
	});

	test("no channel without its history, and none that does not exist", async () => {
		const { canRead } = setup();
		expect(await canRead("14")).toBe(false);
		expect(await canRead("99")).toBe(false);
	});

	test("public threads like their channel, and private threads only there", async () => {
		const { canRead } = setup();
		expect(await canRead("20")).toBe(false);
		expect(await canRead("20", [READER])).toBe(true);
		expect(await canRead("21", [], { isAdministrator: true })).toBe(false);
		expect(await canRead("21", [], { channelId: "21" })).toBe(true);
	});

	test("results of age-restricted channels in such channels only", async () => {
		const { canRead } = setup();
		expect(await canRead("13")).toBe(false);
		expect(await canRead("13", [], { isAdministrator: true })).toBe(false);
		expect(await canRead("13", [], { channelId: "13" })).toBe(true);
	});
});

test("a result may be reposted if all readers of the new channel may read the original channel", async () => {
	const { visibility } = setup();
	const mayRepost = (from: string, to: string) => visibility.mayRepost(GUILD, from, to);
	expect(await mayRepost("10", "11")).toBe(true);
	expect(await mayRepost("11", "10")).toBe(false);
	expect(await mayRepost("20", "11")).toBe(true);
	expect(await mayRepost("13", "10")).toBe(false);
	expect(await mayRepost("10", "13")).toBe(true);
	expect(await mayRepost("21", "10")).toBe(false);
});

test("channels and roles are read once a minute", async () => {
	const { canRead, clock, requests } = setup();
	await canRead("11");
	await canRead("12");
	expect(requests).toHaveLength(2);
	await clock.advance(61_000);
	await canRead("11");
	expect(requests).toHaveLength(4);
});
