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
import type { GuildSettings } from "../services/guilds/guild-settings.ts";
import { describeSettings } from "../services/guilds/describe-settings.ts";
import { timeZonesLike } from "../services/guilds/quota-changes.ts";
import { LIMIT_CREDITS_MAX } from "../services/guilds/settings-schema.ts";
import { say } from "../services/messages/messages.ts";
import type { Command } from "./command.ts";
import { requireAdmission } from "./member.ts";
import { readChange } from "./quota-options.ts";
import { choice, worded } from "./wording.ts";

export const quota: Command = {
	definition: worded(new SlashCommandBuilder(), "quota", "quotaDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => worded(show, "show", "quotaShowDescription"))
		.addSubcommand((server) =>
			withPer(withCredits(worded(server, "server", "quotaServerDescription")))
				.addBooleanOption((option) => worded(option, "unlimited", "optionQuotaUnlimited"))
				.addStringOption((option) =>
					worded(option, "unused", "optionQuotaUnused").addChoices(
						choice({ key: "choiceExpire" }, "expire"),
						choice({ key: "choiceCarryOver" }, "carryOver"),
					),
				)
				.addStringOption((option) =>
					worded(option, "time_zone", "optionQuotaTimeZone").setMaxLength(60).setAutocomplete(true),
				)
				.addChannelOption((option) =>
					worded(option, "warn_channel", "optionQuotaWarnChannel").addChannelTypes(
						ChannelType.GuildText,
						ChannelType.GuildAnnouncement,
					),
				)
				.addBooleanOption((option) => worded(option, "warn_nobody", "optionQuotaWarnNobody")),
		)
		.addSubcommand((role) =>
			withAllotment(
				worded(role, "role", "quotaRoleDescription").addRoleOption((option) =>
					worded(option, "role", "optionQuotaRole").setRequired(true),
				),
			),
		)
		.addSubcommand((member) =>
			withPer(
				withAllotment(
					worded(member, "member", "quotaMemberDescription").addUserOption((option) =>
						worded(option, "member", "optionQuotaMember"),
					),
				),
			),
		)
		.addSubcommand((medium) =>
			withCredits(
				worded(medium, "medium", "quotaMediumDescription").addStringOption((option) =>
					worded(option, "medium", "optionQuotaMedium")
						.setRequired(true)
						.addChoices(
							choice({ key: "choiceImage" }, "image"),
							choice({ key: "choiceVideo" }, "video"),
							choice({ key: "choiceMusic" }, "music"),
						),
				),
			).addBooleanOption((option) => worded(option, "clear", "optionQuotaClear")),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAdmission(interaction, services);
		const { guildId, locale, user } = interaction;
		const { accounts, settings } = services;
		const describe = async (decided: GuildSettings, key?: "settingsChanged") => {
			const { text, file } = await describeSettings(accounts, guildId, decided, locale);
			const content = key === undefined ? text : say(locale, { key, params: { settings: text } });
			const files = file === undefined ? [] : [new AttachmentBuilder(Buffer.from(file), { name: "limits.txt" })];
			return { content, files };
		};

		const subcommand = interaction.options.getSubcommand();
		if (subcommand === "show") {
			await interaction.editReply(await describe(await settings.read(guildId)));
			return;
		}
		const changed = await settings.change(guildId, readChange(interaction), `member:${user.id}`);
		logger.info({ userId: user.id, subcommand }, "settings changed");
		await interaction.editReply(await describe(changed, "settingsChanged"));
	},

	async autocomplete(interaction) {
		const zones = timeZonesLike(interaction.options.getFocused());
		await interaction.respond(zones.map((zone) => ({ name: zone, value: zone })));
	},
};

function withCredits(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addIntegerOption((option) =>
		worded(option, "credits", "optionQuotaCredits").setMinValue(0).setMaxValue(LIMIT_CREDITS_MAX),
	);
}

function withAllotment(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return withCredits(subcommand)
		.addBooleanOption((option) => worded(option, "unlimited", "optionQuotaUnlimited"))
		.addBooleanOption((option) => worded(option, "clear", "optionQuotaClear"));
}

function withPer(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addStringOption((option) =>
		worded(option, "per", "optionQuotaPer").addChoices(
			choice({ key: "choiceDay" }, "day"),
			choice({ key: "choiceWeek" }, "week"),
			choice({ key: "choiceMonth" }, "month"),
		),
	);
}
