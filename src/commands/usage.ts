import {
	ApplicationIntegrationType,
	AttachmentBuilder,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { formatUsage } from "../services/credits/format-usage.ts";
import { lastDays } from "../services/credits/period.ts";
import { drawUsageChart } from "../services/credits/usage-chart.ts";
import { readUsage } from "../services/credits/usage-report.ts";
import type { Command } from "./command.ts";
import { requireAuthorization } from "./member.ts";
import { localizeChoice, localize } from "./localize.ts";

const DAYS_CHOICES = [7, 30, 90] as const;
const DAYS_DEFAULT = 30;

export const usage: Command = {
	definition: localize(new SlashCommandBuilder(), "usage", "usageDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addIntegerOption((option) =>
			localize(option, "days", "optionUsageDays").addChoices(
				DAYS_CHOICES.map((days) => localizeChoice({ key: "choiceDays", params: { days } }, days)),
			),
		)
		.toJSON(),

	async execute(interaction, services) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, services);
		const { guildId, locale, options } = interaction;
		const { clock, ledger, settings } = services;
		const { timeZone } = await settings.read(guildId);
		const days = lastDays(clock.nowMs(), options.getInteger("days") ?? DAYS_DEFAULT, timeZone);
		const report = await readUsage(ledger, guildAccount(guildId), days);

		const { text, chart } = formatUsage(report, timeZone, locale);
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
