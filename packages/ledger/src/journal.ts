/**
 * The documents of the ledger. `account:ID` is the account with its newest entries; older entries are in pages,
 * `journal:ID:PAGE`. A marker, `operation:ID:OPERATION` or `hold:ID:HOLD`, finds the entry of an operation, so that
 * repeats are detected forever.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store, StoredDocument } from "@atelier/store/store";
import { accountSchema, entrySchema, type Account } from "./account.ts";
import { isFinal, markOf } from "./apply-operation.ts";
import type { AccountId, Entry } from "./operations.ts";

/** Entries per page. A page is written once, when it is full. */
export const PAGE_ENTRIES = 8;

const PAGE_DIGITS = 12;
export const ACCOUNT_PREFIX = "account:";
export const JOURNAL_PREFIX = "journal:";

const markSchema = z.object({ seq: z.int().min(1) });
const pageSchema = z.array(entrySchema).length(PAGE_ENTRIES);

export function accountKey(id: AccountId): string {
	return `${ACCOUNT_PREFIX}${id}`;
}

export function readAccountKey(key: string): AccountId {
	return key.slice(ACCOUNT_PREFIX.length);
}

export function pageKey(id: AccountId, page: number): string {
	return `${JOURNAL_PREFIX}${id}:${String(page).padStart(PAGE_DIGITS, "0")}`;
}

export function readPageKey(key: string): { readonly id: AccountId; readonly page: number } {
	return { id: key.slice(JOURNAL_PREFIX.length, -PAGE_DIGITS - 1), page: Number(key.slice(-PAGE_DIGITS)) };
}

export function pageOf(seq: number): number {
	return Math.floor((seq - 1) / PAGE_ENTRIES);
}

/** Returns the entries of the account whose page is full. */
export function entriesOfWholePages({ entries, seq }: Account): readonly Entry[] {
	return entries.slice(0, Math.max(0, entries.length - (seq % PAGE_ENTRIES)));
}

/** `operation:OPERATION` of account ID is stored as `operation:ID:OPERATION`; the same for holds. */
function markKey(id: AccountId, mark: string): string {
	const colon = mark.indexOf(":");
	return `${mark.slice(0, colon)}:${id}${mark.slice(colon)}`;
}

export function parseAccount(stored: StoredDocument): Account {
	return parse(accountSchema, stored);
}

export interface Journal {
	/** Returns the final entry with this key. */
	find(id: AccountId, mark: string): Promise<Entry | undefined>;
	/** Returns the sequence number of the entry that a marker points to. */
	seqOf(id: AccountId, mark: string): Promise<number | undefined>;
	/** `undefined` if the page does not exist. */
	page(id: AccountId, page: number): Promise<readonly Entry[] | undefined>;
	/** Appends whole pages, in order. Repeatable: existing pages stay unchanged. */
	append(id: AccountId, entries: readonly Entry[]): Promise<void>;
}

export function createJournal(store: Store): Journal {
	async function page(id: AccountId, number: number): Promise<readonly Entry[] | undefined> {
		const key = pageKey(id, number);
		const stored = await store.get(key);
		if (!stored) return undefined;
		const entries = parse(pageSchema, stored);
		const isWhole = entries.every(({ seq }, index) => seq === number * PAGE_ENTRIES + 1 + index);
		if (!isWhole) throw new CorruptDocumentError(key, new Error("entries belong to another page"));
		return entries;
	}

	async function seqOf(id: AccountId, mark: string): Promise<number | undefined> {
		const stored = await store.get(markKey(id, mark));
		return stored && parse(markSchema, stored).seq;
	}

	return {
		page,
		seqOf,
		async find(id, mark) {
			const seq = await seqOf(id, mark);
			if (seq === undefined) return undefined;
			const entry = (await page(id, pageOf(seq)))?.[(seq - 1) % PAGE_ENTRIES];
			if (entry && markOf(entry) === mark && isFinal(entry)) return entry;
			throw new CorruptDocumentError(markKey(id, mark), new Error(`entry ${seq} has another sequence number`));
		},
		async append(id, entries) {
			const pages = Map.groupBy(entries, ({ seq }) => pageOf(seq));
			await Promise.all([...pages].map(([number, each]) => store.compareAndSet(pageKey(id, number), undefined, each)));
			// Markers are written after entries: a marker always leads to its entry.
			await Promise.all(
				entries.filter(isFinal).map((entry) => {
					const mark = markOf(entry);
					assert(mark);
					return store.compareAndSet(markKey(id, mark), undefined, { seq: entry.seq });
				}),
			);
		},
	};
}

function parse<T>(schema: z.ZodType<T>, stored: StoredDocument): T {
	const parsed = schema.safeParse(stored.value);
	if (!parsed.success) throw new CorruptDocumentError(stored.key, parsed.error);
	return parsed.data;
}
