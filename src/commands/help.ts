import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type RepliableInteraction,
} from "discord.js";
import { cardReply, separator, text } from "../discord/card.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import { formatHelp, type HelpInput } from "../services/settings/format-help.ts";
import { channelIdsOf } from "../services/moderation/authorization.ts";
import type { Clock } from "@atelier/common/clock";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Command, InGuild } from "./command.ts";
import { isManager, roleIdsOf } from "./invoking-member.ts";
import { channelContextOf } from "./channel-context.ts";
import { localize } from "./localize.ts";

export interface HelpDeps {
	readonly accounts: Pick<GuildAccounts, "readBalance">;
	readonly catalog: Pick<ModelCatalog, "known" | "creditPrice">;
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly commandMentions: Pick<CommandMentions, "link">;
	readonly clock: Clock;
}

export const help: Command<HelpDeps> = {
	definition: localize(new SlashCommandBuilder(), "help", "command.help")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.toJSON(),
	async execute(interaction, deps) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await interaction.editReply(await helpCard(interaction, deps));
	},
};

/** Shows where this member can generate, with which models, and at which prices. */
export async function helpCard(
	interaction: RepliableInteraction<InGuild>,
	{ accounts, catalog, settings, commandMentions, clock }: HelpDeps,
) {
	const { guildId, user, locale } = interaction;
	const channel = channelContextOf(interaction);
	const { isAgeRestricted = false } = channel;
	const member = { userId: user.id, roleIds: roleIdsOf(interaction) };
	const input: HelpInput = {
		settings: await settings.read(guildId),
		balance: await accounts.readBalance({ guildId, ...member }),
		models: (mediaType) => catalog.known(mediaType),
		creditPrice: catalog.creditPrice,
		member,
		where: { channelIds: channelIdsOf(channel), isAgeRestricted },
		isManager: isManager(interaction),
		nowMs: clock.nowMs(),
	};
	const parts = formatHelp(input, locale).map((part) => text(commandMentions.link(part, locale)));
	return cardReply(parts.flatMap((part, at) => (at === 0 ? [part] : [separator(), part])));
}
