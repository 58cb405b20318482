import { bind } from "../commands/framework/bind-commands.ts";
import { privacyCommands } from "../commands/index.ts";
import { createReportStore } from "../services/moderation/report-store.ts";
import { createPrivacyService } from "../services/privacy/privacy-service.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import type { BotContext } from "./bot-context.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { SettingsFeature } from "./create-settings.ts";
import type { TaskFeature } from "./create-tasks.ts";

interface PrivacyDeps {
	readonly galleryFeature: Pick<GalleryFeature, "galleryStore" | "removeTask">;
	readonly settingsFeature: Pick<SettingsFeature, "settings">;
	readonly taskFeature: Pick<TaskFeature, "drafts">;
	readonly taskStore: TaskStore;
}

export type PrivacyFeature = ReturnType<typeof createPrivacy>;

/** Builds the export and the removal of the data about a member. */
export function createPrivacy({ config, store, ledger, clock, logger }: BotContext, deps: PrivacyDeps) {
	const { galleryStore, removeTask } = deps.galleryFeature;
	const { settings } = deps.settingsFeature;
	const { drafts } = deps.taskFeature;
	const retentionDays = config.TASK_RETENTION_DAYS;
	const reportStore = createReportStore(store);
	const privacy = createPrivacyService({
		taskStore: deps.taskStore,
		galleryStore,
		removeTask,
		settings,
		drafts,
		reportStore,
		ledger,
		clock,
		retentionDays,
		onCorrupt: (error) => logger.error({ err: error }, "task missing in an export of personal data"),
	});
	return { privacy, commands: bind(privacyCommands, { privacy }) };
}
