import { guildAccount } from "../../../services/credits/guild-accounts.ts";
import { lastDays, type PeriodSpan } from "../../../services/period.ts";
import { formatUsageCsv } from "../../../services/credits/credits-csv.ts";
import { readUsage, readUsageAndBefore } from "../../../services/credits/usage-report.ts";
import type { Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

const MEMBERS_SHOWN = 50;

export const usageHandlers = {
	async usage({ params: { server }, query }, services) {
		const { timeZone, days } = await daysOf(server, 2 * Number(query.days), services);
		const report = await readUsageAndBefore(services.ledger, guildAccount(server), days);
		const others = report.members.slice(MEMBERS_SHOWN);
		return {
			timeZone,
			days: report.days.map(({ day, media }) => ({ day: day.id, ...media })),
			total: report.total,
			before: report.before,
			members: report.members
				.slice(0, MEMBERS_SHOWN)
				.map(({ name, credits, results }) => ({ userId: name, credits, results })),
			otherMembers: {
				count: others.length,
				credits: others.reduce((sum, { credits }) => sum + credits, 0),
				results: others.reduce((sum, { results }) => sum + results, 0),
			},
			models: report.models.map(({ name, credits, results }) => ({ model: name, credits, results })),
			completeAfterMs: report.completeAfterMs ?? null,
		};
	},

	async usageCsv({ params: { server }, query }, services) {
		const { days } = await daysOf(server, Number(query.days), services);
		return formatUsageCsv(await readUsage(services.ledger, guildAccount(server), days));
	},
} satisfies Partial<Handlers>;

async function daysOf(
	guildId: string,
	dayCount: number,
	{ settings, clock }: Pick<DashboardServices, "settings" | "clock">,
): Promise<{ readonly timeZone: string; readonly days: readonly PeriodSpan[] }> {
	const { timeZone } = await settings.read(guildId);
	return { timeZone, days: lastDays(clock.nowMs(), dayCount, timeZone) };
}
