/**
 * The documents of the ledger. `account:ID` is the account with its newest entries; older entries are in full pages,
 * `journal:ID:PAGE`. An index, `operation:ID:OPERATION` and `hold:ID:HOLD`, leads from an idempotency key to the entry in a
 * page that excludes later operations with this key, its final entry, so that repeats are detected forever.
 */
import { z } from "zod";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { DocumentWrite, Store, StoredDocument } from "@atelier/store/store";
import { accountSchema, entrySchema, type Account } from "./account.ts";
import { finalKeyOf } from "./apply-operation.ts";
import type { AccountId, Entry } from "./ledger.ts";

/** Entries per page. A page is written once, in one transaction with the account that no longer contains its entries. */
export const PAGE_ENTRIES = 8;

const PAGE_DIGITS = 12;
export const ACCOUNT_PREFIX = "account:";
export const JOURNAL_PREFIX = "journal:";

const indexSchema = z.object({ seq: z.int().min(1) });
const pageSchema = z.array(entrySchema).length(PAGE_ENTRIES);

export function accountKey(id: AccountId): string {
	return `${ACCOUNT_PREFIX}${id}`;
}

export function parseAccountKey(key: string): AccountId {
	return key.slice(ACCOUNT_PREFIX.length);
}

export function pageKey(id: AccountId, page: number): string {
	return journalPrefix(id) + String(page).padStart(PAGE_DIGITS, "0");
}

/** Returns the prefix of the keys of an account's pages. */
export function journalPrefix(id: AccountId): string {
	return `${JOURNAL_PREFIX}${id}:`;
}

/** Returns the account of a page. */
export function parsePageKey(key: string): AccountId {
	return key.slice(JOURNAL_PREFIX.length, -PAGE_DIGITS - 1);
}

export function pageOf(seq: number): number {
	return Math.floor((seq - 1) / PAGE_ENTRIES);
}

/** Removes the full pages from an account. Returns it with the documents to write in the same transaction. */
export function moveFullPages(
	id: AccountId,
	account: Account,
): { readonly account: Account; readonly writes: readonly DocumentWrite[] } {
	const movedCount = Math.max(0, account.entries.length - (account.seq % PAGE_ENTRIES));
	if (movedCount === 0) return { account, writes: [] };
	const moved = account.entries.slice(0, movedCount);
	const pages = Map.groupBy(moved, ({ seq }) => pageOf(seq));
	const pageWrites = [...pages].map(([page, entries]) => ({ key: pageKey(id, page), value: entries }));
	const indexWrites = moved.flatMap((entry) => {
		const key = finalKeyOf(entry);
		return key === undefined ? [] : { key: indexKey(id, key), value: { seq: entry.seq } };
	});
	return {
		account: { ...account, entries: account.entries.slice(movedCount) },
		writes: [...pageWrites, ...indexWrites],
	};
}

/** Inserts the account: `operation:OPERATION` becomes `operation:ID:OPERATION`, and `hold:HOLD` becomes `hold:ID:HOLD`. */
function indexKey(id: AccountId, idempotencyKey: string): string {
	const colon = idempotencyKey.indexOf(":");
	return `${idempotencyKey.slice(0, colon)}:${id}${idempotencyKey.slice(colon)}`;
}

export function parseAccount(stored: StoredDocument): Account {
	return parse(accountSchema, stored);
}

export function createJournal(store: Store) {
	/** Resolves to `undefined` if the page does not exist. */
	async function page(id: AccountId, number: number): Promise<readonly Entry[] | undefined> {
		const key = pageKey(id, number);
		const stored = await store.get(key);
		if (!stored) return undefined;
		const entries = parse(pageSchema, stored);
		const isConsecutive = entries.every(({ seq }, index) => seq === number * PAGE_ENTRIES + 1 + index);
		if (!isConsecutive) throw new CorruptDocumentError(key, new Error("entries belong to another page"));
		return entries;
	}

	/** Resolves to the sequence number of the final entry with this idempotency key in the index, without a read of its page. */
	async function seqOf(id: AccountId, idempotencyKey: string): Promise<number | undefined> {
		const stored = await store.get(indexKey(id, idempotencyKey));
		return stored && parse(indexSchema, stored).seq;
	}

	return {
		page,
		seqOf,
		/** Resolves to the final entry with this idempotency key in the pages. Does not search the entries in the account. */
		async find(id: AccountId, idempotencyKey: string): Promise<Entry | undefined> {
			const seq = await seqOf(id, idempotencyKey);
			if (seq === undefined) return undefined;
			const entry = (await page(id, pageOf(seq)))?.[(seq - 1) % PAGE_ENTRIES];
			if (entry && finalKeyOf(entry) === idempotencyKey) return entry;
			const cause = new Error(`entry ${seq} is missing or has another key`);
			throw new CorruptDocumentError(indexKey(id, idempotencyKey), cause);
		},
	};
}

function parse<T>(schema: z.ZodType<T>, stored: StoredDocument): T {
	const parsed = schema.safeParse(stored.value);
	if (!parsed.success) throw new CorruptDocumentError(stored.key, parsed.error);
	return parsed.data;
}
