import { systemClock } from "@atelier/common/clock";
import { accountSchema, type Account } from "@atelier/ledger/account";
import { operationIdOf, type Operation } from "@atelier/ledger/apply-operation";
import { createAuditor, type HoldTaskState } from "@atelier/ledger/audit-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { ACCOUNT_PREFIX, parseAccountKey } from "@atelier/ledger/journal";
import type { AccountId, Credits, Entry, RejectionCode } from "@atelier/ledger/ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { Store } from "@atelier/store/store";
import { LIMIT_PREFIX, type PlannedOperation } from "./operation-generator.ts";

/** An invariant was violated. */
export class InvariantError extends Error {
	override readonly name = "InvariantError";
}

/** The value of a stored document. */
export function readValue(text: string): unknown {
	return (JSON.parse(text) as { value: unknown }).value;
}

export function readAccount(text: string | undefined, id: AccountId): Account {
	if (text === undefined) throw new InvariantError(`the account ${id} is gone`);
	return accountSchema.parse(readValue(text));
}

async function copyOf(texts: ReadonlyMap<string, string>): Promise<Store> {
	const storage = createMemoryAdapter();
	for (const [key, text] of texts) await storage.set(key, text);
	return createKeyvStore(storage);
}

/** Audits all accounts in a copy of the disk. */
export async function auditDisk(
	texts: ReadonlyMap<string, string>,
	holdTaskStateOf?: (store: Store) => (taskId: string) => Promise<HoldTaskState>,
): Promise<void> {
	const store = await copyOf(texts);
	const auditor = createAuditor({ store, ...(holdTaskStateOf && { holdTaskState: holdTaskStateOf(store) }) });
	for await (const { account, findings } of auditor.all()) {
		if (findings.length > 0) {
			throw new InvariantError(`the audit of ${account} found ${JSON.stringify(findings, null, "\t")}`);
		}
	}
}

/** The entries of one account, by operation id, oldest first. */
type Journal = ReadonlyMap<string, Entry>;

/**
 * Records the clients' requests and responses, and compares the journal with them: it contains all acknowledged operations, and no
 * rejected or unrequested ones. A hold is in all of its accounts or in none, and no limit is exceeded.
 */
