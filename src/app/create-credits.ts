import { createAuditor, type HoldTaskState } from "@atelier/ledger/audit-store";
import { bind } from "../commands/framework/bind-commands.ts";
import { creditCommands } from "../commands/index.ts";
import { createEntitlementClient } from "../discord/entitlements.ts";
import { createAuditMetrics } from "../metrics/audit-metrics.ts";
import { runDailyAudit } from "../services/credits/daily-audit.ts";
import { createCreditService } from "../services/credits/credit-service.ts";
import { createGuildAccounts } from "../services/credits/guild-accounts.ts";
import { createLowCreditsWarner } from "../services/credits/low-credits.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import { createTopUpNotifier, createTopUpService } from "../services/entitlements/top-up-service.ts";
import { createRefundTask } from "../services/credits/refunds.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import type { BotContext, Feature } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import type { SettingsFeature } from "./create-settings.ts";

/** The audit reads the whole ledger: it waits until the start and the removal of old tasks are over. */
const FIRST_AUDIT_AFTER_MS = 15 * 60_000;

interface CreditsDeps {
	readonly client: DiscordConnection["client"];
	readonly catalog: ModelCatalog;
	readonly settingsFeature: SettingsFeature;
	readonly taskStore: TaskStore;
}

export type CreditsFeature = ReturnType<typeof createCredits>;

/** Builds the accounts of servers, the warnings when credits run low, and the purchases of credits on Discord. */
export function createCredits(context: BotContext, { client, catalog, settingsFeature, taskStore }: CreditsDeps) {
	const { config, store, ledger, clock, logger, disposables } = context;
	const { settings, settingsService, channels, channelPoster, languages, commandOverrides, deniedForms } =
		settingsFeature;
	const monthlyCredits = config.GUILD_CREDITS;
	const mayManagersGrant = config.CREDITS_GRANTED_BY === "managers";
	const lowCredits = createLowCreditsWarner({
		store,
		settings,
		channelPoster,
		languages,
		clock,
		monthlyCredits,
	});
	disposables.defer(() => lowCredits.stop());
	const topUp = createTopUpService({
		items: config.TOP_UP_ITEMS,
		entitlements: createEntitlementClient({ client }),
		store,
		ledger,
		notify: createTopUpNotifier({ settings, channelPoster, languages }),
		clock,
		logger,
	});
	disposables.defer(() => topUp.stop());
	const accounts = createGuildAccounts({ store, ledger, settings, clock, monthlyCredits });
	const creditService = createCreditService({ ledger, mayManagersGrant });
	const commands = bind(creditCommands, {
		accounts,
		catalog,
		settings,
		settingsService,
		channels,
		creditService,
		mayManagersGrant,
		ledger,
		topUp,
		commandOverrides,
		deniedForms,
		languages,
		channelPoster,
		clock,
	});
	const refundTask = createRefundTask({ accounts, creditService, taskStore, settings, languages, clock });
	return { accounts, creditService, refundTask, mayManagersGrant, lowCredits, topUp, commands };
}

/** Builds the daily audit of the ledger, which looks up the task of each hold. */
export function createAudit(context: BotContext, holdTaskState: (holdId: string) => Promise<HoldTaskState>): Feature {
	const { store, clock, logger, stopping, metrics } = context;
	const auditor = createAuditor({ store, holdTaskState });
	const deps = { auditor, store, clock, logger, stopping, ...createAuditMetrics(metrics) };
	const audit = { name: "audit the ledger", work: () => runDailyAudit(deps), firstAfterMs: FIRST_AUDIT_AFTER_MS };
	return { dailyWork: [audit] };
}
