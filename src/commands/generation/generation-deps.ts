/** The interactions and services of the commands and components that start a generation. */
import type {
	ButtonInteraction,
	ChatInputCommandInteraction,
	MessageContextMenuCommandInteraction,
	ModalSubmitInteraction,
} from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import type { ChannelDirectory } from "../../services/access/request-channel.ts";
import type { ResultAccess } from "../../services/access/result-access.ts";
import type { RequestDrafts } from "../../services/tasks/request-drafts.ts";
import type { TaskService } from "../../services/tasks/task-service.ts";
import type { InGuild } from "../framework/command.ts";
import type { FirstResponseBarrier } from "./first-response-barrier.ts";
import type { LocaleDeps } from "../framework/guild-locale.ts";

export type GenerationInteraction =
	| ChatInputCommandInteraction<InGuild>
	| ButtonInteraction<InGuild>
	| ModalSubmitInteraction<InGuild>
	| MessageContextMenuCommandInteraction<InGuild>;

/** For a draft: a request that its member confirms or edits. */
export interface DraftDeps extends LocaleDeps {
	readonly taskService: TaskService;
	readonly drafts: RequestDrafts;
	/** `undefined` if the operator has not configured a text model. */
	readonly promptImprover: PromptImprover | undefined;
	readonly clock: Clock;
}

export interface GenerationDeps extends DraftDeps {
	readonly catalog: ModelCatalog;
	readonly channels: Pick<ChannelDirectory, "isAgeRestricted">;
	readonly firstResponseBarrier: FirstResponseBarrier;
}

/** For components and menus that start a generation from an earlier result. */
export interface ResultDeps extends GenerationDeps {
	readonly resultAccess: ResultAccess;
}
