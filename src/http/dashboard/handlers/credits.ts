import type { Logger } from "pino";
import type { CreditChangeBody, History } from "@atelier/dashboard/schemas/credits";
import type { Balance, Entry } from "@atelier/ledger/ledger";
import { t } from "../../../i18n/messages.ts";
import { keyNameOf, memberIdOf, OPERATOR } from "../../../services/access/change-author.ts";
import type { CreditChange } from "../../../services/credits/credit-service.ts";
import { guildAccount } from "../../../services/credits/guild-accounts.ts";
import { formatHistoryCsv } from "../../../services/credits/credits-csv.ts";
import { formatMonthlyReason } from "../../../services/credits/monthly-credits.ts";
import { givenReason, readHistory, signedCredits } from "../../../services/credits/history.ts";
import type { Handlers, Caller } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";

const PAGE_ENTRIES = 50;
const CSV_ENTRIES_MAX = 20_000;
/** Entries scanned for a CSV file: bounds the search for a member with few entries. */
const CSV_SCANNED_MAX = 100_000;

export const creditHandlers = {
	grant: ({ params: { server }, body, caller }, services) => change("grant", server, body, caller, services),

	revoke: ({ params: { server }, body, caller }, services) => change("revoke", server, body, caller, services),

	async history({ params: { server }, query: { before, userId, kind }, caller }, { ledger }) {
		const query = { entriesMax: PAGE_ENTRIES, beforeSeq: before, userId, kind, effectiveOnly: kind === undefined };
		const { entries, nextBeforeSeq } = await readHistory(ledger, guildAccount(server), query);
		return { items: entries.map((entry) => entryOf(entry, caller)), next: nextBeforeSeq ?? null };
	},

	async historyCsv({ params: { server }, query: { before, userId, kind } }, { ledger }) {
		const query = { entriesMax: CSV_ENTRIES_MAX, scannedMax: CSV_SCANNED_MAX, beforeSeq: before, userId, kind };
		const { entries, nextBeforeSeq } = await readHistory(ledger, guildAccount(server), query);
		return formatHistoryCsv(entries, nextBeforeSeq);
	},
} satisfies Partial<Handlers>;

/** Changes the credits of a server. The page chooses the operation id, so that a repeat after a lost response moves credits once. */
async function change(
	kind: "grant" | "revoke",
	guildId: string,
	{ operationId, amountCredits, reason }: CreditChangeBody,
	caller: Caller,
	services: DashboardServices,
): Promise<Balance> {
	// Grants this month's credits first, so that the balance in the response includes them.
	await services.accounts.grantMonthlyCredits(guildId);
	const request = {
		guildId,
		operationId: `dashboard:${caller.apiKeyId ?? caller.userId}:${operationId}`,
		amountCredits,
		by: caller.by,
		reason,
	};
	return await changeCredits(kind, request, caller.logger.child({ userId: caller.userId }), services);
}

export async function changeCredits(
	kind: "grant" | "revoke",
	request: CreditChange,
	logger: Logger,
	{ creditService }: Pick<DashboardServices, "creditService">,
): Promise<Balance> {
	const balance = await creditService[kind](request);
	logger.info({ kind, amountCredits: request.amountCredits }, "credits changed");
	return balance;
}

export function entryOf(entry: Entry, { locale }: Pick<Caller, "locale">): History["items"][number] {
	const { taskId = null, model = null, by } = entry;
	const monthlyReason = formatMonthlyReason(entry);
	return {
		...entry,
		reason: monthlyReason ? t(locale, monthlyReason) : givenReason(entry),
		changeCredits: signedCredits(entry),
		taskId,
		model,
		userId: memberIdOf(by),
		keyName: keyNameOf(by),
		isOperator: by === OPERATOR,
	};
}
