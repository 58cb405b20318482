/** The connection to Discord: the client, REST, and the cluster of processes that serve one bot. */
import { systemClock } from "@atelier/common/clock";
import { createDiscord } from "../discord/client.ts";
import { createDeliveryRest } from "../discord/delivery-rest.ts";
import { openCoordinator } from "../discord/cluster/open-coordinator.ts";
import { watchClockSkew } from "../discord/clock-skew.ts";
import { registerDiscordMetrics } from "../metrics/discord-metrics.ts";
import type { BotContext } from "./app-context.ts";
import type { DiscordEndpoint } from "./discord-endpoint.ts";

export type DiscordConnection = Awaited<ReturnType<typeof createDiscordConnection>>;

/** Creates the client without connecting it: call `client.login` when all its event listeners are registered. */
export async function createDiscordConnection(context: BotContext, endpoint: DiscordEndpoint) {
	const { config, logger, metrics, fatal, disposables } = context;
	// Discord and the other processes keep real time, even if a test sets the app's clock.
	const clock = systemClock;
	const cluster = await openCoordinator(config.QUEUE_URL, {
		clock,
		logger,
		random: Math.random,
		requestsPerSecond: config.DISCORD_REQUESTS_PER_SECOND,
	});
	disposables.defer(() => cluster.close());
	const { apiUrl, token } = endpoint;
	const discord = createDiscord({
		apiUrl,
		shards: config.SHARDS,
		shardCount: config.SHARD_COUNT,
		cluster,
		clock,
		logger,
		onLost: fatal.resolve,
	});
	// Acquired before the task runner, so disposed after it: running deliveries still need the client.
	disposables.defer(() => discord.close());
	const { waitForGlobalLimit } = cluster;
	// Sends the messages of tasks, apart from the client's own requests.
	const deliveryRest = createDeliveryRest({ apiUrl, token, waitForGlobalLimit, logger, onLost: fatal.resolve });
	const clockAheadMs = watchClockSkew({ rest: discord.client.rest, clock, logger });
	registerDiscordMetrics({ client: discord.client, deliveryRest, clockAheadMs }, metrics);
	return { ...discord, cluster, deliveryRest };
}
