import { isDeepStrictEqual } from "node:util";
import { accountSchema, entrySchema, type Account } from "@atelier/ledger/account";
import { createJournalAudit } from "@atelier/ledger/audit-account";
import { createAuditor, type HoldTaskState } from "@atelier/ledger/audit-store";
import { operationIdOf, type Operation } from "@atelier/ledger/apply-operation";
import { accountKey, pageKey, pageOf } from "@atelier/ledger/journal";
import type { AccountId, Credits, Entry, RejectionCode } from "@atelier/ledger/ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { Store } from "@atelier/store/store";
import { LIMIT_PREFIX, type PlannedOperation } from "./operation-generator.ts";

/** An invariant was violated. */
export class InvariantError extends Error {
	override readonly name = "InvariantError";
}

/**
 * Observes the disk and the clients' responses, and checks the invariants: the entries of an account add up, written entries
 * never change, and an account contains all acknowledged operations and no rejected or unrequested ones. A hold is in all of its
 * accounts or in none, and no limit is exceeded.
 */
export interface Observations {
	requested(planned: PlannedOperation): void;
	acknowledged(planned: PlannedOperation): void;
	rejected(planned: PlannedOperation, code: RejectionCode): void;
	/** Checks an account whose document was written. */
	checkAccount(account: AccountId): void;
	/** Checks the holds that have changed, once all of the accounts that were written together are checked. */
	checkHolds(): void;
	/** The number of entries of an account. */
	entryCount(account: AccountId): number;
	entries(account: AccountId): readonly Entry[];
}

interface ObservedAccount {
	readonly entries: Entry[];
	readonly byOperation: Map<string, Entry>;
	/** The number of requests that were not rejected, by operation id, kind and amount. */
	readonly unrejectedRequests: Map<string, number>;
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
	const storage = createMemoryAdapter();
	for (const [key, text] of texts) await storage.set(key, text);
	const store = createKeyvStore(storage);
	const auditor = createAuditor({ store, ...(holdTaskStateOf && { holdTaskState: holdTaskStateOf(store) }) });
	for await (const { account, findings } of auditor.all()) {
		if (findings.length > 0) {
			throw new InvariantError(`the audit of ${account} found ${JSON.stringify(findings, null, "\t")}`);
		}
	}
}

interface ObservationsDeps {
	readonly read: (key: string) => string | undefined;
	/** The most credits by which a limit may be below zero. */
	readonly limitCredits: Credits;
}

