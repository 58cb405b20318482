import {
	Client,
	Collection,
	DefaultRestOptions,
	LimitedCollection,
	Partials,
	Status,
	type CacheFactory,
} from "discord.js";
import type { Logger } from "pino";
import { systemClock, type Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { withCallbackRetry } from "./interaction-callback-retry.ts";
import type { ClusterCoordinator } from "./cluster/open-coordinator.ts";
import { withGlobalRateLimit } from "./cluster/global-rate-limit.ts";
import { guardDispatches } from "./malformed-packets.ts";
import { createSharding } from "./sharding.ts";
import { TOKEN_REJECTED } from "../config/startup-errors.ts";
import { listenForRestEvents, REST_OPTIONS } from "./rest-setup.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

/** Enough for a large upload on a slow line. */
const REST_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** Discord bans an IP address that makes 10,000 invalid requests within ten minutes: each hundred of them is logged. */
const INVALID_REQUEST_WARNING_EVERY = 100;

interface ClientDeps {
	/** `https://…/api` of a stand-in; defaults to Discord. */
	readonly apiUrl: string | undefined;
	readonly shards: "auto" | readonly number[];
	readonly shardCount: "auto" | number;
	readonly cluster: Pick<ClusterCoordinator, "identifyThrottler" | "waitForGlobalLimit">;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Called, perhaps twice, when the client can never work again: Discord rejects its token, or its last shard is closed for good. */
	readonly onLost: (reason: string) => void;
}

/** The close codes that discord.js does not reconnect after, with advice for the operator. */
const FATAL_CLOSE_REASONS: Readonly<Record<number, string>> = {
	4004: TOKEN_REJECTED,
	4010: "Discord has no such shard. Check SHARDS and SHARD_COUNT.",
	4011: "Discord requires more shards. Set SHARD_COUNT higher, or to auto.",
	4012: "Discord no longer supports this version of its gateway. Update Atelier.",
	4013: "Discord rejects the bot's intents.",
	4014: "Discord rejects the bot's intents.",
};

/** The caches that discord.js requires. All others are disabled. */
const ENABLED_CACHES = new Set([
	"ChannelManager",
	"GuildChannelManager",
	"GuildManager",
	"PermissionOverwriteManager",
	"RoleManager",
]);
const emptyCollection = new LimitedCollection<never, never>({ maxSize: 0 });

/** All disabled caches share one empty collection: discord.js has fourteen caches per server. */
const makeCache: CacheFactory = ({ name }) =>
	ENABLED_CACHES.has(name) ? new Collection() : (emptyCollection as never);

/** Lists all shards of a configured count: with "auto" discord.js would ask Discord for the count and ignore ours. */
function shardOptionOf(shards: ClientDeps["shards"], shardCount: ClientDeps["shardCount"]): "auto" | number[] {
	if (shards !== "auto") return [...shards];
	return shardCount === "auto" ? "auto" : [...Array(shardCount).keys()];
}

/**
 * Creates a client that receives only interactions and purchases. They need no intent, so it is ready immediately and caches neither
 * servers nor users. Without `Partials.Channel` an interaction would lack its channel.
 */
export function createDiscord({ apiUrl, shards, shardCount, cluster, clock, logger, onLost }: ClientDeps) {
	let isClosing = false;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "gateway packet not handled" });
	const client: Client = new Client({
		intents: [],
		partials: [Partials.Channel],
		shards: shardOptionOf(shards, shardCount),
		...(shardCount !== "auto" && { shardCount }),
		ws: {
			buildIdentifyThrottler: cluster.identifyThrottler.build,
			buildStrategy: createSharding({ clock, throttledLogger, logger }),
		},
		allowedMentions: { parse: [] },
		makeCache,
		rest: {
			...(apiUrl !== undefined && { api: apiUrl }),
			timeout: REST_TIMEOUT_MS,
			...withGlobalRateLimit(cluster.waitForGlobalLimit, withCallbackRetry(DefaultRestOptions.makeRequest, { clock })),
			...REST_OPTIONS,
			userAgentAppendix: USER_AGENT,
			invalidRequestWarningInterval: INVALID_REQUEST_WARNING_EVERY,
		},
	});
	guardDispatches(client, throttledLogger);
	// Without a listener, an error event would end the process.
	client.on("error", (error) => logger.error({ err: error }, "discord client failed"));
	client.on("warn", (warning) => logger.warn({ warning }, "discord client warning"));
	client.on("shardReady", (shardId) => logger.info({ shardId }, "shard ready"));
	client.on("shardResume", (shardId) => logger.info({ shardId }, "shard resumed"));
	client.on("shardError", (error, shardId) => logger.warn({ err: error, shardId }, "shard connection failed"));
	client.on("shardReconnecting", (shardId) => {
		// A deliberate shutdown closes the connection too.
		if (!isClosing) logger.warn({ shardId }, "shard reconnecting");
	});
	client.on("shardDisconnect", ({ code }, shardId) => {
		logger.error({ shardId, code }, "shard closed for good");
		const isLast = client.ws.shards.every(({ status }) => status === Status.Disconnected);
		if (isLast) onLost(FATAL_CLOSE_REASONS[code] ?? `Discord closed the connection permanently, with code ${code}.`);
	});
	listenForRestEvents(client.rest, { logger, onLost });
	client.rest.on("invalidRequestWarning", ({ count }) =>
		logger.error({ count }, "invalid requests near Discord's ban limit"),
	);
	return {
		client,
		/** Returns whether each shard of this process is connected. `client.isReady()` stays true after a disconnect. */
		isUp: (): boolean => client.ws.shards.size > 0 && client.ws.shards.every(({ status }) => status === Status.Ready),
		async close(): Promise<void> {
			isClosing = true;
			// discord.js may never resolve this during a handshake.
			await waitAtMost(systemClock, CLOSE_TIMEOUT_MS, client.destroy());
		},
	};
}
