import { randomBytes } from "node:crypto";
import { deadlinesOf } from "../config/load-config.ts";
import type { DashboardServices } from "../http/dashboard/dashboard-services.ts";
import { createApiKeys } from "../services/access/api-keys.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import type { BotContext } from "./bot-context.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { PrivacyFeature } from "./create-privacy.ts";
import type { ReportsFeature } from "./create-reports.ts";
import type { SettingsFeature } from "./create-settings.ts";
import type { TaskFeature } from "./create-tasks.ts";

interface DashboardDeps extends Pick<DashboardServices, "botUserId" | "catalog" | "media" | "operator" | "taskStore"> {
	readonly directory: GuildDirectory;
	readonly settingsFeature: SettingsFeature;
	readonly creditsFeature: CreditsFeature;
	readonly galleryFeature: GalleryFeature;
	readonly taskFeature: TaskFeature;
	readonly privacyFeature: PrivacyFeature;
	readonly reportsFeature: ReportsFeature;
}

/** Collects what the dashboard reads and changes from the features. */
export function createDashboardServices(context: BotContext, deps: DashboardDeps): DashboardServices {
	const { config, store, ledger, clock } = context;
	const { botUserId, catalog, directory, media, operator, taskStore } = deps;
	const { settings, settingsService } = deps.settingsFeature;
	const { accounts, creditService, mayManagersGrant, refundTask } = deps.creditsFeature;
	const { gallery, resultAccess, resultDeletion } = deps.galleryFeature;
	return {
		accounts,
		apiKeys: createApiKeys({ store, settings, directory, clock, randomBytes }),
		botUserId,
		catalog,
		clock,
		creditService,
		deadlineMsMax: Math.max(...Object.values(deadlinesOf(config))),
		directory,
		gallery,
		jobs: deps.taskFeature.jobs,
		ledger,
		mayManagersGrant,
		media,
		operator,
		privacy: deps.privacyFeature.privacy,
		refundTask,
		reportActions: deps.reportsFeature.reportActions,
		reportService: deps.reportsFeature.reportService,
		resultAccess,
		resultDeletion,
		settings,
		settingsService,
		taskStore,
	};
}
