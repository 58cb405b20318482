import { booleanOption, integerOption, userOption } from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type SlashInteraction } from "./framework/command.ts";
import { showCredits } from "./credits-card.ts";
import { authorText } from "../services/access/change-author.ts";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { formatHistoryCsv } from "../services/credits/credits-csv.ts";
import { formatMonthlyReason } from "../services/credits/monthly-credits.ts";
import { readHistory } from "../services/credits/history.ts";
import type { Entry } from "@atelier/ledger/ledger";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/message-param-values.ts";
import { UserError } from "../services/user-error.ts";
import { isManager } from "./framework/invoking-member.ts";
import { fileReply } from "../discord/card.ts";
import { ID_NUMBER_MAX } from "../discord/custom-id.ts";
import { definePagedList } from "./framework/paged-list.ts";
import type { CommandServices } from "./command-services.ts";

export const credits = defineCommandGroup("credits", [
	subcommand("show", [], showCredits),
	subcommand(
		"history",
		[
			userOption("member", "option.historyMember"),
			integerOption("before", "option.historyBefore", { min_value: 1, max_value: ID_NUMBER_MAX }),
			booleanOption("csv", "option.historyCsv"),
		],
		showHistory,
	),
]);

const PAGE_ENTRIES = 12;
/** Also the most entries that are scanned for a CSV file. */
const CSV_ENTRIES_MAX = 10_000;
const REASON_CHARS_SHOWN = 60;
const MODEL_CHARS_SHOWN = 40;

async function showHistory(interaction: SlashInteraction, services: CommandServices): Promise<void> {
	const { guildId, locale, options, user } = interaction;
	const member = options.getUser("member");
	if (member && member.id !== user.id && !isManager(interaction))
		throw new UserError({ key: "permission.othersHistory" });
	const userId = member?.id ?? (isManager(interaction) ? undefined : user.id);
	const beforeSeq = options.getInteger("before") ?? undefined;
	const account = guildAccount(guildId);
	const query = { userId, beforeSeq, spendingOnly: userId === user.id };

	if (options.getBoolean("csv") === true) {
		const page = await readHistory(services.ledger, account, {
			...query,
			entriesMax: CSV_ENTRIES_MAX,
			scannedMax: CSV_ENTRIES_MAX,
		});
		const { entries, nextBeforeSeq: before } = page;
		const message: MessageDescriptor = { key: "history.csv", params: { entries: entries.length } };
		const truncatedLines = before === undefined ? [] : [t(locale, { key: "history.truncated", params: { before } })];
		const content = [t(locale, message), ...truncatedLines].join("\n");
		await interaction.editReply(fileReply(content, "credits.csv", formatHistoryCsv(entries, before)));
		return;
	}
	await historyList.show(interaction, { memberId: userId ?? null, before: beforeSeq ?? null }, services);
}

export const historyList = definePagedList("history", async (interaction, position, { ledger }) => {
	const { guildId, locale, user } = interaction;
	const { memberId, before, page: pageNumber } = position;
	if (memberId !== user.id && !isManager(interaction)) throw new UserError({ key: "permission.othersHistory" });
	const userId = memberId ?? undefined;
	const query = { userId, beforeSeq: before ?? undefined, spendingOnly: userId === user.id, effectiveOnly: true };
	const skip = pageNumber * PAGE_ENTRIES;
	const account = guildAccount(guildId);
	const { entries, nextBeforeSeq, isTruncated } = await readHistory(ledger, account, {
		...query,
		skip,
		entriesMax: PAGE_ENTRIES,
	});
	if (entries.length === 0 && nextBeforeSeq === undefined) return t(locale, { key: "history.empty" });
	return {
		head: t(locale, entries.length === 0 ? { key: "history.notFound" } : headingOf(userId, user.id)),
		rows: entries.map((entry) => ({ text: t(locale, entryLine(entry)) })),
		hasMore: nextBeforeSeq !== undefined && !isTruncated,
		searchBefore: isTruncated ? nextBeforeSeq : undefined,
	};
});

function headingOf(userId: string | undefined, requesterId: string): MessageDescriptor {
	if (userId === undefined) return { key: "history.server" };
	return userId === requesterId ? { key: "history.mine" } : { key: "history.member", params: { userId } };
}

function entryLine(entry: Entry): MessageDescriptor {
	const { kind, amountCredits, atMs, postedAfterCredits, by } = entry;
	const line = {
		atS: toTimestampS(atMs),
		amountCredits,
		afterCredits: postedAfterCredits,
		who: authorText(by),
	};
	const model = quote(entry.model ?? entry.reason, MODEL_CHARS_SHOWN);
	switch (kind) {
		case "post":
			return { key: "history.charged", params: { ...line, model } };
		case "reserve":
		case "void":
			return { key: "history.returned", params: { ...line, model } };
		case "expire":
			return { key: "history.expired", params: line };
		case "grant":
		case "adjust":
			return {
				key: amountCredits < 0 ? "history.revoked" : "history.granted",
				params: {
					...line,
					amountCredits: Math.abs(amountCredits),
					reason: formatMonthlyReason(entry) ?? quote(entry.reason, REASON_CHARS_SHOWN),
				},
			};
	}
}
