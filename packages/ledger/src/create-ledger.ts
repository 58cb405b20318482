/**
 * The ledger on a store. A change and its entries are one write of the account and its limits, by compare-and-set. Full pages
 * of entries move to the journal in the same transaction, so an operation that is in neither place never happened. Each process
 * makes one such write of an account at a time; operations that arrive meanwhile share the next one.
 */
import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { DocumentChange, DocumentWrite, Store } from "@atelier/store/store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { EMPTY_ACCOUNT, balanceOf, type Account } from "./account.ts";
import {
	applyBatch,
	operationsToFind,
	type BatchOperation,
	type LimitOperation,
	type Outcome,
	type ReadResult,
} from "./apply-batch.ts";
import { expire, idempotencyKeyOf, type Operation } from "./apply-operation.ts";
import { accountKey, createJournal, moveFullPages, pageKey, pageOf, parseAccount } from "./journal.ts";
import { type AccountId, type EndOptions, type Entry, type Ledger, type Note, type OperationResult } from "./ledger.ts";

/** The most operations per write, to bound the document. */
export const OPERATIONS_PER_WRITE_MAX = 64;
/** The number of times a batch may lose against other processes before its operations fail. */
const RETRIES_MAX = 100;
const CACHED_ACCOUNTS_MAX = 2000;

interface LoadedAccount {
	/** The stored text; `undefined` for an account that was never written. */
	readonly raw: string | undefined;
	readonly account: Account;
}

interface QueuedOperation extends BatchOperation {
	readonly resolve: (result: OperationResult) => void;
	readonly reject: (reason: unknown) => void;
}

interface BatchResult {
	readonly outcomes: ReadonlyMap<QueuedOperation, Outcome>;
	/** The stored texts of the documents of all outcomes. */
	readonly raws: readonly string[];
}

interface AttemptOptions {
	/** True if the account is the one of the last write, which another process may have changed since. */
	readonly isCached: boolean;
	/** Rejects operations whose documents are not as expected. Costs a read of each. */
	readonly checksDocuments: boolean;
}

/** The reason why an attempt has written nothing and answered no operation. */
type RetryReason =
	/** A rejected operation has documents, which may be the actual reason. */
	| "documents not checked"
	/** The write of a limit alone does not tell whether the cached account is still the stored one. */
	| "cached account not confirmed"
	/** An account or a document was not as expected. A failed transaction does not tell which. */
	| "write lost";

