import { bind } from "../commands/framework/bind-commands.ts";
import { reportCommands } from "../commands/index.ts";
import { createDiscordModeratorsChannel } from "../discord/discord-moderators-channel.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import { createReportStore } from "../services/moderation/report-store.ts";
import { createReportActions } from "../services/moderation/report-actions.ts";
import { createReportService } from "../services/moderation/report-service.ts";
import { createWithheldResults } from "../services/moderation/withheld-results.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { SettingsFeature } from "./create-settings.ts";
import type { TaskFeature } from "./create-tasks.ts";

interface ReportsDeps extends Pick<DiscordConnection, "client"> {
	readonly directory: GuildDirectory;
	readonly taskStore: TaskStore;
	readonly deliveryFeature: Pick<DeliveryFeature, "results">;
	readonly galleryFeature: Pick<GalleryFeature, "resultDeletion" | "resultMessages">;
	readonly taskFeature: Pick<TaskFeature, "wakeTask">;
	readonly settingsFeature: Pick<SettingsFeature, "settings" | "settingsService" | "languages">;
	readonly creditsFeature: Pick<CreditsFeature, "refundTask">;
}

export type ReportsFeature = ReturnType<typeof createReports>;

/** Builds the reports of results to the moderators of a server, and their decisions about withheld results. */
export function createReports({ store, clock }: BotContext, deps: ReportsDeps) {
	const { client, directory, taskStore } = deps;
	const { results } = deps.deliveryFeature;
	const { resultMessages, resultDeletion } = deps.galleryFeature;
	const { wakeTask } = deps.taskFeature;
	const { settings, settingsService, languages } = deps.settingsFeature;
	const { refundTask } = deps.creditsFeature;
	const reportStore = createReportStore(store);
	const moderatorsChannel = createDiscordModeratorsChannel({ rest: client.rest, resultMessages });
	const reportService = createReportService({ taskStore, reportStore, settings, moderatorsChannel, languages, clock });
	const reportActions = createReportActions({
		results,
		reportStore,
		settings,
		settingsService,
		refundTask,
		moderatorsChannel,
		resultMessages,
		resultDeletion,
		languages,
		clock,
	});
	const withheld = createWithheldResults({ taskStore, results, wakeTask, clock });
	return {
		reportService,
		reportActions,
		commands: bind(reportCommands, { reportService, reportActions, withheld, settings, languages, directory }),
	};
}
