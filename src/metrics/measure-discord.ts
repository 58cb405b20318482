import { Events, Status, type Client, type REST } from "discord.js";
import type { Clock } from "../clock.ts";
import { NO_LABELS, type Metrics } from "./metrics.ts";

/** Shards of one process; a bot that has more has them in several. */
const SHARDS = { max: 256 } as const;
const CLIENTS = ["commands", "delivery"] as const;
/** Those that mean something to somebody who looks; the rest is counted together. */
const STATUSES = ["200", "201", "204", "400", "401", "403", "404", "413", "429", "500", "502", "503", "504"] as const;
/** The header has whole seconds, and the answer took its time: what is below that is no difference. */
const SKEW_NOTICED_MS = 1_500;

interface MeasuredDiscord {
	readonly client: Client;
	readonly deliveryRest: REST;
	readonly clock: Clock;
}

/** What Discord's two clients tell of themselves: shards, answers, limits, and what time it is there. */
export function measureDiscord({ client, deliveryRest, clock }: MeasuredDiscord, metrics: Metrics): void {
	let skewMs: number | undefined;
	const label = { shard: SHARDS };
	metrics.gauge("shard_up", "Whether a shard of this process is connected.", label, () =>
		client.ws.shards.map(({ id, status }) => ({
			labels: { shard: String(id) },
			value: status === Status.Ready ? 1 : 0,
		})),
	);
	metrics.gauge("shard_ping_ms", "From a heartbeat to its answer.", label, () =>
		client.ws.shards.map(({ id, ping }) => ({ labels: { shard: String(id) }, value: ping < 0 ? undefined : ping })),
	);
	const reconnects = metrics.counter(
		"reconnects_total",
		"Connections of shards that were lost and made anew.",
		NO_LABELS,
	);
	client.on(Events.ShardReconnecting, () => reconnects.add({}));

	const answers = metrics.counter("discord_requests_total", "Answers of Discord's REST API; 429 are its limits.", {
		client: CLIENTS,
		status: STATUSES,
	});
	const limited = metrics.counter("discord_rate_limited_total", "Calls that had to wait for a limit of Discord's.", {
		client: CLIENTS,
		scope: ["user", "global", "shared"],
	});
	metrics.gauge(
		"discord_clock_skew_seconds",
		"By how much this machine's clock is ahead of Discord's.",
		NO_LABELS,
		() => [{ labels: {}, value: skewMs === undefined ? undefined : skewMs / 1000 }],
	);
	for (const [name, rest] of [
		["commands", client.rest],
		["delivery", deliveryRest],
	] as const) {
		rest.on("response", (_request, { status, headers }) => {
			answers.add({ client: name, status: String(status) });
			const thereMs = Date.parse(headers.get("date") ?? "");
			if (Number.isNaN(thereMs)) return;
			const aheadMs = clock.nowMs() - thereMs;
			skewMs = Math.abs(aheadMs) < SKEW_NOTICED_MS ? 0 : aheadMs;
		});
		rest.on("rateLimited", ({ scope }) => limited.add({ client: name, scope }));
	}
}
