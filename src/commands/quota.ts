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
import { isCountedAnew, timeZonesLike } from "../services/guilds/quota-changes.ts";
import { en } from "../services/messages/en.ts";
import { say } from "../services/messages/messages.ts";
import type { Command } from "./command.ts";
import { requireAdmission } from "./member.ts";
import { readChange } from "./quota-options.ts";

const CREDITS_MAX = 1_000_000_000;

export const quota: Command = {
	definition: new SlashCommandBuilder()
		.setName("quota")
		.setDescription(en.quotaDescription)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => show.setName("show").setDescription(en.quotaShowDescription))
		.addSubcommand((server) =>
			withPer(withCredits(server.setName("server").setDescription(en.quotaServerDescription)))
				.addBooleanOption((option) => option.setName("unlimited").setDescription(en.optionQuotaUnlimited))
				.addStringOption((option) =>
					option
						.setName("unused")
						.setDescription(en.optionQuotaUnused)
						.addChoices({ name: en.choiceExpire, value: "expire" }, { name: en.choiceCarryOver, value: "carryOver" }),
				)
				.addStringOption((option) =>
					option.setName("time_zone").setDescription(en.optionQuotaTimeZone).setMaxLength(60).setAutocomplete(true),
				)
				.addChannelOption((option) =>
					option
						.setName("warn_channel")
						.setDescription(en.optionQuotaWarnChannel)
						.addChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement),
				)
				.addBooleanOption((option) => option.setName("warn_nobody").setDescription(en.optionQuotaWarnNobody)),
		)
		.addSubcommand((role) =>
			withAllotment(
				role
					.setName("role")
					.setDescription(en.quotaRoleDescription)
					.addRoleOption((option) => option.setName("role").setDescription(en.optionQuotaRole).setRequired(true)),
			),
		)
		.addSubcommand((member) =>
			withPer(
				withAllotment(
					member
						.setName("member")
						.setDescription(en.quotaMemberDescription)
						.addUserOption((option) => option.setName("member").setDescription(en.optionQuotaMember)),
				),
			),
		)
		.addSubcommand((medium) =>
			withCredits(
				medium
					.setName("medium")
					.setDescription(en.quotaMediumDescription)
					.addStringOption((option) =>
						option
							.setName("medium")
							.setDescription(en.optionQuotaMedium)
							.setRequired(true)
							.addChoices(
								{ name: en.choiceImage, value: "image" },
								{ name: en.choiceVideo, value: "video" },
								{ name: en.choiceMusic, value: "music" },
							),
					),
			).addBooleanOption((option) => option.setName("clear").setDescription(en.optionQuotaClear)),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAdmission(interaction, services);
		const { guildId, locale, user } = interaction;
		const { accounts, settings } = services;
		const describe = async (decided: GuildSettings, key?: "settingsChanged" | "settingsRestarted") => {
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
		const change = readChange(interaction);
		let isAnew = false;
		const changed = await settings.change(
			guildId,
			(before) => {
				const after = change(before);
				isAnew = isCountedAnew(before, after);
				return after;
			},
			`member:${user.id}`,
		);
		logger.info({ userId: user.id, subcommand }, "settings changed");
		await interaction.editReply(await describe(changed, isAnew ? "settingsRestarted" : "settingsChanged"));
	},

	async autocomplete(interaction) {
		const zones = timeZonesLike(interaction.options.getFocused());
		await interaction.respond(zones.map((zone) => ({ name: zone, value: zone })));
	},
};

function withCredits(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addIntegerOption((option) =>
		option.setName("credits").setDescription(en.optionQuotaCredits).setMinValue(0).setMaxValue(CREDITS_MAX),
	);
}

function withAllotment(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return withCredits(subcommand)
		.addBooleanOption((option) => option.setName("unlimited").setDescription(en.optionQuotaUnlimited))
		.addBooleanOption((option) => option.setName("clear").setDescription(en.optionQuotaClear));
}

function withPer(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addStringOption((option) =>
		option
			.setName("per")
			.setDescription(en.optionQuotaPer)
			.addChoices(
				{ name: en.choiceDay, value: "day" },
				{ name: en.choiceWeek, value: "week" },
				{ name: en.choiceMonth, value: "month" },
			),
	);
}
