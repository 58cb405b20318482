import type {
	AutocompleteInteraction,
	ChatInputCommandInteraction,
	MessageContextMenuCommandInteraction,
	RESTPostAPIChatInputApplicationCommandsJSONBody,
	RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Catalogue } from "../services/generation/catalogue.ts";
import type { Channels } from "../services/guilds/admission.ts";
import type { CommandOverrides } from "../services/guilds/command-access.ts";
import type { CreditDesk } from "../services/guilds/credit-desk.ts";
import type { GuildAccounts } from "../services/guilds/guild-accounts.ts";
import type { GuildLanguages } from "../services/guilds/guild-languages.ts";
import type { GuildSettingsStore } from "../services/guilds/guild-settings.ts";
import type { Announcer } from "../services/guilds/low-credits.ts";
import type { ReportDesk } from "../services/moderation/report-service.ts";
import type { SetupProgress } from "../services/guilds/setup-steps.ts";
import type { Ledger } from "@atelier/ledger/operations";
import type { PrivacyDesk } from "../services/privacy/privacy-desk.ts";
import type { JobDesk } from "../services/tasks/job-desk.ts";
import type { Proposals } from "../services/tasks/proposals.ts";
import type { TaskService } from "../services/tasks/task-service.ts";
import type { TopUpDesk } from "../services/top-up/top-up-desk.ts";
import type { AnswersFirst } from "./answers-first.ts";

/** Whether the client knows the server does not matter: it never does. */
export type InServer = "raw" | "cached";

/** What commands may ask for. They translate between Discord and these; whatever decides stands behind them. */
export interface Services {
	readonly catalogue: Catalogue;
	readonly tasks: TaskService;
	readonly proposals: Proposals;
	readonly accounts: GuildAccounts;
	readonly settings: GuildSettingsStore;
	readonly languages: GuildLanguages;
	readonly desk: CreditDesk;
	/** Whether a server's managers may give it credits, refunds included, or whoever pays for the media alone. */
	readonly mayManagersGrant: boolean;
	/** For reading: whatever moves credits does so through the others. */
	readonly ledger: Pick<Ledger, "history">;
	readonly topUp: Pick<TopUpDesk, "offered" | "redeem">;
	readonly jobs: JobDesk;
	readonly reports: ReportDesk;
	readonly privacy: PrivacyDesk;
	readonly setupProgress: SetupProgress;
	readonly overrides: CommandOverrides;
	readonly channels: Pick<Channels, "isOf">;
	readonly announcer: Announcer;
	readonly answersFirst: AnswersFirst;
	readonly clock: Clock;
}

/** One slash command: its own file, and one line in `index.ts`. */
export interface Command {
	/** As it is registered with Discord. */
	readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
	/** Whatever it throws is worded and logged by `dispatch.ts`. */
	execute(interaction: ChatInputCommandInteraction<InServer>, services: Services, logger: Logger): Promise<void>;
	/** Answers within Discord's three seconds, so from what is known and without waiting. */
	autocomplete?(interaction: AutocompleteInteraction, services: Services): Promise<void>;
}

/** One command of the context menu of a message: its own file, and one line in `index.ts`. */
export interface MessageCommand {
	readonly definition: RESTPostAPIContextMenuApplicationCommandsJSONBody;
	/** As a command's. */
	execute(
		interaction: MessageContextMenuCommandInteraction<InServer>,
		services: Services,
		logger: Logger,
	): Promise<void>;
}
