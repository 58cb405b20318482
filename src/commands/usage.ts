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
import type { Clock } from "@atelier/common/clock";
import type { Ledger } from "@atelier/ledger/operations";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Command } from "./command.ts";
import { requireAuthorization } from "./invoking-member.ts";
import { localizeChoice, localize } from "./localize.ts";

const DAYS_CHOICES = [7, 30, 90] as const;
const DAYS_DEFAULT = 30;

interface UsageDeps {
	readonly ledger: Pick<Ledger, "history">;
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly commandPermissions: CommandOverrides;
	readonly clock: Clock;
}

export const usage: Command<UsageDeps> = {
	definition: localize(new SlashCommandBuilder(), "usage", "command.usage")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addIntegerOption((option) =>
			localize(option, "days", "option.usageDays").addChoices(
				DAYS_CHOICES.map((days) => localizeChoice({ key: `choice.days${days}` }, days)),
			),
		)
		.toJSON(),

	async execute(interaction, deps) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps);
		const { guildId, locale, options } = interaction;
		const { clock, ledger, settings } = deps;
		const { timeZone } = await settings.read(guildId);
		const days = lastDays(clock.nowMs(), options.getInteger("days") ?? DAYS_DEFAULT, timeZone);
		const report = await readUsage(ledger, guildAccount(guildId), days);

		const { text, chart } = formatUsage(report, timeZone, locale);
		if (!chart) {
			await interaction.editReply({ content: text });
			return;
		}
		const image = await drawUsageChart(report.days, chart.words);
		const name = `usage-${days.length}-days.png`;
		const file = new AttachmentBuilder(image, { name, description: chart.description });
		await interaction.editReply({ content: text, files: [file] });
	},
};