export function createLedger({ store, clock }: { readonly store: Store; readonly clock: Clock }): Ledger {
	const journal = createJournal(store);
	// Caches the last write of an account, which saves about a third of the cost of a change (docs/performance.md). A
	// concurrent write of another process is detected by the compare-and-set.
	const lastWritten = new LRUCache<AccountId, LoadedAccount>({ max: CACHED_ACCOUNTS_MAX });
	const queues = new Map<AccountId, QueuedOperation[]>();

	async function load(id: AccountId): Promise<LoadedAccount> {
		const stored = await store.get(accountKey(id));
		return stored ? { raw: stored.raw, account: parseAccount(stored) } : { raw: undefined, account: EMPTY_ACCOUNT };
	}

	function enqueue(
		id: AccountId,
		operation: Operation,
		note: Note,
		alsoWrite: BatchOperation["alsoWrite"] = [],
		limits: readonly LimitOperation[] = [],
	): Promise<OperationResult> {
		return new Promise((resolve, reject) => {
			if ("operationId" in operation) assertNotReserved(operation.operationId);
			const queued = { operation, note, alsoWrite, limits, resolve, reject };
			const queue = queues.get(id);
			if (queue) {
				queue.push(queued);
				return;
			}
			const newQueue = [queued];
			queues.set(id, newQueue);
			queueMicrotask(() => void drain(id, newQueue));
		});
	}

	function end(
		id: AccountId,
		operation: Extract<Operation, { kind: "post" | "void" }>,
		note: Note,
		{ limits = [], alsoWrite }: EndOptions = {},
	): Promise<OperationResult> {
		const limitOperations = limits.map((account) => ({ account, operation }));
		return enqueue(id, operation, note, alsoWrite, limitOperations);
	}

	async function drain(id: AccountId, queue: QueuedOperation[]): Promise<void> {
		while (queue.length > 0) {
			const operations = queue.splice(0, OPERATIONS_PER_WRITE_MAX);
			try {
				queue.unshift(...respond(await executeBatch(id, operations)));
			} catch (error) {
				for (const { reject } of operations) reject(error);
			}
		}
		queues.delete(id);
	}

	async function executeBatch(id: AccountId, operations: readonly QueuedOperation[]): Promise<BatchResult> {
		const cached = lastWritten.get(id);
		const firstOptions = { isCached: cached !== undefined, checksDocuments: false };
		let result = await attempt(id, cached ?? (await load(id)), operations, firstOptions);
		for (let retries = 0; typeof result === "string"; retries++) {
			if (retries === RETRIES_MAX) throw new Error(`too many concurrent changes of account ${id}: ${result}`);
			result = await attempt(id, await load(id), operations, { isCached: false, checksDocuments: true });
		}
		return result;
	}

	async function attempt(
		id: AccountId,
		loaded: LoadedAccount,
		operations: readonly QueuedOperation[],
		{ isCached, checksDocuments }: AttemptOptions,
	): Promise<BatchResult | RetryReason> {
		const { account } = loaded;
		// Read after the account, never before: an entry moves from the account to the journal, never back.
		const finalEntries = await readEach(operationsToFind(account, operations), ({ operation }) =>
			journal.find(id, idempotencyKeyOf(operation)),
		);
		const limitIds = new Set(operations.flatMap(({ limits }) => limits.map((limit) => limit.account)));
		const limits = await readEach([...limitIds], load);
		const conflicts = await readEach(checksDocuments ? operations : [], haveDocumentsChanged);
		const { accounts, outcomes } = applyBatch(
			id,
			operations,
			{ account, limits, finalEntries, conflicts },
			clock.nowMs(),
		);
		// The write checks only what it changes: accounts, and the documents of applied operations.
		const mayHideConflict = [...outcomes].some(
			([{ alsoWrite }, { kind }]) => alsoWrite.length > 0 && kind === "rejected",
		);
		if (!checksDocuments && mayHideConflict) return "documents not checked";
		const changes = [...accounts].flatMap(([changedId, changed]) => {
			const limit = limits.get(changedId);
			const { raw, account: unchanged } = limit?.kind === "read" ? limit.value : loaded;
			return changed === unchanged ? [] : { id: changedId, expectedRaw: raw, ...moveFullPages(changedId, changed) };
		});
		if (isCached && !changes.some((change) => change.id === id)) return "cached account not confirmed";
		const documents = [...outcomes.values()].flatMap((outcome) =>
			outcome.kind === "fulfilled" ? outcome.documents : [],
		);
		const raws = changes.length === 0 ? [] : await write(changes, documents);
		return raws ? { outcomes, raws } : "write lost";
	}

	async function haveDocumentsChanged({ alsoWrite }: QueuedOperation): Promise<boolean> {
		const stored = await Promise.all(alsoWrite.map(({ key }) => store.get(key)));
		return alsoWrite.some(({ expectedRaw }, index) => stored[index]?.raw !== expectedRaw);
	}

	/** Resolves to the stored texts of the documents; `undefined` if an account or a document was not as expected. */
	async function write(
		changes: readonly AccountChange[],
		documents: readonly DocumentChange[],
	): Promise<readonly string[] | undefined> {
		const raws = await store.compareAndSetAll(
			[
				...changes.map(({ id, expectedRaw, account }) => ({ key: accountKey(id), expectedRaw, next: account })),
				...documents,
			],
			changes.flatMap(({ writes }) => writes),
		);
		for (const [index, { id, account }] of changes.entries()) {
			if (raws) lastWritten.set(id, { raw: raws[index], account });
			else lastWritten.delete(id);
		}
		return raws?.slice(changes.length);
	}

	async function readPages(id: AccountId, seqs: readonly number[]): Promise<ReadonlyMap<number, Entry>> {
		const pages = [...new Set(seqs.map(pageOf))];
		const read = await Promise.all(
			pages.map(async (page) => {
				const entries = await journal.page(id, page);
				if (!entries) throw new CorruptDocumentError(pageKey(id, page), new Error("gap in the journal"));
				return entries;
			}),
		);
		return new Map(read.flat().map((entry) => [entry.seq, entry]));
	}

	return {
		grant: (id, operationId, amountCredits, note, { alsoWrite, ...options } = {}) =>
			enqueue(id, { kind: "grant", operationId, amountCredits, ...options }, note, alsoWrite),
		adjust: (id, operationId, amountCredits, note) => enqueue(id, { kind: "adjust", operationId, amountCredits }, note),
		reserve: (id, holdId, amountCredits, note, { alsoWrite, limits = [], ...options } = {}) => {
			const hold = { kind: "reserve", holdId, amountCredits } as const;
			const operation = { ...hold, overdraftCredits: 0, ...options };
			const limitOperations = limits.map((limit) => ({
				account: limit.account,
				operation: { ...hold, overdraftCredits: limit.overdraftCredits },
			}));
			return enqueue(id, operation, note, alsoWrite, limitOperations);
		},
		post: (id, holdId, amountCredits, note, options) => end(id, { kind: "post", holdId, amountCredits }, note, options),
		void: (id, holdId, note, options) => end(id, { kind: "void", holdId }, note, options),
		balance: async (id) => balanceOf(expire((await load(id)).account, clock.nowMs())),
		lastWrittenBalance(id) {
			const written = lastWritten.get(id);
			return written && balanceOf(expire(written.account, clock.nowMs()));
		},
		async history(id, { limit, beforeSeq }) {
			const { account } = await load(id);
			const newest = Math.min(account.seq, (beforeSeq ?? Number.POSITIVE_INFINITY) - 1);
			const seqs = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, n) => newest - n);
			const inAccount = new Map(account.entries.map((entry) => [entry.seq, entry]));
			const older = await readPages(
				id,
				seqs.filter((seq) => !inAccount.has(seq)),
			);
			return seqs.map((seq) => inAccount.get(seq) ?? older.get(seq)).filter((entry) => entry !== undefined);
		},
	};
}

