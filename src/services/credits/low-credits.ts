import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createPendingWork } from "@atelier/common/pending-work";
import type { Balance, Credits } from "@atelier/ledger/operations";
import type { MessageRef } from "../../i18n/message-ref.ts";
import { t } from "../../i18n/messages.ts";
import type { Store } from "@atelier/store/store";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { GuildSettingsStore } from "../settings/guild-settings.ts";
import { periodAt } from "./period.ts";

interface Announcement {
	readonly text: string;
	/** Discord shows one message per key within a few minutes. */
	readonly key: string;
}

/** Posts a message as the bot. Resolves to false without permission; rejects if the outcome is unknown. */
export interface ChannelPoster {
	post(channelId: string, announcement: Announcement, signal: AbortSignal): Promise<boolean>;
}

/**
 * Warns a guild's admins when the monthly credits run low, once a month per kind. Runs in the background; the next charge
 * retries a failed warning.
 */
export interface LowCreditsWarner {
	onCharge(guildId: string, balance: Balance, logger: Logger): void;
	/** Called when the balance did not cover a cost. */
	onDenial(guildId: string, balance: Balance, costCredits: Credits, logger: Logger): void;
	/** Waits briefly for pending warnings, then aborts them. */
	stop(): Promise<void>;
}

interface LowCreditsDeps {
	readonly store: Store;
	readonly settings: GuildSettingsStore;
	readonly channelPoster: ChannelPoster;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

/** 80 or 100 percent of the monthly credits are used, or the rest does not cover a request. */
type Kind = "80" | "100" | "short";

const ANNOUNCE_TIMEOUT_MS = 10_000;
const STOP_MS_MAX = 2_000;

export function createLowCreditsWarner(deps: LowCreditsDeps): LowCreditsWarner {
	const { store, settings, channelPoster, languages, clock, monthlyCredits } = deps;
	const pending = createPendingWork({ clock });
	const stopping = new AbortController();

	function startWarning(guildId: string, kind: Kind, leftCredits: Credits, costCredits: Credits, logger: Logger): void {
		const warned = warn(guildId, kind, leftCredits, costCredits, logger).catch((error: unknown) => {
			logger.error({ err: error, guildId }, "low credit warning failed");
		});
		pending.add(warned);
	}

	async function warn(
		guildId: string,
		kind: Kind,
		leftCredits: Credits,
		costCredits: Credits,
		logger: Logger,
	): Promise<void> {
		const guildSettings = await settings.read(guildId);
		const { warnChannelId, timeZone } = guildSettings;
		if (warnChannelId === null) return;
		const { id, endsAtMs } = periodAt(clock.nowMs(), "month", timeZone);
		const mark = `warned:${guildId}:${id}:${kind}`;
		// Mark before posting: concurrent charges warn once, and a channel without permission is not retried.
		if ((await store.compareAndSet(mark, undefined, { atMs: clock.nowMs() })) === undefined) return;
		const params = { leftCredits, monthlyCredits, refillsAtS: Math.ceil(endsAtMs / 1000) };
		try {
			const locale = languages.localeOf(guildId, guildSettings);
			const text = t(locale, warningMessage(kind, { ...params, costCredits }));
			const wasSaid = await postWithTimeout(warnChannelId, { text, key: mark });
			logger.info({ guildId, kind, wasSaid }, "low credits");
		} catch (error) {
			await store.delete(mark);
			throw error;
		}
	}

	async function postWithTimeout(channelId: string, announcement: Announcement): Promise<boolean> {
		const isOver = new AbortController();
		const tooLong = new AbortController();
		const timer = clock.sleep(ANNOUNCE_TIMEOUT_MS, isOver.signal).then(
			() => tooLong.abort(new Error("Discord took too long")),
			() => {},
		);
		try {
			return await channelPoster.post(channelId, announcement, AbortSignal.any([tooLong.signal, stopping.signal]));
		} finally {
			isOver.abort();
			await timer;
		}
	}

	return {
		onCharge(guildId, { postedCredits }, logger) {
			const kind = usageLevel(postedCredits, monthlyCredits);
			if (kind !== undefined) startWarning(guildId, kind, postedCredits, 0, logger);
		},
		onDenial(guildId, { postedCredits }, costCredits, logger) {
			const kind = shortfallLevel(postedCredits, costCredits, monthlyCredits);
			if (kind !== undefined) startWarning(guildId, kind, postedCredits, costCredits, logger);
		},
		async stop() {
			await pending.drain(STOP_MS_MAX);
			stopping.abort(new Error("stopping"));
			// Aborted warnings remove their marks, so that the next process warns.
			await pending.drain(STOP_MS_MAX);
		},
	};
}

/**
 * Uses posted credits, because holds may be voided. Bought or granted credits delay the warning.
 */
function usageLevel(leftCredits: Credits, monthlyCredits: Credits): Kind | undefined {
	if (monthlyCredits === 0) return undefined;
	const usedPercent = 100 * (1 - leftCredits / monthlyCredits);
	if (usedPercent >= 100) return "100";
	return usedPercent >= 80 ? "80" : undefined;
}

/** Ignores a cost above a whole month's credits, and credits that are only held. */
function shortfallLevel(leftCredits: Credits, costCredits: Credits, monthlyCredits: Credits): Kind | undefined {
	if (monthlyCredits === 0) return undefined;
	if (leftCredits <= 0) return "100";
	return leftCredits < costCredits && costCredits <= monthlyCredits ? "short" : undefined;
}

function warningMessage(
	kind: Kind,
	{ costCredits, ...params }: { leftCredits: number; monthlyCredits: number; refillsAtS: number; costCredits: number },
): MessageRef {
	switch (kind) {
		case "80":
			return { key: "credits.monthRunsLow", params };
		case "100":
			return { key: "credits.monthUsedUp", params };
		case "short":
			return { key: "credits.monthTooShort", params: { ...params, costCredits } };
	}
}
