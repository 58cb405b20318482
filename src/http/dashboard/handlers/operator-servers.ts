/** Lists servers for operators, and grants credits to them. */
import type { RequestOf } from "@atelier/dashboard/contract";
import type { OperatorServers } from "@atelier/dashboard/schemas/operator";
import { OPERATOR } from "../../../services/access/change-author.ts";
import { DirectoryUnavailableError } from "../../../services/access/guild-directory.ts";
import { guildAccount } from "../../../services/credits/guild-accounts.ts";
import { readHistory } from "../../../services/credits/history.ts";
import { hasServerAccount, listServerAccounts } from "../../../services/operator/server-accounts.ts";
import { UserError } from "../../../services/user-error.ts";
import { ApiError } from "../api-error.ts";
import type { Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";
import { changeCredits, entryOf } from "./credits.ts";
import { readMembers } from "./directory.ts";
import { readRecentTasks } from "./list-jobs.ts";
import { awaitsReply } from "../../../services/tasks/task.ts";

const PAGE_SERVERS = 20;
const ENTRIES_SHOWN = 10;

type ListedServer = OperatorServers["items"][number];

export const operatorServerHandlers = {
	async operatorServers({ query: { search, after } }, services) {
		const areNamesKnown = await services.operator.serverNames.refresh();
		const { guildIds, nextAfter: next } = await findServers({ search, after }, services);
		const items = await Promise.all(guildIds.map((guildId) => readListed(guildId, services)));
		return { items, next, areNamesKnown, creditPrice: services.catalog.creditPrice ?? null };
	},

	async operatorServer({ params: { server }, caller }, services) {
		await requireServer(server, services);
		const { accounts, ledger, settings, catalog } = services;
		const { access } = await settings.read(server);
		const [balance, month, name, recent, history] = await Promise.all([
			ledger.balance(guildAccount(server)),
			accounts.readMonth(server),
			readName(server, services),
			readRecentTasks(server, services),
			readHistory(ledger, guildAccount(server), { entriesMax: ENTRIES_SHOWN, effectiveOnly: true }),
		]);
		const entries = history.entries.map((entry) => entryOf(entry, caller));
		const userIds = entries.flatMap(({ userId }) => userId ?? []);
		return {
			id: server,
			name,
			balance,
			month,
			isPaused: access.paused !== null,
			runningJobs: recent.tasks.filter(awaitsReply).length,
			entries,
			members: (await readMembers(server, userIds, services.directory)).members,
			creditPrice: catalog.creditPrice ?? null,
		};
	},

	async operatorGrant({ params: { server }, body, caller }, services) {
		requireWrites(services);
		await requireServer(server, services);
		const change = {
			guildId: server,
			operationId: `operator:${caller.userId}:${body.operationId}`,
			amountCredits: body.amountCredits,
			by: OPERATOR,
			reason: body.reason,
		};
		const logger = caller.logger.child({ guildId: server, operatorId: caller.userId });
		return await changeCredits("grant", change, logger, services);
	},
} satisfies Partial<Handlers>;

export function requireWrites({ operator }: Pick<DashboardServices, "operator">): void {
	if (!operator.mayWrite) throw new UserError({ key: "web.operatorReadOnly" });
}

/** Digits are the beginning of an id; without an account that begins with them, also a part of a name. */
async function findServers(
	{ search = "", after }: RequestOf<"operatorServers">["query"],
	{ operator: { store, serverNames } }: Pick<DashboardServices, "operator">,
): Promise<{ readonly guildIds: readonly string[]; readonly nextAfter: string | null }> {
	const typed = search.trim();
	const isAfterId = after === undefined || /^\d+$/.test(after);
	if (isAfterId && /^\d{0,20}$/.test(typed)) {
		const found = await listServerAccounts(store, { search: typed, after, serversMax: PAGE_SERVERS });
		if (found.guildIds.length > 0 || after !== undefined || typed === "") return found;
	}
	return serverNames.search({ typed, after, serversMax: PAGE_SERVERS });
}

/** Throws for a server with neither an account, which its first use creates, nor the bot in it. */
async function requireServer(
	guildId: string,
	services: Pick<DashboardServices, "operator" | "directory">,
): Promise<void> {
	if ((await hasServerAccount(services.operator.store, guildId)) || (await readName(guildId, services)) !== null)
		return;
	throw new ApiError("not_found", { key: "web.notFound" });
}

async function readListed(guildId: string, services: DashboardServices): Promise<ListedServer> {
	const [{ availableCredits, heldCredits }, { spentCredits }, name] = await Promise.all([
		services.ledger.balance(guildAccount(guildId)),
		services.accounts.readMonth(guildId),
		readName(guildId, services),
	]);
	return { id: guildId, name, availableCredits, heldCredits, spentCredits };
}

/** Asks Discord for a name that has not been read yet. The list is of use without names, too. */
async function readName(
	guildId: string,
	{ operator, directory }: Pick<DashboardServices, "operator" | "directory">,
): Promise<string | null> {
	try {
		return operator.serverNames.nameOf(guildId) ?? (await directory.readGuild(guildId))?.name ?? null;
	} catch (error) {
		if (error instanceof DirectoryUnavailableError) return null;
		throw error;
	}
}
