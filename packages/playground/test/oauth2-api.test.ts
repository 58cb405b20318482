/** Routes with an access token: users, guilds, the rate limit, and faults of Discord's OAuth2. */
import { describe, expect, test } from "vitest";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS } from "../src/simulator/permissions.ts";
import { openDashboard } from "./oauth2-setup.ts";

const UNAUTHORIZED = { status: 401, body: { message: "401: Unauthorized", code: 0 } };

type Dashboard = Awaited<ReturnType<typeof openDashboard>>;

interface PartialGuild {
	readonly id: string;
	readonly name: string;
	readonly owner: boolean;
	readonly permissions: string;
}

async function guildsOf({ logIn, get }: Dashboard, username: string, query = ""): Promise<readonly PartialGuild[]> {
	const { access_token: accessToken } = await logIn(username);
	const answer = await get(`/users/@me/guilds${query}`, accessToken);
	expect(answer.status).toBe(200);
	return answer.body as readonly PartialGuild[];
}

/** The name, ownership and permissions of each guild. */
const summaries = (guilds: readonly PartialGuild[]) =>
	guilds.map(({ name, owner, permissions }) => [name, owner, BigInt(permissions)]);

describe("an access token", () => {
	test("reads its user with the locale, without an email address", async () => {
		const { logIn, get } = await openDashboard();
		const { access_token: accessToken } = await logIn("lena");
		const answer = await get("/users/@me", accessToken);
		expect(answer).toMatchObject({ status: 200, body: { username: "lena", global_name: "Lena", locale: "de" } });
		expect(answer.body).not.toHaveProperty("email");
	});

	test("reads its application, its scopes and, with the scope identify, its user", async () => {
		const { playground, logIn, get } = await openDashboard();
		const application = { id: playground.applicationId, name: "Atelier" };
		const both = await logIn("ada");
		expect(await get("/oauth2/@me", both.access_token)).toMatchObject({
			status: 200,
			body: { application, scopes: ["identify", "guilds"], user: { username: "ada" } },
		});
		const guildsOnly = await get("/oauth2/@me", (await logIn("ada", "guilds")).access_token);
		expect(guildsOnly.body).not.toHaveProperty("user");
	});

	test("needs the scope of the route", async () => {
		const { logIn, get } = await openDashboard();
		const identify = await logIn("ada", "identify");
		const guilds = await logIn("ada", "guilds");
		expect(await get("/users/@me/guilds", identify.access_token)).toMatchObject(UNAUTHORIZED);
		expect(await get("/users/@me", guilds.access_token)).toMatchObject(UNAUTHORIZED);
		expect(await get("/users/@me/guilds", guilds.access_token)).toMatchObject({ status: 200 });
	});

	test("is not accepted as a bot token, and a bot token is not accepted as an access token", async () => {
		const { playground, logIn, get } = await openDashboard();
		const { access_token: accessToken } = await logIn("ada");
		expect(await get("/gateway/bot", accessToken)).toMatchObject(UNAUTHORIZED);
		expect(await playground.rest("GET", "/users/@me", undefined, { token: accessToken })).toMatchObject(UNAUTHORIZED);
		expect(await get("/users/@me", playground.botToken)).toMatchObject(UNAUTHORIZED);
		expect(await playground.rest("GET", "/oauth2/@me")).toMatchObject(UNAUTHORIZED);
	});
});

describe("the guilds of a user", () => {
	test("have the permissions of the owner and of members", async () => {
		const dashboard = await openDashboard();
		expect(summaries(await guildsOf(dashboard, "robin"))).toStrictEqual([
			["Werkstatt Nord", false, EVERYONE_PERMISSIONS],
			["Atelier Playground", true, ALL_PERMISSIONS],
		]);
		expect(summaries(await guildsOf(dashboard, "lena"))).toStrictEqual([
			["Werkstatt Nord", true, ALL_PERMISSIONS],
			[
				"Atelier Playground",
				false,
				EVERYONE_PERMISSIONS | PermissionFlagsBits.ManageMessages | PermissionFlagsBits.ModerateMembers,
			],
		]);
		expect(summaries(await guildsOf(dashboard, "ada"))).toStrictEqual([
			["Atelier Playground", false, EVERYONE_PERMISSIONS],
		]);
	});

	test("include those without the bot, with counts on request", async () => {
		const dashboard = await openDashboard();
		const you = await dashboard.playground.user();
		await you.setBot(false);
		// Four members and the bot; five members without the bot.
		expect(await guildsOf(dashboard, "robin", "?with_counts=true")).toMatchObject([
			{ name: "Werkstatt Nord", approximate_member_count: 5, icon: null, features: [] },
			{ name: "Atelier Playground", approximate_member_count: 5 },
		]);
		const ofBot = await dashboard.playground.rest("GET", "/users/@me/guilds");
		expect(ofBot).toMatchObject({ body: [{ name: "Werkstatt Nord", owner: false }] });
		expect(ofBot.body).toHaveLength(1);
	});

	test("can be read once a second by each user", async () => {
		const { playground, logIn, get } = await openDashboard();
		const [ada, adaAgain, grace] = [await logIn("ada"), await logIn("ada"), await logIn("grace")];
		const read = ({ access_token: accessToken }: typeof ada) => get("/users/@me/guilds", accessToken);
		const first = await read(ada);
		expect(first.status).toBe(200);
		expect(Object.fromEntries(first.headers)).toMatchObject({ "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0" });
		await playground.clock.advance(400);
		const second = await read(adaAgain);
		expect(second).toMatchObject({ status: 429, body: { retry_after: 0.6, global: false } });
		expect(Object.fromEntries(second.headers)).toMatchObject({ "retry-after": "1", "x-ratelimit-scope": "user" });
		expect(await read(grace)).toMatchObject({ status: 200 });
		await playground.clock.advance(600);
		expect(await read(ada)).toMatchObject({ status: 200 });
	});
});
