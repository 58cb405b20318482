/**
 * Detects that this process has lost Discord's gateway for good: it has been down for long although Discord's API
 * responds, and no shard made progress. A restart may help then. An outage of Discord does not count, because a restart
 * would not help.
 */
import { Routes, Status, type Client } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import type { IdentifyThrottler } from "./cluster/identify-throttler.ts";
import { requestWithTimeout } from "./with-timeout.ts";
import { connectionProgress } from "./connect-gateway.ts";

/** By then, discord.js and the resume limit have made many attempts. */
export const GATEWAY_DOWN_MS_MAX = 10 * 60_000;
export const GATEWAY_CHECK_EVERY_MS = 30_000;

const GatewayAddress = z.object({ url: z.string() });

interface GatewayWatchDeps {
	readonly client: Pick<Client, "ws" | "rest">;
	readonly identifyThrottler: Pick<IdentifyThrottler, "waits">;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function watchGateway({ client, identifyThrottler, clock, logger }: GatewayWatchDeps) {
	const { ws, rest } = client;
	let progress = connectionProgress(ws, identifyThrottler);
	let unchangedSinceMs = clock.nowMs();
	let isStuck = false;

	/** A restart does not bring back shards that Discord has closed for good. */
	const isDown = (): boolean =>
		ws.shards.some(({ status }) => status !== Status.Ready && status !== Status.Disconnected);

	async function isApiReachable(signal: AbortSignal): Promise<boolean> {
		try {
			const response = await requestWithTimeout(rest, "get", Routes.gateway(), { auth: false, signal });
			return GatewayAddress.safeParse(response).success;
		} catch {
			return false;
		}
	}

	async function check(signal: AbortSignal): Promise<void> {
		const nowMs = clock.nowMs();
		const currentProgress = connectionProgress(ws, identifyThrottler);
		if (!isDown() || currentProgress !== progress) {
			progress = currentProgress;
			unchangedSinceMs = nowMs;
			isStuck = false;
			return;
		}
		const downMs = nowMs - unchangedSinceMs;
		if (downMs < GATEWAY_DOWN_MS_MAX) return;
		const wasStuck = isStuck;
		isStuck = await isApiReachable(signal);
		if (isStuck && !wasStuck) logger.error({ downMs }, "gateway down although Discord's API responds, /livez fails");
	}

	const stop = startInterval({ clock, everyMs: GATEWAY_CHECK_EVERY_MS, run: check });
	return { isStuck: () => isStuck, stop };
}
