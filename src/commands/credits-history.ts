import { AttachmentBuilder } from "discord.js";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { formatHistoryCsv } from "../services/credits/history-csv.ts";
import { readHistory, type HistoryPage } from "../services/credits/history.ts";
import type { Entry, Ledger } from "@atelier/ledger/operations";
import type { MessageRef } from "../i18n/message-ref.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/timestamp.ts";
import { UserError } from "../services/user-error.ts";
import type { Subcommand } from "./command.ts";
import { isManager } from "./invoking-member.ts";

const PAGE_ENTRIES = 12;
/** A message has 2,000 characters; the rest is for its first and last line. */
const LINES_CHARS_MAX = 1_700;
const CSV_ENTRIES_MAX = 10_000;
const REASON_CHARS_SHOWN = 60;
const MODEL_CHARS_SHOWN = 40;

export interface HistoryDeps {
	readonly ledger: Pick<Ledger, "history">;
}

export const showHistory: Subcommand<HistoryDeps> = async (interaction, { ledger }) => {
	const { guildId, locale, options, user } = interaction;
	const member = options.getUser("member");
	if (member && member.id !== user.id && !isManager(interaction))
		throw new UserError({ key: "permission.othersHistory" });
	const userId = member?.id ?? (isManager(interaction) ? undefined : user.id);
	const beforeSeq = options.getInteger("before") ?? undefined;
	const account = guildAccount(guildId);
	const query = { userId, beforeSeq, usesOnly: userId === user.id };

	if (options.getBoolean("csv") === true) {
		const all = { ...query, entriesMax: CSV_ENTRIES_MAX, lookedAtMax: CSV_ENTRIES_MAX };
		const page = await readHistory(ledger, account, all);
		const message: MessageRef = { key: "history.csv", params: { entries: page.entries.length } };
		const file = new AttachmentBuilder(Buffer.from(formatHistoryCsv(page.entries)), { name: "credits.csv" });
		const content = [t(locale, message), ...nextPageOf(page, locale)].join("\n");
		await interaction.editReply({ content, files: [file] });
		return;
	}
	const page = await readHistory(ledger, account, { ...query, entriesMax: PAGE_ENTRIES, endsOnly: true });
	const lines =
		page.entries.length === 0
			? [t(locale, emptyOf(page))]
			: [t(locale, headingOf(userId, user.id)), ...linesOf(page, locale)];
	await interaction.editReply({ content: lines.join("\n") });
};

function emptyOf({ nextBeforeSeq }: HistoryPage): MessageRef {
	if (nextBeforeSeq === undefined) return { key: "history.empty" };
	return { key: "history.notFound", params: { before: nextBeforeSeq } };
}

/** Returns as many entries as fit into a message, and the command that shows the next page. */
function linesOf(page: HistoryPage, locale: string): readonly string[] {
	const lines: string[] = [];
	let chars = 0;
	for (const entry of page.entries) {
		const line = t(locale, messageOf(entry, locale));
		chars += line.length + 1;
		if (chars > LINES_CHARS_MAX)
			return [...lines, ...nextPageOf({ nextBeforeSeq: entry.seq + 1, isTruncated: false }, locale)];
		lines.push(line);
	}
	return [...lines, ...nextPageOf(page, locale)];
}

function headingOf(userId: string | undefined, requesterId: string): MessageRef {
	if (userId === undefined) return { key: "history.server" };
	return userId === requesterId ? { key: "history.mine" } : { key: "history.member", params: { userId } };
}

function nextPageOf({ nextBeforeSeq, isTruncated }: Omit<HistoryPage, "entries">, locale: string): readonly string[] {
	if (nextBeforeSeq === undefined) return [];
	return [t(locale, { key: isTruncated ? "history.truncated" : "history.more", params: { before: nextBeforeSeq } })];
}

function messageOf(entry: Entry, locale: string): MessageRef {
	const { kind, amountCredits, atMs, postedAfterCredits, by } = entry;
	const line = {
		atS: toTimestampS(atMs),
		amountCredits,
		afterCredits: postedAfterCredits,
		who: formatActor(by, locale),
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
				params: { ...line, amountCredits: Math.abs(amountCredits), reason: quote(entry.reason, REASON_CHARS_SHOWN) },
			};
	}
}

function formatActor(by: string, locale: string): string {
	const memberId = /^member:(\d+)$/.exec(by)?.[1];
	if (memberId !== undefined) return `<@${memberId}>`;
	return t(locale, { key: by === "operator" ? "history.byOwner" : "history.bySystem" });
}