export function createObservations({ read, limitCredits }: ObservationsDeps): Observations {
	const accounts = new Map<AccountId, ObservedAccount>();
	/** The accounts of each requested hold. */
	const accountsOfHold = new Map<string, readonly AccountId[]>();
	const changedHolds = new Set<string>();

	function observedAccountOf(id: AccountId): ObservedAccount {
		const observed = accounts.get(id) ?? { entries: [], byOperation: new Map(), unrejectedRequests: new Map() };
		accounts.set(id, observed);
		return observed;
	}

	function readPage(id: AccountId, page: number): readonly Entry[] {
		const text = read(pageKey(id, page));
		if (text === undefined) throw new InvariantError(`${id}: page ${page} is missing in the journal`);
		return entrySchema.array().parse(readValue(text));
	}

	function checkAccount(id: AccountId): void {
		const observed = observedAccountOf(id);
		const account = readAccount(read(accountKey(id)), id);
		const pageCount = pageOf(account.seq + 1);
		const firstPage = Math.max(0, Math.min(pageCount - PAGES_CHECKED_AGAIN, pageOf(observed.entries.length + 1)));
		const pages = Array.from({ length: pageCount - firstPage }, (_, index) => readPage(id, firstPage + index));
		for (const entry of [...pages.flat(), ...account.entries]) {
			const previous = observed.entries[entry.seq - 1];
			if (previous) expectSame(`${id}, entry ${entry.seq}`, previous, entry);
			else add(id, observed, entry);
		}
		const audit = createJournalAudit(id, account);
		for (const entry of observed.entries) audit.take(entry);
		const findings = audit.finish();
		if (findings.length > 0)
			throw new InvariantError(`the audit of ${id} found ${JSON.stringify(findings, null, "\t")}`);
	}

	function add(id: AccountId, observed: ObservedAccount, entry: Entry): void {
		if (
			entry.kind !== "expire" &&
			!observed.unrejectedRequests.get(requestKey(entry.operationId, entry.kind, entry.amountCredits))
		) {
			throw new InvariantError(`${id}: unrequested ${JSON.stringify(entry)}, or it was rejected`);
		}
		const availableCredits = entry.postedAfterCredits - entry.heldAfterCredits;
		if (id.startsWith(LIMIT_PREFIX) && availableCredits < -limitCredits)
			throw new InvariantError(`${id}: ${JSON.stringify(entry)} exceeds the limit of ${limitCredits}`);
		observed.entries.push(entry);
		observed.byOperation.set(entry.operationId, entry);
		changedHolds.add(entry.operationId.slice(entry.kind.length + 1));
	}

	/** Returns how the hold began or ended in the account. */
	function holdIn(id: AccountId, holdId: string): string {
		const { byOperation } = observedAccountOf(id);
		const voided = byOperation.get(`void:${holdId}`);
		// A void without credits only blocks a later reserve.
		const ended = byOperation.get(`post:${holdId}`) ?? (voided?.amountCredits === 0 ? undefined : voided);
		const entry = ended ?? byOperation.get(`reserve:${holdId}`);
		return entry ? `${entry.kind} ${entry.amountCredits}` : "none";
	}

	function checkHolds(): void {
		for (const holdId of changedHolds) {
			const found = (accountsOfHold.get(holdId) ?? []).map((id) => `${id}: ${holdIn(id, holdId)}`);
			if (new Set(found.map((each) => each.slice(each.lastIndexOf(": ")))).size > 1)
				throw new InvariantError(`the hold ${holdId} differs between its accounts: ${found.join(", ")}`);
		}
		changedHolds.clear();
	}

	function countRequest({ account, operation, limits }: PlannedOperation, by: number): void {
		const key = requestKey(operationIdOf(operation), operation.kind, amountOf(operation));
		for (const id of [account, ...limits.map((limit) => limit.account)]) {
			const { unrejectedRequests } = observedAccountOf(id);
			unrejectedRequests.set(key, (unrejectedRequests.get(key) ?? 0) + by);
		}
	}

	return {
		checkAccount,
		checkHolds,
		entryCount: (account) => observedAccountOf(account).entries.length,
		entries: (account) => observedAccountOf(account).entries,
		requested(planned) {
			countRequest(planned, 1);
			const { account, operation, limits } = planned;
			if (operation.kind === "reserve")
				accountsOfHold.set(operation.holdId, [account, ...limits.map((limit) => limit.account)]);
		},
		acknowledged({ account, operation }) {
			const entry = observedAccountOf(account).byOperation.get(operationIdOf(operation));
			const same = operation.kind === "void" || entry?.amountCredits === amountOf(operation);
			if (entry?.kind === operation.kind && same) return;
			throw new InvariantError(
				`${account}: acknowledged ${JSON.stringify(operation)}, but stored ${JSON.stringify(entry)}`,
			);
		},
		rejected(planned, code) {
			const { account, operation } = planned;
			// This rejection does not contradict the reserve: its response was lost, and the hold has been posted or voided since.
			const isResolvedHold = operation.kind === "reserve" && (code === "already_posted" || code === "already_voided");
			if (!isResolvedHold) countRequest(planned, -1);
			const { byOperation, unrejectedRequests } = observedAccountOf(account);
			const entry = byOperation.get(operationIdOf(operation));
			const storedKey = entry && requestKey(operationIdOf(operation), operation.kind, amountOf(operation));
			const isStoredAsRequested = entry?.kind === operation.kind && entry.amountCredits === amountOf(operation);
			if (isStoredAsRequested && !isResolvedHold && !unrejectedRequests.get(storedKey ?? "")) {
				throw new InvariantError(`${account}: rejected with ${code}, but stored ${JSON.stringify(entry)}`);
			}
			const isJustified = EVIDENCE[code]?.(byOperation, operation) ?? true;
			if (!isJustified)
				throw new InvariantError(`${account}: rejected ${JSON.stringify(operation)} with ${code} without a reason`);
		},
	};
}

/** Pages that each check reads again; older ones cannot change, because no key of the journal is ever overwritten. */
const PAGES_CHECKED_AGAIN = 3;

/** The journal entries that justify a rejection. */
const EVIDENCE: Partial<Record<RejectionCode, (entries: Map<string, Entry>, operation: Operation) => boolean>> = {
	already_posted: (entries, operation) => "holdId" in operation && entries.has(`post:${operation.holdId}`),
	already_voided: (entries, operation) => "holdId" in operation && entries.has(`void:${operation.holdId}`),
	exists_with_different_amount: (entries, operation) => entries.has(operationIdOf(operation)),
	exceeds_hold: (entries, operation) => "holdId" in operation && entries.has(`reserve:${operation.holdId}`),
};

function amountOf(operation: Operation): number | undefined {
	return operation.kind === "void" ? undefined : operation.amountCredits;
}

/** Identifies a requested operation. A void has no amount of its own. */
function requestKey(operationId: string, kind: string, amountCredits: number | undefined): string {
	return `${operationId} ${kind} ${kind === "void" ? "" : amountCredits}`;
}

function expectSame(subject: string, expected: unknown, found: unknown): void {
	if (isDeepStrictEqual(expected, found)) return;
	throw new InvariantError(`${subject} changed from ${JSON.stringify(expected)} to ${JSON.stringify(found)}`);
}
