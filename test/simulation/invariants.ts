import { isDeepStrictEqual } from "node:util";
import { accountSchema, type Account } from "@atelier/ledger/account";
import { auditAccount } from "@atelier/ledger/audit-account";
import { createAuditor, type HoldTaskState } from "@atelier/ledger/audit-store";
import { operationIdOf, type Operation } from "@atelier/ledger/apply-operation";
import { PAGE_ENTRIES, accountKey, pageKey, pageOf } from "@atelier/ledger/journal";
import type { AccountId, Entry, RefusalCode } from "@atelier/ledger/operations";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryStorage } from "@atelier/store/memory-adapter";
import type { Store } from "@atelier/store/store";

/** An invariant was violated. */
export class InvariantError extends Error {
	override readonly name = "InvariantError";
}

/**
 * Observes the disk and the clients' responses, and knows the consequences: an account always adds up, its past never
 * changes, and it contains all acknowledged operations and neither refused nor unrequested ones.
 */
export interface Observations {
	asked(account: AccountId, operation: Operation): void;
	acknowledged(account: AccountId, operation: Operation): void;
	refused(account: AccountId, operation: Operation, code: RefusalCode): void;
	/** Checks an account whose document was written. */
	look(account: AccountId): void;
	/** The number of entries of an account. */
	length(account: AccountId): number;
	entries(account: AccountId): readonly Entry[];
}

interface Known {
	readonly entries: Entry[];
	readonly byOperation: Map<string, Entry>;
	/** By operation id and amount: the number of requests without a refusal. */
	readonly possible: Map<string, number>;
}

/** The value of a stored document. */
export function readValue(text: string): unknown {
	return (JSON.parse(text) as { value: unknown }).value;
}

export function readAccount(text: string | undefined, id: AccountId): Account {
	if (text === undefined) throw new InvariantError(`the account ${id} is gone`);
	return accountSchema.parse(readValue(text));
}

/** Audits all accounts in a copy of the disk. */
export async function auditDisk(
	texts: ReadonlyMap<string, string>,
	holdTaskStateOf?: (store: Store) => (taskId: string) => Promise<HoldTaskState>,
): Promise<void> {
	const storage = createMemoryStorage();
	for (const [key, text] of texts) await storage.set(key, text);
	const store = createKeyvStore(storage);
	const auditor = createAuditor({ store, ...(holdTaskStateOf && { holdTaskState: holdTaskStateOf(store) }) });
	for await (const { account, findings } of auditor.all()) {
		if (findings.length > 0) {
			throw new InvariantError(`the audit of ${account} found ${JSON.stringify(findings, null, "\t")}`);
		}
	}
}

export function createObservations(read: (key: string) => string | undefined): Observations {
	const accounts = new Map<AccountId, Known>();

	function knownOf(id: AccountId): Known {
		const known = accounts.get(id) ?? { entries: [], byOperation: new Map(), possible: new Map() };
		accounts.set(id, known);
		return known;
	}

	function look(id: AccountId): void {
		const known = knownOf(id);
		const account = readAccount(read(accountKey(id)), id);
		for (const entry of account.entries) {
			const before = known.entries[entry.seq - 1];
			if (before) expectSame(`${id}, entry ${entry.seq}`, before, entry);
			else add(id, known, entry);
		}
		// Entries that have left the account must be in the journal, unchanged.
		const firstCarried = account.entries[0]?.seq ?? account.seq + 1;
		const pages = pageOf(firstCarried);
		for (let page = Math.max(0, pages - PAGES_CHECKED_AGAIN); page < pages; page++) {
			const text = read(pageKey(id, page));
			if (text === undefined) throw new InvariantError(`${id}: page ${page} is missing in the journal`);
			const entries = known.entries.slice(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES);
			expectSame(`${id}, page ${page}`, entries, readValue(text));
		}
		const findings = auditAccount(id, account, known.entries);
		if (findings.length > 0)
			throw new InvariantError(`the audit of ${id} found ${JSON.stringify(findings, null, "\t")}`);
	}

	function add(id: AccountId, known: Known, entry: Entry): void {
		if (entry.kind !== "expire" && !known.possible.get(planned(entry.operationId, entry.kind, entry.amountCredits))) {
			throw new InvariantError(`${id}: unrequested ${JSON.stringify(entry)}, or it was refused`);
		}
		known.entries.push(entry);
		known.byOperation.set(entry.operationId, entry);
	}

	function count(account: AccountId, operation: Operation, by: number): void {
		const { possible } = knownOf(account);
		const key = planned(operationIdOf(operation), operation.kind, amountOf(operation));
		possible.set(key, (possible.get(key) ?? 0) + by);
	}

	return {
		look,
		length: (account) => knownOf(account).entries.length,
		entries: (account) => knownOf(account).entries,
		asked: (account, operation) => count(account, operation, 1),
		acknowledged(account, operation) {
			const entry = knownOf(account).byOperation.get(operationIdOf(operation));
			const same = operation.kind === "void" || entry?.amountCredits === amountOf(operation);
			if (entry?.kind === operation.kind && same) return;
			throw new InvariantError(
				`${account}: acknowledged ${JSON.stringify(operation)}, but stored ${JSON.stringify(entry)}`,
			);
		},
		refused(account, operation, code) {
			// A resolved hold was not refused: a client without a response to its start may learn only of its end.
			const over = operation.kind === "reserve" && (code === "already_posted" || code === "already_voided");
			if (!over) count(account, operation, -1);
			const { byOperation, possible } = knownOf(account);
			const entry = byOperation.get(operationIdOf(operation));
			const wanted = entry && planned(operationIdOf(operation), operation.kind, amountOf(operation));
			const itself = entry?.kind === operation.kind && entry.amountCredits === amountOf(operation);
			if (itself && !over && !possible.get(wanted ?? "")) {
				throw new InvariantError(`${account}: refused with ${code}, but stored ${JSON.stringify(entry)}`);
			}
			const isBase = EVIDENCE[code]?.(byOperation, operation) ?? true;
			if (!isBase)
				throw new InvariantError(`${account}: refused ${JSON.stringify(operation)} with ${code} without a reason`);
		},
	};
}

/** Pages that each check reads again; older ones cannot change, because no key of the journal is ever overwritten. */
const PAGES_CHECKED_AGAIN = 3;

/** The journal entries that justify a refusal. */
const EVIDENCE: Partial<Record<RefusalCode, (entries: Map<string, Entry>, operation: Operation) => boolean>> = {
	already_posted: (entries, operation) => "holdId" in operation && entries.has(`post:${operation.holdId}`),
	already_voided: (entries, operation) => "holdId" in operation && entries.has(`void:${operation.holdId}`),
	exists_with_different_amount: (entries, operation) => entries.has(operationIdOf(operation)),
	exceeds_hold: (entries, operation) => "holdId" in operation && entries.has(`reserve:${operation.holdId}`),
};

function amountOf(operation: Operation): number | undefined {
	return operation.kind === "void" ? undefined : operation.amountCredits;
}

/** A void has no amount of its own. */
function planned(operationId: string, kind: string, amountCredits: number | undefined): string {
	return `${operationId} ${kind} ${kind === "void" ? "" : amountCredits}`;
}

function expectSame(what: string, expected: unknown, found: unknown): void {
	if (isDeepStrictEqual(expected, found)) return;
	throw new InvariantError(`${what} changed from ${JSON.stringify(expected)} to ${JSON.stringify(found)}`);
}
