import { isDeepStrictEqual } from "node:util";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";
import type { Account } from "./account.ts";
import { createJournalAudit, type AuditFinding } from "./audit-account.ts";
import { isFinal, markOf } from "./apply-operation.ts";
import {
	ACCOUNT_PREFIX,
	JOURNAL_PREFIX,
	PAGE_ENTRIES,
	accountKey,
	createJournal,
	pageKey,
	pageOf,
	parseAccount,
	readAccountKey,
	readPageKey,
} from "./journal.ts";
import type { AccountId, Entry } from "./operations.ts";

export interface AccountAudit {
	readonly account: AccountId;
	/** `false` if neither the account nor any of its documents exists. */
	readonly exists: boolean;
	readonly entries: number;
	readonly findings: readonly AuditFinding[];
}

/**
 * Audits the accounts in a store while it is in use, each as of the read of its document. Reads journals in pages, so
 * their length does not matter. Repairs nothing.
 */
export interface Auditor {
	account(id: AccountId): Promise<AccountAudit>;
	/** Yields every account, and every journal without an account. */
	all(): AsyncIterable<AccountAudit>;
}

/** The state of the task of a hold. `missing`: it was never stored. */
export type HoldTaskState = "open" | "ended" | "missing";

interface AuditorDeps {
	readonly store: Store;
	/** Returns the purpose of a hold in a guild's account. Without it, holds are not compared with tasks. */
	readonly holdTaskState?: (holdId: string) => Promise<HoldTaskState>;
}

export function createAuditor({ store, holdTaskState }: AuditorDeps): Auditor {
	const journal = createJournal(store);

	async function account(id: AccountId): Promise<AccountAudit> {
		const loaded = await toFinding(id, async () => {
			const stored = await store.get(accountKey(id));
			return stored && parseAccount(stored);
		});
		if ("finding" in loaded) return { account: id, exists: true, entries: 0, findings: [loaded.finding] };
		if (loaded.value) return await auditLoaded(id, loaded.value);
		const has = await store.get(pageKey(id, 0));
		return { account: id, exists: has !== undefined, entries: 0, findings: has ? [missing(id, accountKey(id))] : [] };
	}

	async function auditLoaded(id: AccountId, loaded: Account): Promise<AccountAudit> {
		const audit = createJournalAudit(id, loaded);
		const findings: AuditFinding[] = [];
		const firstCarried = loaded.seq - loaded.entries.length + 1;
		for (let page = 0; page * PAGE_ENTRIES < firstCarried - 1; page++) {
			const read = await toFinding(id, () => journal.page(id, page));
			if ("finding" in read) findings.push(read.finding);
			else if (!read.value) findings.push(missing(id, pageKey(id, page)));
			else {
				for (const entry of read.value) audit.take(entry);
				findings.push(...(await Promise.all(read.value.map((entry) => findMark(id, entry)))).flat());
			}
		}
		for (const entry of loaded.entries) audit.take(entry);
		findings.push(...(await compareCopies(id, loaded)), ...audit.finish(), ...(await findBeyond(id, loaded)));
		findings.push(...(await findHoldsWithoutTask(id, loaded)));
		return { account: id, exists: true, entries: loaded.seq, findings };
	}

	async function findMark(id: AccountId, entry: Entry): Promise<readonly AuditFinding[]> {
		const mark = isFinal(entry) ? markOf(entry) : undefined;
		if (mark === undefined) return [];
		const read = await toFinding(id, () => journal.seqOf(id, mark));
		if ("finding" in read) return [read.finding];
		if (read.value === entry.seq) return [];
		const found = read.value ?? "none";
		return [{ account: id, rule: "copies", subject: `mark ${mark}`, expected: entry.seq, found }];
	}

	/** Entries in the account may already be in the journal; then both must be equal. */
	async function compareCopies(id: AccountId, { entries }: Account): Promise<readonly AuditFinding[]> {
		const findings: AuditFinding[] = [];
		for (const page of new Set(entries.map(({ seq }) => pageOf(seq)))) {
			const read = await toFinding(id, () => journal.page(id, page));
			if ("finding" in read) findings.push(read.finding);
			else if (read.value) {
				const carried = entries.filter(({ seq }) => pageOf(seq) === page);
				const copied = read.value.filter(({ seq }) => carried.some((entry) => entry.seq === seq));
				const expected = "the entries in the account's document";
				if (isDeepStrictEqual(carried, copied)) continue;
				findings.push({ account: id, rule: "copies", subject: pageKey(id, page), expected, found: "something else" });
			}
		}
		return findings;
	}

	/** Finds entries newer than the account, which means that the account was overwritten with an older version. */
	async function findBeyond(id: AccountId, loaded: Account): Promise<readonly AuditFinding[]> {
		if (!(await store.get(pageKey(id, pageOf(loaded.seq + PAGE_ENTRIES))))) return [];
		const again = await store.get<{ seq: number }>(accountKey(id));
		if (again && parseAccount(again).seq > loaded.seq) return [];
		return [
			{
				account: id,
				rule: "gapless",
				subject: "account, seq",
				expected: "at least " + (loaded.seq + 1),
				found: loaded.seq,
			},
		];
	}

	/** Holds of the studio belong to no task of the bot. */
	async function findHoldsWithoutTask(id: AccountId, { holds }: Account): Promise<readonly AuditFinding[]> {
		if (!holdTaskState || !/^(?:guild|use):/.test(id)) return [];
		const findings: AuditFinding[] = [];
		for (const { id: holdId } of holds) {
			const read = await toFinding(id, () => holdTaskState(holdId));
			if ("finding" in read) findings.push(read.finding);
			else if (read.value !== "open") {
				const found = read.value === "missing" ? "no task" : "a task that has ended";
				findings.push({ account: id, rule: "task", subject: `hold ${holdId}`, expected: "a task that is open", found });
			}
		}
		if (findings.length === 0) return findings;
		// A task that ended meanwhile resolved its hold first.
		const again = await store.get(accountKey(id));
		const open = new Set(again ? parseAccount(again).holds.map((hold) => `hold ${hold.id}`) : []);
		return findings.filter(({ rule, subject }) => rule !== "task" || open.has(subject));
	}

	async function* all(): AsyncIterable<AccountAudit> {
		const seen = new Set<AccountId>();
		const unreadable: string[] = [];
		for await (const { key } of store.scan(ACCOUNT_PREFIX, { onCorrupt: (each) => void unreadable.push(each) })) {
			const id = readAccountKey(key);
			seen.add(id);
			yield await account(id);
		}
		for (const key of unreadable) {
			const id = readAccountKey(key);
			seen.add(id);
			yield await account(id);
		}
		for await (const { key } of store.scan(JOURNAL_PREFIX, { onCorrupt: () => {} })) {
			const { id, page } = readPageKey(key);
			if (page === 0 && !seen.has(id)) yield await account(id);
		}
	}

	return { account, all };
}

async function toFinding<T>(
	id: AccountId,
	read: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly finding: AuditFinding }> {
	try {
		return { value: await read() };
	} catch (error) {
		if (!(error instanceof CorruptDocumentError)) throw error;
		return { finding: { account: id, rule: "readable", subject: error.key, expected: "a document", found: "damage" } };
	}
}

function missing(id: AccountId, key: string): AuditFinding {
	return { account: id, rule: "gapless", subject: key, expected: "a document", found: "none" };
}
