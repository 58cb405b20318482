import type { Ledger } from "@atelier/ledger/ledger";
import type { Clock } from "@atelier/common/clock";
import type { ApiKeys } from "../../services/access/api-keys.ts";
import type { GuildDirectory } from "../../services/access/guild-directory.ts";
import type { CreditService } from "../../services/credits/credit-service.ts";
import type { GuildAccounts } from "../../services/credits/guild-accounts.ts";
import type { RefundTask } from "../../services/credits/refunds.ts";
import type { ResultAccess } from "../../services/access/result-access.ts";
import type { GalleryService } from "../../services/gallery/gallery-service.ts";
import type { ResultDeletion } from "../../services/gallery/result-deletion.ts";
import type { MediaApi } from "../../services/generation/media-api.ts";
import type { ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { ReportActions } from "../../services/moderation/report-actions.ts";
import type { ReportService } from "../../services/moderation/report-service.ts";
import type { PrivacyService } from "../../services/privacy/privacy-service.ts";
import type { GuildSettingsStore } from "../../services/settings/guild-settings.ts";
import type { SettingsService } from "../../services/settings/settings-service.ts";
import type { JobService } from "../../services/tasks/job-service.ts";
import type { TaskStore } from "../../services/tasks/task-store.ts";
import type { OperatorServices } from "./operator-services.ts";

/** The services of the bot that the dashboard's API calls: the same that its commands call. */
export interface DashboardServices {
	readonly accounts: GuildAccounts;
	readonly apiKeys: ApiKeys;
	/** Returns the id of the user in whose name API keys act. */
	readonly botUserId: () => string;
	readonly operator: OperatorServices;
	readonly catalog: Pick<ModelCatalog, "known" | "creditPrice" | "refresh">;
	readonly clock: Clock;
	readonly creditService: CreditService;
	/** The longest time after which an unfinished task ends. */
	readonly deadlineMsMax: number;
	readonly directory: GuildDirectory;
	readonly gallery: Pick<GalleryService, "previewOf">;
	readonly jobs: Pick<JobService, "cancel">;
	readonly ledger: Pick<Ledger, "history" | "balance">;
	readonly mayManagersGrant: boolean;
	readonly media: Pick<MediaApi, "health">;
	readonly privacyService: PrivacyService;
	readonly refundTask: RefundTask;
	readonly reportActions: ReportActions;
	readonly reportService: Pick<ReportService, "report">;
	readonly resultAccess: Pick<ResultAccess, "requireDeletable" | "requireVisible">;
	readonly resultDeletion: Pick<ResultDeletion, "deleteResult">;
	readonly settings: Pick<GuildSettingsStore, "read" | "readRevision" | "changes">;
	readonly settingsService: SettingsService;
	readonly taskStore: Pick<TaskStore, "load" | "move" | "ofGuild" | "ofMember">;
}
