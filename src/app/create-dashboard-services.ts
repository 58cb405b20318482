import { randomBytes } from "node:crypto";
import { deadlinesOf } from "../config/load-config.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import type { DashboardServices } from "../http/dashboard/dashboard-services.ts";
import type { OperatorServices } from "../http/dashboard/operator-services.ts";
import { createApiKeys } from "../services/access/api-keys.ts";
import type { MediaApi } from "../services/generation/media-api.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import type { BotContext } from "./bot-context.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { createPrivacy } from "./create-privacy.ts";
import type { createReports } from "./create-reports.ts";
import type { SettingsFeature } from "./create-settings.ts";
import type { createTasks } from "./create-tasks.ts";

interface DashboardDeps {
	readonly operator: OperatorServices;
	/** Known once the client is logged in. */
	readonly botUserId: () => string;
	readonly directory: GuildDirectory;
	readonly catalog: ModelCatalog;
	readonly media: MediaApi;
	readonly taskStore: TaskStore;
	readonly credits: Pick<CreditsFeature, "accounts" | "creditService" | "refundTask" | "mayManagersGrant">;
	readonly gallery: Pick<GalleryFeature, "gallery">;
	readonly privacy: Pick<ReturnType<typeof createPrivacy>, "privacy">;
	readonly reports: Pick<ReturnType<typeof createReports>, "reports">;
	readonly settings: Pick<SettingsFeature, "settings" | "channels">;
	readonly taskFeature: Pick<Awaited<ReturnType<typeof createTasks>>, "jobs">;
}

/** Collects the services of the bot that the dashboard calls. */
export function createDashboardServices(
	{ config, store, ledger, clock }: BotContext,
	deps: DashboardDeps,
): DashboardServices {
	const { operator, botUserId, directory, catalog, media, taskStore } = deps;
	const { credits, gallery, privacy, reports, settings, taskFeature } = deps;
	return {
		accounts: credits.accounts,
		creditService: credits.creditService,
		refundTask: credits.refundTask,
		mayManagersGrant: credits.mayManagersGrant,
		gallery: gallery.gallery,
		privacy: privacy.privacy,
		reports: reports.reports,
		settings: settings.settings,
		channels: settings.channels,
		jobs: taskFeature.jobs,
		deadlineMsMax: Math.max(...Object.values(deadlinesOf(config))),
		hasModeration: config.MODERATION_URL !== undefined,
		catalog,
		media,
		ledger,
		clock,
		taskStore,
		directory,
		operator,
		botUserId,
		apiKeys: createApiKeys({ store, settings: settings.settings, directory, clock, randomBytes }),
	};
}
