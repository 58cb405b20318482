import Fastify from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { createPlayground } from "@atelier/playground/playground";
import type { UserClient } from "@atelier/playground/user-client";

const OFFLINE_CHECK_MS = 50;

export interface StartedPlayground extends AsyncDisposable {
	readonly origin: string;
	/** The environment of a bot that connects to it. */
	readonly env: Readonly<Record<"DISCORD_TOKEN" | "DISCORD_API_URL", string>>;
}

/** Starts a playground in this process. A file in it may have `fileBytesMax` bytes; by default as many as in a server without boosts. */
export async function startPlayground(fileBytesMax?: number): Promise<StartedPlayground> {
	const app = Fastify({ forceCloseConnections: true });
	let origin = "";
	const playground = createPlayground({ clock: systemClock, logger: pino({ level: "silent" }), origin: () => origin });
	await playground.register(app);
	origin = await app.listen({ host: "127.0.0.1", port: 0 });
	if (fileBytesMax !== undefined) await openAdminClient(origin).setFiles({ bytesMax: fileBytesMax });
	return {
		origin,
		env: { DISCORD_TOKEN: playground.botToken, DISCORD_API_URL: `${origin}/api` },
		async [Symbol.asyncDispose]() {
			await app.close();
			await playground.close();
		},
	};
}

/** Resolves when the playground has noticed that the bot has ended: the next bot then starts as the only one. */
export async function untilBotOffline(user: UserClient): Promise<void> {
	while ((await user.state()).bot.online) await systemClock.sleep(OFFLINE_CHECK_MS);
}
