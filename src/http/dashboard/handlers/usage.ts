import { guildAccount } from "../../../services/credits/guild-accounts.ts";
import { lastDays } from "../../../services/credits/period.ts";
import { readUsageAndBefore } from "../../../services/credits/usage-report.ts";
import type { Handlers } from "../api-request.ts";

export const usageHandlers: Handlers<"usage"> = {
	async usage({ params: { server }, query }, { ledger, settings, clock }) {
		const { timeZone } = await settings.read(server);
		const days = lastDays(clock.nowMs(), 2 * Number(query.days), timeZone);
		const report = await readUsageAndBefore(ledger, guildAccount(server), days);
		return {
			days: report.days.map(({ day, media }) => ({ day: day.id, ...media })),
			total: report.total,
			before: report.before,
			members: report.members.map(({ name, credits, results }) => ({ userId: name, credits, results })),
			models: report.models.map(({ name, credits, results }) => ({ model: name, credits, results })),
			completeAfterMs: report.completeAfterMs ?? null,
		};
	},
};
