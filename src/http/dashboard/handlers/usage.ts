import { formatCsv } from "../../../services/credits/csv.ts";
import { guildAccount } from "../../../services/credits/guild-accounts.ts";
import { lastDays } from "../../../services/credits/period.ts";
import { readUsage, type UsageReport } from "../../../services/credits/usage-report.ts";
import type { Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

export const usageHandlers: Handlers<"usage" | "usageCsv"> = {
	async usage({ params: { server }, query }, services) {
		const dayCount = Number(query.days);
		const [report, reportOfBothPeriods] = await Promise.all([
			readReport(server, dayCount, services),
			readReport(server, 2 * dayCount, services),
		]);
		return {
			days: report.days.map(({ day, media }) => ({ day: day.id, ...media })),
			total: report.total,
			before: {
				credits: reportOfBothPeriods.total.credits - report.total.credits,
				results: reportOfBothPeriods.total.results - report.total.results,
			},
			members: report.members.map(({ name, credits, results }) => ({ userId: name, credits, results })),
			models: report.models.map(({ name, credits, results }) => ({ model: name, credits, results })),
			completeAfterMs: report.completeAfterMs ?? null,
		};
	},

	async usageCsv({ params: { server }, query }, services) {
		const { days } = await readReport(server, Number(query.days), services);
		const rows = days.map(({ day, media }) => [day.id, media.image, media.video, media.music]);
		return formatCsv([["day", "image", "video", "music"], ...rows]);
	},
};

async function readReport(
	guildId: string,
	dayCount: number,
	{ ledger, settings, clock }: DashboardServices,
): Promise<UsageReport> {
	const { timeZone } = await settings.read(guildId);
	return await readUsage(ledger, guildAccount(guildId), lastDays(clock.nowMs(), dayCount, timeZone));
}
