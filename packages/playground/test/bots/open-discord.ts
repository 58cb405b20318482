/** A playground for a whole bot. Its end checks every request of the bot and every response. */
import { expect, onTestFinished } from "vitest";
import { DEFAULT_FIXTURE, type Fixture } from "../../src/fixture.ts";
import { startPlayground, type StartedPlayground } from "../../src/start-playground.ts";

type BotPermissions = NonNullable<Fixture["application"]["permissions"]>;

export interface Connection {
	readonly api: string;
	readonly token: string;
}

/** Starts the bot, which has these permissions beyond those of @everyone, and opens two members. */
export async function openDiscord(
	startBot: (connection: Connection) => Promise<{ readonly destroy: () => Promise<void> }>,
	permissions: BotPermissions = [],
) {
	const application = { ...DEFAULT_FIXTURE.application, permissions };
	const discord = await startPlayground({ fixture: { ...DEFAULT_FIXTURE, application } });
	const bot = await startBot({ api: discord.apiUrl, token: discord.botToken });
	onTestFinished(async () => {
		await bot.destroy();
		await expectValidRequests(discord);
		await discord.close();
	});
	return {
		discord,
		ada: await discord.openUser({ username: "ada" }),
		grace: await discord.openUser({ username: "grace" }),
	};
}

async function expectValidRequests(discord: StartedPlayground): Promise<void> {
	const { requests } = await discord.admin.requests();
	expect(requests.filter(({ verdict, status }) => verdict === "invalid" || status === 404)).toStrictEqual([]);
	expect(requests.length).toBeGreaterThan(0);
	expect(discord.violations).toStrictEqual([]);
}