export interface Responses {
	requested(planned: PlannedOperation): void;
	acknowledged(planned: PlannedOperation): void;
	rejected(planned: PlannedOperation, code: RejectionCode): void;
	/** Checks the disk while no operation is open. Resolves to the held credits of each account. */
	check(texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<AccountId, Credits>>;
}

/** `limitCredits`: the most credits by which a limit may be below zero. */
export function createResponses(limitCredits: Credits): Responses {
	/** The number of requests that were not rejected. */
	const unrejectedRequests = new Map<string, number>();
	/** The accounts of each requested hold. */
	const accountsOfHold = new Map<string, readonly AccountId[]>();
	const acknowledged: PlannedOperation[] = [];
	const rejected: (readonly [PlannedOperation, RejectionCode])[] = [];

	function countRequest(planned: PlannedOperation, by: number): void {
		for (const id of accountsOf(planned)) {
			const key = `${id} ${operationIdOf(planned.operation)} ${kindAndAmount(planned.operation)}`;
			unrejectedRequests.set(key, (unrejectedRequests.get(key) ?? 0) + by);
		}
	}

	function checkEntry(id: AccountId, entry: Entry): void {
		const requests = unrejectedRequests.get(`${id} ${entry.operationId} ${kindAndAmount(entry)}`) ?? 0;
		if (entry.kind !== "expire" && requests === 0)
			throw new InvariantError(`${id}: unrequested ${JSON.stringify(entry)}, or it was rejected`);
		if (id.startsWith(LIMIT_PREFIX) && entry.postedAfterCredits - entry.heldAfterCredits < -limitCredits)
			throw new InvariantError(`${id}: ${JSON.stringify(entry)} exceeds the limit of ${limitCredits}`);
	}

	return {
		requested(planned) {
			countRequest(planned, 1);
			if (planned.operation.kind === "reserve") accountsOfHold.set(planned.operation.holdId, accountsOf(planned));
		},
		acknowledged: (planned) => void acknowledged.push(planned),
		rejected(planned, code) {
			rejected.push([planned, code]);
			// The response to an applied reserve was lost, and the hold has been posted or voided since.
			const isEndedHold = planned.operation.kind === "reserve" && /^already_(?:posted|voided)$/.test(code);
			if (!isEndedHold) countRequest(planned, -1);
		},
		async check(texts) {
			await auditDisk(texts);
			const journals = await readJournals(texts);
			const journalOf = (id: AccountId): Journal => journals.get(id) ?? new Map<string, Entry>();
			for (const [id, journal] of journals) for (const entry of journal.values()) checkEntry(id, entry);
			for (const { account, operation } of acknowledged) {
				const entry = journalOf(account).get(operationIdOf(operation));
				if (entry && kindAndAmount(entry) === kindAndAmount(operation)) continue;
				const stored = JSON.stringify(entry);
				throw new InvariantError(`${account}: acknowledged ${JSON.stringify(operation)}, but stored ${stored}`);
			}
			for (const [{ account, operation }, code] of rejected) {
				if (EVIDENCE[code]?.(journalOf(account), operation) ?? true) continue;
				throw new InvariantError(`${account}: rejected ${JSON.stringify(operation)} with ${code} without a reason`);
			}
			for (const [holdId, ids] of accountsOfHold) {
				const states = ids.map((id) => stateOfHold(journalOf(id), holdId));
				if (new Set(states).size > 1)
					throw new InvariantError(`the hold ${holdId} differs between ${ids.join()}: ${states.join()}`);
			}
			return new Map([...journals].map(([id, journal]) => [id, [...journal.values()].at(-1)?.heldAfterCredits ?? 0]));
		},
	};
}

/** The journal entries that justify a rejection. */
const EVIDENCE: Partial<Record<RejectionCode, (journal: Journal, operation: Operation) => boolean>> = {
	already_posted: (journal, operation) => "holdId" in operation && journal.has(`post:${operation.holdId}`),
	already_voided: (journal, operation) => "holdId" in operation && journal.has(`void:${operation.holdId}`),
	exists_with_different_amount: (journal, operation) => journal.has(operationIdOf(operation)),
	exceeds_hold: (journal, operation) => "holdId" in operation && journal.has(`reserve:${operation.holdId}`),
};

async function readJournals(texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<AccountId, Journal>> {
	const ledger = createLedger({ store: await copyOf(texts), clock: systemClock });
	const journals = new Map<AccountId, Journal>();
	for (const key of texts.keys()) {
		if (!key.startsWith(ACCOUNT_PREFIX)) continue;
		const entries = (await ledger.history(parseAccountKey(key), { limit: 1e6 })).toReversed();
		journals.set(parseAccountKey(key), new Map(entries.map((entry) => [entry.operationId, entry])));
	}
	return journals;
}

/** Returns how a hold began or ended in an account. */
function stateOfHold(journal: Journal, holdId: string): string {
	const voided = journal.get(`void:${holdId}`);
	// A void without credits only blocks a later reserve.
	const ended = journal.get(`post:${holdId}`) ?? (voided?.amountCredits === 0 ? undefined : voided);
	const entry = ended ?? journal.get(`reserve:${holdId}`);
	return entry ? `${entry.kind} ${entry.amountCredits}` : "none";
}

function accountsOf({ account, limits }: PlannedOperation): readonly AccountId[] {
	return [account, ...limits.map((limit) => limit.account)];
}

/** A void has no amount of its own. */
function kindAndAmount(operation: Operation | Entry): string {
	return operation.kind === "void" ? "void" : `${operation.kind} ${operation.amountCredits}`;
}
