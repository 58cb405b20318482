import { createAuditor, type HoldPurpose } from "@atelier/ledger/auditor";
import { createCharges } from "@atelier/ledger/charges";
import type { DailyWork } from "@atelier/common/intervals";
import { createDiscordShop } from "../discord/entitlements.ts";
import { createAuditMetrics } from "../metrics/audit-metrics.ts";
import { runDailyAudit } from "../services/credits/daily-audit.ts";
import { createCreditService } from "../services/credits/credit-service.ts";
import { createGuildAccounts } from "../services/credits/guild-accounts.ts";
import { createLowCreditsWarner } from "../services/credits/low-credits.ts";
import { createTopUpNotifier, createTopUpService } from "../services/entitlements/top-up-service.ts";
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
	const topUp = createTopUpService({
		items: config.TOP_UP_ITEMS,
		entitlements: createDiscordShop({ client }),
		store,
		ledger,
		notify: createTopUpNotifier({ settings, announcer, languages }),
		clock,
		logger,
	});
	disposables.defer(() => topUp.stop());
	return {
		accounts: createGuildAccounts({ store, ledger, settings, clock, monthlyCredits }),
		charges: createCharges(ledger),
		creditService: createCreditService(ledger),
		lowCredits,
		topUp,
	};
}

/** Audits the ledger, with the tasks that its holds are for. */
export function auditWork(context: BotContext, holdPurpose: (holdId: string) => Promise<HoldPurpose>): DailyWork {
	const { store, clock, logger, stopping, metrics } = context;
	const auditor = createAuditor({ store, holdPurpose });
	const deps = { auditor, store, clock, logger, stopping, ...createAuditMetrics(metrics) };
	return { name: "audit the ledger", work: () => runDailyAudit(deps), firstAfterMs: FIRST_AUDIT_AFTER_MS };
}
