import { isDeepStrictEqual } from "node:util";
import { accountSchema, type Account } from "@atelier/ledger/account";
import { auditAccount } from "@atelier/ledger/audit";
import { operationIdOf, type Operation } from "@atelier/ledger/decide";
import { PAGE_ENTRIES, accountKey, pageKey, pageOf } from "@atelier/ledger/journal";
import type { AccountId, Entry, RefusalCode } from "@atelier/ledger/operations";

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
	/** Looks at an account whose document was written. */
	look(account: AccountId): void;
	/** How many entries an account has. */
	length(account: AccountId): number;
	entries(account: AccountId): readonly Entry[];
}

interface Known {
	readonly entries: Entry[];
	readonly byOperation: Map<string, Entry>;
	/** By operation id and amount: askers who were told "yes" or nothing yet. */
	readonly possible: Map<string, number>;
}

export function createObservations(read: (key: string) => string | undefined): Observations {
	const accounts = new Map<AccountId, Known>();

	function knownOf(id: AccountId): Known {
		const known = accounts.get(id) ?? { entries: [], byOperation: new Map(), possible: new Map() };
		accounts.set(id, known);
		return known;
	}

	function readAccount(id: AccountId): Account {
		const text = read(accountKey(id));
		if (text === undefined) throw new InvariantError(`the account ${id} is gone`);
		return accountSchema.parse((JSON.parse(text) as { value: unknown }).value);
	}

	function look(id: AccountId): void {
		const known = knownOf(id);
		const account = readAccount(id);
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
			if (text === undefined) throw new InvariantError(`${id}: page ${page} is in neither place`);
			const entries = known.entries.slice(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES);
			expectSame(`${id}, page ${page}`, entries, (JSON.parse(text) as { value: unknown }).value);
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
				`${account}: told that ${JSON.stringify(operation)} happened, but ${JSON.stringify(entry)}`,
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
				throw new InvariantError(`${account}: told ${code} of what happened: ${JSON.stringify(entry)}`);
			}
			const isBase = EVIDENCE[code]?.(byOperation, operation) ?? true;
			if (!isBase)
				throw new InvariantError(`${account}: told ${code} of ${JSON.stringify(operation)}, which is not so`);
		},
	};
}

/** Pages that are read again on each look; the rest cannot change, because no key of the journal is ever overwritten. */
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