interface AccountChange {
	readonly id: AccountId;
	readonly expectedRaw: string | undefined;
	readonly account: Account;
	/** The full pages of its entries. */
	readonly writes: readonly DocumentWrite[];
}

/** Resolves or rejects the operations of a batch. Returns those for the next write. */
function respond({ outcomes, raws }: BatchResult): readonly QueuedOperation[] {
	const deferred: QueuedOperation[] = [];
	let resolvedRaws = 0;
	for (const [queued, outcome] of outcomes) {
		if (outcome.kind === "deferred") deferred.push(queued);
		else if (outcome.kind === "rejected") queued.reject(outcome.reason);
		else {
			const { balance, documents } = outcome;
			queued.resolve({ balance, raws: raws.slice(resolvedRaws, (resolvedRaws += documents.length)) });
		}
	}
	return deferred;
}

/** Operation ids that the ledger assigns itself. */
const RESERVED_ID = /^(?:reserve|post|void|expire):/;

function assertNotReserved(operationId: string): void {
	assert(!RESERVED_ID.test(operationId), `reserved operation id: ${operationId}`);
}

/** Reads a document for each item. A failure concerns only the operations that need the document. */
async function readEach<Item, T>(
	items: readonly Item[],
	read: (item: Item) => Promise<T>,
): Promise<ReadonlyMap<Item, ReadResult<T>>> {
	async function tryToRead(item: Item): Promise<ReadResult<T>> {
		try {
			return { kind: "read", value: await read(item) };
		} catch (reason) {
			return { kind: "unreadable", reason };
		}
	}
	return new Map(await Promise.all(items.map(async (item) => [item, await tryToRead(item)] as const)));
}
