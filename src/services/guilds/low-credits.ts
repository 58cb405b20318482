import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createInFlight } from "@atelier/common/pending-work";
import type { Balance, Credits } from "@atelier/ledger/operations";
import { say, type Saying } from "../messages/messages.ts";
import type { Store } from "@atelier/store/store";
import type { GuildLanguages } from "./guild-languages.ts";
import type { GuildSettingsStore } from "./guild-settings.ts";
import { periodAt } from "./period.ts";

interface Announcement {
	readonly text: string;
	/** Identifies the announcement: however often a key is sent to a channel within minutes, one message is shown. */
	readonly key: string;
}

/** Says something in a channel, as the bot. Resolves to whether the bot may say it there; rejects where that is unknown. */
export interface Announcer {
	announce(channelId: string, announcement: Announcement, signal: AbortSignal): Promise<boolean>;
}

/**
 * Tells a server's admins when the month's credits run low, each kind of warning once a month. Nobody waits for it, and
 * a warning that fails is no reason for a task to fail; the next occasion tries again.
 */
export interface LowCreditsWarner {
	/** After a charge, with what the server has now. */
	charged(guildId: string, balance: Balance, logger: Logger): void;
	/** After a refusal for want of balance. */
	refused(guildId: string, balance: Balance, costCredits: Credits, logger: Logger): void;
	/** Waits a while for what is being said, then cuts it off. */
	stop(): Promise<void>;
}

interface LowCreditsDeps {
	readonly store: Store;
	readonly settings: GuildSettingsStore;
	readonly announcer: Announcer;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

/** 80 or 100 percent of a month's credits are gone, or what is left no longer pays for what somebody asked for. */
type Kind = "80" | "100" | "short";

const ANNOUNCE_TIMEOUT_MS = 10_000;
const STOP_MS_MAX = 2_000;

export function createLowCreditsWarner(deps: LowCreditsDeps): LowCreditsWarner {
	const { store, settings, announcer, languages, clock, monthlyCredits } = deps;
	const underWay = createInFlight({ clock });
	const stopping = new AbortController();

	function begin(guildId: string, kind: Kind, leftCredits: Credits, costCredits: Credits, logger: Logger): void {
		const warned = warn(guildId, kind, leftCredits, costCredits, logger).catch((error: unknown) => {
			logger.error({ err: error, guildId }, "low credits could not be told");
		});
		underWay.add(warned);
	}

	async function warn(
		guildId: string,
		kind: Kind,
		leftCredits: Credits,
		costCredits: Credits,
		logger: Logger,
	): Promise<void> {
		const decided = await settings.read(guildId);
		const { warnChannelId, timeZone } = decided;
		if (warnChannelId === null) return;
		const { id, endsAtMs } = periodAt(clock.nowMs(), "month", timeZone);
		const mark = `warned:${guildId}:${id}:${kind}`;
		// Written first: of several charges at once one warns, and a channel that refuses is not asked with every picture.
		if ((await store.compareAndSet(mark, undefined, { atMs: clock.nowMs() })) === undefined) return;
		const params = { leftCredits, monthlyCredits, refillsAtS: Math.ceil(endsAtMs / 1000) };
		try {
			const locale = languages.localeOf(guildId, decided);
			const text = say(locale, sayingOf(kind, { ...params, costCredits }));
			const wasSaid = await announce(warnChannelId, { text, key: mark });
			logger.info({ guildId, kind, wasSaid }, "low credits");
		} catch (error) {
			await store.delete(mark);
			throw error;
		}
	}

	async function announce(channelId: string, announcement: Announcement): Promise<boolean> {
		const isOver = new AbortController();
		const tooLong = new AbortController();
		const timer = clock.sleep(ANNOUNCE_TIMEOUT_MS, isOver.signal).then(
			() => tooLong.abort(new Error("Discord took too long")),
			() => {},
		);
		try {
			return await announcer.announce(channelId, announcement, AbortSignal.any([tooLong.signal, stopping.signal]));
		} finally {
			isOver.abort();
			await timer;
		}
	}

	return {
		charged(guildId, { postedCredits }, logger) {
			const kind = levelReached(postedCredits, monthlyCredits);
			if (kind !== undefined) begin(guildId, kind, postedCredits, 0, logger);
		},
		refused(guildId, { postedCredits }, costCredits, logger) {
			const kind = shortOf(postedCredits, costCredits, monthlyCredits);
			if (kind !== undefined) begin(guildId, kind, postedCredits, costCredits, logger);
		},
		async stop() {
			await underWay.drain(STOP_MS_MAX);
			stopping.abort(new Error("stopping"));
			// What was cut off takes its mark back, so that the next process warns.
			await underWay.drain(STOP_MS_MAX);
		},
	};
}

/**
 * By what is posted: a hold may still be given back. Credits that were bought or granted beside the monthly ones put the
 * warning off.
 */
function levelReached(leftCredits: Credits, monthlyCredits: Credits): Kind | undefined {
	if (monthlyCredits === 0) return undefined;
	const usedPercent = 100 * (1 - leftCredits / monthlyCredits);
	if (usedPercent >= 100) return "100";
	return usedPercent >= 80 ? "80" : undefined;
}

/** What a whole month does not pay for is no sign that the month is over; nor is what is only held. */
function shortOf(leftCredits: Credits, costCredits: Credits, monthlyCredits: Credits): Kind | undefined {
	if (monthlyCredits === 0) return undefined;
	if (leftCredits <= 0) return "100";
	return leftCredits < costCredits && costCredits <= monthlyCredits ? "short" : undefined;
}

function sayingOf(
	kind: Kind,
	{ costCredits, ...params }: { leftCredits: number; monthlyCredits: number; refillsAtS: number; costCredits: number },
): Saying {
	switch (kind) {
		case "80":
			return { key: "monthRunsLow", params };
		case "100":
			return { key: "monthUsedUp", params };
		case "short":
			return { key: "monthTooShort", params: { ...params, costCredits } };
	}
}
