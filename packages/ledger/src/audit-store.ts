import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";
import type { Account } from "./account.ts";
import { createJournalAudit, type AuditFinding } from "./audit-account.ts";
import { finalKeyOf } from "./apply-operation.ts";
import {
	ACCOUNT_PREFIX,
	JOURNAL_PREFIX,
	PAGE_ENTRIES,
	accountKey,
	createJournal,
	journalPrefix,
	pageKey,
	pageOf,
	parseAccount,
	parseAccountKey,
	parsePageKey,
} from "./journal.ts";
import type { AccountId, Entry } from "./ledger.ts";

export interface AccountAudit {
	readonly account: AccountId;
	readonly entryCount: number;
	readonly findings: readonly AuditFinding[];
}

export type Auditor = ReturnType<typeof createAuditor>;

/** Tells whether the task of a hold is in a state that may have an open hold. `missing`: it was never stored. */
export type HoldTaskState = "mayHold" | "mustNotHold" | "missing";

interface AuditorDeps {
	readonly store: Store;
	/** Resolves to the state of the task that a hold belongs to. Without it, holds are not compared with tasks. */
	readonly holdTaskState?: (holdId: string) => Promise<HoldTaskState>;
}

/**
 * Audits the accounts in a store while it is in use, each as of the read of its document. Reads journals page by page, and keeps
 * only the operation ids of one account in memory. Repairs nothing.
 */
export function createAuditor({ store, holdTaskState }: AuditorDeps) {
	const journal = createJournal(store);

	async function account(id: AccountId): Promise<AccountAudit> {
		const loaded = await readOrFinding(id, async () => {
			const stored = await store.get(accountKey(id));
			return stored && parseAccount(stored);
		});
		if ("finding" in loaded) return { account: id, entryCount: 0, findings: [loaded.finding] };
		if (loaded.value) return await auditLoaded(id, loaded.value);
		const findings = (await hasJournal(id)) ? [missingDocument(id, accountKey(id))] : [];
		return { account: id, entryCount: 0, findings };
	}

	/** Returns whether there is a page, readable or not. */
	async function hasJournal(id: AccountId): Promise<boolean> {
		let hasUnreadablePage = false;
		const pages = store.scan(journalPrefix(id), { onCorrupt: () => void (hasUnreadablePage = true) });
		const { done } = await pages[Symbol.asyncIterator]().next();
		return done !== true || hasUnreadablePage;
	}

	async function auditLoaded(id: AccountId, loaded: Account): Promise<AccountAudit> {
		const audit = createJournalAudit(id, loaded);
		const findings: AuditFinding[] = [];
		const archivedCount = loaded.seq - loaded.entries.length;
		for (let page = 0; page * PAGE_ENTRIES < archivedCount; page++) {
			const read = await readOrFinding(id, () => journal.page(id, page));
			if ("finding" in read) findings.push(read.finding);
			else if (!read.value) findings.push(missingDocument(id, pageKey(id, page)));
			else {
				for (const entry of read.value) audit.take(entry);
				findings.push(...(await Promise.all(read.value.map((entry) => checkIndex(id, entry)))).flat());
			}
		}
		for (const entry of loaded.entries) audit.take(entry);
		findings.push(...audit.finish(), ...(await findNewerPages(id, loaded)));
		findings.push(...(await findHoldsWithoutTask(id, loaded)));
		return { account: id, entryCount: loaded.seq, findings };
	}

	async function checkIndex(id: AccountId, entry: Entry): Promise<readonly AuditFinding[]> {
		const idempotencyKey = finalKeyOf(entry);
		if (idempotencyKey === undefined) return [];
		const read = await readOrFinding(id, () => journal.seqOf(id, idempotencyKey));
		if ("finding" in read) return [read.finding];
		if (read.value === entry.seq) return [];
		const found = read.value ?? "none";
		return [{ account: id, rule: "index", subject: `index ${idempotencyKey}`, expected: entry.seq, found }];
	}

	/** Finds journal pages that are newer than the account, which was then overwritten with an older version. */
	async function findNewerPages(id: AccountId, loaded: Account): Promise<readonly AuditFinding[]> {
		const newer = await readOrFinding(id, () => store.get(pageKey(id, pageOf(loaded.seq + 1))));
		if ("finding" in newer) return [newer.finding];
		if (!newer.value) return [];
		const again = await store.get<{ seq: number }>(accountKey(id));
		if (again && parseAccount(again).seq > loaded.seq) return [];
		return [
			{
				account: id,
				rule: "gapless",
				subject: "account, seq",
				expected: `at least ${loaded.seq + 1}`,
				found: loaded.seq,
			},
		];
	}

	/** Holds of the studio belong to no task of the bot. */
	async function findHoldsWithoutTask(id: AccountId, { holds }: Account): Promise<readonly AuditFinding[]> {
		if (!holdTaskState || !/^(?:guild|use):/.test(id)) return [];
		const findings: AuditFinding[] = [];
		for (const { id: holdId } of holds) {
			const read = await readOrFinding(id, () => holdTaskState(holdId));
			if ("finding" in read) findings.push(read.finding);
			else if (read.value !== "mayHold") {
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

	/** Yields every account, and every journal without an account. */
	async function* all(): AsyncIterable<AccountAudit> {
		const seen = new Set<AccountId>();
		for await (const key of scanKeys(ACCOUNT_PREFIX)) {
			const id = parseAccountKey(key);
			seen.add(id);
			yield await account(id);
		}
		for await (const key of scanKeys(JOURNAL_PREFIX)) {
			const id = parsePageKey(key);
			if (seen.has(id)) continue;
			seen.add(id);
			yield await account(id);
		}
	}

	/** Yields the keys of readable documents, then those of the others. */
	async function* scanKeys(prefix: string): AsyncIterable<string> {
		const unreadable: string[] = [];
		for await (const { key } of store.scan(prefix, { onCorrupt: (each) => void unreadable.push(each) })) yield key;
		yield* unreadable;
	}

	return { account, all };
}

async function readOrFinding<T>(
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

function missingDocument(id: AccountId, key: string): AuditFinding {
	return { account: id, rule: "gapless", subject: key, expected: "a document", found: "none" };
}
