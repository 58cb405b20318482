import type { Clock } from "@atelier/common/clock";
import type { Ledger } from "@atelier/ledger/ledger";
import type { CommandMentions } from "../discord/command-mentions.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import type { ChannelDirectory } from "../services/access/request-channel.ts";
import type { ResultAccess } from "../services/access/result-access.ts";
import type { CreditService } from "../services/credits/credit-service.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { TopUpService } from "../services/entitlements/top-up-service.ts";
import type { GalleryService } from "../services/gallery/gallery-service.ts";
import type { ResultDeletion } from "../services/gallery/result-deletion.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import type { ReportActions } from "../services/moderation/report-actions.ts";
import type { ReportService } from "../services/moderation/report-service.ts";
import type { WithheldResults } from "../services/moderation/withheld-results.ts";
import type { PrivacyService } from "../services/privacy/privacy-service.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { GuildLanguages } from "../services/settings/guild-languages.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { SettingsService } from "../services/settings/settings-service.ts";
import type { SetupProgress } from "../services/settings/setup-steps.ts";
import type { JobService } from "../services/tasks/job-service.ts";
import type { RequestDrafts } from "../services/tasks/request-drafts.ts";
import type { TaskService } from "../services/tasks/task-service.ts";
import type { FirstResponseBarrier } from "./generation/first-response-barrier.ts";
import type { DeniedForms } from "./settings/denied-forms.ts";

/** The services that commands and components call. `src/app/create-services.ts` creates them. */
export interface CommandServices {
	readonly accounts: GuildAccounts;
	readonly catalog: ModelCatalog;
	readonly channels: ChannelDirectory;
	readonly clock: Clock;
	readonly commandMentions: CommandMentions;
	readonly commandOverrides: CommandOverrides;
	readonly creditService: CreditService;
	readonly deniedForms: DeniedForms;
	readonly directory: GuildDirectory;
	readonly drafts: RequestDrafts;
	readonly firstResponseBarrier: FirstResponseBarrier;
	readonly gallery: GalleryService;
	readonly jobs: JobService;
	readonly languages: GuildLanguages;
	readonly ledger: Ledger;
	/** True if managers may grant credits; otherwise only operators may. */
	readonly mayManagersGrant: boolean;
	readonly privacyService: PrivacyService;
	/** `undefined` if the operator has not configured a text model. */
	readonly promptImprover: PromptImprover | undefined;
	readonly reportActions: ReportActions;
	readonly reportService: ReportService;
	readonly resultAccess: ResultAccess;
	readonly resultDeletion: ResultDeletion;
	readonly settings: GuildSettingsStore;
	readonly settingsService: SettingsService;
	readonly setupProgress: SetupProgress;
	readonly taskService: TaskService;
	readonly topUp: TopUpService;
	readonly withheldResults: WithheldResults;
}
