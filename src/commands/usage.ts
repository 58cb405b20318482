import {
	ApplicationIntegrationType,
	AttachmentBuilder,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { guildAccount } from "../services/guilds/guild-accounts.ts";
import { describeUsage } from "../services/guilds/describe-usage.ts";
import { lastDays } from "../services/guilds/period.ts";
import { drawUsageChart } from "../services/guilds/usage-chart.ts";
import { readUsage } from "../services/guilds/usage-report.ts";
import type { Command } from "./command.ts";
import { requireAdmission } from "./member.ts";
import { choice, worded } from "./wording.ts";

const DAYS_CHOICES = [7, 30, 90] as const;
const DAYS_DEFAULT = 30;

export const usage: Command = {
	definition: worded(new SlashCommandBuilder(), "usage", "usageDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addIntegerOption((option) =>
			worded(option, "days", "optionUsageDays").addChoices(
				DAYS_CHOICES.map((days) => choice({ key: "choiceDays", params: { days } }, days)),
			),
		)
		.toJSON(),

	async execute(interaction, services) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAdmission(interaction, services);
		const { guildId, locale, options } = interaction;
		const { clock, ledger, settings } = services;
		const { timeZone } = await settings.read(guildId);
		const days = lastDays(clock.nowMs(), options.getInteger("days") ?? DAYS_DEFAULT, timeZone);
		const report = await readUsage(ledger, guildAccount(guildId), days);

		const { text, chart } = describeUsage(report, timeZone, locale);
		if (!chart) {
			await interaction.editReply({ content: text });
			return;
		}
		const picture = await drawUsageChart(report.days, chart.words);
		const name = `usage-${days.length}-days.png`;
		const file = new AttachmentBuilder(picture, { name, description: chart.description });
		await interaction.editReply({ content: text, files: [file] });
	},
};
