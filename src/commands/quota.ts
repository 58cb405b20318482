import {
	ApplicationIntegrationType,
	AttachmentBuilder,
	ChannelType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
	type SlashCommandSubcommandBuilder,
} from "discord.js";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { formatSettings } from "../services/settings/format-settings.ts";
import { searchTimeZones } from "../services/credits/quota-changes.ts";
import { LIMIT_CREDITS_MAX } from "../services/settings/settings-schema.ts";
import { t } from "../i18n/messages.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { Command } from "./command.ts";
import { requireAuthorization } from "./member.ts";
import { readChange } from "./quota-options.ts";
import { localizeChoice, localize } from "./localize.ts";

interface QuotaDeps {
	readonly accounts: GuildAccounts;
	readonly settings: GuildSettingsStore;
	readonly commandPermissions: CommandOverrides;
}

export const quota: Command<QuotaDeps> = {
	definition: localize(new SlashCommandBuilder(), "quota", "quotaDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => localize(show, "show", "quotaShowDescription"))
		.addSubcommand((server) =>
			withPer(withCredits(localize(server, "server", "quotaServerDescription")))
				.addBooleanOption((option) => localize(option, "unlimited", "optionQuotaUnlimited"))
				.addStringOption((option) =>
					localize(option, "unused", "optionQuotaUnused").addChoices(
						localizeChoice({ key: "choiceExpire" }, "expire"),
						localizeChoice({ key: "choiceCarryOver" }, "carryOver"),
					),
				)
				.addStringOption((option) =>
					localize(option, "time_zone", "optionQuotaTimeZone").setMaxLength(60).setAutocomplete(true),
				)
				.addChannelOption((option) =>
					localize(option, "warn_channel", "optionQuotaWarnChannel").addChannelTypes(
						ChannelType.GuildText,
						ChannelType.GuildAnnouncement,
					),
				)
				.addBooleanOption((option) => localize(option, "warn_nobody", "optionQuotaWarnNobody")),
		)
		.addSubcommand((role) =>
			withLimit(
				localize(role, "role", "quotaRoleDescription").addRoleOption((option) =>
					localize(option, "role", "optionQuotaRole").setRequired(true),
				),
			),
		)
		.addSubcommand((member) =>
			withPer(
				withLimit(
					localize(member, "member", "quotaMemberDescription").addUserOption((option) =>
						localize(option, "member", "optionQuotaMember"),
					),
				),
			),
		)
		.addSubcommand((medium) =>
			withCredits(
				localize(medium, "medium", "quotaMediumDescription").addStringOption((option) =>
					localize(option, "medium", "optionQuotaMedium")
						.setRequired(true)
						.addChoices(
							localizeChoice({ key: "choiceImage" }, "image"),
							localizeChoice({ key: "choiceVideo" }, "video"),
							localizeChoice({ key: "choiceMusic" }, "music"),
						),
				),
			).addBooleanOption((option) => localize(option, "clear", "optionQuotaClear")),
		)
		.toJSON(),

	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps);
		const { guildId, locale, user } = interaction;
		const { accounts, settings } = deps;
		const format = async (stored: GuildSettings, key?: "settingsChanged") => {
			const { text, file } = await formatSettings(accounts, guildId, stored, locale);
			const content = key === undefined ? text : t(locale, { key, params: { settings: text } });
			const files = file === undefined ? [] : [new AttachmentBuilder(Buffer.from(file), { name: "limits.txt" })];
			return { content, files };
		};

		const subcommand = interaction.options.getSubcommand();
		if (subcommand === "show") {
			await interaction.editReply(await format(await settings.read(guildId)));
			return;
		}
		const changed = await settings.change(guildId, readChange(interaction), `member:${user.id}`);
		logger.info({ userId: user.id, subcommand }, "settings changed");
		await interaction.editReply(await format(changed, "settingsChanged"));
	},

	async autocomplete(interaction) {
		const zones = searchTimeZones(interaction.options.getFocused());
		await interaction.respond(zones.map((zone) => ({ name: zone, value: zone })));
	},
};

function withCredits(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addIntegerOption((option) =>
		localize(option, "credits", "optionQuotaCredits").setMinValue(0).setMaxValue(LIMIT_CREDITS_MAX),
	);
}

function withLimit(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return withCredits(subcommand)
		.addBooleanOption((option) => localize(option, "unlimited", "optionQuotaUnlimited"))
		.addBooleanOption((option) => localize(option, "clear", "optionQuotaClear"));
}

function withPer(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addStringOption((option) =>
		localize(option, "per", "optionQuotaPer").addChoices(
			localizeChoice({ key: "choiceDay" }, "day"),
			localizeChoice({ key: "choiceWeek" }, "week"),
			localizeChoice({ key: "choiceMonth" }, "month"),
		),
	);
}
