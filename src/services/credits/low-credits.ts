import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Balance, Credits } from "@atelier/ledger/ledger";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import type { Store } from "@atelier/store/store";
import { createBackgroundWork } from "../background-work.ts";
import type { TextPoster } from "../text-poster.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { readGrantedMonth } from "./monthly-credits.ts";

export type LowCreditsWarner = ReturnType<typeof createLowCreditsWarner>;

interface LowCreditsDeps {
	readonly store: Store;
	readonly settings: SettingsStore;
	readonly textPoster: TextPoster;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
	readonly monthlyCredits: number;
}

/** `80` and `100`: this percentage of the monthly credits is used. `short`: the rest does not cover a request. */
type WarningKind = "80" | "100" | "short";

interface Warning {
	readonly guildId: string;
	readonly kind: WarningKind;
	readonly leftCredits: Credits;
	/** The denied cost; only `short` uses it. */
	readonly costCredits: Credits;
}

/**
 * Warns a server's admins when the monthly credits run low, once a month per kind. Works in the background; after a failure or a
 * crash, the next charge or denial tries again.
 */
export function createLowCreditsWarner(deps: LowCreditsDeps) {
	const { store, settings, textPoster, languages, clock, monthlyCredits } = deps;
	const background = createBackgroundWork({ clock });
	/** The keys of the warnings that this process is posting. */
	const posting = new Set<string>();

	function startWarning(warning: Warning, logger: Logger): void {
		const work = postWarning(warning, logger).catch((error: unknown) => {
			logger.error({ err: error, guildId: warning.guildId }, "low credit warning failed");
		});
		background.add(work);
	}

	async function postWarning({ guildId, kind, leftCredits, costCredits }: Warning, logger: Logger): Promise<void> {
		const guildSettings = await settings.read(guildId);
		const { warnChannelId } = guildSettings;
		if (warnChannelId === null) return;
		const month = await readGrantedMonth(store, guildId);
		// After its end, the next use refills the credits.
		if (!month || month.endsAtMs <= clock.nowMs()) return;
		const sentKey = `warned:${guildId}:${month.id}:${kind}`;
		if ((await store.get(sentKey)) || posting.has(sentKey)) return;
		const params = { leftCredits, monthlyCredits, refillsAtS: toTimestampS(month.endsAtMs) };
		posting.add(sentKey);
		try {
			const locale = await languages.localeOf(guildId, guildSettings);
			const text = t(locale, warningMessage(kind, { ...params, costCredits }));
			// Another process may post it too: Discord shows one message, by its key.
			const messageId = await textPoster.post(warnChannelId, { text, key: sentKey }, background.signal);
			// A channel without permission is not retried.
			await store.set(sentKey, { atMs: clock.nowMs() });
			logger.info({ guildId, kind, isPosted: messageId !== undefined }, "low credits");
		} finally {
			posting.delete(sentKey);
		}
	}

	return {
		/** Called after a charge, with the balance that it left. */
		onCharge(guildId: string, { postedCredits: leftCredits }: Balance, logger: Logger): void {
			const kind = usageLevel(leftCredits, monthlyCredits);
			if (kind !== undefined) startWarning({ guildId, kind, leftCredits, costCredits: 0 }, logger);
		},
		/** Called when the balance did not cover a cost. */
		onDenial(guildId: string, { postedCredits: leftCredits }: Balance, costCredits: Credits, logger: Logger): void {
			const kind = shortfallLevel(leftCredits, costCredits, monthlyCredits);
			if (kind !== undefined) startWarning({ guildId, kind, leftCredits, costCredits }, logger);
		},
		stop: () => background.stop(),
	};
}

/**
 * Returns the warning for the used share of the monthly credits; `undefined` below 80 %, or without monthly credits. Ignores holds,
 * which may be voided. Bought and granted credits delay the warning, because they count as unused.
 */
export function usageLevel(leftCredits: Credits, monthlyCredits: Credits): "80" | "100" | undefined {
	if (monthlyCredits === 0) return undefined;
	const usedPercent = 100 * (1 - leftCredits / monthlyCredits);
	if (usedPercent >= 100) return "100";
	return usedPercent >= 80 ? "80" : undefined;
}

/**
 * Returns the warning for a denied cost: `100` if no credits are left, otherwise `short`. Returns `undefined` without monthly credits;
 * and, while credits are left, if the cost exceeds a whole month's credits or only holds cause the denial.
 */
function shortfallLevel(leftCredits: Credits, costCredits: Credits, monthlyCredits: Credits): WarningKind | undefined {
	if (monthlyCredits === 0) return undefined;
	if (leftCredits <= 0) return "100";
	return leftCredits < costCredits && costCredits <= monthlyCredits ? "short" : undefined;
}

function warningMessage(
	kind: WarningKind,
	{ costCredits, ...params }: { leftCredits: number; monthlyCredits: number; refillsAtS: number; costCredits: number },
): MessageDescriptor {
	switch (kind) {
		case "80":
			return { key: "credits.monthRunsLow", params };
		case "100":
			return { key: "credits.monthUsedUp", params };
		case "short":
			return { key: "credits.monthTooShort", params: { ...params, costCredits } };
	}
}
