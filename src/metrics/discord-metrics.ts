import { Events, Status, type Client, type REST } from "discord.js";
import { NO_LABELS, secondsOf, type Metrics } from "./metrics.ts";

/** The most shards of one process. */
const SHARDS = { max: 256 } as const;
const CLIENTS = ["commands", "delivery"] as const;
/** The status codes with a meaning of their own; all others are counted together. */
const STATUSES = ["200", "201", "204", "400", "401", "403", "404", "413", "429", "500", "502", "503", "504"] as const;

interface DiscordMetricsDeps {
	readonly client: Client;
	readonly deliveryRest: REST;
	/** The milliseconds by which this machine's clock is ahead of Discord's, once known. */
	readonly clockAheadMs: () => number | undefined;
}

/** Registers the metrics of the connection to Discord: shards, responses, rate limits, and the difference of the clocks. */
export function registerDiscordMetrics(
	{ client, deliveryRest, clockAheadMs }: DiscordMetricsDeps,
	metrics: Metrics,
): void {
	const label = { shard: SHARDS };
	metrics.gauge("atelier_shard_up", "Whether a shard of this process is connected.", label, () =>
		client.ws.shards.map(({ id, status }) => ({
			labels: { shard: String(id) },
			value: status === Status.Ready ? 1 : 0,
		})),
	);
	metrics.gauge("atelier_shard_ping_ms", "Round trip of a heartbeat.", label, () =>
		client.ws.shards.map(({ id, ping }) => ({ labels: { shard: String(id) }, value: ping < 0 ? undefined : ping })),
	);
	const reconnects = metrics.counter(
		"atelier_shard_reconnects_total",
		"Connections of shards that were lost and replaced.",
		NO_LABELS,
	);
	client.on(Events.ShardReconnecting, () => reconnects.add({}));

	const responses = metrics.counter(
		"atelier_discord_requests_total",
		"Responses of Discord's REST API; 429 means a rate limit.",
		{
			client: CLIENTS,
			status: STATUSES,
		},
	);
	const rateLimited = metrics.counter(
		"atelier_discord_rate_limited_total",
		"Requests that waited for a rate limit of Discord.",
		{
			client: CLIENTS,
			scope: ["user", "global", "shared"],
		},
	);
	metrics.value(
		"atelier_discord_clock_skew_seconds",
		"Seconds by which this machine's clock is ahead of Discord's.",
		() => secondsOf(clockAheadMs()),
	);
	for (const [name, rest] of [
		["commands", client.rest],
		["delivery", deliveryRest],
	] as const) {
		rest.on("response", (_request, { status }) => {
			responses.add({ client: name, status: String(status) });
		});
		rest.on("rateLimited", ({ scope }) => rateLimited.add({ client: name, scope }));
	}
}
