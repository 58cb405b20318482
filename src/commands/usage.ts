import { AttachmentBuilder, ComponentType } from "discord.js";
import { cardReply, gallery, row, text, type CardPart } from "../discord/card.ts";
import { defineCustomId } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { formatUsage } from "../services/credits/format-usage.ts";
import { lastDays } from "../services/period.ts";
import { drawUsageChart } from "../services/credits/usage-chart.ts";
import { readUsage } from "../services/credits/usage-report.ts";
import { integerOption } from "./framework/command-options.ts";
import { definePrivateCommand } from "./framework/command.ts";
import { defineMenu } from "./framework/component.ts";
import { dashboardLink } from "./framework/dashboard-link.ts";
import { MANAGERS_OR_ALLOWED } from "./framework/invoking-member.ts";
import { localizedChoice } from "./framework/localize.ts";
import type { CommandServices } from "./command-services.ts";

const DAYS_CHOICES = [7, 30, 90] as const;
const DAYS_DEFAULT = 30;

const requireUsage = MANAGERS_OR_ALLOWED.authorizePressOf("usage");
const rangeCustomId = defineCustomId("usage-range", {});

export const usage = definePrivateCommand("usage", {
	audience: MANAGERS_OR_ALLOWED,
	options: [
		integerOption("days", "option.usageDays", {
			choices: DAYS_CHOICES.map((days) => localizedChoice(`choice.days${days}`, days)),
		}),
	],
	async execute(interaction, services) {
		const days = interaction.options.getInteger("days") ?? DAYS_DEFAULT;
		await interaction.editReply(await usageCard(interaction, days, services));
	},
});

/** Shows another range in place. */
export const changeUsageRange = defineMenu(rangeCustomId, async (interaction, _values, services) => {
	await interaction.deferUpdate();
	await requireUsage(interaction, services);
	const days = DAYS_CHOICES.find((each) => String(each) === interaction.values[0]) ?? DAYS_DEFAULT;
	await interaction.editReply(await usageCard(interaction, days, services));
});

async function usageCard(
	reader: { readonly guildId: string; readonly locale: string },
	dayCount: number,
	services: CommandServices,
) {
	const { guildId, locale } = reader;
	const { catalog, clock, ledger, settings } = services;
	const { timeZone } = await settings.read(guildId);
	const report = await readUsage(ledger, guildAccount(guildId), lastDays(clock.nowMs(), dayCount, timeZone));
	const { text: reportText, chart } = formatUsage(report, timeZone, locale, catalog.creditPrice);
	const range: CardPart = row({
		type: ComponentType.StringSelect,
		custom_id: rangeCustomId.encode({}),
		options: DAYS_CHOICES.map((days) => ({
			label: t(locale, { key: `choice.days${days}` }),
			value: String(days),
			default: days === dayCount,
		})),
	});
	const link = dashboardLink("usage", reader, services);
	if (!chart) return { ...cardReply([text(reportText), range, ...link]), files: [] };
	const name = `usage-${dayCount}-days.png`;
	const { description } = chart;
	const file = new AttachmentBuilder(await drawUsageChart(report.days, chart.labels), { name, description });
	const parts = [text(reportText), gallery([{ name, description }]), range, ...link];
	return { ...cardReply(parts), files: [file] };
}
