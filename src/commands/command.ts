import type {
	AutocompleteInteraction,
	ChatInputCommandInteraction,
	MessageContextMenuCommandInteraction,
	RESTPostAPIChatInputApplicationCommandsJSONBody,
	RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { ChannelDirectory } from "../services/moderation/authorization.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { CreditService } from "../services/credits/credit-service.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { GuildLanguages } from "../services/settings/guild-languages.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { ChannelPoster } from "../services/credits/low-credits.ts";
import type { ReportService } from "../services/moderation/report-service.ts";
import type { SetupProgress } from "../services/settings/setup-steps.ts";
import type { Ledger } from "@atelier/ledger/operations";
import type { PrivacyService } from "../services/privacy/privacy-service.ts";
import type { JobService } from "../services/tasks/job-service.ts";
import type { Confirmations } from "../services/tasks/confirmations.ts";
import type { TaskService } from "../services/tasks/task-service.ts";
import type { TopUpService } from "../services/entitlements/top-up-service.ts";
import type { AckBarrier } from "./ack-barrier.ts";

/** Whether the client knows the server does not matter: it never does. */
export type InGuild = "raw" | "cached";

/** What commands may ask for. They translate between Discord and these; whatever decides stands behind them. */
export interface Services {
	readonly catalogue: ModelCatalog;
	readonly tasks: TaskService;
	readonly confirmations: Confirmations;
	readonly accounts: GuildAccounts;
	readonly settings: GuildSettingsStore;
	readonly languages: GuildLanguages;
	readonly creditService: CreditService;
	/** Whether a server's managers may give it credits, refunds included, or whoever pays for the media alone. */
	readonly mayManagersGrant: boolean;
	/** For reading: whatever moves credits does so through the others. */
	readonly ledger: Pick<Ledger, "history">;
	readonly topUp: Pick<TopUpService, "offered" | "redeem">;
	readonly jobs: JobService;
	readonly reports: ReportService;
	readonly privacy: PrivacyService;
	readonly setupProgress: SetupProgress;
	readonly overrides: CommandOverrides;
	readonly channels: Pick<ChannelDirectory, "isInGuild">;
	readonly announcer: ChannelPoster;
	readonly answersFirst: AckBarrier;
	readonly clock: Clock;
}

/** One slash command: its own file, and one line in `index.ts`. */
export interface Command {
	/** As it is registered with Discord. */
	readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
	/** Whatever it throws is worded and logged by `dispatch.ts`. */
	execute(interaction: ChatInputCommandInteraction<InGuild>, services: Services, logger: Logger): Promise<void>;
	/** Answers within Discord's three seconds, so from what is known and without waiting. */
	autocomplete?(interaction: AutocompleteInteraction, services: Services): Promise<void>;
}

/** One command of the context menu of a message: its own file, and one line in `index.ts`. */
export interface MessageCommand {
	readonly definition: RESTPostAPIContextMenuApplicationCommandsJSONBody;
	/** As a command's. */
	execute(
		interaction: MessageContextMenuCommandInteraction<InGuild>,
		services: Services,
		logger: Logger,
	): Promise<void>;
}
