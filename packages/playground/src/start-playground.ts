/** Starts a playground on a free port of this machine, for tests of any bot in any test runner. */
import { createHttpServer } from "@atelier/common/http-server";
import { systemClock } from "@atelier/common/clock";
import { createLogger } from "@atelier/common/logger";
import type { Logger } from "pino";
import { openAdminClient } from "./admin/admin-client.ts";
import { createPlayground, type Playground, type PlaygroundDeps } from "./playground.ts";
import { openUserClient, type UserClient } from "./user-client/user-client.ts";

export type { Recording } from "./recording/recording-contract.ts";
export { replay } from "./recording/replay.ts";

export interface StartOptions extends Partial<Pick<PlaygroundDeps, "clock" | "dataDir" | "fixture" | "guildCount">> {
	/** A free port by default. */
	readonly port?: number | undefined;
	/** Logs warnings and errors to standard output by default. */
	readonly logger?: Logger | undefined;
	/** The registered redirect URIs of OAuth2. */
	readonly redirectUris?: readonly string[] | undefined;
}

export type StartedPlayground = Awaited<ReturnType<typeof startPlayground>>;

/** Throws `FixtureError` for an invalid fixture, and the error of the system if the port is in use. */
export async function startPlayground(options: StartOptions = {}) {
	const { port = 0, redirectUris = [], clock = systemClock, dataDir, fixture, guildCount } = options;
	const logger = options.logger ?? createLogger({ level: "warn", pretty: false });
	const app = createHttpServer();
	let origin = "";
	const playground = createPlayground({
		clock,
		logger,
		dataDir,
		fixture,
		guildCount,
		origin: () => origin,
		redirectUris: () => redirectUris,
	});
	const userClients: UserClient[] = [];
	let closing: Promise<void> | undefined;

	async function close(): Promise<void> {
		await Promise.all(userClients.map((client) => client.close()));
		await app.close();
		await playground.close();
	}
	const closeOnce = (): Promise<void> => (closing ??= close());

	try {
		await playground.register(app);
		origin = await app.listen({ port, host: "127.0.0.1" });
	} catch (error) {
		await closeOnce();
		throw error;
	}
	const admin = openAdminClient(origin);

	/** Returns the id of the guild with this name. Throws if there is none, or if the user is not a member. */
	async function guildIdOf(name: string, user: Playground["users"][number]): Promise<string> {
		const { guilds } = await admin.guilds();
		const found = guilds.find((guild) => guild.name === name);
		if (!found)
			throw new Error(`no guild is named "${name}"; there are: ${guilds.map((each) => each.name).join(", ")}`);
		if (!found.memberIds.includes(user.id)) throw new Error(`${user.username} is not a member of "${name}"`);
		return found.id;
	}

	const { botToken, clientSecret, applicationId, violations, recorder } = playground;
	return {
		botToken,
		clientSecret,
		applicationId,
		violations,
		recorder,
		/** The page, `http://127.0.0.1:PORT`. */
		origin,
		/** The base URL for REST clients, without the version: `http://127.0.0.1:PORT/api`. */
		apiUrl: `${origin}/api`,
		/** Changes what Discord itself does not let a bot change: the clock, faults, members. */
		admin,
		/** Returns the session since the start: the actions of users, and the requests of the bot. */
		recording: recorder.recording,
		/** Opens a client that acts as this user: by default the first user in the first guild. Ends with the playground. */
		openUser: async ({
			username,
			guild,
		}: { readonly username?: string; readonly guild?: string } = {}): Promise<UserClient> => {
			const { users } = playground;
			const user = username === undefined ? users[0] : users.find((each) => each.username === username);
			if (!user)
				throw new Error(
					`no user has the username "${username}"; there are: ${users.map((each) => each.username).join(", ")}`,
				);
			const client = await openUserClient(origin, {
				user: user.id,
				...(guild !== undefined && { guild: await guildIdOf(guild, user) }),
			});
			userClients.push(client);
			return client;
		},
		close: closeOnce,
		[Symbol.asyncDispose]: closeOnce,
	};
}
