/** Lists servers for operators, and grants credits to them. */
import type { z } from "zod";
import type { OperatorServers } from "@atelier/dashboard/schemas/operator";
import { plainLine } from "../../../i18n/quote.ts";
import { DirectoryUnavailableError } from "../../../services/access/guild-directory.ts";
import { REASON_CHARS_MAX } from "../../../services/credits/credit-service.ts";
import { forecastMonth } from "../../../services/credits/forecast.ts";
import { guildAccount } from "../../../services/credits/guild-accounts.ts";
import { readHistory } from "../../../services/credits/history.ts";
import { periodAt } from "../../../services/credits/period.ts";
import { hasServerAccount, listServerAccounts } from "../../../services/operator/server-accounts.ts";
import { UserError } from "../../../services/user-error.ts";
import { ApiError } from "../api-error.ts";
import type { Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";
import { balanceOf, changeCredits, entryOf } from "./credits.ts";
import { readRecentTasks } from "./list-jobs.ts";
import { isRunning } from "../../../services/tasks/job-state.ts";

const PAGE_SERVERS = 20;
const ENTRIES_SHOWN = 10;

type ListedServer = z.infer<typeof OperatorServers>["servers"][number];

export const operatorServerHandlers: Handlers<"operatorServers" | "operatorServer" | "operatorGrant"> = {
	async operatorServers({ query: { search, after } }, services) {
		const query = { search, after, serversMax: PAGE_SERVERS };
		const { guildIds, nextAfter } = await listServerAccounts(services.operator.store, query);
		const servers = await Promise.all(guildIds.map((guildId) => readListed(guildId, services)));
		return { servers, nextAfter, creditPrice: services.catalog.creditPrice ?? null };
	},

	async operatorServer({ params: { server } }, services) {
		await requireAccount(server, services);
		const { ledger, settings, catalog, clock } = services;
		const { access, timeZone } = await settings.read(server);
		const { spentCredits, endsAtMs } = await readMonth(server, timeZone, services);
		const [balance, name, recent, history] = await Promise.all([
			ledger.balance(guildAccount(server)),
			readName(server, services),
			readRecentTasks(server, services),
			readHistory(ledger, guildAccount(server), { entriesMax: ENTRIES_SHOWN }),
		]);
		return {
			id: server,
			name,
			balance: balanceOf(balance),
			month: { spentCredits, forecastCredits: forecastMonth(spentCredits, clock.nowMs(), timeZone), endsAtMs },
			isPaused: access.paused !== null,
			runningJobs: recent.tasks.filter(isRunning).length,
			entries: history.entries.map(entryOf),
			creditPrice: catalog.creditPrice ?? null,
		};
	},

	async operatorGrant({ params: { server }, body, reader }, services) {
		requireWrites(services);
		await requireAccount(server, services);
		const change = {
			guildId: server,
			operationId: `operator:${reader.userId}:${body.operationId}`,
			amountCredits: body.amountCredits,
			by: "operator",
			reason: plainLine(body.reason, REASON_CHARS_MAX),
		};
		const logger = reader.logger.child({ guildId: server, operatorId: reader.userId });
		return balanceOf(await changeCredits("grant", change, logger, services));
	},
};

export function requireWrites({ operator }: Pick<DashboardServices, "operator">): void {
	if (!operator.mayWrite) throw new UserError({ key: "web.operatorReadOnly" });
}

/** A server without an account never used the bot, or its id is wrong. */
async function requireAccount(guildId: string, { operator }: Pick<DashboardServices, "operator">): Promise<void> {
	if (!(await hasServerAccount(operator.store, guildId))) throw new ApiError("not_found", { key: "web.notFound" });
}

async function readListed(guildId: string, services: DashboardServices): Promise<ListedServer> {
	const { timeZone } = await services.settings.read(guildId);
	const [{ availableCredits, heldCredits }, { spentCredits }, name] = await Promise.all([
		services.ledger.balance(guildAccount(guildId)),
		readMonth(guildId, timeZone, services),
		readName(guildId, services),
	]);
	return { id: guildId, name, availableCredits, heldCredits, spentCredits };
}

async function readMonth(
	guildId: string,
	timeZone: string,
	{ periodSpending, clock }: Pick<DashboardServices, "periodSpending" | "clock">,
): Promise<{ readonly spentCredits: number; readonly endsAtMs: number }> {
	const { startsAtMs, endsAtMs } = periodAt(clock.nowMs(), "month", timeZone);
	return { spentCredits: await periodSpending.spentCredits(guildAccount(guildId), startsAtMs, {}), endsAtMs };
}

/** The list is of use without names, too. */
async function readName(guildId: string, { directory }: Pick<DashboardServices, "directory">): Promise<string | null> {
	try {
		return (await directory.readGuild(guildId))?.name ?? null;
	} catch (error) {
		if (error instanceof DirectoryUnavailableError) return null;
		throw error;
	}
}
