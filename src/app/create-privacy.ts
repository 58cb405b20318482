import { bind } from "../commands/framework/bind-commands.ts";
import { privacyCommands } from "../commands/index.ts";
import { createReportedResults } from "../services/moderation/reported-results.ts";
import { createPrivacyService } from "../services/privacy/privacy-service.ts";
import type { RequestDrafts } from "../services/tasks/request-drafts.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import type { BotContext } from "./bot-context.ts";
import type { GalleryFeature } from "./create-gallery.ts";
import type { SettingsFeature } from "./create-settings.ts";

interface PrivacyDeps extends Pick<GalleryFeature, "galleryStore" | "removeTask">, Pick<SettingsFeature, "settings"> {
	readonly taskStore: TaskStore;
	readonly drafts: RequestDrafts;
}

/** Builds the export and the removal of the data about a member. */
export function createPrivacy({ config, store, ledger, clock, logger }: BotContext, deps: PrivacyDeps) {
	const retentionDays = config.TASK_RETENTION_DAYS;
	const reported = createReportedResults(store);
	const privacy = createPrivacyService({
		...deps,
		reported,
		ledger,
		clock,
		retentionDays,
		onCorrupt: (error) => logger.error({ err: error }, "task missing in an export of personal data"),
	});
	return { privacy, commands: bind(privacyCommands, { privacy }) };
}
