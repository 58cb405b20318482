import { bind } from "../commands/framework/bind-commands.ts";
import { helpCommands } from "../commands/index.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { BotContext, Feature } from "./bot-context.ts";
import type { CreditsFeature } from "./create-credits.ts";
import type { SettingsFeature } from "./create-settings.ts";

interface HelpDeps {
	readonly catalog: ModelCatalog;
	readonly commandMentions: CommandMentions;
	readonly settingsFeature: Pick<SettingsFeature, "settings" | "channels">;
	readonly creditsFeature: Pick<CreditsFeature, "accounts" | "mayManagersGrant">;
}

/** Builds `/help`, which shows what the features allow a member. */
export function createHelp({ clock }: BotContext, { catalog, commandMentions, ...deps }: HelpDeps): Feature {
	const { settings, channels } = deps.settingsFeature;
	const { accounts, mayManagersGrant } = deps.creditsFeature;
	const services = { accounts, catalog, settings, channels, mayManagersGrant, commandMentions, clock };
	return { commands: bind(helpCommands, services) };
}
