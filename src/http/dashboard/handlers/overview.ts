import type { WARNINGS } from "@atelier/dashboard/schemas/overview";
import type { GuildBalance } from "../../../services/credits/guild-accounts.ts";
import { usageLevel } from "../../../services/credits/low-credits.ts";
import { awaitsReply } from "../../../services/tasks/task.ts";
import type { GuildSettings } from "../../../services/settings/guild-settings.ts";
import type { Handlers } from "../api-request.ts";
import { jobOf } from "./job-document.ts";
import { jobViewerOf, readRecentTasks } from "./list-jobs.ts";

const RECENT_SHOWN = 8;

type Warning = (typeof WARNINGS)[number];

export const overviewHandlers = {
	async overview({ params: { server }, caller }, services) {
		const { accounts, settings, catalog, media } = services;
		const { userId, roleIds } = caller;
		const guildBalance = await accounts.readBalance({ guildId: server, userId, roleIds });
		const guildSettings = await settings.read(server);
		const [month, recent] = await Promise.all([
			accounts.readMonth(server),
			readRecentTasks(server, services, RECENT_SHOWN),
		]);
		const jobViewer = jobViewerOf(caller, services, guildSettings.reportChannelId !== null);
		const ended = recent.tasks.filter((task) => !awaitsReply(task));
		return {
			balance: guildBalance.balance,
			monthlyCredits: guildBalance.monthlyCredits,
			refillsAtMs: guildBalance.refillsAtMs,
			month,
			serverLimit: guildBalance.serverLimit ?? null,
			running: recent.tasks.filter(awaitsReply).map((task) => jobOf(task, jobViewer)),
			hasMoreRunning: recent.hasMoreRunning,
			recent: ended.slice(0, RECENT_SHOWN).map((task) => jobOf(task, jobViewer)),
			warnings: warningsOf(guildSettings, guildBalance, media.health().state === "up"),
			mayGrant: services.mayManagersGrant,
			creditPrice: catalog.creditPrice ?? null,
		};
	},
} satisfies Partial<Handlers>;

function warningsOf(
	{ access }: GuildSettings,
	{ balance, monthlyCredits, serverLimit }: GuildBalance,
	isServiceUp: boolean,
): Warning[] {
	const level = usageLevel(balance.postedCredits, monthlyCredits);
	return [
		...(access.paused ? (["paused"] as const) : []),
		...(isServiceUp ? [] : (["service_down"] as const)),
		...(level === undefined ? [] : ([`month_${level}`] as const)),
		...(serverLimit && serverLimit.usedCredits >= serverLimit.credits ? (["server_limit_reached"] as const) : []),
	];
}
