/**
 * Decides when a shard may start a session. Discord accepts `max_concurrency` starts in five seconds, one for each
 * remainder of a shard's number, and a limited number per day: a bot that starts more loses its token. Both limits
 * count all processes together. Resuming is free.
 */
import type { ClientOptions } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";

type BuildIdentifyThrottler = NonNullable<NonNullable<ClientOptions["ws"]>["buildIdentifyThrottler"]>;
type GatewayManager = Parameters<BuildIdentifyThrottler>[0];

/** Takes the slot of one remainder. Returns 0 for success, otherwise the time until the next attempt. */
export type TakeIdentifySlot = (remainder: number) => Promise<number>;

export interface IdentifyThrottler {
	readonly build: BuildIdentifyThrottler;
	/** Returns why no session may start now, or `undefined`. */
	heldBack(): string | undefined;
	/** Counts the shards that have waited for a slot. */
	waits(): number;
}

interface IdentifyThrottlerDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** From 0 to below 1. */
	readonly random: () => number;
	/** Absent for a single process. */
	readonly takeSharedSlot?: TakeIdentifySlot | undefined;
	/** The number of known processes, at least 1. */
	readonly processes: () => number;
	readonly windowMs?: number;
}

/** Discord's five seconds, and the time until the start arrives there. */
export const WINDOW_MS = 5_500;
const JITTER_MS = 250;
/** Reserved for starts of other processes since the last count, and for an operator who repairs the bot. */
const RESERVED_SHARE = 1 / 20;
const RESERVED_MIN = 20;
/** The daily count is read again after this time. */
const KNOWN_FOR_MS = 10_000;
const HELD_BACK_ASK_MS = 60_000;
/** A coordinator that does not respond for so long is no longer waited for. */
const PATIENCE_MS = 15_000;
const AWAY_ASK_MS = 1_000;

export function createIdentifyThrottler(deps: IdentifyThrottlerDeps): IdentifyThrottler {
	const { clock, logger, random, takeSharedSlot, processes, windowMs = WINDOW_MS } = deps;
	const freeAtMs = new Map<number, number>();
	let awaySinceMs: number | undefined;
	let isAlone = takeSharedSlot === undefined;
	/** Until this time the process counts alone. */
	let aloneFromMs = 0;
	let askedAtMs = Number.NEGATIVE_INFINITY;
	let heldBack: string | undefined;
	let waits = 0;

	/** A single process waits longer on average, so that all processes together stay within the limit in most cases. */
	function takeOwnSlot(remainder: number): number {
		const nowMs = clock.nowMs();
		const waitMs = Math.max(0, (freeAtMs.get(remainder) ?? aloneFromMs) - nowMs);
		if (waitMs === 0) freeAtMs.set(remainder, nowMs + windowMs * processes());
		return waitMs;
	}

	async function takeSlot(remainder: number): Promise<number> {
		if (!takeSharedSlot) return takeOwnSlot(remainder);
		try {
			const waitMs = await takeSharedSlot(remainder);
			if (isAlone) logger.info("session starts shared with other processes again");
			isAlone = false;
			awaySinceMs = undefined;
			return waitMs;
		} catch (error) {
			awaySinceMs ??= clock.nowMs();
			if (clock.nowMs() - awaySinceMs < PATIENCE_MS) return AWAY_ASK_MS;
			if (!isAlone) {
				logger.warn({ err: error, processes: processes() }, "session starts not shared with other processes");
				isAlone = true;
				aloneFromMs = clock.nowMs() + random() * windowMs * processes();
				freeAtMs.clear();
			}
			return takeOwnSlot(remainder);
		}
	}

	async function limitNow(manager: GatewayManager) {
		const isOld = clock.nowMs() - askedAtMs > KNOWN_FOR_MS;
		if (isOld) askedAtMs = clock.nowMs();
		try {
			return (await manager.fetchGatewayInformation(isOld)).session_start_limit;
		} catch (error) {
			// The gateway may work although Discord's REST API fails.
			logger.warn({ err: error }, "session start limit not read");
			return { total: 0, remaining: Number.POSITIVE_INFINITY, reset_after: 0, max_concurrency: 1 };
		}
	}

	/** Resolves to Discord's `max_concurrency` once starts are left for today. */
	async function untilSomeAreLeft(manager: GatewayManager, signal: AbortSignal): Promise<number> {
		for (;;) {
			const { total, remaining, reset_after: resetAfterMs, max_concurrency: atOnce } = await limitNow(manager);
			const reserved = Math.min(Math.max(RESERVED_MIN, total * RESERVED_SHARE), total / 2);
			if (remaining > reserved) {
				heldBack = undefined;
				return Math.max(1, atOnce);
			}
			const until = new Date(clock.nowMs() + resetAfterMs).toISOString();
			if (heldBack === undefined)
				logger.error({ remaining, total, until }, "session start delayed: daily limit nearly used up");
			heldBack = `Discord lets this bot start ${remaining} more sessions until ${until}, and resets its token after that: none is started before`;
			waits += 1;
			await clock.sleep(Math.min(Math.max(resetAfterMs, JITTER_MS), HELD_BACK_ASK_MS), signal);
		}
	}

	return {
		build: (manager) => ({
			async waitForIdentify(shardId, signal) {
				const atOnce = await untilSomeAreLeft(manager, signal);
				for (;;) {
					const waitMs = await takeSlot(shardId % atOnce);
					if (waitMs === 0) return;
					waits += 1;
					await clock.sleep(waitMs + random() * JITTER_MS, signal);
				}
			},
		}),
		heldBack: () => heldBack,
		waits: () => waits,
	};
}
