/**
 * When a shard may start a session. Discord takes `max_concurrency` starts in five seconds, one for each remainder of a shard's
 * number, and so many a day: a bot that starts more loses its token. Both count all processes together. Resuming is free.
 */
import type { ClientOptions } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";

type BuildIdentifyThrottler = NonNullable<NonNullable<ClientOptions["ws"]>["buildIdentifyThrottler"]>;
type GatewayManager = Parameters<BuildIdentifyThrottler>[0];

/** Takes the turn of one remainder: 0 where it is ours, otherwise how long until somebody may ask again. */
export type TakeIdentifySlot = (remainder: number) => Promise<number>;

export interface IdentifyThrottler {
	readonly build: BuildIdentifyThrottler;
	/** Why no session is started now, in words; `undefined` where they are. */
	heldBack(): string | undefined;
	/** Rises for as long as shards wait for their turn. */
	waits(): number;
}

interface IdentifyTurnsDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** From 0 to below 1. */
	readonly random: () => number;
	/** Absent where this process is alone. */
	readonly takeSharedSlot?: TakeIdentifySlot | undefined;
	/** How many processes there are, as far as anybody knows: at least this one. */
	readonly processes: () => number;
	readonly windowMs?: number;
}

/** Discord's five seconds, and what a start may take on its way. */
export const WINDOW_MS = 5_500;
const JITTER_MS = 250;
/** Others start sessions while one of us is told how many are left; and who repairs a bot needs some too. */
const RESERVED_SHARE = 1 / 20;
const RESERVED_MIN = 20;
/** How old what Discord said of the day's starts may be. */
const KNOWN_FOR_MS = 10_000;
const HELD_BACK_ASK_MS = 60_000;
/** A server that is away this long is not waited for any longer. */
const PATIENCE_MS = 15_000;
const AWAY_ASK_MS = 1_000;

export function createIdentifyThrottler(deps: IdentifyTurnsDeps): IdentifyThrottler {
	const { clock, logger, random, takeSharedSlot, processes, windowMs = WINDOW_MS } = deps;
	const freeAtMs = new Map<number, number>();
	let awaySinceMs: number | undefined;
	let isAlone = takeSharedSlot === undefined;
	/** All processes give up waiting for the others at the same time. */
	let aloneFromMs = 0;
	let askedAtMs = Number.NEGATIVE_INFINITY;
	let heldBack: string | undefined;
	let waits = 0;

	/** By itself a process takes so much longer that all of them together are within the limit, if nobody is unlucky. */
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
			if (isAlone) logger.info("session starts are counted with the other processes again");
			isAlone = false;
			awaySinceMs = undefined;
			return waitMs;
		} catch (error) {
			awaySinceMs ??= clock.nowMs();
			if (clock.nowMs() - awaySinceMs < PATIENCE_MS) return AWAY_ASK_MS;
			if (!isAlone) {
				logger.warn(
					{ err: error, processes: processes() },
					"sessions are started without counting with the other processes",
				);
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
			// Discord's REST being away is no reason to stay away from its gateway.
			logger.warn({ err: error }, "how many sessions may be started today is not known");
			return { total: 0, remaining: Number.POSITIVE_INFINITY, reset_after: 0, max_concurrency: 1 };
		}
	}

	/** Resolves to how many starts Discord takes at once, as soon as there are some left. */
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
				logger.error({ remaining, total, until }, "no session is started: the day's are nearly used up");
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
