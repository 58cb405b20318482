import { MessageFlags, PermissionFlagsBits, type SlashCommandSubcommandBuilder } from "discord.js";
import { memberAuthor } from "../services/access/change-author.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { searchTimeZones } from "../services/credits/time-zones.ts";
import { LIMIT_CREDITS_MAX } from "../services/settings/settings-schema.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { Command } from "./command.ts";
import { requireAuthorization } from "./invoking-member.ts";
import { readQuotaChange, TIME_ZONE_CHARS_MAX } from "./quota-options.ts";
import { quotaPanel } from "./quota-panel.ts";
import { POST_CHANNEL_TYPES } from "./channel-types.ts";
import { localize, localizeChoice, MEDIA_TYPE_CHOICES } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";

interface QuotaDeps {
	readonly accounts: GuildAccounts;
	readonly settings: GuildSettingsStore;
	readonly commandOverrides: CommandOverrides;
}

export const quota: Command<QuotaDeps> = {
	definition: guildCommand("quota", "command.quota")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => localize(show, "show", "command.quotaShow"))
		.addSubcommand((server) =>
			withPer(withCredits(localize(server, "server", "command.quotaServer")))
				.addBooleanOption((option) => localize(option, "unlimited", "option.quotaUnlimited"))
				.addStringOption((option) =>
					localize(option, "unused", "option.quotaUnused").addChoices(
						localizeChoice({ key: "choice.expire" }, "expire"),
						localizeChoice({ key: "choice.carryOver" }, "carryOver"),
					),
				)
				.addStringOption((option) =>
					localize(option, "time_zone", "option.quotaTimeZone").setMaxLength(TIME_ZONE_CHARS_MAX).setAutocomplete(true),
				)
				.addChannelOption((option) =>
					localize(option, "warn_channel", "option.quotaWarnChannel").addChannelTypes(...POST_CHANNEL_TYPES),
				)
				.addBooleanOption((option) => localize(option, "warnings_off", "option.quotaNoWarnings")),
		)
		.addSubcommand((role) =>
			withLimit(
				localize(role, "role", "command.quotaRole").addRoleOption((option) =>
					localize(option, "role", "option.quotaRole").setRequired(true),
				),
			),
		)
		.addSubcommand((member) =>
			withPer(
				withLimit(
					localize(member, "member", "command.quotaMember").addUserOption((option) =>
						localize(option, "member", "option.quotaMember"),
					),
				),
			),
		)
		.addSubcommand((mediaType) =>
			withCredits(
				localize(mediaType, "media_type", "command.quotaMediaType").addStringOption((option) =>
					localize(option, "media_type", "option.quotaMediaType")
						.setRequired(true)
						.addChoices(...MEDIA_TYPE_CHOICES),
				),
			).addBooleanOption((option) => localize(option, "clear", "option.quotaClear")),
		)
		.toJSON(),

	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps);
		const { guildId, user } = interaction;
		const { accounts, settings } = deps;
		const subcommand = interaction.options.getSubcommand();
		if (subcommand === "show") {
			await interaction.editReply(await quotaPanel(interaction, await settings.read(guildId), { accounts }));
			return;
		}
		const after = await settings.change(guildId, readQuotaChange(interaction), memberAuthor(user.id, "discord"));
		logger.info({ userId: user.id, subcommand }, "settings changed");
		await interaction.editReply(await quotaPanel(interaction, after, { accounts }));
	},

	async autocomplete(interaction) {
		const zones = searchTimeZones(interaction.options.getFocused());
		await interaction.respond(zones.map((zone) => ({ name: zone, value: zone })));
	},
};

function withCredits(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addIntegerOption((option) =>
		localize(option, "credits", "option.quotaCredits").setMinValue(0).setMaxValue(LIMIT_CREDITS_MAX),
	);
}

function withLimit(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return withCredits(subcommand)
		.addBooleanOption((option) => localize(option, "unlimited", "option.quotaUnlimited"))
		.addBooleanOption((option) => localize(option, "clear", "option.quotaClear"));
}

function withPer(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addStringOption((option) =>
		localize(option, "per", "option.quotaPer").addChoices(
			localizeChoice({ key: "choice.day" }, "day"),
			localizeChoice({ key: "choice.week" }, "week"),
			localizeChoice({ key: "choice.month" }, "month"),
		),
	);
}
