/**
 * Decides when a shard may start a session. Discord accepts `max_concurrency` starts in five seconds, one for each value of
 * `shard id % max_concurrency`, and a limited number per day: it resets the token of a bot that starts more. Both limits
 * count all processes together. Resuming a session does not count.
 */
import type { ClientOptions } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";

type BuildIdentifyThrottler = NonNullable<NonNullable<ClientOptions["ws"]>["buildIdentifyThrottler"]>;
type GatewayManager = Parameters<BuildIdentifyThrottler>[0];

export type IdentifyThrottler = ReturnType<typeof createIdentifyThrottler>;

interface IdentifyThrottlerDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** From 0 to below 1. */
	readonly random: () => number;
	/**
	 * Takes the slot of `remainder`: `shard id % max_concurrency`. Resolves to 0 for success, otherwise to the time (ms) until the next
	 * attempt. `undefined` for a single process.
	 */
	readonly takeSharedIdentifySlot: ((remainder: number) => Promise<number>) | undefined;
}

/** Discord's five seconds, and the time until the start arrives there. */
export const IDENTIFY_WINDOW_MS = 5_500;
/** Spreads the next attempts of shards that wait for the same slot. */
const JITTER_MS = 250;
/**
 * The share and the number of daily starts that are reserved for other processes since the last count, and for an operator who repairs
 * the bot.
 */
const RESERVED_SHARE = 1 / 20;
const RESERVED_MIN = 20;
/** The count of starts left today is read again after this time. */
const DAILY_COUNT_FRESH_MS = 10_000;
const DAILY_LIMIT_CHECK_MS = 60_000;
const COORDINATOR_RETRY_MS = 1_000;

export function createIdentifyThrottler(deps: IdentifyThrottlerDeps) {
	const { clock, logger, random, takeSharedIdentifySlot } = deps;
	const nextStartAtMs = new Map<number, number>();
	let countReadAtMs = Number.NEGATIVE_INFINITY;
	let delayReason: string | undefined;
	let isCoordinatorAway = false;
	let waits = 0;

	function takeOwnSlot(remainder: number): number {
		const nowMs = clock.nowMs();
		const waitMs = Math.max(0, (nextStartAtMs.get(remainder) ?? 0) - nowMs);
		if (waitMs === 0) nextStartAtMs.set(remainder, nowMs + IDENTIFY_WINDOW_MS);
		return waitMs;
	}

	/** Without the coordinator, no session starts: the others may be starting theirs. Running sessions are resumed without it. */
	async function takeSlot(remainder: number): Promise<number> {
		if (!takeSharedIdentifySlot) return takeOwnSlot(remainder);
		try {
			const waitMs = await takeSharedIdentifySlot(remainder);
			isCoordinatorAway = false;
			return waitMs;
		} catch {
			if (!isCoordinatorAway) logger.error("session start delayed: queue unreachable");
			isCoordinatorAway = true;
			return COORDINATOR_RETRY_MS;
		}
	}

	async function readDailyLimit(manager: GatewayManager) {
		const isStale = clock.nowMs() - countReadAtMs > DAILY_COUNT_FRESH_MS;
		if (isStale) countReadAtMs = clock.nowMs();
		try {
			return (await manager.fetchGatewayInformation(isStale)).session_start_limit;
		} catch (error) {
			// The gateway may work although Discord's REST API fails.
			logger.warn({ err: error }, "session start limit not read");
			return { total: 0, remaining: Number.POSITIVE_INFINITY, reset_after: 0, max_concurrency: 1 };
		}
	}

	/** Resolves to Discord's `max_concurrency` once starts are left for today. */
	async function waitForDailyLimit(manager: GatewayManager, signal: AbortSignal): Promise<number> {
		for (;;) {
			const {
				total,
				remaining,
				reset_after: resetAfterMs,
				max_concurrency: maxConcurrency,
			} = await readDailyLimit(manager);
			const reserved = Math.min(Math.max(RESERVED_MIN, total * RESERVED_SHARE), total / 2);
			if (remaining > reserved) {
				delayReason = undefined;
				return Math.max(1, maxConcurrency);
			}
			const until = new Date(clock.nowMs() + resetAfterMs).toISOString();
			if (delayReason === undefined)
				logger.error({ remaining, total, until }, "session start delayed: daily limit nearly used up");
			delayReason = `Discord lets this bot start ${remaining} more sessions until ${until}, and resets its token after that: none is started before`;
			waits += 1;
			await clock.sleep(Math.min(Math.max(resetAfterMs, JITTER_MS), DAILY_LIMIT_CHECK_MS), signal);
		}
	}

	const build: BuildIdentifyThrottler = (manager) => ({
		async waitForIdentify(shardId, signal) {
			const maxConcurrency = await waitForDailyLimit(manager, signal);
			for (;;) {
				const waitMs = await takeSlot(shardId % maxConcurrency);
				if (waitMs === 0) return;
				waits += 1;
				await clock.sleep(waitMs + random() * JITTER_MS, signal);
			}
		},
	});
	return {
		build,
		/** Returns the reason why no session starts now, or `undefined`. */
		delayReason: (): string | undefined => delayReason,
		/** Counts the attempts of shards that did not get a slot. A failed attempt counts too. */
		waits: (): number => waits,
	};
}
