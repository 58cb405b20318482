import { createAuditor, type HoldPurpose } from "@atelier/ledger/auditor";
import { createCharges } from "@atelier/ledger/charges";
import type { DailyWork } from "@atelier/common/intervals";
import { createDiscordShop } from "../discord/shop.ts";
import { measureAudit } from "../metrics/measure-audit.ts";
import { auditOnceADay } from "../services/credits/daily-audit.ts";
import { createCreditDesk } from "../services/guilds/credit-desk.ts";
import { createGuildAccounts } from "../services/guilds/guild-accounts.ts";
import { createLowCreditsWarner } from "../services/guilds/low-credits.ts";
import { createTopUpAnnouncement } from "../services/top-up/announce-top-up.ts";
import { createTopUpDesk } from "../services/top-up/top-up-desk.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./connect-discord.ts";
import type { SettingsFeature } from "./create-settings.ts";

const FIRST_AUDIT_AFTER_MS = 15 * 60_000;

interface CreditsDeps extends Pick<SettingsFeature, "settings" | "announcer" | "languages"> {
	readonly client: DiscordConnection["client"];
}

export type CreditsFeature = ReturnType<typeof createCredits>;

/** The accounts of guilds, warnings when credits run low, and credits that admins buy in Discord's shop. */
export function createCredits(context: BotContext, { client, settings, announcer, languages }: CreditsDeps) {
	const { config, store, ledger, clock, logger, disposables } = context;
	const monthlyCredits = config.GUILD_CREDITS;
	const lowCredits = createLowCreditsWarner({ store, settings, announcer, languages, clock, monthlyCredits });
	disposables.defer(() => lowCredits.stop());
	const topUp = createTopUpDesk({
		items: config.TOP_UP_ITEMS,
		shop: createDiscordShop({ client }),
		store,
		ledger,
		announce: createTopUpAnnouncement({ settings, announcer, languages }),
		clock,
		logger,
	});
	disposables.defer(() => topUp.stop());
	return {
		accounts: createGuildAccounts({ store, ledger, settings, clock, monthlyCredits }),
		charges: createCharges(ledger),
		desk: createCreditDesk(ledger),
		lowCredits,
		topUp,
	};
}

/** Audits the ledger, with the tasks that its holds are for. */
export function auditWork(context: BotContext, holdPurpose: (holdId: string) => Promise<HoldPurpose>): DailyWork {
	const { store, clock, logger, stopping, metrics } = context;
	const auditor = createAuditor({ store, holdPurpose });
	const deps = { auditor, store, clock, logger, stopping, ...measureAudit(metrics) };
	return { name: "audit the ledger", work: () => auditOnceADay(deps), firstAfterMs: FIRST_AUDIT_AFTER_MS };
}
